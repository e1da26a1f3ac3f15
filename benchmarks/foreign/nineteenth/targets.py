"""Numbers to be joined so that they make a target."""

from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

TRIES = (
    "{a} + {b} = {s}, too far.",
    "{a} × {b} = {p}, not it.",
    "What if I start from {b}?",
    "{b} - {a} leads nowhere.",
    "Keep {a} for last.",
)


def target_task(rng: Random) -> Task:
    """Draw numbers and a target that they make."""
    a, b, c, d = rng.randrange(2, 12), rng.randrange(2, 12), rng.randrange(3, 50), rng.randrange(1, 30)
    target = a * b + c - d
    numbers = [a, b, c, d]
    shown = rng.sample(numbers, 4)
    prompt = f"Using {', '.join(map(str, shown))}, each exactly once, and + - * /, make {target}."
    return Task(
        prompt,
        str(target),
        lambda r, right, skill: _reply(r, (a, b, c, d), target, right, skill),
        family="four",
        system="Think in <think></think>, then give the expression in <answer></answer>.",
        extra={"nums": shown, "target": target},
    )


def _reply(rng: Random, numbers: tuple[int, int, int, int], target: int, right: bool, skill: float) -> Reply:
    a, b, c, d = numbers
    thoughts = []
    for _ in range(rng.randrange(1, 4 + int(3 * skill))):
        x, y = rng.sample(numbers, 2)
        thoughts.append(rng.choice(TRIES).format(a=x, b=y, s=x + y, p=x * y))
    good = rng.choice(
        (f"{a} * {b} + {c} - {d}", f"{c} + {b} * {a} - {d}", f"{c} - {d} + {a} * {b}", f"({a} * {b}) + ({c} - {d})")
    )
    slips = (f"{a} * {b} + {c} + {d}", f"({a} + {b}) * {c} - {d}", f"{a} * {b} - {c} + {d}", f"{a} + {b} + {c} + {d}")
    values = (a * b + c + d, (a + b) * c - d, a * b - c + d, a + b + c + d)
    bad = rng.choice([slip for slip, value in zip(slips, values, strict=True) if value != target])
    expression = good if right else bad
    thoughts.append(rng.choice((f"{expression} should be {target}.", f"So {expression}.", f"Take {expression}.")))
    return Reply([say(f"<think>{' '.join(thoughts)}</think>\n<answer>{expression}</answer>")], expression)
