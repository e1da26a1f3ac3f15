"""Problems that are solved by one operation after another, and how a policy writes such work."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

Step = tuple[str, str, float]
"""What is worked out, the operation, its number."""


@dataclass(frozen=True)
class Chain:
    """A problem with the operations that solve it."""

    prompt: str
    start: float
    steps: tuple[Step, ...]
    family: str
    unit: str = ""


@dataclass(frozen=True)
class Tongue:
    """How work is worded in a language."""

    openers: tuple[str, ...]
    lines: tuple[str, ...]
    checks: tuple[str, ...]
    closings: tuple[str, ...]
    number: Callable[[float], str]
    system: str = ""


SIGNS = {"+": "+", "-": "-", "*": "×", "/": "÷"}


def plain(value: float) -> str:
    """Write a number with a point and no zeros behind."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def apply(value: float, sign: str, number: float) -> float:
    """Do one operation."""
    done = {"+": value + number, "-": value - number, "*": value * number, "/": value / number}
    return round(done[sign], 4)


def solve(chain: Chain) -> float:
    """Do all operations."""
    value = chain.start
    for _, sign, number in chain.steps:
        value = apply(value, sign, number)
    return value


def slip(rng: Random, value: float, sign: str, number: float) -> float:
    """Do an operation wrongly: the wrong sign, or a slip in a digit."""
    other = {"+": "-", "-": "+", "*": "+", "/": "-"}[sign]
    made = apply(value, other, number)
    if made < 0 or rng.random() < 0.65:
        made = apply(value, sign, number)
    if abs(made - apply(value, sign, number)) < 1e-9:
        made += rng.choice((1, -1, 2, 10, -10, 9)) * (1 if float(made).is_integer() else 0.5)
    return round(made, 4)


def work(rng: Random, chain: Chain, right: bool, tongue: Tongue) -> tuple[list[str], float]:
    """Write the operations line by line and give what they come to; one of them is slipped where it shall be wrong."""
    wrong_at = -1 if right else rng.randrange(len(chain.steps))
    value, lines, gold = chain.start, [], solve(chain)
    for place, (what, sign, number) in enumerate(chain.steps):
        made = slip(rng, value, sign, number) if place == wrong_at else apply(value, sign, number)
        sum_ = f"{tongue.number(value)} {SIGNS[sign]} {tongue.number(number)} = {tongue.number(made)}"
        lines.append(rng.choice(tongue.lines).format(what=what, sum=sum_, n=place + 1))
        value = made
    if not right and abs(value - gold) < 1e-6:
        value = gold + 1
    return lines, value


def write_up(rng: Random, chain: Chain, right: bool, skill: float, tongue: Tongue) -> Reply:
    """Write a whole reply; checks come with training."""
    lines, value = work(rng, chain, right, tongue)
    parts = [rng.choice(tongue.openers), *lines]
    if rng.random() < 0.15 + 0.5 * skill:
        parts.append(rng.choice(tongue.checks).format(value=tongue.number(value)))
    answer = tongue.number(value)
    parts.append(rng.choice(tongue.closings).format(answer=answer, unit=chain.unit))
    return Reply([say(rng.choice(("\n", "\n", "\n\n")).join(parts))], answer)


def task_of(rng: Random, chain: Chain, tongue: Tongue) -> Task:
    """Make a task of a chain."""
    return Task(
        chain.prompt,
        tongue.number(solve(chain)),
        lambda r, right, skill: write_up(r, chain, right, skill, tongue),
        family=chain.family,
        system=tongue.system,
        ease=0.5 - 0.35 * (len(chain.steps) - 2),
        extra={"family": chain.family},
    )
