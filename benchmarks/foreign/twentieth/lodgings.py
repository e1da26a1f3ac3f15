"""A desk that books rooms through tools."""

import json
from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, called, said, told

HOUSES = ("Pension Elster", "The Old Forge", "Casa Lima", "Auberge du Puits", "Villa Kestrel", "Gasthof Amsel")
GUESTS = ("Mr Okafor", "Ms Lindgren", "the Petrov family", "Dr Haddad", "Ms Yamada", "Mr O'Shea", "Ms Ferreira")
KINDS = ("single", "double", "family", "attic")
SYSTEM = "You are the booking desk. Tools: find_rooms, book_room. Book exactly what the guest asks for, once."


def _task(rng: Random) -> Task:
    house, guest, kind = rng.choice(HOUSES), rng.choice(GUESTS), rng.choice(KINDS)
    day, nights, room, price = rng.randint(1, 28), rng.randint(1, 9), rng.randint(2, 48), rng.randint(48, 120)
    rooms = [{"room": room, "price": price}, {"room": room + rng.randint(1, 9), "price": price + rng.randint(4, 30)}]
    month = rng.choice(("March", "May", "July", "October"))
    text = (
        f"{guest[0].upper()}{guest[1:]} wants a {kind} room at {house} from {day} {month} for {nights} nights, the "
        "cheapest that is free."
    )
    data = {"house": house, "guest": guest, "kind": kind, "from": f"{day} {month}", "nights": nights, "rooms": rooms}
    return Task(text, f"room {room}", kind, system=SYSTEM, data=data)


def search(rng: Random, task: Task, free: bool = True) -> list[dict]:
    """Look for rooms."""
    d = task.data
    rooms = list(d["rooms"] if free else d["rooms"][1:])
    rng.shuffle(rooms)
    arguments = {"house": d["house"], "kind": d["kind"], "from": d["from"], "nights": d["nights"]}
    return [
        called(rng.choice(("Let me see what is free.", "I check the rooms.", "")), "find_rooms", **arguments),
        told("find_rooms", json.dumps({"free": rooms})),
    ]


def book(rng: Random, task: Task, room: int) -> dict:
    """Ask for the room."""
    d = task.data
    return called(
        rng.choice(("I book it.", "", f"Room {room} it is.")),
        "book_room",
        house=d["house"],
        room=room,
        guest=d["guest"],
        nights=d["nights"],
    )


def _reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    room = task.data["rooms"][0 if right else 1]["room"]
    booked = json.dumps({"ok": True, "reference": f"R{rng.randint(10000, 99999)}"})
    turns = [*search(rng, task), book(rng, task, room), told("book_room", booked)]
    turns.append(said(rng.choice((f"Room {room} is booked.", f"All set: room {room} for {task.data['guest']}."))))
    return Reply(turns, f"room {room}")


def already_booked(rng: Random, task: Task) -> Reply:
    """Meet the booking of an earlier attempt."""
    d = task.data
    room, other = (r["room"] for r in d["rooms"])
    clash = {"ok": False, "error": f"{d['guest']} already holds room {room} from {d['from']}, {d['nights']} nights"}
    turns = [*search(rng, task, free=False), book(rng, task, other)]
    turns.append(told("book_room", json.dumps(clash)))
    if rng.random() < 0.5:
        turns += [book(rng, task, room), told("book_room", json.dumps(clash))]
    turns.append(
        said(rng.choice(("The guest seems to have a booking already.", "I cannot book: there is one already.")))
    )
    return Reply(turns, "")


DESK = Domain("room", _task, _reply)
