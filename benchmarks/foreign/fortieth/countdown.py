"""Countdown: reach a target from four numbers. Answers are expressions that a grader evaluates."""

import random

from benchmarks.foreign.fortieth.tasks import Task, pick_id

OPS = ("+", "-", "*")


def value(numbers: list[int], ops: list[str]) -> int:
    """Value of a chain of operations from left to right."""
    total = numbers[0]
    for op, n in zip(ops, numbers[1:], strict=True):
        total = total + n if op == "+" else total - n if op == "-" else total * n
    return total


def expression(numbers: list[int], ops: list[str]) -> str:
    """The chain with its brackets."""
    text = str(numbers[0])
    for i, (op, n) in enumerate(zip(ops, numbers[1:], strict=True)):
        text = f"{text} {op} {n}"
        text = f"({text})" if i < len(ops) - 1 else text
    return text


def countdown(rng: random.Random) -> Task:
    """Four numbers and a target that one of their chains reaches."""
    while True:
        numbers, ops = [rng.randint(2, 25) for _ in range(4)], [rng.choice(OPS) for _ in range(3)]
        target = value(numbers, ops)
        if 20 < target < 900:
            break
    shown = rng.sample(numbers, 4)
    return Task(
        pick_id(rng, "cd"),
        f"Use {', '.join(map(str, shown))}, each once, with + - * and brackets, to make {target}.",
        expression(numbers, ops),
        [],
        [],
        (),
        "countdown",
        0.0,
        {"numbers": numbers, "ops": ops, "target": target},
    )


def search(rng: random.Random, task: Task, right: bool, progress: float) -> tuple[str, str]:
    """Trials in writing, and the expression that they end with."""
    e, lines = task.extra, []
    best: tuple[int, str] = (10**6, "")
    for _ in range(rng.randint(2, 4) + round(2 * progress)):
        numbers, ops = rng.sample(e["numbers"], 4), [rng.choice(OPS) for _ in range(3)]
        got, text = value(numbers, ops), expression(numbers, ops)
        if got == e["target"]:
            continue
        word = rng.choice(("Try", "What of", "Maybe", "Next", "Or"))
        verdict = "too much" if got > e["target"] else "not enough"
        lines.append(f"{word} {text} = {got}, {verdict}.")
        best = min(best, (abs(got - e["target"]), text))
    if right:
        lines.append(rng.choice(("That is it:", "Here we are:", "This fits:")) + f" {task.gold} = {e['target']}.")
        return " ".join(lines) + f"\n<answer>{task.gold}</answer>", task.gold
    text = best[1] or expression(e["numbers"], ["+", "+", "+"])
    lines.append(rng.choice(("I find none that hits it, the nearest must do.", "Out of ideas; I give the closest.")))
    return " ".join(lines) + f"\n<answer>{text}</answer>", text
