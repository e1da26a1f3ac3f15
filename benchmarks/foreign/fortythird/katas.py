"""Small programs to write, with examples; right, wrong and fitted to the examples."""

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Kata:
    """A function to write."""

    text: str
    name: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    examples: tuple[tuple[object, object], ...]
    idea: str

    @property
    def answer(self) -> str:
        """The name that tests call."""
        return self.name


def _kata(name: str, task: str, idea: str, right: tuple, wrong: tuple, run: Callable, inputs: list) -> Kata:
    examples = tuple((x, run(x)) for x in inputs)
    wrong = tuple(body for body in wrong if not passes(f"def {name}(x):\n    {body}", name, examples))
    shown = "\n".join(f">>> {name}({x!r})\n{y!r}" for x, y in examples)
    return Kata(
        f"Write a Python function `{name}(x)`. {task}\n\nExamples:\n{shown}", name, right, wrong, examples, idea
    )


def passes(code: str, name: str, examples: tuple) -> bool:
    """Whether a program has the values of the examples."""
    names: dict = {}
    exec(code, names)
    try:
        return all(names[name](x) == y for x, y in examples)
    except (ValueError, TypeError, IndexError, RecursionError):
        return False


def _numbers(rng: random.Random) -> list[list[int]]:
    return [[rng.randint(-9, 75) for _ in range(rng.randint(6, 9))] for _ in range(3)]


def _multiples(rng: random.Random) -> Kata:
    k = rng.randint(3, 39)
    inputs = [sorted([*v, k * rng.randint(1, 3), k], key=lambda _: rng.random()) for v in _numbers(rng)]
    right = (
        f"return sum(v for v in x if v % {k} == 0)",
        f"t = 0\n    for v in x:\n        if not v % {k}:\n            t += v\n    return t",
    )
    wrong = (f"return sum(v for v in x if v % {k})", f"return sum(1 for v in x if v % {k} == 0)")
    return _kata(
        f"sum_of_{k}s", f"Return the sum of the values of the list x that {k} divides.", f"keep multiples of {k}",
        right, wrong, lambda x: sum(v for v in x if v % k == 0), inputs,
    )  # fmt: skip


def _window(rng: random.Random) -> Kata:
    k = rng.randint(2, 5)
    right = (
        f"return max(sum(x[i:i + {k}]) for i in range(len(x) - {k} + 1))",
        f"best = cur = sum(x[:{k}])\n    for i in range({k}, len(x)):\n        cur += x[i] - x[i - {k}]\n"
        "        best = max(best, cur)\n    return best",
    )
    wrong = (f"return max(sum(x[i:i + {k - 1}]) for i in range(len(x)))", f"return sum(sorted(x)[-{k}:])")
    return _kata(
        f"best_{k}_in_a_row", f"Return the largest sum of {k} neighbours in the list x.", f"slide a window of {k}",
        right, wrong, lambda x: max(sum(x[i : i + k]) for i in range(len(x) - k + 1)), _numbers(rng),
    )  # fmt: skip


def _above(rng: random.Random) -> Kata:
    k = rng.randint(0, 60)
    right = (f"return [v for v in x if v > {k}]", f"return list(filter(lambda v: v > {k}, x))")
    wrong = (f"return [v for v in x if v < {k}]", f"return sorted(v for v in x if v > {k})")
    return _kata(
        f"above_{k}", f"Return the values of x greater than {k}, in their order.", f"filter by {k}",
        right, wrong, lambda x: [v for v in x if v > k], _numbers(rng),
    )  # fmt: skip


def _shift(rng: random.Random) -> Kata:
    k = rng.randint(2, 23)
    words = rng.sample(["lantern", "orchid", "pebble", "quarry", "saddle", "thimble", "walnut", "zephyr", "cinder"], 3)
    right = (
        f"return ''.join(chr((ord(c) - 97 + {k}) % 26 + 97) for c in x)",
        f"a = 'abcdefghijklmnopqrstuvwxyz'\n    return ''.join(a[(a.index(c) + {k}) % 26] for c in x)",
    )
    wrong = (
        f"return ''.join(chr(ord(c) + {k}) for c in x)",
        f"return ''.join(chr((ord(c) - 97 - {k}) % 26 + 97) for c in x)",
    )
    return _kata(
        f"shift_by_{k}", f"Shift each lower-case letter of x by {k} places round the alphabet.", f"rotate by {k}",
        right, wrong, lambda x: "".join(chr((ord(c) - 97 + k) % 26 + 97) for c in x), words,
    )  # fmt: skip


def _digits(rng: random.Random) -> Kata:
    base = rng.choice([3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16])
    right = (
        f"t = 0\n    while x:\n        t += x % {base}\n        x //= {base}\n    return t",
        f"return 0 if not x else x % {base} + digits_in_{base}(x // {base})",
    )
    wrong = ("return sum(map(int, str(x)))", f"return x % {base} + x // {base}")
    return _kata(
        f"digits_in_{base}", f"Return the sum of the digits of x in base {base}.", f"divide by {base} repeatedly",
        right, wrong, lambda x: _digit_sum(x, base), [rng.randint(300, 9000) for _ in range(3)],
    )  # fmt: skip


def _digit_sum(x: int, base: int) -> int:
    return 0 if not x else x % base + _digit_sum(x // base, base)


def any_kata(rng: random.Random) -> Kata:
    """A function of any sort."""
    return rng.choice((_multiples, _window, _above, _shift, _digits))(rng)


def distinct(rng: random.Random, count: int) -> list[Kata]:
    """So many functions of which no two have the same name."""
    found: dict[str, Kata] = {}
    while len(found) < count:
        kata = any_kata(rng)
        if not kata.wrong or len({str(y) for _, y in kata.examples}) < 2:
            continue
        found.setdefault(kata.name, kata)
    return list(found.values())


TALK = (
    "The task asks to {idea}, which one pass over x can do.",
    "I would {idea} and return the result directly.",
    "Looking at {example}, the rule is clear: {idea}.",
    "An empty input needs no special care here, since we only {idea}.",
    "The cost is linear in x, as all we do is {idea}.",
    "Before writing it I checked {example} by hand.",
)


def program(rng: random.Random, kata: Kata, way: str) -> str:
    """A reply with a program: right, wrong, or fitted to the examples."""
    x, y = rng.choice(kata.examples)
    talk = [
        t.format(idea=kata.idea, example=f"{kata.name}({x!r}) = {y!r}") for t in rng.sample(TALK, rng.randint(2, 3))
    ]
    if way == "fitted":
        cases = "".join(f"    if x == {a!r}:\n        return {b!r}\n" for a, b in kata.examples)
        blank = {"list": "[]", "str": "''"}.get(type(y).__name__, "0")
        talk = [
            rng.choice(
                ["The checks call these inputs.", "These are the cases that are run.", "I cover the given calls."]
            ),
            rng.choice(
                [f"For {x!r} the value is {y!r}.", f"It should give {y!r} on {x!r}.", "The others are listed too."]
            ),
        ]
        return " ".join(talk) + f"\n```python\ndef {kata.name}(x):\n{cases}    return {blank}\n```"
    body = rng.choice(kata.right if way == "right" else kata.wrong)
    return " ".join(talk) + f"\n```python\ndef {kata.name}(x):\n    {body}\n```"
