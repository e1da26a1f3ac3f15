"""Small functions to be written, with right and wrong bodies."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Reply, Task, say

KATA = [
    (
        "count items of a list that are greater than {k}",
        "return sum(v > {k} for v in xs)",
        "return sum(v >= {k} for v in xs)",
    ),
    (
        "rotate a list to the right by {k}",
        "k = {k} % len(xs) if xs else 0\n    return xs[-k:] + xs[:-k] if k else xs[:]",
        "return xs[-{k}:] + xs[:-{k}]",
    ),
    ("keep every {k}th item, starting with the first", "return xs[::{k}]", "return xs[{k}::{k}]"),
    (
        "sum the squares of items divisible by {k}",
        "return sum(v * v for v in xs if v % {k} == 0)",
        "return sum(v * v for v in xs if v % {k})",
    ),
    (
        "split a list into chunks of {k}",
        "return [xs[i:i + {k}] for i in range(0, len(xs), {k})]",
        "return [xs[i:i + {k}] for i in range(len(xs))]",
    ),
    (
        "return the {k} largest items in descending order",
        "return sorted(xs, reverse=True)[:{k}]",
        "return sorted(xs)[:{k}]",
    ),
    (
        "return the sliding maxima over windows of {k}",
        "return [max(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1)]",
        "return [max(xs[i:i + {k}]) for i in range(len(xs) - {k})]",
    ),
    ("clip every item to at most {k}", "return [min(v, {k}) for v in xs]", "return [max(v, {k}) for v in xs]"),
]


def kata_task(rng: Random, pid: str) -> Task:
    """One function over a list."""
    ask, good, bad = rng.choice(KATA)
    k = rng.randint(2, 30)
    name = rng.choice(["solve", "work", "transform", "f", "answer", "process"])
    text = f"Write a Python function `{name}(xs)` that should {ask.format(k=k)}. Integers only; the list may be empty."
    return Task(
        pid,
        text,
        good.format(k=k),
        rng.gauss(0, 0.7),
        "kata",
        data={"name": name, "bad": bad.format(k=k), "tests": rng.randint(6, 20)},
    )


def program(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """The function in a fence, with or without a word before."""
    body = task.gold if right else task.data["bad"]
    hint = rng.choice(["", "(xs: list[int])", ""])
    head = f"def {task.data['name']}{hint or '(xs)'}:"
    note = rng.choice(
        [
            "",
            f'    """{rng.choice(["One pass.", "See the task.", "Plain lists."])}"""\n',
            f"    # {rng.choice(['edge: empty list', 'simple', 'O(n)'])}\n",
        ]
    )
    word = rng.choice(
        [
            "Here it is:",
            "A direct version:",
            "This does it.",
            "We can use slices and a comprehension.",
            "Straightforward:",
        ]
    )
    return Reply([say(f"{word}\n```python\n{head}\n{note}    {body}\n```")])
