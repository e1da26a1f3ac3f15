"""Fractions in a kitchen: amounts to add or scale, answered as a mixed number in a box."""

from fractions import Fraction
from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import check, opener, pick

STUFF = ("flour", "sugar", "milk", "oats", "butter", "rice", "stock", "cream", "lentils", "honey")
PARTS = (2, 3, 4, 5, 6, 8)


def mixed(value: Fraction) -> str:
    """A fraction as a mixed number."""
    whole, rest = divmod(value.numerator, value.denominator)
    if not rest:
        return str(whole)
    return f"{whole} {rest}/{value.denominator}" if whole else f"{rest}/{value.denominator}"


def task(rng: Random) -> Task:
    """Two amounts of one thing, added, or one amount scaled."""
    a = Fraction(rng.randint(1, 17), rng.choice(PARTS))
    b = Fraction(rng.randint(1, 17), rng.choice(PARTS))
    thing, guests = rng.choice(STUFF), rng.randint(2, 7)
    if rng.random() < 0.5:
        gold = a + b
        prompt = f"One bowl needs {mixed(a)} cups of {thing}, another {mixed(b)} cups. How many cups of {thing} in all?"
    else:
        gold = a * guests
        prompt = f"One portion takes {mixed(a)} cups of {thing}. How many cups of {thing} do {guests} portions take?"
    prompt += pick(rng, " Give a simplified mixed number in \\boxed{}.", " Answer in lowest terms inside \\boxed{}.")
    kind = "whole" if gold.denominator == 1 else "proper" if gold < 1 else "mixed"
    return Task(kind, prompt, mixed(gold), extra={"parts": [str(a), str(b), guests]})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Common denominators; wrong ones slip in a numerator."""
    whole = Fraction(sum(Fraction(part) for part in t.gold.split()))
    value = whole if right else whole + Fraction(rng.choice((-1, 1, 2, 3)), rng.choice(PARTS))
    value = abs(value) or Fraction(1, 3)
    base = value.denominator * rng.choice((1, 2, 3))
    body = pick(
        rng,
        f"Over {base} the amounts make {value.numerator * base // value.denominator}/{base}.",
        f"As an improper fraction that is {value.numerator}/{value.denominator}.",
        f"Bringing all to the denominator {base} gives {value.numerator * base // value.denominator} of them.",
    )
    lead = pick(rng, "So the amount is", "Therefore:", "Altogether", "This makes")
    text = f"{opener(rng)} {body}{check(rng, progress)} {lead} \\boxed{{{mixed(value)}}}"
    return Reply([{"role": "assistant", "content": text}], mixed(value))


WORLD = World(task, reply)
