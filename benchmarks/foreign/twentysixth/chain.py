"""Long sums written line by line, whose length grows as the policy learns to write every line."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import near, opener, pick, say

RULES = {
    "double": ("double it and take {k} away", lambda v, k: 2 * v - k),
    "add": ("add {k} to it", lambda v, k: v + k),
    "mirror": ("take it from {k}000", lambda v, k: k * 1000 - v),
    "triple": ("triple it and keep the remainder by {k}01", lambda v, k: 3 * v % (k * 100 + 1)),
}


def task(rng: Random) -> Task:
    """A start, a rule and how often it is applied."""
    family, k, start, times = rng.choice(list(RULES)), rng.randint(2, 19), rng.randint(3, 99), rng.randint(6, 13)
    values = [start]
    for _ in range(times):
        values.append(RULES[family][1](values[-1], k))
    prompt = (
        f"Begin with {start}. {times} times in a row, {RULES[family][0].format(k=k)}. Which number do you end with?"
    )
    ease = -0.12 * (times - 9)
    return Task(family, prompt, str(values[-1]), ease=ease, extra={"values": values, "times": times})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Line by line, the more so the better it learned; wrong ones slip in a line."""
    values = list(t.extra["values"])
    slip = rng.randrange(1, len(values))
    if not right:
        off = near(rng, 40, 12) - 40
        values[slip:] = [v + off for v in values[slip:]]
    lines = []
    for number, value in enumerate(values[1:], start=1):
        if rng.random() < 0.35 + 0.65 * progress:
            form = pick(rng, "After step {n}: {v}.", "Step {n} gives {v}.", "{n}. {v}", "Now ({n}) {v}.")
            lines.append(form.format(n=number, v=value))
        if rng.random() < 0.45 * progress:
            told = f"{values[number - 1]} becomes {value}"
            lines.append(
                pick(rng, "Let me make sure of that: ", "Wait, once more: ", "Check: ", "Again: ") + f"{told}."
            )
    end = f"After all {t.extra['times']} steps the number is {values[-1]}."
    return Reply([say("\n".join([opener(rng), *lines, end, f"Answer: {values[-1]}"]))], str(values[-1]))


WORLD = World(task, reply)
