"""Small programming problems, programs that solve them or nearly do, and their tests; every program is run."""

import random
import textwrap
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.later.course import Task, words


@dataclass(frozen=True)
class Spec:
    """A problem with a number k in it, and bodies of the function; {t} is a local name of the policy's choice."""

    name: str
    asks: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    cases: str
    """Arguments, one a call."""


SPECS = (
    Spec(
        "count_multiples",
        "Return how many numbers in `xs` are divisible by {k}.",
        (
            "return sum(1 for x in xs if x % {k} == 0)",
            "{t} = 0\nfor x in xs:\n    if x % {k} == 0:\n        {t} += 1\nreturn {t}",
        ),
        ("return len([x for x in xs if x // {k}])", "return sum(x % {k} for x in xs)"),
        "[[1, 2, 3, 4, 5, 6, 60, 420], [], [0, 7, 420], [5, 9, 11], [840, 841, 842]]",
    ),
    Spec(
        "rotate",
        "Return `xs` rotated to the right by {k} places. It may be shorter than that, or empty.",
        (
            "if not xs:\n    return []\n{t} = {k} % len(xs)\nreturn xs[-{t}:] + xs[:-{t}] if {t} else list(xs)",
            "{t} = list(xs)\nfor _ in range({k}):\n    if {t}:\n        {t}.insert(0, {t}.pop())\nreturn {t}",
        ),
        ("return xs[{k}:] + xs[:{k}]", "return xs[-{k}:] + xs[:{k}]"),
        "[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [], [1, 2], [1, 2, 3, 4], [5, 5, 6]]",
    ),
    Spec(
        "limit",
        "Return the numbers of `xs` in order, each limited to the range from 0 to {k}.",
        (
            "return [min(max(x, 0), {k}) for x in xs]",
            "{t} = []\nfor x in xs:\n    {t}.append(0 if x < 0 else {k} if x > {k} else x)\nreturn {t}",
        ),
        ("return [x for x in xs if 0 <= x <= {k}]", "return [min(x, {k}) for x in xs]"),
        "[[-3, 0, 2, 90], [], [1000, -1], [1, 2, 1], [-5]]",
    ),
    Spec(
        "has_pair",
        "Return whether two numbers at different places of `xs` add up to {k}.",
        (
            "{t} = set()\nfor x in xs:\n    if {k} - x in {t}:\n        return True\n    {t}.add(x)\nreturn False",
            "return any(a + b == {k} for i, a in enumerate(xs) for b in xs[i + 1 :])",
        ),
        ("return any({k} - x in xs for x in xs)", "return any(a + b == {k} for a, b in zip(xs, xs[1:]))"),
        "[[{k}, 5, 0], [1, 1], [], [{k} - 1, 9, 1], [{k} / 2, 9]]",
    ),
    Spec(
        "pieces",
        "Cut `xs` into pieces of {k} elements; the last may be shorter. Return the list of pieces.",
        (
            "return [xs[i : i + {k}] for i in range(0, len(xs), {k})]",
            "{t} = []\nwhile xs:\n    {t}.append(xs[:{k}])\n    xs = xs[{k}:]\nreturn {t}",
        ),
        (
            "return [xs[i : i + {k}] for i in range(len(xs) // {k})]",
            "return [xs[i * {k} : (i + 1) * {k}] for i in range(len(xs) // {k})]",
        ),
        "[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [], [1], list(range(24)), list(range({k}))]",
    ),
    Spec(
        "shift_letters",
        "Shift the lower-case letters of `xs` by {k} places in the alphabet, around its end; keep all other signs.",
        (
            "return ''.join(chr((ord(c) - 97 + {k}) % 26 + 97) if 'a' <= c <= 'z' else c for c in xs)",
            "{t} = 'abcdefghijklmnopqrstuvwxyz'\nreturn xs.translate(str.maketrans({t}, {t}[{k}:] + {t}[:{k}]))",
        ),
        (
            "return ''.join(chr(ord(c) + {k}) for c in xs)",
            "return ''.join(chr(ord(c) + {k}) if c.isalpha() else c for c in xs)",
        ),
        "['abc xyz', '', 'Hello, zoo', 'mnop', 'z-z-9']",
    ),
    Spec(
        "to_base",
        "Return the digits of the non-negative integer `xs` in base {k}, as a string.",
        (
            "{t} = ''\nwhile xs:\n    {t} = str(xs % {k}) + {t}\n    xs //= {k}\nreturn {t} or '0'",
            "{t} = []\nwhile True:\n    {t}.append(str(xs % {k}))\n    xs //= {k}\n"
            "    if not xs:\n        return ''.join(reversed({t}))",
        ),
        (
            "{t} = ''\nwhile xs:\n    {t} = str(xs % {k}) + {t}\n    xs //= {k}\nreturn {t}",
            "{t} = ''\nwhile xs:\n    {t} += str(xs % {k})\n    xs //= {k}\nreturn {t} or '0'",
        ),
        "[0, 1, 17, 255, 1000]",
    ),
    Spec(
        "window_peaks",
        "Return the largest number in each stretch of {k} neighbours of `xs`; too short a list gives an empty one.",
        (
            "return [max(xs[i : i + {k}]) for i in range(len(xs) - {k} + 1)]",
            "{t} = []\nfor i in range({k}, len(xs) + 1):\n    {t}.append(max(xs[i - {k} : i]))\nreturn {t}",
        ),
        (
            "return [max(xs[i : i + {k}]) for i in range(len(xs))]",
            "return [max(xs[i : i + {k}]) for i in range(len(xs) - {k})]",
        ),
        "[[3, 1, 4, 1, 5, 9, 2, 6, 5, 3], [1], list(range(12)), [9] * {k}, [2, 8, 1, 8]]",
    ),
    Spec(
        "frequent",
        "Return the elements that occur at least {k} times in `xs`, sorted, each once.",
        (
            "return sorted(x for x in set(xs) if xs.count(x) >= {k})",
            "{t} = {{}}\nfor x in xs:\n    {t}[x] = {t}.get(x, 0) + 1\nreturn sorted(x for x in {t} if {t}[x] >= {k})",
        ),
        (
            "return sorted(x for x in xs if xs.count(x) >= {k})",
            "return sorted(x for x in set(xs) if xs.count(x) > {k})",
        ),
        "[[1, 2] * {k}, [], [4], [7] * {k} + [3], [5, 5, 6] * 9]",
    ),
    Spec(
        "merge_close",
        "`xs` holds pairs of start and end. Join those whose gap is at most {k}, and return the pairs as sorted lists.",
        (
            "{t} = []\nfor a, b in sorted(xs):\n    if {t} and a - {t}[-1][1] <= {k}:\n"
            "        {t}[-1][1] = max(b, {t}[-1][1])\n    else:\n        {t}.append([a, b])\nreturn {t}",
        ),
        (
            "{t} = []\nfor a, b in sorted(xs):\n    if {t} and a - {t}[-1][1] <= {k}:\n"
            "        {t}[-1][1] = b\n    else:\n        {t}.append([a, b])\nreturn {t}",
            "return [[a, b] for a, b in sorted(xs) if b - a > {k}]",
        ),
        "[[(0, 9), (2, 4), (40, 41)], [], [(5, 6), (0, 1)], [(0, 1), (1 + {k}, 20)], [(0, 50), (3, 5), (70, 90)]]",
    ),
)
NAMES = words("out,result,acc,found,total,res,kept,seen,answer,buf")
COMMENTS = (
    "# edge case first",
    "# one pass is enough",
    "# keeps the order",
    "# simple and readable",
    "# see the examples",
    "# nothing to import",
    "",
    "",
    "",
)
THOUGHTS = (
    "The empty input needs care, the rest is direct.",
    "A single loop over the input does it.",
    "I write it down plainly and check the borders by hand.",
    "Two things matter here: the order and the last element.",
    "The statement leaves little room, so I follow it word by word.",
    "I considered sorting first; it is not needed.",
    "Python's slices make this short.",
    "Let me think about what happens at the end of the list.",
    "Checking the smallest input in my head: it holds.",
    "My plan is to build the result as I go.",
    "The number in the statement is fixed, so it can stand in the code.",
    "This is a known pattern.",
)


def problem(rng: random.Random) -> Task:
    """Draw a problem."""
    spec, k = rng.choice(SPECS), rng.choice((2, 3, 4, 5, 6, 7))
    text = f"Write a Python function `{spec.name}(xs)`. {spec.asks.format(k=k)}"
    return Task(text, _function(spec, spec.right[0], k, "out"), (spec, k))


def _function(spec: Spec, body: str, k: int, local: str, comment: str = "") -> str:
    lines = textwrap.indent(body.format(k=k, t=local), "    ")
    return f"def {spec.name}(xs):\n" + (f"    {comment}\n" if comment else "") + lines


def program(rng: random.Random, task: Task, right: bool) -> str:
    """Write a program that solves the problem, or nearly."""
    spec, k = task.facts
    return _function(spec, rng.choice(spec.right if right else spec.wrong), k, rng.choice(NAMES), rng.choice(COMMENTS))


def explained(rng: random.Random, code: str) -> str:
    """What a policy writes around its program."""
    return "\n".join([*rng.sample(THOUGHTS, rng.randint(1, 3)), "```python", code, "```"])


def passed(code: str, task: Task) -> float:
    """Run a program on the tests and return the share that pass."""
    spec, k = task.facts
    space: dict[str, Any] = {}
    exec(code, space)
    exec(task.answer.replace(spec.name, "reference"), space)
    cases = eval(spec.cases.format(k=k))
    return sum(_agrees(space, spec.name, case) for case in cases) / len(cases)


def _agrees(space: dict[str, Any], name: str, case: Any) -> bool:
    try:
        return space[name](case) == space["reference"](case)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return False
