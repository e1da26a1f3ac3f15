"""What a small program returns, mixed with plain sums."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import musing, say

SHAPES = (
    ("squares of the odd ones", "[x * x for x in xs if x % 2]", lambda xs: [x * x for x in xs if x % 2]),
    ("running sums", "[sum(xs[: i + 1]) for i in "
                     "range(len(xs))]", lambda xs: [sum(xs[: i + 1]) for i in range(len(xs))]),
    ("neighbours' differences", "[b - a for a, b in zip(xs, xs[1:])]",
     lambda xs: [b - a for a, b in zip(xs, xs[1:], strict=False)]),
    ("sorted without repeats", "sorted(set(xs))", lambda xs: sorted(set(xs))),
    ("reversed halves", "xs[len(xs) // 2 :] + xs[: len(xs) // 2]", lambda xs: xs[len(xs) // 2 :] + xs[: len(xs) // 2]),
    ("remainders", "[x % 7 for x in reversed(xs)]", lambda xs: [x % 7 for x in reversed(xs)]),
)  # fmt: skip


def task(rng: Random) -> Task:
    """A program with its input, or a sum."""
    if rng.random() < 0.55:
        a, b, c = rng.randint(120, 980), rng.randint(12, 88), rng.randint(3, 9)
        question = f"Compute {a} + {b} * {c}. Reply with the number after 'Output:'."
        return Task(
            question, str(a + b * c), family="arithmetic", facts={"value": a + b * c, "how": f"{b} * {c} = {b * c}"}
        )
    title, code, run = rng.choice(SHAPES)
    xs = [rng.randint(1, 30) for _ in range(rng.randint(5, 8))]
    name = rng.choice(("solve", "f", "transform", "main", "step", "fold"))
    question = (
        f"def {name}(xs):\n    return {code}\n\nWhat does `{name}({xs})` return? Reply with the value after 'Output:'."
    )
    facts = {"value": run(xs), "how": f"this gives the {title}", "input": str(xs)}
    return Task(question, str(run(xs)), family="program output", facts=facts)


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A word on the way and the value."""
    value = task.facts["value"]
    if not right and isinstance(value, int):
        value += rng.choice((-10, -1, 1, 9, 10, 100))
    elif not right:
        value = list(value)
        place = rng.randrange(len(value)) if value else 0
        value = [*value[:place], rng.randint(1, 60), *value[place + 1 :]]
        value = value if value != task.facts["value"] else [*value, 0]
    lines = [say(rng, f"[Reading it,|Here,|We see that|Step by step:] {task.facts['how']}."), *musing(rng, 0, 2)]
    return Reply([speak(" ".join(lines) + f"\nOutput: {value}")], str(value))


SNIPPETS = Domain(task, reply)
