"""Riddles of ages and shares."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import check, near, opener, pick, say

NAMES = ("Ada", "Bruno", "Chidi", "Dalia", "Emre", "Freya", "Goran", "Hana", "Ivo", "Jun", "Kofi", "Lena", "Mira",
         "Nils", "Oya", "Pavel", "Rosa", "Sami", "Tove", "Umar")  # fmt: skip


def task(rng: Random) -> Task:
    """A riddle with a whole number for answer."""
    a, b = rng.sample(NAMES, 2)
    x, gap, years = rng.randint(16, 40), rng.randint(2, 30), rng.randint(2, 15)
    kind = rng.randrange(3)
    if kind == 0:
        prompt = f"{a} is {gap} years older than {b}. Together they are {2 * x + gap}. How old is {b}?"
    elif kind == 1:
        prompt = (
            f"In {years} years {a} will be {x + gap + years}, {gap} more than {b} will be then. How old is {b} now?"
        )
    else:
        prompt = f"{a} has {gap} marbles more than {b}. After giving {years} away, {a} has {x + gap - years}. "
        prompt += f"How many has {b}?"
    family = ("sums", "later", "marbles")[kind]
    return Task(family, prompt, str(x), extra={"a": a, "b": b, "gap": gap})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """An equation and its solution."""
    value = int(t.gold) if right else near(rng, int(t.gold))
    b, gap = t.extra["b"], t.extra["gap"]
    letter = pick(rng, "x", "b", "n", "y")
    body = pick(
        rng,
        f"Let {letter} be what {b} has; {t.extra['a']} has {letter} + {gap}. Solving gives {letter} = {value}.",
        f"With {letter} for {b}, the other is {value + gap}, so {letter} = {value}.",
        f"Take the {gap} away from {value + gap}: {value} is left for {b}.",
    )
    end = pick(rng, "So the answer is", "Answer:", "Hence", "Final answer:")
    return Reply([say(f"{opener(rng)} {body}{check(rng, progress)}\n{end} {value}")], str(value))


WORLD = World(task, reply)
