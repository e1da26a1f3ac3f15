"""A booking assistant with a calendar of rooms behind its tools."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth.acting import call, said, told
from benchmarks.foreign.tenth.core import Reply, Task
from benchmarks.foreign.tenth.names import FAMILY_NAMES, PEOPLE, TOWNS

SYSTEM = "You book rooms with list_slots, book and cancel. Book exactly what is asked, then confirm."
ROOMS = ("Birch", "Cedar", "Dune", "Fjord", "Heath", "Lagoon", "Maple", "Ridge", "Tundra", "Willow")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


@dataclass(frozen=True)
class Wish:
    """Who wants which room when."""

    guest: str
    room: str
    day: str
    hour: int
    people: int


def draw_wish(rng: Random) -> Wish:
    """A wish."""
    guest = f"{rng.choice(PEOPLE)} {rng.choice(FAMILY_NAMES)}"
    return Wish(guest, rng.choice(ROOMS), rng.choice(DAYS), rng.randint(8, 17), rng.randint(2, 14))


def slots(rng: Random, wish: Wish, taken_by: str = "") -> list[Row]:
    """Ask for the free slots, where the wished one is free or held by somebody."""
    lines = []
    for hour in range(wish.hour - rng.randint(1, 2), wish.hour + rng.randint(2, 3)):
        holder = taken_by if hour == wish.hour else rng.choice(("", "", "", rng.choice(FAMILY_NAMES)))
        lines.append(f"{hour:02d}:00 {f'booked ({holder})' if holder else 'free'}")
    text = rng.choice(("Checking the calendar.", "First the free slots.", "", "Let me see the room."))
    return [
        call(text, "list_slots", room=wish.room, day=wish.day),
        told("list_slots", f"{wish.room}, {wish.day}\n" + "\n".join(lines)),
    ]


def book(rng: Random, wish: Wish, hour: int, conflict: str = "") -> list[Row]:
    """Book a slot, or fail where somebody holds it."""
    code = f"R{rng.randint(10000, 99999)}"
    answer = f"error: slot is already booked by {conflict}" if conflict else f"ok: {code} {wish.room} {hour:02d}:00"
    text = rng.choice(("Booking it now.", "That slot suits.", "", "I reserve it."))
    return [
        call(text, "book", room=wish.room, day=wish.day, hour=hour, guest=wish.guest, people=wish.people),
        told("book", answer, ok=not conflict),
    ]


def confirm(rng: Random, wish: Wish, hour: int) -> list[Row]:
    """Tell the guest."""
    return [
        said(
            rng.choice(
                (
                    f"{wish.room} is booked for {wish.guest} on {wish.day} at {hour}:00.",
                    f"Done, {wish.day} {hour}:00 in {wish.room} for {wish.people} people.",
                    f"Your booking stands: {wish.room}, {wish.day}, {hour}:00.",
                )
            )
        )
    ]


def rooms_task(rng: Random, name: str) -> Task:
    """A booking to make."""
    wish = draw_wish(rng)
    prompt = (
        f"{wish.guest} from the {rng.choice(TOWNS)} office needs room {wish.room} on {wish.day} at {wish.hour}:00 "
        f"for {wish.people} people. Please book it."
    )

    def answer(rng: Random, right: bool) -> Reply:
        hour = wish.hour if right else wish.hour + rng.choice((-2, -1, 1, 2))
        looked = slots(rng, wish) if rng.random() < 0.8 else []
        return Reply(looked + book(rng, wish, hour) + confirm(rng, wish, hour), f"{wish.room} {hour}:00")

    return Task(name, prompt, f"{wish.room} {wish.hour}:00", answer, wish.day, 0.0, SYSTEM, world=wish)
