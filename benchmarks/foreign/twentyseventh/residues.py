"""Remainders and divisors, reasoned about at length before the answer."""

import math
from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import musing, say


def power(rng: Random) -> tuple[str, list[str], int]:
    """The remainder of a power."""
    base, top, mod = rng.randint(2, 13), rng.randint(9, 60), rng.choice((7, 9, 11, 13, 17, 19))
    cycle = [pow(base, k, mod) for k in range(1, 6)]
    steps = [f"the powers of {base} modulo {mod} begin {', '.join(map(str, cycle))}", f"the exponent is {top}"]
    return f"What is the remainder of {base}^{top} divided by {mod}?", steps, pow(base, top, mod)


def divisors(rng: Random) -> tuple[str, list[str], int]:
    """How many divisors a number has."""
    n = 2 ** rng.randint(1, 5) * 3 ** rng.randint(0, 3) * rng.choice((5, 7, 11, 25, 35))
    number = sum(n % d == 0 for d in range(1, n + 1))
    steps = [f"{n} has to be split into primes", f"its even part is {n & -n}"]
    return f"How many positive divisors does {n} have?", steps, number


def common(rng: Random) -> tuple[str, list[str], int]:
    """A smallest common multiple."""
    a, b = rng.randint(12, 84), rng.randint(12, 84)
    steps = [f"gcd({a}, {b}) = {math.gcd(a, b)}", f"the product is {a * b}"]
    return f"Find the least common multiple of {a} and {b}.", steps, math.lcm(a, b)


def task(rng: Random) -> Task:
    """One of the three."""
    kind = rng.choice((power, divisors, common))
    question, steps, value = kind(rng)
    system = "Think first, then state the answer."
    return Task(question, str(value), family=kind.__name__, system=system, facts={"steps": steps, "value": value})


def thought_of(rng: Random, task: Task, value: int) -> str:
    """What is thought before the answer."""
    first, second = task.facts["steps"]
    return " ".join(
        [
            say(rng, f"[Okay,|Right,|Hmm,|Let me think:] {first}."),
            *musing(rng, 1, 4),
            say(rng, f"[Next|Besides|And then], {second}."),
            say(rng, f"[That should give|I get|This leads to] {value}[, I am fairly sure|, and it fits|]."),
        ]
    )


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A thought in its mark, then the answer."""
    value = task.facts["value"] if right else max(0, task.facts["value"] + rng.choice((-4, -3, -2, -1, 1, 2, 3, 6)))
    thought = thought_of(rng, task, value)
    ending = say(rng, f"[The answer is|Answer:|It is|The result is] \\boxed{{{value}}}.")
    return Reply([speak(f"<think>\n{thought}\n</think>\n\n{ending}")], str(value), {})


RESIDUES = Domain(task, reply)
