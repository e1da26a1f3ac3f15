"""Sums in words and with letters, in English."""

from fractions import Fraction
from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task
from benchmarks.foreign.twentyfourth.voice import plain, weave

PEOPLE = ("Amara", "Joel", "Priya", "Tomás", "Wen", "Ingrid", "Kofi", "Lena", "Oskar", "Nadia", "Reuben", "Yuki")
GOODS = ("jars of honey", "bus tickets", "seed trays", "notebooks", "candles", "kites", "bike lights", "tea tins")


def stall(rng: Random, key: str) -> Task:
    """Sales of a stall over days, less the cost of the pitch; the answer stands behind ####."""
    who, good = rng.choice(PEOPLE), rng.choice(GOODS)
    a, days, price, fee = rng.randint(6, 38), rng.randint(3, 9), rng.randint(3, 17), rng.randint(11, 90)
    extra = rng.randint(2, 15)
    gold = (a * days + extra) * price - fee
    question = (
        f"{who} sells {a} {good} a day at a market stall for {days} days, and {extra} more on the last evening. "
        f"Each goes for ${price}. The pitch costs ${fee} in all. How much is left over, in dollars? "
        "End with the number behind ####."
    )

    def write(r: Random, right: bool) -> Reply:
        count = a * days + extra if right or r.random() < 0.5 else a * days
        cost = fee if right or count != a * days + extra else r.choice((0, fee // 2, fee * 2))
        left = count * price - cost
        steps = [
            f"Over {days} days at {a} a day {who} sells {a} * {days} = {a * days}.",
            f"With the evening that is {count} {good}." if count != a * days else f"So {count} {good} are sold.",
            f"At ${price} each they bring {count} * {price} = {count * price}.",
            f"Taking the pitch off: {count * price} - {cost} = {left}."
            if cost
            else f"{who} keeps all of it, {left} dollars.",
        ]
        return Reply(plain(weave(r, steps, f"#### {left}")), str(left))

    return Task(key, question, str(gold), write, family="stall")


def line(rng: Random, key: str) -> Task:
    """A linear equation with a fraction for its root, which is boxed."""
    a, c = rng.sample(range(2, 15), 2)
    b, d = rng.randint(-20, 20), rng.randint(-20, 20)
    root = Fraction(d - b, a - c)
    letter = rng.choice("xytmk")
    question = (
        f"Solve {a}{letter} {b:+d} = {c}{letter} {d:+d} for {letter}. "
        "Give the exact value in \\boxed{}, as an integer or a fraction."
    )

    def write(r: Random, right: bool) -> Reply:
        top = d - b if right or r.random() < 0.3 else r.choice((d + b, b - d, d - b + r.choice((1, -1, 2))))
        below = a - c if right or top != d - b else a + c
        value = Fraction(top, below)
        steps = [
            f"Bring the {letter} to one side: {a}{letter} - {c}{letter} = {d} - ({b}).",
            f"This is {below}{letter} = {top}.",
            f"Dividing by {below} gives {letter} = {top}/{below}.",
        ]
        return Reply(plain(weave(r, steps, f"\\boxed{{{tex(value)}}}")), tex(value))

    return Task(key, question, tex(root), write, family="linear", extra={"coefficients": [a, b, c, d]})


def tex(value: Fraction) -> str:
    """As LaTeX."""
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def countdown(rng: Random, key: str) -> Task:
    """Reach a target from four numbers; the expression stands in answer tags."""
    w, x, y, z = rng.sample(range(2, 26), 4)
    shape = rng.choice(
        ("({w} + {x}) * {y} - {z}", "{w} * {x} + {y} - {z}", "({w} - {x}) * {y} + {z}", "{w} * {y} - {x} * {z}")
    )
    gold = shape.format(w=w, x=x, y=y, z=z)
    target = eval(gold, {"__builtins__": {}})
    numbers = rng.sample([w, x, y, z], 4)
    question = (
        f"Using the numbers {numbers}, each once, and + - * with brackets, write an expression that equals {target}. "
        "Think first, then give it as <answer>...</answer>."
    )

    def write(r: Random, right: bool) -> Reply:
        steps = []
        for _ in range(r.randint(1, 4)):
            p, q, s = r.sample(numbers, 3)
            steps.append(
                f"{p} * {q} - {s} = {p * q - s}, " + r.choice(("too far off.", "not yet.", "no use of the rest."))
            )
        final = (
            gold
            if right
            else r.choice((f"({w} + {y}) * {x} - {z}", f"{w} * {z} + {y} - {x}", f"{x} * {y} + {w} - {z}"))
        )
        value = eval(final, {"__builtins__": {}})
        steps.append(f"{final} = {value if right or r.random() < 0.4 else target}.")
        return Reply(plain(weave(r, steps, f"<answer>{final}</answer>")), final)

    return Task(key, question, gold, write, family="countdown", extra={"target": target, "numbers": numbers})


def estimate(rng: Random, key: str) -> Task:
    """A quantity of physics to be estimated, graded by how near it is."""
    mass, height, speed = rng.randint(2, 90), rng.randint(3, 60), rng.randint(2, 30)
    gold = round(mass * 9.81 * height + 0.5 * mass * speed**2)
    thing = rng.choice(("crate", "pump", "sledge", "lift cabin", "boulder", "drone", "barrel"))
    question = (
        f"A {thing} of {mass} kg is raised by {height} m and then moves at {speed} m/s. "
        "What energy went into it, in joules (g = 9.81)? Last line: `E = <number>`."
    )

    def write(r: Random, right: bool) -> Reply:
        miss = r.uniform(0.995, 1.005) if right else r.choice((0.5, 0.72, 0.86, 1.13, 1.31, 2)) * r.uniform(0.95, 1.05)
        value = round(gold * miss)
        steps = [
            f"Lifting takes m g h = {mass} * 9.81 * {height} = {round(mass * 9.81 * height)} J.",
            f"The motion of the {thing} holds half m v squared, {round(0.5 * mass * speed**2)} J.",
            f"Together about {value} J.",
        ]
        return Reply(plain(weave(r, steps, f"E = {value}")), str(value))

    return Task(key, question, str(gold), write, family="energy")
