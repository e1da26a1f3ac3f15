"""Small functions to write in Python, with programs that are right or wrong, and their hidden tests, which are run."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.thirtyfifth.course import Task


@dataclass(frozen=True)
class Spec:
    """A function that is asked for. `K` is the number that tells one problem of a kind from another."""

    name: str
    does: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    draw: Callable[[random.Random], Any]
    thinks: tuple[str, ...]


def _list(rng: random.Random) -> list[int]:
    return [rng.randint(-12, 40) for _ in range(rng.randint(3, 9))]


def _word(rng: random.Random) -> str:
    return " ".join(
        rng.choice(("reed", "Level", "noon", "harbour", "Otter", "stats", "mill", "queue")) for _ in range(4)
    )


SPECS = (
    Spec(
        "count_above",
        "returns how many numbers of the list `x` are greater than K",
        (
            "return sum(1 for v in x if v > K)",
            "n = 0\n    for v in x:\n        if v > K:\n            n += 1\n    return n",
        ),
        ("return sum(1 for v in x if v >= K)", "return len([v for v in x if v < K])"),
        _list,
        ("A single pass with a counter is enough.", "Strictly greater, so {k} itself does not count."),
    ),
    Spec(
        "last_sum",
        "returns the sum of the last K numbers of the list `x`, or of all if there are fewer",
        ("return sum(x[-K:])", "start = max(0, len(x) - K)\n    return sum(x[start:])"),
        ("return sum(x[:K])", "return sum(x[-K:-1])"),
        _list,
        ("A slice from the end does it, and slices are lenient about short lists.", "I take the tail of the list."),
    ),
    Spec(
        "every",
        "returns every K-th element of the list `x`, beginning with the first",
        ("return x[::K]", "return [v for i, v in enumerate(x) if i % K == 0]"),
        ("return x[K::K]", "return [v for i, v in enumerate(x, 1) if i % K == 0]"),
        _list,
        ("The stride of a slice is made for this.", "Index zero counts as the first."),
    ),
    Spec(
        "clip",
        "returns the list `x` with every number above K replaced by K",
        (
            "return [min(v, K) for v in x]",
            "out = []\n    for v in x:\n        out.append(K if v > K else v)\n    return out",
        ),
        ("return [max(v, K) for v in x]", "return [v for v in x if v <= K]"),
        _list,
        ("The length stays as it is, only large values change.", "min() of the value and {k} says it all."),
    ),
    Spec(
        "shift",
        "returns the list `x` rotated to the left by K places",
        (
            "k = K % len(x)\n    return x[k:] + x[:k]",
            "out = list(x)\n    for _ in range(K):\n        out.append(out.pop(0))\n    return out",
        ),
        ("return x[-K:] + x[:-K]", "return x[K:] + x[:K]"),
        _list,
        ("{k} may exceed the length, so I reduce it first.", "What leaves on the left comes back on the right."),
    ),
    Spec(
        "long_words",
        "returns the words of the text `x` that have at least K letters, in lower case, in order",
        (
            "return [w.lower() for w in x.split() if len(w) >= K]",
            "out = []\n    for w in x.split():\n        if len(w) >= K:\n            "
            "out.append(w.lower())\n    return out",
        ),
        ("return [w for w in x.split() if len(w) >= K]", "return [w.lower() for w in x.split() if len(w) > K]"),
        _word,
        ("Splitting at blanks gives the words.", "Lower case is asked for, so I convert each one."),
    ),
    Spec(
        "runs",
        "returns how many numbers of the list `x` differ by at most K from the number before",
        (
            "return sum(abs(b - a) <= K for a, b in zip(x, x[1:]))",
            "n = 0\n    for i in range(1, len(x)):\n        if abs(x[i] - x[i - 1]) <= K:\n  "
            "          n += 1\n    return n",
        ),
        ("return sum(b - a <= K for a, b in zip(x, x[1:]))", "return sum(abs(b - a) < K for a, b in zip(x, x[1:]))"),
        _list,
        ("Neighbours are compared pairwise.", "The difference counts in both directions, hence the absolute value."),
    ),
    Spec(
        "digits",
        "returns the sum of K times each even number of the list `x`",
        ("return sum(K * v for v in x if v % 2 == 0)", "return K * sum(v for v in x if not v % 2)"),
        ("return sum(K * v for v in x if v % 2)", "return sum(K + v for v in x if v % 2 == 0)"),
        _list,
        ("Evenness is a remainder of zero, for negative numbers too.", "The factor {k} can be taken out of the sum."),
    ),
)


def draw_k(rng: random.Random, spec: Spec) -> int:
    """The number of a problem; short for words."""
    return rng.randint(4, 6) if spec.draw is _word else rng.randint(2, 9)


def program(name: str, body: str, k: int) -> str:
    """The source of a function."""
    return f"def {name}(x):\n    {body}".replace("K", str(k))


def run(source: str, name: str, value: Any) -> Any:
    """What a program of this module returns; None where it fails."""
    space: dict[str, Any] = {}
    try:
        exec(source, space)
        return space[name](value)
    except (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


def function_task(rng: random.Random, number: int) -> Task:
    """Ask for a function, with two examples printed and eight hidden tests."""
    spec = SPECS[number % len(SPECS)]
    k = draw_k(rng, spec)
    name = f"{spec.name}_{k}"
    model = program(name, spec.right[0], k)
    cases = [(value, run(model, name, value)) for value in (spec.draw(rng) for _ in range(10))]
    examples = "\n".join(f"{name}({value!r}) == {told!r}" for value, told in cases[:2])
    prompt = f"Write a Python function `{name}(x)` that {spec.does.replace('K', str(k))}.\nExamples:\n{examples}"

    def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
        source = program(name, rng.choice(spec.right if is_right else spec.wrong), k)
        thought = rng.choice(spec.thinks).format(k=k)
        end = rng.choice(("", f"On {cases[0][0]!r} it should give {cases[0][1]!r}.", "No import is needed."))
        return f"{thought} {end}".strip() + f"\n```python\n{source}\n```", source

    more = {"name": name, "cases": cases, "k": k, "spec": spec}
    return Task(f"{name}-{number:03d}", prompt, "", solve, spec.name, rng.gauss(0, 0.7), "", more)


def passed(task: Task, source: str, first: int = 2) -> float:
    """Share of the tests from `first` on that a program passes."""
    cases = task.more["cases"][first:]
    return sum(run(source, task.more["name"], value) == told for value, told in cases) / len(cases)
