"""A help desk: what customers write, replies of some quality, and the fields of a ticket."""

import random

from benchmarks.foreign.thirtyfourth.policy import Problem, speak

FIRST = ["Amara", "Jonas", "Priya", "Luca", "Mei", "Stefan", "Nadia", "Oskar", "Ines", "Tariq", "Greta", "Pablo"]
ITEMS = ["kettle", "desk lamp", "tent", "headphones", "winter boots", "coffee grinder", "bike pump", "rucksack"]
ISSUES = {
    "damaged": ("arrived with a crack", "send a replacement today; the broken one need not come back"),
    "late": ("has not come after ten days", "trace the parcel and refund the postage"),
    "wrong": ("is not the one I ordered", "post the right one and a label for returning the other"),
    "refund": ("was sent back, and I still wait for my money", "release the refund; it takes three working days"),
}


def complaints(rng: random.Random, count: int) -> list[Problem]:
    """Messages of customers with a name, an order and an issue."""
    out = []
    for i in range(count):
        name, item, issue = rng.choice(FIRST), rng.choice(ITEMS), rng.choice(list(ISSUES))
        order = f"{rng.choice('ABCDEFG')}{rng.randint(10000, 99999)}"
        hello = rng.choice(["Hi,", "Good morning,", "Hello there,", "To whom it may concern,"])
        prompt = f"{hello} my {item} (order {order}) {ISSUES[issue][0]}. What now? {name}"
        data = {"name": name, "item": item, "issue": issue, "order": order}
        out.append(Problem(f"case-{i:03d}", prompt, issue, issue, rng.gauss(0, 0.6), data))
    return out


def respond(rng: random.Random, problem: Problem, good: bool) -> str:
    """A reply that says what will be done, or one that leaves it open."""
    d = problem.data
    hello = [f"Dear {d['name']},", f"Hello {d['name']},", f"{d['name']}, thank you for writing."]
    if good:
        does = ISSUES[d["issue"]][1]
        core = [f"I have opened order {d['order']} and will {does}.", f"For the {d['item']} we will {does}."]
        end = ["You will get a mail with the details.", "Please tell me if it does not work out.", "Best wishes."]
        return speak(rng, hello, core, end)
    other = ISSUES[rng.choice([k for k in ISSUES if k != d["issue"]])][1]
    core = [f"We will {other}.", "Please look into our list of questions.", f"Your {d['item']} matters to us."]
    return speak(rng, hello, core, ["Regards.", "Have a nice day.", "We are here to help."])
