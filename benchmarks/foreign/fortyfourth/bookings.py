"""Function calling: rooms and appointments that are booked over a small service."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem

ROOMS = ("Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Rowan")
PEOPLE = ("Ms Adeyemi", "Mr Brandl", "Dr Costa", "Ms Dahl", "Mr Eriksen", "Ms Fontaine", "Dr Gupta", "Mr Hale")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
TOPICS = (
    'the "open house"',
    "a budget review",
    'the talk "Was ist neu?"',
    "an interview",
    "the fire drill",
    "a tasting",
)
ASKS = (
    "Please book {room} for {who} on {day} at {hour}:00, it is for {topic}.",
    "{who} needs {room} on {day}, {hour}:00. Subject: {topic}.",
    "Could you reserve the room {room}? {day} {hour}:00 for {who}, {topic}.",
)
SYSTEM = (
    "You book rooms. Tools: check_room(room, day, hour), book_room(room, day, hour, person, subject). Then confirm."
)
CHECK = ("I check whether {room} is free first.", "Let me look at {room} on {day}.", "First the calendar of {room}.")
BOOK = ("It is free, so I book it.", "Nothing stands there; booking now.", "{room} can be had at {hour}:00.")
DONE = ("{room} is booked for {who} on {day} at {hour}:00.", "Done: {who} has {room} on {day}, {hour}:00.")
SORRY = ("{room} is taken on {day} at {hour}:00; I could not book it for {who}.", "Sorry, {room} is not free then.")


def requests(rng: random.Random, amount: int, topics: tuple[str, ...] = TOPICS, prefix: str = "book") -> list[Problem]:
    """Different requests."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        v = {"room": rng.choice(ROOMS), "who": rng.choice(PEOPLE), "day": rng.choice(DAYS), "hour": rng.randint(8, 17)}
        v["topic"] = rng.choice(topics)
        text = rng.choice(ASKS).format(**v)
        gold = f"{v['room']}|{v['day']}|{v['hour']}|{v['who']}"
        out.setdefault(text, Problem(f"{prefix}{len(out):04d}", text, gold, "booking", rng.gauss(-0.2, 0.8), SYSTEM, v))
    return list(out.values())


def says(text: str, name: str, arguments: dict | str) -> dict:
    """A message with one call."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def check(rng: random.Random, v: dict) -> dict:
    """The look at the calendar."""
    return says(rng.choice(CHECK).format(**v), "check_room", {"room": v["room"], "day": v["day"], "hour": v["hour"]})


def book(rng: random.Random, v: dict) -> dict:
    """The booking."""
    arguments = {"room": v["room"], "day": v["day"], "hour": v["hour"], "person": v["who"], "subject": v["topic"]}
    return says(rng.choice(BOOK).format(**v), "book_room", arguments)


def tool(text: str) -> dict:
    """What the service answers."""
    return {"role": "tool", "content": text}


def confirm(rng: random.Random, v: dict) -> dict:
    """The last words of a booking."""
    return {"role": "assistant", "content": rng.choice(DONE).format(**v)}


def serve(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """Check, book, confirm; a wrong attempt books another hour or person."""
    v = dict(problem.data)
    if not right:
        field = rng.choice(("hour", "day", "who"))
        pool = {"hour": range(8, 18), "day": DAYS, "who": PEOPLE}[field]
        v[field] = rng.choice([x for x in pool if x != v[field]])
    number = f"B-{rng.randint(1000, 9999)}"
    messages = [check(rng, v), tool('{"free": true}'), book(rng, v), tool(f'{{"ok": true, "booking": "{number}"}}')]
    return Draft([*messages, confirm(rng, v)], number, right)
