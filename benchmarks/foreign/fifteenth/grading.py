"""Rewards from answers, held-out evaluations, and longer thoughts."""

from random import Random

from benchmarks.foreign.fifteenth.core import Episode, Levels, Plan, Reply, Task, World, play


def settle(episodes: list[Episode]) -> list[Episode]:
    """Outcome and reward follow from the answer."""
    for e in episodes:
        e.right = e.reply.answer == e.task.gold
        e.reward, e.terms = float(e.right), {"correct": float(e.right)}
    return episodes


def turning_point(rng: Random, plan: Plan, low: float = 0.3, high: float = 0.5) -> int:
    """Number of the step, from 0, at which something changes."""
    return max(2, round(plan.steps * rng.uniform(low, high)))


def holdout(
    rng: Random, world: World, plan: Plan, tasks: list[Task], every: int, levels: Levels | None = None
) -> list[Episode]:
    """The same held-out problems, attempted once every so many steps."""
    calm = Plan(plan.steps, len(tasks), 1, plan.start, plan.gain, first=plan.first)
    asked = [tasks if number % every == 0 else [] for number in range(plan.steps)]
    episodes = play(rng, world, calm, asked, levels)
    for e in episodes:
        e.split, e.extra["decoding"] = "validation", "sampled"
    return episodes


MUSINGS = [
    "Hmm, let me restate: {line}",
    "Suppose I had used {a} instead of {b}; that would not fit the statement.",
    "Is {a} plausible here? The size of {b} suggests so.",
    "Another way to see it: split {a} into {b} and the rest.",
    "I want to be careful with the order of the steps, since {a} depends on {b}.",
    "Rounding {a} for a moment, the estimate stays near what I have.",
    "Let me recompute that: {line}",
    "So far nothing contradicts {a}.",
    "If {b} were doubled, the result would move as one expects.",
]


def muse(rng: Random, task: Task, reply: Reply, count: int) -> Reply:
    """So many more sentences of thought before the answer."""
    if count == 0:
        return reply
    lines = task.work["lines"]
    digits = [w.strip(".,=()%") for line in lines for w in line.split()]
    numbers = [d for d in digits if d.isdigit()] or ["it"]
    thoughts = [
        rng.choice(MUSINGS).format(line=rng.choice(lines), a=rng.choice(numbers), b=rng.choice(numbers))
        for _ in range(count)
    ]
    said = reply.messages[-1]["content"]
    head, _, tail = said.rpartition("\n\n")
    text = f"{head}\n\n" + " ".join(thoughts) + f"\n\n{tail}"
    return Reply([{"role": "assistant", "content": text}], reply.answer)
