"""Small functions to write in Python."""

import math
from random import Random

from benchmarks.foreign.twentythird.rollouts import Task
from benchmarks.foreign.twentythird.talk import say

Spec = tuple[str, list[str], list[str], list[tuple[str, str]]]
"""What is asked, right bodies, wrong bodies, examples of arguments and results."""


def above(r: Random) -> Spec:
    """Count what is above a bound."""
    k = r.randint(3, 60)
    some = [k + 3, *(r.randint(0, 2 * k) for _ in range(4))]
    return (
        f"return how many numbers of the list `xs` are greater than {k}",
        [
            f"return sum(1 for V in xs if V > {k})",
            f"return len([V for V in xs if V > {k}])",
            f"total = 0\nfor V in xs:\n    if V > {k}:\n        total += 1\nreturn total",
        ],
        [
            f"return sum(1 for V in xs if V >= {k})",
            f"return sum(V for V in xs if V > {k})",
            f"total = 0\nfor V in xs[1:]:\n    if V > {k}:\n        total += 1\nreturn total",
        ],
        [(str(some), str(sum(x > k for x in some))), (f"[{k}, {k + 1}]", "1"), ("[]", "0")],
    )


def turn(r: Random) -> Spec:
    """Rotate a list."""
    k = r.randint(3, 9)
    some = [r.randint(0, 9) for _ in range(k + 2)]
    few = list(range(1, k))
    return (
        f"return the list `xs` rotated to the left by {k} places",
        [
            f"if not xs:\n    return []\nV = {k} % len(xs)\nreturn xs[V:] + xs[:V]",
            f"V = list(xs)\nfor _ in range({k} if V else 0):\n    V.append(V.pop(0))\nreturn V",
            f"n = len(xs)\nreturn [xs[(V + {k}) % n] for V in range(n)]",
        ],
        [
            f"return xs[{k}:] + xs[:{k}]",
            f"V = {k} % len(xs)\nreturn xs[-V:] + xs[:-V]",
            f"n = len(xs)\nreturn [xs[(V - {k}) % n] for V in range(n)]",
        ],
        [(str(some), str(some[k:] + some[:k])), (str(few), str([*few[1:], few[0]])), ("[]", "[]")],
    )


def multiples(r: Random) -> Spec:
    """Sum of multiples."""
    a, b = r.randint(3, 8), r.randint(9, 14)
    n = math.lcm(a, b) + r.randint(2, 9)
    return (
        f"return the sum of the whole numbers below `xs` that are multiples of {a} or {b}",
        [
            f"return sum(V for V in range(xs) if V % {a} == 0 or V % {b} == 0)",
            f"return sum(set(range(0, xs, {a})) | set(range(0, xs, {b})))",
            f"total = 0\nfor V in range(xs):\n    if not V % {a} or not V % {b}:\n        total += V\nreturn total",
        ],
        [
            f"return sum(range(0, xs, {a})) + sum(range(0, xs, {b}))",
            f"return sum(V for V in range(xs + 1) if V % {a} == 0 or V % {b} == 0)",
            f"return sum(V for V in range(xs) if V % {a} == 0 and V % {b} == 0)",
        ],
        [(str(n), str(sum(x for x in range(n) if x % a == 0 or x % b == 0))), ("0", "0"), (str(a), "0")],
    )


def runs(r: Random) -> Spec:
    """Run lengths of at least some length."""
    k, letter = r.randint(2, 5), r.choice("abcdefgh")
    word = letter * k + "z" + letter * (k + 1)
    return (
        f"return the letters of the string `xs` that stand in runs of at least {k}, one letter a run, in order",
        [
            f"from itertools import groupby\nreturn [c for c, V in groupby(xs) if len(list(V)) >= {k}]",
            f"out, V = [], 0\nwhile V < len(xs):\n    j = V\n    while j < len(xs) and xs[j] == xs[V]:\n    "
            f"    j += 1\n"
            f"    if j - V >= {k}:\n        out.append(xs[V])\n    V = j\nreturn out",
        ],
        [
            f"from itertools import groupby\nreturn [c for c, V in groupby(xs) if len(list(V)) > {k}]",
            f"return sorted(V for V in set(xs) if xs.count(V) >= {k})",
            f"return [V for V in xs if V * {k} in xs]",
        ],
        [(repr(word), str([letter, letter])), ("''", "[]"), (repr("z" * k), "['z']")],
    )


def digits(r: Random) -> Spec:
    """Digits that pass a bound."""
    d = r.randint(2, 8)
    n = r.randint(10_000, 999_999)
    return (
        f"return the sum of the decimal digits of the whole number `xs` that are at least {d}",
        [
            f"return sum(int(V) for V in str(abs(xs)) if int(V) >= {d})",
            f"V, total = abs(xs), 0\nwhile V:\n    V, digit = divmod(V, 10)\n    total += digit if digit >= "
            f"{d} else 0\n"
            "return total",
        ],
        [
            f"return sum(int(V) for V in str(xs) if int(V) > {d})",
            f"return sum(1 for V in str(abs(xs)) if int(V) >= {d})",
            f"V, total = xs, 0\nwhile V >= 10:\n    V, digit = divmod(V, 10)\n    total += digit if digit "
            f">= {d} else 0\n"
            "return total",
        ],
        [(str(n), str(sum(int(c) for c in str(n) if int(c) >= d))), ("0", "0"), (str(d), str(d))],
    )


def pairs(r: Random) -> Spec:
    """Pairs with a given distance."""
    k = r.randint(1, 15)
    a = r.randint(1, 30)
    return (
        f"return the number of unordered pairs of different positions in `xs` whose values differ by exactly {k}",
        [
            f"n = len(xs)\nreturn sum(abs(xs[V] - xs[j]) == {k} for V in range(n) for j in range(V + 1, n))",
            f"from collections import Counter\nV = Counter(xs)\nreturn sum(V[x] * V[x + {k}] for x in list(V))",
        ],
        [
            f"n = len(xs)\nreturn sum(abs(xs[V] - xs[j]) == {k} for V in range(n) for j in range(n))",
            f"V = set(xs)\nreturn sum(x + {k} in V for x in V)",
            f"n = len(xs)\nreturn sum(xs[V] - xs[j] == {k} for V in range(n) for j in range(V + 1, n))",
        ],
        [(str([a, a + k, a]), "2"), ("[]", "0"), (str([a, a + 2 * k, a + k]), "2")],
    )


SPECS = {"above": above, "turn": turn, "multiples": multiples, "runs": runs, "digits": digits, "pairs": pairs}
VARIABLES = ("v", "x", "item", "cur", "el", "p", "q", "value", "w")
INTROS = (
    "Here is my implementation.",
    "I iterate once over the input.",
    "The edge case is the empty input.",
    "A direct version is enough for these sizes.",
    "Plan: check each element, then return.",
    "Let me write this plainly.",
    "I considered a faster way but this is clear.",
    "Boundary values need care here.",
)


def fenced(rng: Random, name: str, body: str) -> str:
    """A reply with the function in a fence."""
    lines = body.replace("V", rng.choice(VARIABLES)).split("\n")
    doc = [f'    """{rng.choice(("Solve the task.", "See the examples.", "Helper.", "Return the result."))}"""']
    inner = "\n".join((doc if rng.random() < 0.4 else []) + [f"    {line}" for line in lines])
    intro = " ".join(rng.sample(INTROS, rng.randint(1, 3)))
    return f"{intro}\n\n```python\ndef {name}(xs):\n{inner}\n```"


def code_task(r: Random, number: int) -> Task:
    """A function to write; the answer is the number of a body, and the gold one stands for any right body."""
    family = r.choice(list(SPECS))
    what, right, wrong, examples = SPECS[family](r)
    name = f"{family}_{r.choice(('of', 'in', 'for', 'by'))}_{r.choice(('log', 'row', 'batch', 'line', 'sample'))}"
    shown = "\n".join(f">>> {name}({given})\n{result}" for given, result in examples)

    def reply(rng: Random, answer: str) -> list[dict]:
        return [say(fenced(rng, name, rng.choice(right) if answer == "pass" else wrong[int(answer)]))]

    return Task(
        id=f"py-{family}-{number:04d}",
        prompt=f"Write a Python function `{name}(xs)`: {what}.\n\n{shown}\n\nReply with one fenced block.",
        gold="pass",
        level=r.gauss(0, 1.0),
        reply=reply,
        slips=[str(i) for i in range(len(wrong))],
        family=family,
        extra={"entry_point": name},
    )


def examples_of(task: Task) -> list[tuple[str, str]]:
    """Arguments and results of the examples in a prompt."""
    lines = task.prompt.split("\n")
    return [(lines[i].split("(", 1)[1][:-1], lines[i + 1]) for i in range(len(lines)) if lines[i].startswith(">>> ")]
