"""A service desk with tools: loans of a library of things, which can be extended, booked, or must be declined."""

import random

from benchmarks.foreign.fortysecond.attempts import Task, call, say

ITEMS = (
    "tile cutter",
    "projector",
    "cargo bike",
    "sewing machine",
    "pressure washer",
    "tent",
    "cement mixer",
    "telescope",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MEMBERS = ("Oona", "Bram", "Celeste", "Dmitri", "Esra", "Finn", "Gudrun", "Hakim", "Iva", "Jonas")
SYSTEM = (
    "You are the desk of a library of things. Tools: check_item(item, day), book_item(item, day, member), "
    "extend_loan(member, item, days), escalate(reason). Book only what is free. Decline what cannot be done, and say "
    "why."
)


def visits(rng: random.Random, count: int, impossible: float = 0.0) -> list[Task]:
    """Requests at the desk; `about` is item, day, member, and whether the item is free."""
    out = []
    triples = rng.sample([(i, d) for i in ITEMS for d in DAYS], count)
    for number, (item, day) in enumerate(triples):
        member, free = rng.choice(MEMBERS), rng.random() >= impossible
        forms = (
            f"Hello, {member} here. Could I have the {item} on {day}?",
            f"I would like to book the {item} for {day}. My member name is {member}.",
            f"Is the {item} to be had on {day}? If so, put me down, please: {member}.",
        )
        answer = f"book_item({item}, {day}, {member})" if free else "decline"
        out.append(
            Task(
                f"desk-{number:03d}",
                rng.choice(forms),
                answer,
                "free" if free else "taken",
                rng.gauss(0, 0.6),
                (item, day, member, free),
            )
        )
    return out


def checked(rng: random.Random, task: Task) -> list[dict]:
    """The agent looks whether the item is free."""
    item, day, _, free = task.about
    status = f'{{"item": "{item}", "day": "{day}", "free": {"true" if free else "false"}}}'
    lead = rng.choice(
        (f"I look up the {item} for {day}.", f"First I check whether the {item} is free.", f"{day}, let me see.")
    )
    return call(lead, "check_item", {"item": item, "day": day}, status)


def booked(rng: random.Random, task: Task, right: bool = True) -> list[dict]:
    """The agent books, on a wrong day where it errs, and tells the member."""
    item, day, member, _ = task.about
    put = day if right else rng.choice([d for d in DAYS if d != day])
    lead = rng.choice(("It can be booked, so I do that.", f"I put {member} down for it.", "Booking it now."))
    reply = f'{{"ok": true, "booking": {rng.randint(10000, 99999)}}}'
    end = rng.choice(
        (
            f"Done, {member}: the {item} is yours on {put}.",
            f"The {item} is booked for {put}. Please bring your card, {member}.",
            f"You can fetch the {item} on {put} from nine o'clock.",
        )
    )
    return call(lead, "book_item", {"item": item, "day": put, "member": member}, reply) + say(end)


def declined(rng: random.Random, task: Task) -> list[dict]:
    """The agent declines."""
    item, day, member, _ = task.about
    forms = (
        f"I am sorry, {member}, the {item} is lent out on {day}. Shall I look at another day?",
        f"The {item} is not free on {day}, so I could not book it. Another day may work.",
        f"On {day} somebody else has the {item}. I did not book anything.",
    )
    return say(rng.choice(forms))
