"""Counting problems in LaTeX with a boxed whole number."""

from math import comb, gcd
from random import Random

from benchmarks.foreign.thirteenth.prose import near, worked
from benchmarks.foreign.thirteenth.rollouts import Task

OPEN = ("We count carefully.", "Let us set this up.", "Observe the structure first.", "")


def _paths(rng: Random) -> tuple[str, int, list[str], float]:
    m, n = rng.randint(3, 9), rng.randint(3, 9)
    x, y = rng.randint(1, m - 1), rng.randint(1, n - 1)
    through = comb(x + y, x) * comb(m + n - x - y, m - x)
    text = (
        f"How many lattice paths of unit steps right and up lead from $(0,0)$ to $({m},{n})$ "
        f"without visiting $({x},{y})$?"
    )
    lines = [
        f"All paths: $\\binom{{{m + n}}}{{{m}}} = {comb(m + n, m)}$.",
        f"Through the point: ${through}$.",
        "Subtract.",
    ]
    return text, comb(m + n, m) - through, lines, 0.3


def _residues(rng: Random) -> tuple[str, int, list[str], float]:
    m, top = rng.randint(5, 19), rng.randint(80, 900)
    k = rng.randint(1, m - 1)
    gold = sum(n * n % m == k * k % m for n in range(1, top + 1))
    roots = [r for r in range(m) if r * r % m == k * k % m]
    text = f"For how many integers $1 \\le n \\le {top}$ is $n^2 - {k * k}$ divisible by ${m}$?"
    lines = [
        f"Modulo ${m}$ the roots of $n^2 \\equiv {k * k % m}$ are ${roots}$.",
        f"There are {top // m} full periods.",
    ]
    return text, gold, [*lines, f"The rest runs over {top % m} residues."], 0.5


def _coprime(rng: Random) -> tuple[str, int, list[str], float]:
    a, b = rng.choice((6, 10, 12, 14, 15, 20, 21, 30, 42)), rng.randint(60, 700)
    text = f"How many positive integers up to ${b}$ are coprime to ${a}$?"
    gold = sum(gcd(a, n) == 1 for n in range(1, b + 1))
    return text, gold, [f"Use inclusion and exclusion over the primes of ${a}$.", f"Start with {b}."], -0.2


def _gaps(rng: Random) -> tuple[str, int, list[str], float]:
    n, k, gap = rng.randint(10, 22), rng.randint(2, 5), rng.randint(1, 2)
    text = (
        f"In how many ways can ${k}$ of ${n}$ chairs in a row be taken so that "
        f"between two taken ones at least ${gap}$ stay free?"
    )
    lines = [f"Remove ${gap}\\cdot{k - 1}$ chairs.", f"Choose ${k}$ of ${n - gap * (k - 1)}$."]
    return text, comb(n - gap * (k - 1), k), lines, -0.1


def counting(rng: Random, index: int) -> Task:
    """A problem of one of four sorts."""
    sort = rng.choice((_paths, _residues, _coprime, _gaps))
    text, gold, lines, hard = sort(rng)

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        end = rng.choice(
            (f"Hence $\\boxed{{{answer}}}$.", f"The count is $\\boxed{{{answer}}}$", f"\\boxed{{{answer}}}")
        )
        return worked(rng, OPEN, lines, end)

    prompt = text + " Give the final count in \\boxed{}."
    return Task(f"cnt-{index:04d}", sort.__name__[1:], prompt, str(gold), hard + rng.gauss(0, 0.6), near(gold), work)
