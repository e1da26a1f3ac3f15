"""Competitive code: tasks with right programs, wrong programs, and what is said about them."""

import random

from benchmarks.foreign.fortysecond.attempts import Task

SHAPES: tuple[tuple[str, str, str, str, str], ...] = (
    (
        "window",
        "Given a list of integers, return the largest sum of {k} consecutive elements, or 0 if there are fewer.",
        "    if len(xs) < {k}:\n        return 0\n    total = best = sum(xs[:{k}])\n    for i in range({k}, len(xs)):\n"
        "        total += xs[i] - xs[i - {k}]\n        best = max(best, total)\n    return best",
        "    best = 0\n    for i in range(len(xs) - {k}):\n"
        "        best = max(best, sum(xs[i:i + {k}]))\n    return best",
        "A sliding sum over {k} elements needs one addition and one subtraction a step",
    ),
    (
        "pairs",
        "Given a list of integers, count the pairs i < j for which xs[i] + xs[j] is divisible by {k}.",
        "    seen = [0] * {k}\n    pairs = 0\n    for x in xs:\n        pairs += seen[-x % {k}]\n"
        "        seen[x % {k}] += 1\n"
        "    return pairs",
        "    seen = [0] * {k}\n    pairs = 0\n    for x in xs:\n        pairs += seen[{k} - x % {k} - 1]\n"
        "        seen[x % {k}] += 1\n    return pairs",
        "Only remainders modulo {k} matter, so a table of counts by remainder is enough",
    ),
    (
        "gaps",
        "Given a list of integers, return how many neighbours differ by more than {k} once the list is sorted.",
        "    xs = sorted(xs)\n    return sum(b - a > {k} for a, b in zip(xs, xs[1:]))",
        "    return sum(abs(b - a) > {k} for a, b in zip(xs, xs[1:]))",
        "After sorting, neighbours are the only pairs to look at, and each gap is compared with {k}",
    ),
    (
        "runs",
        "Given a list of integers, return the length of its longest run of equal elements, but at most {k}.",
        "    best = run = 0\n    last = None\n    for x in xs:\n        run = run + 1 if x == last else 1\n"
        "        last = x\n"
        "        best = max(best, run)\n    return min(best, {k})",
        "    best = run = 0\n    for a, b in zip(xs, xs[1:]):\n        run = run + 1 if a == b else 0\n"
        "        best = max(best, run)\n    return min(best, {k})",
        "One pass keeps the current run and the best one, and the result is capped at {k}",
    ),
    (
        "steps",
        "Given a list of integers, each may be lowered by {k} as often as it stays non-negative. "
        "Return the total of moves.",
        "    return sum(x // {k} for x in xs if x >= 0)",
        "    moves = 0\n    for x in xs:\n        while x > {k}:\n            x -= {k}\n"
        "            moves += 1\n    return moves",
        "Each element allows as many moves as {k} fits into it, whole times",
    ),
    (
        "distinct",
        "Given a list of integers, return the smallest index at which {k} different values have been seen, or -1.",
        "    seen = set()\n    for i, x in enumerate(xs):\n        seen.add(x)\n        if len(seen) == {k}:\n"
        "            return i\n"
        "    return -1",
        "    for i in range(len(xs)):\n        if len(set(xs[:i])) == {k}:\n            return i\n    return -1",
        "A set of the values so far grows until it holds {k} of them",
    ),
)
"""Name, statement, right body, wrong body, idea."""

IDEAS = (
    "{idea}. That is fast enough for the limits, so I write it down directly.",
    "Thinking about the limits first: up to a hundred thousand numbers. {idea}.",
    "{idea}. Empty input has to be handled as well.",
    "I considered brute force, which is quadratic. {idea}, and that is fast enough.",
)


def programs(rng: random.Random, count: int, lowest: int = 2) -> list[Task]:
    """Tasks of six shapes with a number each."""
    numbers = rng.sample([(s, k) for s in range(len(SHAPES)) for k in range(lowest, lowest + 12)], count)
    out = []
    for shape, k in numbers:
        name, text, *_ = SHAPES[shape]
        prompt = f"Write a Python function `solve(xs)`. {text.format(k=k)}\nReply with one block of Python."
        out.append(Task(f"{name}_{k}", prompt, "", name, rng.gauss(0, 0.7), (shape, k)))
    return out


def body(rng: random.Random, task: Task, right: bool) -> str:
    """The source of `solve`, with names of the attempt's own."""
    shape, k = task.about
    source = SHAPES[shape][2 if right else 3].format(k=k)
    for old, new in (("best", "top"), ("seen", "table"), ("total", "acc")):
        if rng.random() < 0.4:
            source = source.replace(old, new)
    head = "def solve(xs):\n" + rng.choice(("", "", '    """See the statement."""\n'))
    return head + source


def idea(rng: random.Random, task: Task) -> str:
    """A few words on how to solve it."""
    shape, k = task.about
    return rng.choice(IDEAS).format(idea=SHAPES[shape][4].format(k=k))


def program(rng: random.Random, task: Task, right: bool) -> str:
    """A whole reply: idea and program."""
    return f"{idea(rng, task)}\n\n```python\n{body(rng, task, right)}\n```"


def run(source: str, xs: list[int]) -> int:
    """What a program of this module returns."""
    space: dict = {}
    exec(source, space)
    return space["solve"](xs)


def cases(rng: random.Random, task: Task, count: int = 5) -> list[tuple[list[int], int]]:
    """Inputs with right outputs, small ones at first."""
    source = "def solve(xs):\n" + SHAPES[task.about[0]][2].format(k=task.about[1])
    inputs = [[rng.randint(0, 30) for _ in range(rng.randint(8, 18))] for _ in range(count)]
    return [(xs, run(source, xs)) for xs in inputs]
