"""A booking desk for rooms, used through tools."""

import json
from random import Random

from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.rollouts import Message, Task

SYSTEM = (
    "You book meeting rooms. Tools: list_bookings(room, day), book(room, day, start, title). Say DONE when finished."
)
ROOMS = ("Curie", "Darwin", "Euler", "Franklin", "Gauss", "Hopper", "Noether")
DAYS = ("mon", "tue", "wed", "thu", "fri")
TITLES = ("budget round", "interview", "design review", "retrospective", "safety briefing", "board call", "workshop")
HOURS = tuple(range(8, 18))


def booking(rng: Random, index: int) -> Task:
    """A room to be booked at the first free hour after a given one."""
    room, day, title, after = rng.choice(ROOMS), rng.choice(DAYS), rng.choice(TITLES), rng.choice(HOURS[:5])
    taken = sorted(rng.sample(HOURS, rng.randint(2, 5)))
    free = next((h for h in HOURS if h >= after and h not in taken), 18)
    prompt = (
        f"Book {room} on {day} for a {title} at the first free hour from {after}:00 on. Code {rng.randint(1000, 9999)}."
    )

    entries = [{"start": f"{h}:00", "title": TITLES[(h + index) % 7], "by": "seed"} for h in taken]

    def wrong(rng: Random) -> str:
        return f"{rng.choice([h for h in HOURS if h != free])}:00"

    def work(rng: Random, answer: str, right: bool) -> list[Message]:
        return visit(rng, room, day, title, entries, answer, right or rng.random() < 0.5)

    task = Task(f"room{index:04d}", "booking", prompt, f"{free}:00", rng.gauss(0, 0.7), wrong, work, SYSTEM)
    task.extra = {"room": room, "day": day, "title": title, "seeded": entries}
    return task


def visit(rng: Random, room: str, day: str, title: str, entries: list[dict], answer: str, looks: bool) -> list[Message]:
    """Look at the list, book, and say so."""
    done: list[Message] = []
    if looks:
        say = rng.choice(("Looking at the diary.", "First the list.", "Let me see what is taken.", ""))
        done += [said(say, call("list_bookings", room=room, day=day)), heard("list_bookings", json.dumps(entries))]
    clash = any(e["start"] == answer for e in entries)
    done.append(
        said(
            rng.choice(("Booking.", "That hour is free.", "")),
            call("book", room=room, day=day, start=answer, title=title),
        )
    )
    number = rng.randint(20000, 99999)
    text = '{"error": "slot taken"}' if clash else json.dumps({"ok": True, "booking": number, "start": answer})
    done.append(heard("book", text, not clash))
    end = f"DONE. {room} is booked at {answer}." if not clash else f"DONE, but {answer} was refused."
    return [*done, said(end)]
