"""Python functions with a speed limit among their tests."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

GOALS = {
    "pairs": ("count pairs of numbers in a list that sum to {n}", "return sum(c.get({n} - x, 0) for x in xs) // 2"),
    "window": ("return the largest sum of {n} neighbouring numbers", "return max(sum(xs[i:i + {n}]) for i in r)"),
    "nth": ("return every {n}th number of a list, the first included", "return xs[::{n}]"),
    "gaps": ("count gaps larger than {n} between sorted numbers", "return sum(b - a > {n} for a, b in zip(s, s[1:]))"),
    "digits": ("sum the numbers whose digits add up to {n}", "return sum(x for x in xs if dsum(x) == {n})"),
}
SETUP = {
    "pairs": "c = Counter(xs)", "window": "r = range(len(xs) - {n} + 1)", "nth": "xs = list(xs)",
    "gaps": "s = sorted(xs)", "digits": "dsum = lambda x: sum(map(int, str(abs(x))))",
}  # fmt: skip


def task(rng: Random) -> Task:
    """One function over a list."""
    family, number = rng.choice(list(GOALS)), rng.randint(2, 160)
    name = pick(rng, "f", "solve", "run", "work", "go")
    goal = GOALS[family][0].format(n=number)
    limit = pick(rng, "Lists are long; be quick.", "Time limit 2 s.", "Large inputs are tested.")
    extra = {"name": name, "n": number, "body": GOALS[family][1].format(n=number)}
    return Task(family, f"Write a Python function {name}(xs) to {goal}. {limit}", "", extra=extra)


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Setup and return; wrong ones are off by one."""
    number = t.extra["n"]
    body = t.extra["body"] if right else GOALS[t.family][1].format(n=number + rng.choice((-1, 1)))
    names = pick(rng, "", "    # one pass\n", "    xs = list(xs)\n", '    """Work on a list."""\n')
    code = f"def {t.extra['name']}(xs):\n{names}    {SETUP[t.family].format(n=number)}\n    {body}"
    talk = pick(rng, "Here is a direct way:", "This is linear.", "A short version:", "Done:")
    tail = (
        pick(rng, "", "\nIt copes with an empty list too.", "\nSorted input is not needed.") if progress > 0.4 else ""
    )
    return Reply([say(f"{talk}\n```python\n{code}\n```{tail}")], code, {"worker": f"w{rng.randrange(8)}"})


WORLD = World(task, reply)
