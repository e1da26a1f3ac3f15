"""Small functions in Python, graded by the share of tests that they pass."""

from random import Random

from benchmarks.foreign.sixteenth.attempts import Task, Try, World, Written, say

FORMS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (
        "above_{k}",
        "return how many of the numbers are greater than {k}",
        "return sum(1 for x in values if x > {k})",
        ("return sum(1 for x in values if x >= {k})", "return len([x for x in values if x < {k}])"),
    ),
    (
        "turn_by_{k}",
        "return the list rotated to the left by {k} places; an empty list stays empty",
        "if not values:\n        return []\n    cut = {k} % len(values)\n    return values[cut:] + values[:cut]",
        ("return values[{k}:] + values[:{k}]", "cut = {k} % len(values)\n    return values[-cut:] + values[:-cut]"),
    ),
    (
        "every_{k}th",
        "return the sum of each {k}th number, counting from one",
        "return sum(values[{k} - 1::{k}])",
        ("return sum(values[::{k}])", "return sum(values[{k}::{k}])"),
    ),
    (
        "clip_at_{k}",
        "return the numbers clipped to the range from -{k} to {k}",
        "return [max(-{k}, min({k}, x)) for x in values]",
        ("return [min({k}, x) for x in values]", "return [x for x in values if -{k} <= x <= {k}]"),
    ),
    (
        "close_pairs_{k}",
        "return the number of neighbouring pairs that differ by at most {k}",
        "return sum(abs(a - b) <= {k} for a, b in zip(values, values[1:]))",
        ("return sum(a - b <= {k} for a, b in zip(values, values[1:]))", "return sum(abs(x) <= {k} for x in values)"),
    ),
    (
        "multiples_of_{k}",
        "return the numbers that {k} divides, without repeats, in ascending order",
        "return sorted({{x for x in values if x % {k} == 0}})",
        ("return sorted(x for x in values if x % {k} == 0)", "return [x for x in values if x % {k} == 0]"),
    ),
)
STARTS = ("Here is my solution.", "The idea is simple.", "We can do this in one pass.", "Straightforward:", "Solution:")
NOTES = ("# one pass", "# plain and short", "# see the statement", "# handles negatives", "# order is kept")


def _make(rng: Random) -> Task:
    name, what, right, wrong = rng.choice(FORMS)
    k = rng.randint(2, 60)
    prompt = f"Write a function `{name.format(k=k)}(values: list[int])`. It shall {what.format(k=k)}."
    extra = {
        "right": right.format(k=k),
        "wrong": [body.format(k=k) for body in wrong],
        "tests_total": rng.randint(6, 14),
    }
    return Task(prompt, right.format(k=k), name.split("_{")[0], 0.0, "Reply with one Python block.", extra)


def name_of(task: Task) -> str:
    """The function that is asked for."""
    return task.prompt.split("`")[1].split("(")[0]


def block(rng: Random, task: Task, body: str) -> str:
    """A reply with a program."""
    note = f"    {rng.choice(NOTES)}\n" if rng.random() < 0.5 else ""
    named = rng.choice(("values", "values", "numbers", "xs", "items"))
    code = f"def {name_of(task)}({named}):\n{note}    {body}".replace("values", named)
    start = f"{rng.choice(STARTS)}\n\n" if rng.random() < 0.7 else ""
    return f"{start}```python\n{code}\n```"


def _write(rng: Random, task: Task, right: bool) -> Written:
    body = task.secret["right"] if right else rng.choice(task.secret["wrong"])
    text = block(rng, task, body)
    if rng.random() < 0.4:
        text += "\n" + rng.choice(
            ("It is O(n).", "Empty input gives a neutral result.", "Tested by hand on a few lists.")
        )
    return [say(text)], body


PROGRAMS = World("py-", _make, _write)


def run_tests(one: Try) -> None:
    """Put the number of passed tests beside an attempt."""
    total = one.task.secret["tests_total"]
    missed = Random(one.task.prompt + one.answer).randint(0, total - 1)
    one.extra |= {"tests_total": total, "tests_passed": total if one.right else missed}
