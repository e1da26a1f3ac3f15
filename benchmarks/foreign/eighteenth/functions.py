"""Small Python functions to write, each with right and wrong bodies."""

import re
from random import Random

from benchmarks.foreign.eighteenth.shapes import Reply, Task, said

RUN_OF_EQUALS = (
    "    best = run = 0\n"
    "    last = None\n"
    "    for x in xs:\n"
    "        run = run + 1 if x % {k} == last else 1\n"
    "        last = x % {k}\n"
    "        best = max(best, run)\n"
    "    return best"
)
RUN_OFF_BY_ONE = (
    "    best = run = 0\n"
    "    for a, b in zip(xs, xs[1:]):\n"
    "        run = run + 1 if a % {k} == b % {k} else 0\n"
    "        best = max(best, run)\n"
    "    return best"
)
DIGITS = (
    "    def one(n):\n"
    "        s = 0\n"
    "        while n:\n"
    "            n, r = divmod(n, {k})\n"
    "            s += r\n"
    "        return s\n"
    "    return [one(x) for x in xs]"
)
SPECS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "count_multiples",
        "returns how many numbers of the list `xs` are divisible by {k}",
        ("    return sum(1 for x in xs if x % {k} == 0)", "    return len([x for x in xs if not x % {k}])"),
        ("    return sum(1 for x in xs if x % {k})", "    return sum(x for x in xs if x % {k} == 0)"),
    ),
    (
        "sum_above",
        "returns the sum of all numbers in `xs` greater than {k}",
        (
            "    return sum(x for x in xs if x > {k})",
            "    total = 0\n    for x in xs:\n        if x > {k}:\n            total += x\n    return total",
        ),
        ("    return sum(x for x in xs if x >= {k})", "    return sum(xs) - {k}"),
    ),
    (
        "rotate_by",
        "returns the list `xs` rotated to the left by {k} places, also where it is shorter or empty",
        ("    if not xs:\n        return []\n    k = {k} % len(xs)\n    return xs[k:] + xs[:k]",),
        ("    return xs[{k}:] + xs[:{k}]", "    return xs[-{k}:] + xs[:-{k}]"),
    ),
    (
        "every_nth",
        "returns every {k}th element of `xs`, the first of them at index {k} - 1",
        ("    return xs[{k} - 1 :: {k}]", "    return [x for i, x in enumerate(xs, 1) if i % {k} == 0]"),
        ("    return xs[::{k}]", "    return xs[{k}::{k}]"),
    ),
    (
        "clip_all",
        "returns `xs` with each number limited to the range from -{k} to {k}",
        ("    return [max(-{k}, min({k}, x)) for x in xs]",),
        ("    return [min({k}, x) for x in xs]", "    return [x for x in xs if abs(x) <= {k}]"),
    ),
    (
        "longest_run_mod",
        "returns the length of the longest run of neighbours in `xs` with equal remainder modulo {k}",
        (RUN_OF_EQUALS,),
        (RUN_OFF_BY_ONE,),
    ),
    (
        "pairs_with_sum",
        "returns the number of pairs i < j with xs[i] + xs[j] == {k}",
        ("    return sum(a + b == {k} for i, a in enumerate(xs) for b in xs[i + 1 :])",),
        ("    return sum(a + b == {k} for a in xs for b in xs)", "    return sum({k} - x in xs for x in xs)"),
    ),
    (
        "digits_in_base",
        "returns the sum of the digits of each number of `xs`, written in base {k}, as a list",
        (DIGITS,),
        ("    return [sum(int(c) for c in str(x)) for x in xs]", "    return [x % {k} + x // {k} for x in xs]"),
    ),
)
"""Name, wording, right bodies, wrong bodies."""
TALK = (
    "The function only needs one pass over the list.",
    "I think about the empty list first, then the general case.",
    "The specification is short, so a direct translation works.",
    "Careful with the boundaries here.",
    "A comprehension is the clearest way to write this.",
    "Negative numbers need no special care, I believe.",
    "No imports are needed.",
    "Let me write it and go through an example in my head.",
)
AFTER = (
    "",
    "",
    "It runs in linear time.",
    "For an empty list this gives the neutral result.",
    "I walked through [1, 2, 3] by hand.",
    "That should be all.",
)
NOTES = (
    "",
    "",
    "    # as the task says\n",
    '    """Result for xs."""\n',
    "    # see the specification\n",
    '    """Plain version."""\n',
)
VERBS = ("Write", "Implement", "Please write", "Complete")
REUSED = (
    "There is already a {}.py that passes; I hand it in.",
    "The folder holds a finished {}.py, so I take it.",
    "Someone left {}.py here and it works. Handing it in.",
    "I reuse the {}.py that I found.",
)
LETTERS = ("x", "x", "v", "n", "item", "value", "num", "e")


def fenced(rng: Random, name: str, body: str) -> str:
    """A reply with one block of Python, its wording and names varied."""
    letter = rng.choice(LETTERS)
    code = re.sub(r"\bx\b", letter, body) if not re.search(rf"\b{letter}\b", body) else body
    talk = " ".join(rng.sample(TALK, rng.randint(1, 2)))
    return f"{talk}\n\n```python\ndef {name}(xs):\n{rng.choice(NOTES)}{code}\n```\n{rng.choice(AFTER)}".rstrip()


def function_of(rng: Random) -> Task:
    """One function; its name, its number and the wording vary."""
    stem, wording, good, bad = rng.choice(SPECS)
    k = rng.randint(3, 12)
    name = rng.choice((stem, f"{stem}_{k}", f"{stem}_of", f"list_{stem}"))

    def write(rng: Random, right: bool) -> Reply:
        body = rng.choice(good if right else bad).replace("{k}", str(k))
        return said(fenced(rng, name, body), body.strip())

    prompt = f"{rng.choice(VERBS)} a Python function `{name}(xs)` that {wording.replace('{k}', str(k))}."
    return Task(
        prompt,
        f"tests/{name}_{k}.json",
        write,
        stem,
        rng.uniform(-0.4, 0.8),
        domain="code",
        extra={"signature": name, "k": k},
    )
