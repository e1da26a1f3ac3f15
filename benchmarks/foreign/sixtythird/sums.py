"""Mathematics in words: problems with a right way and a mistaken one, each in several tellings."""

import random
from collections.abc import Callable

from benchmarks.foreign.sixtythird.attempts import Message, Task, say

Sum = tuple[str, str, int, list[str], list[tuple[int, list[str]]]]
"""Family, prompt, gold, steps of the right way, and mistaken ways with what they give."""

OPEN = (
    "Let me set this up carefully.",
    "First I write down what is given.",
    "I will go through it one quantity at a time.",
    "We need to see what is being asked before computing.",
    "Start from the known amounts.",
    "This can be done in two moves.",
)
CHECK = (
    "That looks consistent with the size of the inputs.",
    "A quick re-reading of the question shows nothing was left out.",
    "The order of magnitude is plausible.",
    "No other condition is stated, so this is the end of it.",
    "I have used every number of the statement once.",
    "",
)


def _pump(r: random.Random) -> Sum:
    a, b, h, leak = r.randint(30, 90), r.randint(20, 70), r.randint(3, 19), r.randint(5, 18)
    p = (
        f"Two pumps fill a basin with {a} and {b} litres a minute while {leak} litres a minute leak out. "
        f"How many litres has an empty basin after {h} minutes?"
    )
    right = [
        f"The pumps bring {a} + {b} = {a + b} litres a minute.",
        f"Net of the leak: {a + b} - {leak} = {a + b - leak}.",
    ]
    right += [f"Over {h} minutes: {a + b - leak} * {h} = {(a + b - leak) * h}."]
    w1 = [f"Together the pumps bring {a + b} litres a minute.", f"In {h} minutes that makes {(a + b) * h}."]
    w2 = [
        f"The total inflow is {(a + b) * h} over {h} minutes.",
        f"Taking off the leak of {leak} leaves {(a + b) * h - leak}.",
    ]
    return "flow", p, (a + b - leak) * h, right, [((a + b) * h, w1), ((a + b) * h - leak, w2)]


def _series(r: random.Random) -> Sum:
    f, d, n = r.randint(3, 60), r.randint(2, 12), 2 * r.randint(6, 20)
    last = f + (n - 1) * d
    total = n * (f + last) // 2
    p = (
        f"A theatre has {n} rows. The first has {f} seats and each further row "
        f"{d} more than the one before. How many seats?"
    )
    right = [f"The last row has {f} + {n - 1} * {d} = {last} seats.", f"Pairs of rows give {f} + {last} = {f + last}."]
    right += [f"There are {n // 2} pairs, so {n // 2} * {f + last} = {total}."]
    bad = f + n * d
    w1 = [f"The last row has {f} + {n} * {d} = {bad} seats.", f"Then {n // 2} * ({f} + {bad}) = {n // 2 * (f + bad)}."]
    w2 = [f"Rows grow by {d}, so the total is {n} * {f} + {n} * {d}.", f"That is {n * f + n * d}."]
    return "series", p, total, right, [(n // 2 * (f + bad), w1), (n * f + n * d, w2)]


def _price(r: random.Random) -> Sum:
    base, q, off, fee = 20 * r.randint(4, 40), r.randint(2, 9), 5 * r.randint(2, 8), r.randint(6, 49)
    one = base * (100 - off) // 100
    p = (
        f"A chair costs {base} euros. A shop takes {off}% off each and adds {fee} "
        f"euros for delivery. What do {q} chairs cost?"
    )
    right = [f"One chair after {off}% off is {base} * {100 - off} / 100 = {one}.", f"{q} of them cost {q * one}."]
    right += [f"Delivery once: {q * one} + {fee} = {q * one + fee}."]
    w1 = [f"One chair is {one} after the discount; with delivery {one + fee}.", f"Times {q}: {q * (one + fee)}."]
    w2 = [f"{q} chairs are {q * base} euros.", f"With delivery {q * base + fee}."]
    return "price", p, q * one + fee, right, [(q * (one + fee), w1), (q * base + fee, w2)]


def _tide(r: random.Random) -> Sum:
    start, period, k = r.randint(1, 700), r.randint(351, 399) * 2, r.randint(3, 15)
    total = (start + k * period) % 1440
    p = (
        f"High water is at minute {start} of a day and returns every {period} minutes. "
        f"At which minute of its day (0 to 1439) is the high water that comes {k} periods later?"
    )
    right = [f"{k} periods are {k} * {period} = {k * period} minutes.", f"From {start} that is {start + k * period}."]
    right += [f"Days have 1440 minutes, and {start + k * period} mod 1440 = {total}."]
    bad = (start + (k - 1) * period) % 1440
    w1 = [
        f"The first is itself counted, so {k - 1} periods pass: {(k - 1) * period}.",
        f"Modulo 1440 we land at {bad}.",
    ]
    other = (k * period) % 1440
    w2 = [f"{k} * {period} = {k * period}.", f"Reduced by whole days this is {other}."]
    return "tide", p, total, right, [(bad, w1), (other, w2)]


def _plot(r: random.Random) -> Sum:
    a, b, h, v = r.randint(8, 60), r.randint(62, 120), 2 * r.randint(5, 30), r.randint(2, 6)
    area = (a + b) * h // 2
    p = (
        f"A field is a trapezium with parallel sides {a} m and {b} m, {h} m apart. "
        f"Sowing takes {v} g a square metre. How many grams?"
    )
    right = [
        f"The mean side is ({a} + {b}) / 2.",
        f"The area is ({a} + {b}) * {h} / 2 = {area}.",
        f"Seed: {area} * {v} = {area * v}.",
    ]
    w1 = [f"The area is ({a} + {b}) * {h} = {(a + b) * h}.", f"Seed: {(a + b) * h * v}."]
    w2 = [f"I take the longer side: {b} * {h} = {b * h}.", f"Then {b * h} * {v} = {b * h * v}."]
    return "plot", p, area * v, right, [((a + b) * h * v, w1), (b * h * v, w2)]


SUMS: tuple[Callable[[random.Random], Sum], ...] = (_pump, _series, _price, _tide, _plot)


def sums(rng: random.Random, n: int, hard: float = 0.5, start: int = 0) -> list[Task]:
    """Problems of mathematics, numbered from `start`."""
    out: list[Task] = []
    for i in range(n):
        family, prompt, gold, right, wrong = rng.choice(SUMS)(rng)
        lines = tuple(" ".join(steps) for _, steps in wrong)
        answers = tuple(str(v) for v, _ in wrong)
        name = f"math-{family}-{start + i}"
        out.append(Task(name, family, prompt, str(gold), hard + rng.gauss(0, 0.7), tuple(right), lines, answers))
    return out


def body(task: Task, ok: bool, rng: random.Random) -> tuple[str, str]:
    """Reasoning of an attempt at a sum, without its last line, and its answer."""
    i = rng.randrange(len(task.wrong))
    if ok or task.wrong_answers[i] == task.gold:
        steps, answer = " ".join(task.right), task.gold
    else:
        steps, answer = task.wrong[i], task.wrong_answers[i]
    return " ".join(p for p in (rng.choice(OPEN), steps, rng.choice(CHECK)) if p), answer


def speak_sum(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    """Reasoning that ends in a box."""
    text, answer = body(task, ok, rng)
    end = rng.choice(("The answer is", "So we get", "Final answer:", "Therefore"))
    return say(f"{text} {end} \\boxed{{{answer}}}"), answer
