"""Word problems with whole answers, worked out rightly or with a slip."""

import random
from collections.abc import Callable

from benchmarks.foreign.fiftysecond.learning import Task, ease

PLACES = ("Odense", "Tarnow", "Segovia", "Bergen", "Matera", "Ghent", "Kaunas", "Braga", "Linz", "Pecs")
PEOPLE = ("Amara", "Joao", "Signe", "Tomek", "Leila", "Piet", "Noor", "Ravi", "Hana", "Ines", "Okoro", "Mirela")
GOODS = ("lanterns", "bicycles", "kettles", "violins", "tents", "microscopes", "rugs", "saddles")
Made = tuple[str, str, int, list[str], int, list[str]]
"""Family, question, answer, right lines, slipped answer, slipped lines."""


def _percent(rng: random.Random) -> Made:
    total, part = rng.choice([20, 25, 40, 50]) * rng.randint(2, 9), rng.randint(11, 79)
    total = 100 * (total // 20)
    kept = total * part // 100
    place, good = rng.choice(PLACES), rng.choice(GOODS)
    question = f"A shop in {place} had {total} {good} and sold {kept} of them. What percentage of the stock was sold?"
    right = [
        f"The share sold is {kept} out of {total}.",
        f"{kept} / {total} = {part / 100}, and times 100 that is {part}.",
    ]
    slip = [
        f"What is left is {total} - {kept} = {total - kept}.",
        f"{total - kept} / {total} gives {100 - part} percent.",
    ]
    return "percent", question, part, right, 100 - part, slip


def _speed(rng: random.Random) -> Made:
    hours, one, two = rng.randint(2, 7), rng.randint(38, 96), rng.randint(21, 90)
    here, there = rng.sample(PLACES, 2)
    question = (
        f"Two coaches leave {here} and {there} at the same time and drive towards each other at {one} km/h and "
        f"{two} km/h. They meet after {hours} hours. How many kilometres apart are the towns by this road?"
    )
    right = [
        f"They close the gap at {one} + {two} = {one + two} km/h.",
        f"In {hours} hours that makes {one + two} * {hours} = {(one + two) * hours} km.",
    ]
    slip = [f"The faster one covers {max(one, two)} * {hours} = {max(one, two) * hours} km.", "That is the road."]
    return "speed", question, (one + two) * hours, right, max(one, two) * hours, slip


def _pieces(rng: random.Random) -> Made:
    boxes, each, lost, more = rng.randint(6, 19), rng.randint(12, 48), rng.randint(3, 40), rng.randint(14, 90)
    who, good = rng.choice(PEOPLE), rng.choice(GOODS)
    question = (
        f"{who} receives {boxes} crates with {each} {good} each. {lost} turn out broken and are thrown away, and "
        f"a neighbour brings {more} more. How many {good} does {who} have now?"
    )
    whole = boxes * each
    right = [f"The crates hold {boxes} * {each} = {whole} {good}."]
    slip = [*right, f"Taking away {lost} leaves {whole - lost}, and that is what remains."]
    right = [*right, f"Without the broken ones: {whole} - {lost} = {whole - lost}.", f"Then {more} come on top."]
    return "pieces", question, whole - lost + more, right, whole - lost, slip


def _frame(rng: random.Random) -> Made:
    long, wide, rim = rng.randint(14, 60), rng.randint(8, 40), rng.randint(1, 4)
    question = (
        f"A picture of {long} cm by {wide} cm is set in a frame that is {rim} cm wide on every side. "
        "What is the area of picture and frame together, in square centimetres?"
    )
    a, b = long + 2 * rim, wide + 2 * rim
    right = [
        f"The frame adds {2 * rim} cm to both sides, so they are {a} and {b}.",
        f"The area is {a} * {b} = {a * b}.",
    ]
    c, d = long + rim, wide + rim
    slip = [f"The frame adds {rim} cm to both sides, so they are {c} and {d}.", f"The area is {c} * {d} = {c * d}."]
    return "frame", question, a * b, right, c * d, slip


def _remainder(rng: random.Random) -> Made:
    base, power, modulus = rng.randint(3, 19), rng.randint(5, 23), rng.choice([7, 11, 13, 17, 23])
    while base % modulus < 2:
        base = rng.randint(3, 30)
    gold = pow(base, power, modulus)
    other = pow(base, power - 1, modulus)
    question = f"What remainder does {base}^{power} leave on division by {modulus}?"
    right = [f"Reduce first: {base} is {base % modulus} modulo {modulus}."]
    steps = [f"{base}^{k} is {pow(base, k, modulus)}" for k in (2, 4)]
    right = [*right, "By squaring, " + " and ".join(steps) + ".", f"Multiplied up to {power} this leaves {gold}."]
    slip = [right[0], "By squaring, " + " and ".join(steps) + ".", f"Counting the factors, {other} is what is left."]
    if other == gold:
        slip = [right[0], f"I lose a factor and get {(gold + 1) % modulus}."]
        other = (gold + 1) % modulus
    return "remainder", question, gold, right, other, slip


FAMILIES: dict[str, Callable[[random.Random], Made]] = {
    "percent": _percent,
    "speed": _speed,
    "pieces": _pieces,
    "frame": _frame,
    "remainder": _remainder,
}
ASK = "\n\nReason step by step and put the answer into \\boxed{}."
OPENERS = (
    "Let me write down what is given.",
    "First I sort out what the question wants.",
    "We take it one piece at a time.",
    "The numbers that matter stand in the text.",
    "I start with what can be worked out at once.",
    "",
)
CHECKS = (
    "A rough estimate has the same size.",
    "Going backwards from the result fits the text.",
    "The units agree with what was asked.",
    "Nothing in the question is left unused, I think.",
    "I read the question once more, and this is what it wants.",
    "",
    "",
)


def sum_task(rng: random.Random, place: int, family: str | None = None) -> Task:
    """A word problem; its data hold the lines of a right and of a slipped way."""
    family = family or rng.choice(list(FAMILIES))
    name, question, gold, right, slipped, slip = FAMILIES[family](rng)
    data = {"right": right, "slip": slip, "slipped": slipped, "question": question}
    return Task(f"{name}-{place:04d}", name, question + ASK, str(gold), ease(rng), data=data)


def reason(rng: random.Random, task: Task, right: bool, thorough: float = 0.5) -> str:
    """The way to the answer, without the answer."""
    lines = [rng.choice(OPENERS), *(task.data["right"] if right else task.data["slip"])]
    if rng.random() < thorough:
        lines.append(rng.choice(CHECKS))
    return (" " if rng.random() < 0.4 else "\n").join(line for line in lines if line)


def wrong_value(rng: random.Random, task: Task) -> int:
    """What a slipped way ends in, mostly what its lines say."""
    slipped = int(task.data["slipped"])
    return slipped if str(slipped) != task.gold else slipped + 1


def solve(rng: random.Random, task: Task, right: bool, thorough: float = 0.5) -> str:
    """A whole attempt with the answer in a box."""
    value = task.gold if right else str(wrong_value(rng, task))
    lead = rng.choice(["So the answer is", "Answer:", "This gives", "Hence", "Therefore we have"])
    return f"{reason(rng, task, right, thorough)}\n{lead} \\boxed{{{value}}}."
