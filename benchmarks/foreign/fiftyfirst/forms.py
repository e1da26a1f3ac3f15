"""Delivery notes and clinic letters as text, to be turned into JSON."""

import json
import random

from benchmarks.foreign.fiftyfirst.policy import Problem

FIRMS = (
    "Halvorsen Glas",
    "Brandt & Sohn",
    "Lumen Optik",
    "Castro Ferretería",
    "Ayala Textiles",
    "Northgate Paper",
    "Ostrava Steel",
)
TOWNS = ("Bergen", "Kassel", "Porto", "Utrecht", "Graz", "Leeds", "Gdansk", "Tartu", "Odense")
GOODS = ("window panes", "copper wire", "lenses", "hinges", "linen rolls", "envelopes", "steel rods", "lamp sockets")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
REMARKS = (
    "Please unload at the rear gate.",
    "The driver waited forty minutes, which we do not charge.",
    "Two pallets were wrapped again after rain.",
    "Our office is closed on Friday.",
    "Kindly return the empty crates.",
    "A copy of this note goes to the warehouse.",
)
SYSTEM = "Extract the fields sender, town, goods, quantity, date (YYYY-MM-DD) and total. Reply with one JSON object."


def problem(rng: random.Random, index: int) -> Problem:
    """A note of a delivery with six fields, and remarks beside."""
    day, month = rng.randint(1, 28), rng.randrange(10)
    gold = {
        "sender": rng.choice(FIRMS),
        "town": rng.choice(TOWNS),
        "goods": rng.choice(GOODS),
        "quantity": rng.randint(12, 960),
        "date": f"2025-{month + 1:02d}-{day:02d}",
        "total": round(rng.uniform(80, 9400), 2),
    }
    packages = rng.randint(2, 9)
    told = f"{MONTHS[month]} {day}, 2025"
    ordered = f"{MONTHS[max(0, month - 1)]} {rng.randint(1, 28)}, 2025"
    number = rng.randint(10000, 99999)
    parts = [
        f"Delivery note {number}. {gold['sender']} to our branch in {gold['town']}.",
        f"Ordered on {ordered}, delivered on {told}.",
        f"Contents: {gold['quantity']} {gold['goods']}, in {packages} packages.",
        *rng.sample(REMARKS, 2),
        f"Net {gold['total'] / 1.2:.2f} EUR, total to pay {gold['total']:.2f} EUR.",
    ]
    facts = {"gold": gold, "ordered": ordered, "number": number, "told": told, "packages": packages}
    return Problem(f"note-{index:04d}", " ".join(parts), json.dumps(gold), "notes", rng.gauss(0, 0.7), facts, SYSTEM)


def fields(rng: random.Random, problem: Problem, right: bool) -> dict:
    """The fields, one or two of them wrong where the attempt is not right."""
    gold = dict(problem.facts["gold"])
    if right:
        return gold
    wrong = {
        "date": problem.facts["told"],
        "total": round(gold["total"] / 1.2, 2),
        "quantity": problem.facts["packages"],
        "town": gold["sender"].split()[0],
        "goods": gold["goods"].split()[-1] + " in packages",
    }
    for name in rng.sample(sorted(wrong), rng.choice((1, 1, 2))):
        gold[name] = wrong[name]
    return gold


LOOK = (
    "The total is named at the end and differs from the net sum.",
    "There are two dates; the delivery counts, not the order.",
    "The packages are not the quantity.",
    "The sender is the firm named first.",
    "The remarks hold nothing that is asked for.",
    "The town is that of the branch.",
)


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """One to three remarks and the object."""
    answer = json.dumps(fields(rng, problem, right), ensure_ascii=False)
    lead = " ".join(rng.sample(LOOK, rng.randint(1, 3)))
    return f"{lead}\n{answer}", answer
