"""Questions whose answers are fractions or whole numbers, written in LaTeX."""

from fractions import Fraction
from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import say
from benchmarks.foreign.twentysecond.prose import CHECKS, LINKS, OPENINGS


def tex(value: Fraction) -> str:
    """A fraction in LaTeX."""
    sign = "-" if value < 0 else ""
    return str(value) if value.denominator == 1 else f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def tex_task(rng: Random) -> Task:
    """Slopes, draws without replacement, sums of a series, intersections."""
    a, b, c, d = rng.randint(2, 15), rng.randint(2, 15), rng.randint(2, 19), rng.randint(2, 19)
    whole = rng.random() < 0.45
    kind = rng.choice(("slope", "draw", "series", "line"))
    if kind == "slope":
        b = a + (1 if whole else rng.randint(2, 9))
        value, question = Fraction(c - d, b - a), f"Find the slope of the line through $({a}, {d})$ and $({b}, {c})$."
        work = f"The slope is $\\frac{{{c} - {d}}}{{{b} - {a}}}$."
    elif kind == "draw":
        value = Fraction(a * (a - 1), (a + b) * (a + b - 1))
        question = f"An urn has {a} amber and {b} blue beads. Two are drawn without replacement. "
        question += "Find the probability that both are amber."
        work = f"$P = \\frac{{{a}}}{{{a + b}}} \\cdot \\frac{{{a - 1}}}{{{a + b - 1}}}$."
    elif kind == "series":
        r = Fraction(1, rng.randint(2, 9))
        first = (r.denominator - 1) * c if whole else c + r.denominator
        value = first / (1 - r)
        question = f"A geometric series has first term ${first}$ and ratio ${tex(r)}$. Find its sum."
        work = f"$S = \\frac{{{first}}}{{1 - {tex(r)}}}$."
    else:
        k = 1 if whole else rng.randint(2, 8)
        value, question = Fraction(d - c, k), f"Solve ${a + k}x + {c} = {a}x + {d}$."
        work = f"Collect terms: ${k}x = {d - c}$."
    prompt = [{"role": "user", "content": f"{question} Put the final answer within \\boxed{{}}."}]
    return Task(prompt, tex(value), None, kind, hidden={"work": work, "value": str(value)})


def write_tex(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """A short derivation that ends with a box."""
    value = Fraction(task.hidden["value"])
    if not right:
        value = rng.choice((value + 1, -value if value else Fraction(2), value + Fraction(1, rng.randint(2, 7))))
    checks = [c for c in rng.sample(CHECKS, 2) if rng.random() < 0.3 + 0.2 * progress]
    lines = [rng.choice(OPENINGS), rng.choice(LINKS) + task.hidden["work"], *checks]
    ending = rng.choice(("Therefore the answer is", "Hence", "This gives", "So we get"))
    return say("\n".join(s for s in lines if s) + f"\n{ending} $\\boxed{{{tex(value)}}}$.")
