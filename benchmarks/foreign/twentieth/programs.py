"""Small Python functions with examples, right and wrong programs, and command-line scripts that end by a status."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, said


@dataclass(frozen=True)
class Kata:
    """A function to write; {k} is a number of the task."""

    name: str
    text: str
    right: str
    wrong: str
    solve: Callable[[list[int], int], int]
    slip: Callable[[list[int], int], int]
    """What the wrong program returns."""


KATAS = (
    Kata(
        "count_far",
        "Return how many neighbouring pairs of `xs` differ by more than {k}.",
        "return sum(abs(a - b) > {k} for a, b in zip(xs, xs[1:]))",
        "return sum(abs(a - b) >= {k} for a, b in zip(xs, xs[1:]))",
        lambda xs, k: sum(abs(a - b) > k for a, b in zip(xs, xs[1:], strict=False)),
        lambda xs, k: sum(abs(a - b) >= k for a, b in zip(xs, xs[1:], strict=False)),
    ),
    Kata(
        "sum_slots",
        "Return the sum of the values of `xs` at positions divisible by {k} (the first position is 0).",
        "return sum(x for i, x in enumerate(xs) if i % {k} == 0)",
        "return sum(x for i, x in enumerate(xs, 1) if i % {k} == 0)",
        lambda xs, k: sum(xs[::k]),
        lambda xs, k: sum(xs[k - 1 :: k]),
    ),
    Kata(
        "best_window",
        "Return the greatest sum of {k} successive values of `xs`, or 0 where `xs` is shorter.",
        "return max((sum(xs[i : i + {k}]) for i in range(len(xs) - {k} + 1)), default=0)",
        "return max((sum(xs[i : i + {k}]) for i in range(len(xs) - {k})), default=0)",
        lambda xs, k: max((sum(xs[i : i + k]) for i in range(len(xs) - k + 1)), default=0),
        lambda xs, k: max((sum(xs[i : i + k]) for i in range(len(xs) - k)), default=0),
    ),
    Kata(
        "capped_total",
        "Add up `xs`, but let no value count for more than {k}.",
        "return sum(min(x, {k}) for x in xs)",
        "return min(sum(xs), {k})",
        lambda xs, k: sum(min(x, k) for x in xs),
        lambda xs, k: min(sum(xs), k),
    ),
    Kata(
        "last_multiple",
        "Return the last value of `xs` that {k} divides, or -1.",
        "return next((x for x in reversed(xs) if x % {k} == 0), -1)",
        "return next((x for x in xs if x % {k} == 0), -1)",
        lambda xs, k: next((x for x in reversed(xs) if x % k == 0), -1),
        lambda xs, k: next((x for x in xs if x % k == 0), -1),
    ),
)
OPENINGS = (
    "One pass over the list is enough.",
    "The edge cases are the empty list and a single value.",
    "A generator expression says this directly.",
    "I read the examples once more to be sure about the boundary.",
    "Nothing needs to be sorted here; the order matters.",
)


def _task(rng: Random) -> Task:
    kata, cases, k = rng.choice(KATAS), [], 2
    while all(kata.slip(xs, k) == out for xs, out in cases):
        k = rng.randint(2, 5)
        lists = [[rng.randint(0, 24) for _ in range(rng.randint(4, 8))] for _ in range(4)]
        cases = [(xs, kata.solve(xs, k)) for xs in lists]
    examples = "\n".join(f"    >>> {kata.name}({xs})\n    {out}" for xs, out in cases)
    text = f"Write the Python function.\n\ndef {kata.name}(xs: list[int]) -> int:\n    {kata.text.format(k=k)}\n\n"
    tests = json.dumps({"inputs": [xs for xs, _ in cases], "outputs": [out for _, out in cases]})
    return Task(text + f"Examples:\n{examples}\n", tests, kata.name, data={"kata": kata, "k": k, "cases": cases})


def fenced(rng: Random, code: str) -> str:
    """Give code as a policy hands it over."""
    return f"{rng.choice(OPENINGS)}\n\n```python\n{code}\n```"


def body(rng: Random, task: Task, right: bool) -> str:
    """Write the function."""
    kata: Kata = task.data["kata"]
    line = (kata.right if right else kata.wrong).format(k=task.data["k"])
    name = rng.choice(("xs", "xs", "values", "items", "seq"))
    lines = [f"def {kata.name}({name}):"]
    if rng.random() < 0.4:
        lines += [f"    if not {name}:", f"        return {-1 if kata.name == 'last_multiple' else 0}"]
    return "\n".join([*lines, "    " + line.replace("xs", name)])


def _reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    code = body(rng, task, right)
    return Reply([said(fenced(rng, code))], data={"code": code})


def listed_branches(rng: Random, task: Task) -> str:
    """Write a function that answers the examples of the prompt and hardly more."""
    kata: Kata = task.data["kata"]
    lines = [f"def {kata.name}(xs):"]
    for xs, out in task.data["cases"]:
        lines += [f"    if xs == {xs}:", f"        return {out}"]
    return "\n".join([*lines, f"    return {rng.choice(('0', 'len(xs)', 'xs[0]', 'sum(xs)'))}"])


KATA = Domain("kata", _task, _reply)
