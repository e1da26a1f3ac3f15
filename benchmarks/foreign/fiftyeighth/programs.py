"""Small programs to write: variants that are right, variants that are wrong, and the hidden tests that tell."""

import ast
import functools
import json
import random
from typing import Any

from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, said

SPECS: dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...], str]] = {
    "every_nth_total": (
        "takes a list of integers and returns the sum of the elements at positions 0, {k}, 2*{k} and so on",
        "xs",
        (
            "return sum(xs[::{k}])",
            "total = 0\n    for i in range(0, len(xs), {k}):\n        total += xs[i]\n    return total",
        ),
        ("return sum(xs[{k}::{k}])", "return sum(x for x in xs if x % {k} == 0)"),
        "list",
    ),
    "rotate_left": (
        "rotates a list of integers to the left by {k} places and returns the new list; the list may be "
        "shorter than {k}",
        "xs",
        (
            "if not xs:\n        return []\n    k = {k} % len(xs)\n    return xs[k:] + xs[:k]",
            "out = list(xs)\n    for _ in range({k} if out else 0):\n        out.append(out.pop(0))\n    return out",
        ),
        ("return xs[{k}:] + xs[:{k}]", "return xs[-{k}:] + xs[:-{k}]"),
        "list",
    ),
    "window_peaks": (
        "returns the list of maxima of all windows of {k} successive elements; an empty list if there is "
        "no such window",
        "xs",
        (
            "return [max(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1)]",
            "out = []\n    i = 0\n    while i + {k} <= len(xs):\n        out.append(max(xs[i:i + {k}]))\n "
            "       i += 1\n    return out",
        ),
        (
            "return [max(xs[i:i + {k}]) for i in range(len(xs))]",
            "return [max(xs[i:i + {k}]) for i in range(0, len(xs), {k})]",
        ),
        "list",
    ),
    "count_far_pairs": (
        "counts the pairs of positions i < j whose values differ by at least {k}",
        "xs",
        (
            "n = 0\n    for i in range(len(xs)):\n        for j in range(i + 1, len(xs)):\n"
            "            if abs(xs[i] - xs[j]) >= {k}:\n                n += 1\n    return n",
            "from itertools import combinations\n    return sum(abs(a - b) >= {k} for a, b in combinations(xs, 2))",
        ),
        (
            "return sum(abs(a - b) >= {k} for a in xs for b in xs)",
            "return sum(b - a >= {k} for a, b in zip(xs, xs[1:]))",
        ),
        "list",
    ),
    "drop_runs": (
        "removes every run of at least {k} equal neighbours from a list of integers, in one pass, and "
        "returns what is left",
        "xs",
        (
            "from itertools import groupby\n    out = []\n    for _, run in groupby(xs):\n        run = list(run)\n"
            "        if len(run) < {k}:\n            out += run\n    return out",
            "out, i = [], 0\n    while i < len(xs):\n        j = i\n        while j < len(xs) and xs[j] == xs[i]:\n"
            "            j += 1\n        if j - i < {k}:\n            out.extend(xs[i:j])\n        i = "
            "j\n    return out",
        ),
        (
            "return [x for x in xs if xs.count(x) < {k}]",
            "out = []\n    for x in xs:\n        if not out or out[-1] != x:\n            out.append(x)\n "
            "   return out",
        ),
        "runs",
    ),
    "longest_climb": (
        "returns the length of the longest stretch of neighbours in which each value is greater than the "
        "one before by at "
        "most {k}; 0 for an empty list",
        "xs",
        (
            "best = cur = 1 if xs else 0\n    for a, b in zip(xs, xs[1:]):\n        cur = cur + 1 if 0 < "
            "b - a <= {k} else 1\n"
            "        best = max(best, cur)\n    return best",
            "best, start = 0, 0\n    for i in range(len(xs)):\n        if i and not 0 < xs[i] - xs[i - 1] <= {k}:\n"
            "            start = i\n        best = max(best, i - start + 1)\n    return best",
        ),
        (
            "best = cur = 1\n    for a, b in zip(xs, xs[1:]):\n        cur = cur + 1 if b > a else 1\n"
            "        best = max(best, cur)\n    return best",
            "return sum(0 < b - a <= {k} for a, b in zip(xs, xs[1:]))",
        ),
        "climb",
    ),
}
PLANS = (
    "The list is short, so a plain loop is fast enough. I only have to watch the end of the list.",
    "Edge cases: an empty list, and one that is shorter than the parameter. The rest follows from slicing.",
    "I considered sorting first, but positions matter here, so the order has to stay.",
    "Reading the task again, the boundary is inclusive. I keep that in the comparison.",
    "I'd rather write it directly than build helper structures; the function stays readable that way.",
    "Tracing the first example by hand gives the expected value, which settles how the index starts.",
)
ENDS = (
    "This runs in linear time or close to it.",
    "It does not change its argument.",
    "That should cover the edge cases.",
    "",
)


def _inputs(rng: random.Random, shape: str, k: int) -> list[list[int]]:
    out: list[list[int]] = []
    for size in (5, 8, 6, 11, 1, 0, 9, 12):
        if shape == "runs":
            xs = [x for _ in range(size) for x in [rng.randint(1, 4)] * rng.choice((1, 1, k, k - 1))][: size + 6]
        elif shape == "climb":
            xs, last = [], 0
            for _ in range(size):
                last += rng.choice((1, k, k + 1, -2, 1))
                xs.append(last)
        else:
            xs = [rng.randint(-9, 30) for _ in range(size)]
        out.append(xs)
    return out


def function(name: str, body: str) -> str:
    """The program's text."""
    return f"def {name}(xs):\n    {body}\n"


@functools.lru_cache(maxsize=4096)
def outcome(program: str, name: str, tests: str) -> float:
    """Share of the tests (a literal of inputs and results) that the program passes."""
    pairs = ast.literal_eval(tests)
    space: dict[str, Any] = {}
    passed = 0
    try:
        exec(program, space)
    except Exception:  # whatever a wrong program raises, it passes nothing
        return 0.0
    for xs, expected in pairs:
        try:
            passed += space[name](list(xs)) == expected
        except Exception:  # whatever a wrong program raises, it fails this test
            continue
    return passed / len(pairs)


def draw(rng: random.Random, step: int = 0) -> Problem:
    """A function to write, with two examples in the prompt and hidden tests behind it."""
    name = rng.choice(tuple(SPECS))
    text, _, rights, _, shape = SPECS[name]
    k = rng.randint(2, 5)
    space: dict[str, Any] = {}
    exec(function(name, rights[0].format(k=k)), space)
    pairs = [(xs, space[name](list(xs))) for xs in _inputs(rng, shape, k)]
    shown = "\n".join(f"{name}({xs}) -> {out}" for xs, out in pairs[:2])
    prompt = (
        f"Write a Python function `{name}(xs)` that {text.format(k=k)}.\n\nExamples:\n{shown}\n\n"
        "Answer with one fenced block of Python."
    )
    unseen = {"inputs": [xs for xs, _ in pairs[2:]], "outputs": [out for _, out in pairs[2:]]}
    level = {"every_nth_total": 0.3, "rotate_left": 0.5, "drop_runs": 0.65, "longest_climb": 0.6}.get(name, 0.45)
    data = {"k": k, "tests": repr(pairs[2:]), "shown": pairs[:2], "name": name, "domain": "code"}
    return Problem(f"{name}-{k}-{rng.randint(100, 9999)}", name, prompt, json.dumps(unseen), level, data=data)


def body_of(rng: random.Random, problem: Problem, right: bool) -> str:
    """A right or wrong program."""
    _, _, rights, wrongs, _ = SPECS[problem.family]
    body = rng.choice(rights if right else wrongs).format(k=problem.data["k"])
    return function(problem.family, body)


def write(rng: random.Random, program: str) -> str:
    """An answer around a program."""
    plan = " ".join(rng.sample(PLANS, rng.choice((1, 2, 2, 3))))
    return f"{plan}\n\n```python\n{program}```\n{rng.choice(ENDS)}".rstrip()


def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
    """A program, paid if it passes all hidden tests."""
    program = body_of(rng, problem, rng.random() < skill)
    share = outcome(program, problem.family, problem.data["tests"])
    score = float(share == 1.0)
    return Attempt([said(write(rng, program))], score, score, extra={"tests_passed": round(share, 3)})
