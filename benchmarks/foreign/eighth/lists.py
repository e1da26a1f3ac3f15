"""Problems whose answers are sets, pairs or intervals."""

from random import Random

from benchmarks.foreign.eighth.arithmetic import wording
from benchmarks.foreign.eighth.course import Reply, Task, answered


def _roots(rng: Random) -> tuple[str, str, list[str], list[str], list[str], list[str]]:
    p, q = rng.sample([n for n in range(-12, 13) if n], 2)
    low, high = min(p, q), max(p, q)
    text = f"Find all real solutions of x^2 {-(p + q):+d}x {p * q:+d} = 0."
    steps = [f"Two numbers with sum {p + q} and product {p * q} are {p} and {q}.", f"So (x - ({p}))(x - ({q})) = 0."]
    slips = [f"The factors of {p * q} with sum {-(p + q)} are {-p} and {-q}.", f"So x = {-p} or x = {-q}."]
    good = [f"\\{{{low}, {high}\\}}", f"{high}, {low}", f"x={low} \\text{{ or }} x={high}", f"{low}, {high}"]
    return text, "roots", steps, slips, good, [f"{-p}, {-q}", f"\\{{{-q}, {-p}\\}}"]


def _interval(rng: Random) -> tuple[str, str, list[str], list[str], list[str], list[str]]:
    centre, radius = rng.randint(-15, 15), rng.randint(2, 20)
    low, high = centre - radius, centre + radius
    text = f"For which x does |x {-centre:+d}| < {radius} hold?"
    steps = [
        f"The distance of x from {centre} is below {radius}.",
        f"So x lies between {low} and {high}, both excluded.",
    ]
    slips = [f"Squaring gives two cases with {radius}.", f"The signs turn, so the bounds are {-high} and {-low + 1}."]
    good = [f"({low}, {high})", f"{low} < x < {high}", f"\\left({low}, {high}\\right)"]
    return text, "interval", steps, slips, good, [f"({-high}, {-low + 1})", f"[{low - 1}, {high})"]


def _divisors(rng: Random) -> tuple[str, str, list[str], list[str], list[str], list[str]]:
    number = rng.choice([n for n in range(24, 240) if sum(n % d == 0 for d in range(1, n + 1)) in (6, 8, 9)])
    found = [d for d in range(1, number + 1) if number % d == 0]
    text = f"List all positive divisors of {number}."
    pairs = ", ".join(f"{d}*{number // d}" for d in found if d * d <= number)
    steps = [f"The pairs with product {number} are {pairs}.", f"That makes {len(found)} divisors."]
    slips = [f"I go up from 1: {', '.join(map(str, found[:3]))} divide it.", "Then the partners of these."]
    good = [", ".join(map(str, found)), "\\{" + ", ".join(map(str, found)) + "\\}", ", ".join(map(str, found[::-1]))]
    fewer = found[:2] + found[3:]
    return text, "divisors", steps, slips, good, [", ".join(map(str, fewer)), ", ".join(map(str, found[1:-1]))]


def _vertex(rng: Random) -> tuple[str, str, list[str], list[str], list[str], list[str]]:
    h, k, a = rng.randint(-9, 9), rng.randint(-20, 20), rng.choice([1, 2, 3, -1, -2])
    b, c = -2 * a * h, a * h * h + k
    text = f"Give the vertex of the parabola y = {a}x^2 {b:+d}x {c:+d} as a pair."
    steps = [f"The axis is x = -({b}) / (2 * {a}) = {h}.", f"There y = {k}."]
    slips = [f"The axis is x = {b} / (2 * {a}) = {-h}.", f"Putting it in gives {k + 4}."]
    return text, "vertex", steps, slips, [f"({h}, {k})", f"({h},{k})", f"\\left({h}, {k}\\right)"], [f"({-h}, {k + 4})"]


def list_task(rng: Random) -> Task:
    """A problem with several equal ways to write its answer."""
    text, family, steps, slips, good, bad = rng.choice((_roots, _interval, _divisors, _vertex))(rng)

    def solve(rng: Random, right: bool) -> Reply:
        written = rng.choice(good if right else bad)
        return answered(f"{wording(rng, steps if right else slips)}\nAnswer: \\boxed{{{written}}}", written)

    return Task(f"{text} Put the answer in \\boxed{{}}.", good[0], family, 0.2, solve)
