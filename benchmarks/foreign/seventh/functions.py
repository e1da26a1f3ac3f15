"""Small functions to be written: what is asked, right and wrong bodies, and inputs to test them on."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple


class Family(NamedTuple):
    """A family of functions of `xs`; each text has a number {k} in it."""

    ask: str
    right: list[str]
    wrong: list[str]
    inputs: Callable[[Random, int], tuple[Any, ...]]


def _numbers(rng: Random, low: int = -20, high: int = 40) -> list[int]:
    return [rng.randint(low, high) for _ in range(rng.randint(4, 9))]


def _letters(rng: Random, pool: str = "aaabbbccde") -> str:
    return "".join(rng.choice(pool) for _ in range(rng.randint(5, 14)))


FAMILIES: dict[str, Family] = {
    "above": Family(
        "Return the sum of all numbers in `xs` that are at least {k}.",
        [
            "    return sum(x for x in xs if x >= {k})",
            "    total = 0\n    for x in xs:\n        if x >= {k}:\n            total += x\n    return total",
        ],
        [
            "    return sum(x for x in xs if x > {k} + 1)",
            "    total = 0\n    for x in xs:\n        if x <= {k}:\n            total += x\n    return total",
        ],
        lambda r, k: ([*_numbers(r), k, k + 1],),
    ),
    "rotate": Family(
        "Return `xs` rotated {k} places to the left.",
        [
            "    if not xs:\n        return xs\n    s = {k} % len(xs)\n    return xs[s:] + xs[:s]",
            (
                "    out = list(xs)\n"
                "    for _ in range({k}):\n"
                "        if out:\n"
                "            out.append(out.pop(0))\n"
                "    return out"
            ),
        ],
        ["    return xs[-{k}:] + xs[:-{k}]", "    return xs[{k}:] + xs[:{k} - 1]"],
        lambda r, k: ([r.randint(-99, 99) for _ in range(k + 3 + r.randint(1, 4))],),
    ),
    "chunks": Family(
        "Split `xs` into consecutive lists of {k} elements; the last may be shorter.",
        [
            "    return [xs[i:i + {k}] for i in range(0, len(xs), {k})]",
            "    out = []\n    while xs:\n        out.append(xs[:{k}])\n        xs = xs[{k}:]\n    return out",
        ],
        [
            "    return [xs[i:i + {k}] for i in range(0, len(xs) - {k}, {k})]",
            "    return [xs[i:i + {k} + 1] for i in range(0, len(xs), {k})]",
        ],
        lambda r, k: (list(range(r.randint(2 * k, 4 * k) + 1)),),
    ),
    "shift": Family(
        "Shift each lowercase letter of `xs` by {k} in the alphabet, wrapping round; leave the rest.",
        [
            (
                "    out = ''\n"
                "    for c in xs:\n"
                "        if 'a' <= c <= 'z':\n"
                "            c = chr((ord(c) - 97 + {k}) % 26 + 97)\n"
                "        out += c\n"
                "    return out"
            )
        ],
        [
            "    return ''.join(chr(ord(c) + {k}) for c in xs)",
            (
                "    out = ''\n"
                "    for c in xs:\n"
                "        if c.isalpha():\n"
                "            c = chr((ord(c) - 97 - {k}) % 26 + 97)\n"
                "        out += c\n"
                "    return out"
            ),
        ],
        lambda r, k: (_letters(r, "abcdefghijklmnopqrstuvwxyz  ") + " zyx",),
    ),
    "longest": Family(
        "Return the length of the longest run of equal characters in `xs`, plus {k}.",
        [
            (
                "    best = run = 0\n"
                "    last = None\n"
                "    for c in xs:\n"
                "        run = run + 1 if c == last else 1\n"
                "        last = c\n"
                "        best = max(best, run)\n"
                "    return best + {k}"
            )
        ],
        [
            "    return max(xs.count(c) for c in xs) + {k} + 1",
            (
                "    best = run = 0\n"
                "    last = None\n"
                "    for c in xs:\n"
                "        run = run + 1 if c == last else 0\n"
                "        last = c\n"
                "        best = max(best, run)\n"
                "    return best + {k}"
            ),
        ],
        lambda r, k: (_letters(r),),
    ),
    "window": Family(
        "Return the largest sum of {k} neighbouring numbers of `xs`.",
        [
            "    return max(sum(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1))",
            (
                "    now = best = sum(xs[:{k}])\n"
                "    for i in range({k}, len(xs)):\n"
                "        now += xs[i] - xs[i - {k}]\n"
                "        best = max(best, now)\n"
                "    return best"
            ),
        ],
        [
            "    return sum(sorted(xs)[-{k}:]) + 1",
            "    return min(sum(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1))",
        ],
        lambda r, k: (sorted(_numbers(r)) + [3, 50] + [1] * k,),
    ),
    "digits": Family(
        "Write the non-negative integer `xs` in base {k} and return the digits as a list, highest first.",
        [
            (
                "    if xs == 0:\n"
                "        return [0]\n"
                "    out = []\n"
                "    while xs:\n"
                "        out.append(xs % {k})\n"
                "        xs //= {k}\n"
                "    return out[::-1]"
            )
        ],
        [
            "    out = []\n    while xs:\n        out.append(xs % {k})\n        xs //= {k}\n    return out",
            "    return [int(c) for c in str(xs)] + [{k}]",
        ],
        lambda r, k: (r.randint(90, 4000) * k + 1,),
    ),
    "every": Family(
        "Return the elements of `xs` whose index is divisible by {k}, without repeats, in order.",
        [
            "    return list(dict.fromkeys(xs[::{k}]))",
            (
                "    seen, out = set(), []\n"
                "    for i, x in enumerate(xs):\n"
                "        if i % {k} == 0 and x not in seen:\n"
                "            seen.add(x)\n"
                "            out.append(x)\n"
                "    return out"
            ),
        ],
        ["    return [x for i, x in enumerate(xs, 1) if i % {k} == 0]", "    return sorted(set(xs[1::{k}]))"],
        lambda r, k: ([9, 4, 9, 1, *_numbers(r, 0, 9), 7, 5],),
    ),
}
SIZES = {
    "above": (3, 30),
    "rotate": (2, 9),
    "chunks": (2, 7),
    "shift": (1, 12),
    "longest": (1, 20),
    "window": (2, 5),
    "digits": (2, 16),
    "every": (2, 5),
}
"""From where to where the number of a family goes."""
