"""Small functions to write in Python, each with two sound bodies and a faulty one."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

NOUNS = ["orders", "readings", "tickets", "parcels", "scores", "pixels", "trips", "payments"]


def _specs(rng: Random) -> list[tuple[str, str, str, str, str]]:
    k, m, noun = rng.randint(2, 19), rng.randint(20, 400), rng.choice(NOUNS)
    return [
        (
            f"count_{noun}_over_{m}",
            f"return how many {noun} in the list xs are larger than {m}",
            f"sum(x > {m} for x in xs)",
            f"sum(x >= {m} for x in xs)",
            f"len([x for x in xs for _ in range(1) if x > {m}])",
        ),
        (
            f"every_{k}th_{noun}",
            f"return the {noun} at positions {k}, {2 * k}, {3 * k}, ... counted from 1",
            f"xs[{k - 1}::{k}]",
            f"xs[::{k}]",
            f"[x for i, x in enumerate(xs, 1) if any(i == j * {k} for j in range(len(xs) + 1))]",
        ),
        (
            f"best_window_{k}",
            f"return the largest sum of {k} neighbours in xs, or 0 if there are fewer",
            f"max((sum(xs[i:i + {k}]) for i in range(len(xs) - {k} + 1)), default=0)",
            f"max((sum(xs[i:i + {k}]) for i in range(len(xs) - {k})), default=0)",
            f"max([sum(xs[i:j]) for i in range(len(xs)) for j in range(i, len(xs) + 1) if j - i == {k}] or [0])",
        ),
        (
            f"pairs_with_gap_{k}",
            f"return how many pairs i < j have xs[j] - xs[i] == {k}",
            f"sum(xs[j] - xs[i] == {k} for i in range(len(xs)) for j in range(i + 1, len(xs)))",
            f"sum((x + {k}) in xs for x in xs)",
            f"sum(xs[j] - xs[i] == {k} for i in range(len(xs)) for j in range(len(xs)) if i < j)",
        ),
        (
            f"clamp_{noun}",
            f"return xs with every value limited to between {k} and {m}",
            f"[min(max(x, {k}), {m}) for x in xs]",
            f"[max(min(x, {k}), {m}) for x in xs]",
            f"[sorted([{k}, x, {m}])[1] for x in xs]",
        ),
        (
            f"digits_divisible_{k}",
            f"return the values of xs whose digit sum is divisible by {k}",
            f"[x for x in xs if sum(map(int, str(abs(x)))) % {k} == 0]",
            f"[x for x in xs if x % {k} == 0]",
            f"[x for x in xs if sum(int(c) for c in str(abs(x))) in range(0, 999, {k})]",
        ),
    ]


def program(rng: Random, number: int) -> Task:
    """A function to write."""
    name, what, sound, faulty, other = rng.choice(_specs(rng))
    prompt = f"Write a Python function `{name}(xs)`. It should {what}. Reply with one fenced code block."
    return Task(
        f"fn-{number:04d}",
        prompt,
        sound,
        rng.gauss(0, 0.9),
        name.split("_")[0],
        {"name": name, "faulty": faulty, "other": other},
    )


def block(rng: Random, name: str, body: str) -> str:
    """A fenced block."""
    note = rng.choice(["", "    # one pass\n", f'    """Solve {name}."""\n', "    # empty input is fine here\n"])
    if rng.random() < 0.5:
        return f"```python\ndef {name}(xs):\n{note}    return {body}\n```"
    return f"```python\ndef {name}(xs: list[int]):\n{note}    result = {body}\n    return result\n```"


def coded(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """A short plan and the block."""
    plan = rng.choice(
        [
            "Direct comprehension.",
            "The indices are the trap here.",
            "I go over the list once.",
            "Careful with the borders.",
            "Plain Python is enough.",
        ]
    )
    more = (
        rng.choice([" Let me think about empty input too.", " Negative values need no special case.", ""])
        if rng.random() > progress / 2
        else ""
    )
    return [
        say(
            "assistant",
            f"{plan}{more}\n\n"
            + block(
                rng, task.data["name"], rng.choice([task.gold, task.data["other"]]) if right else task.data["faulty"]
            ),
        )
    ]


def verdict(rng: Random, right: bool) -> dict:
    """Counts of tests."""
    total = rng.randint(6, 14)
    return {"tests_total": total, "tests_passed": total if right else rng.randint(0, total - 1)}
