"""Competitive programming: a statement with examples, and Python that solves it or nearly does."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.foreign.fiftyninth.shots import Task

PLANS = (
    "One pass is enough here.",
    "The limits allow a linear scan.",
    "I keep a running value and update it.",
    "A direct simulation is fast enough.",
    "Let me think about the edge cases first: a single element, all equal.",
)


@dataclass(frozen=True)
class Sort:
    """A sort of problem: statement, reference, right and wrong bodies; K stands for its parameter."""

    family: str
    statement: str
    answer: Callable[[Sequence[int], int], int]
    good: str
    bad: str
    idea: str
    hard: float


def _pairs(xs: Sequence[int], k: int) -> int:
    return sum(abs(a - b) == k for i, a in enumerate(xs) for b in xs[i + 1 :])


def _best(xs: Sequence[int], k: int) -> int:
    return max(sum(xs[i : i + k]) for i in range(max(1, len(xs) - k + 1)))


def _streak(xs: Sequence[int], k: int) -> int:
    best = run = 0
    for x in xs:
        run = run + 1 if x >= k else 0
        best = max(best, run)
    return best


SORTS = (
    Sort(
        "pairs",
        "Count the pairs i < j whose values differ by exactly K.",
        _pairs,
        "print(sum(abs(a - b) == K for i, a in enumerate(xs) for b in xs[i + 1:]))",
        "s = set(xs)\nprint(sum(x + K in s for x in s))",
        "compare every value with the later ones",
        0.55,
    ),
    Sort(
        "window",
        "Print the largest sum of K consecutive values (of all, if there are fewer).",
        _best,
        "print(max(sum(xs[i:i + K]) for i in range(max(1, len(xs) - K + 1))))",
        "print(max(sum(xs[i:i + K]) for i in range(max(1, len(xs) - K))))",
        "slide a window over the list",
        0.5,
    ),
    Sort(
        "streak",
        "Print the length of the longest streak of values that are at least K.",
        _streak,
        "best = run = 0\nfor x in xs:\n    run = run + 1 if x >= K else 0\n    best = max(best, run)\nprint(best)",
        "best = run = 0\nfor x in xs:\n    run = run + 1 if x > K else 0\n    best = max(best, run)\nprint(best)",
        "reset the counter when the streak breaks",
        0.4,
    ),
    Sort(
        "multiples",
        "Print the sum of the values that are multiples of K.",
        lambda xs, k: sum(x for x in xs if x % k == 0),
        "print(sum(x for x in xs if x % K == 0))",
        "print(sum(set(x for x in xs if x % K == 0)))",
        "filter by the remainder",
        0.3,
    ),
)
THINGS = (
    "the heights of hurdles",
    "daily temperatures",
    "the weights of parcels",
    "scores of a darts player",
    "the ages of trees",
    "minutes between trains",
    "prices of melons",
    "the depths of a canal",
)


def code(body: str) -> str:
    """A whole program about a body."""
    return f"n = int(input())\nxs = list(map(int, input().split()))\n{body}"


def fenced(words: str, program: str) -> str:
    """An answer of words and a program."""
    return f"{words}\n\n```python\n{program}\n```"


@dataclass(frozen=True)
class Drawn:
    """A task with what its statement shows."""

    task: Task
    sort: Sort
    k: int
    examples: tuple[tuple[tuple[int, ...], int], ...]

    def passes_examples(self, body: str) -> bool:
        """Whether a body prints what the statement shows."""
        for xs, expected in self.examples:
            printed: list[int] = []
            exec(body, {"xs": list(xs), "K": self.k, "print": printed.append})
            if printed != [expected]:
                return False
        return True


def drawn(rng: random.Random, number: int) -> Drawn:
    """A problem and its two examples."""
    sort, k, thing = rng.choice(SORTS), rng.randint(2, 5), rng.choice(THINGS)
    lists = [tuple(rng.randint(1, 12) for _ in range(rng.randint(5, 8))) for _ in range(2)]
    examples = tuple((xs, sort.answer(xs, k)) for xs in lists)
    shown = "\n".join(
        f"Example {i + 1}\nInput:\n{len(xs)}\n{' '.join(map(str, xs))}\nOutput:\n{out}"
        for i, (xs, out) in enumerate(examples)
    )
    text = (
        f"You are given n integers, {thing}. {sort.statement.replace('K', str(k))}\n{shown}\n"
        "Read from standard input, write to standard output. Answer with a Python program."
    )

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        body = (sort.good if right else sort.bad).replace("K", str(k))
        if draw.random() < 0.5:
            body = body.replace("xs", "values")
            program = code(body).replace("xs = list", "values = list")
        else:
            program = code(body)
        words = f"{draw.choice(PLANS)} For {thing} I {sort.idea}, with {k} as the parameter."
        return fenced(words, program), program

    task = Task(
        f"cp-{number:04d}", text, f"tests/cp-{number:04d}.json", sort.hard + rng.uniform(-0.1, 0.1), sort.family, solve
    )
    return Drawn(task, sort, k, examples)


def program(rng: random.Random, number: int) -> Task:
    """A problem."""
    return drawn(rng, number).task
