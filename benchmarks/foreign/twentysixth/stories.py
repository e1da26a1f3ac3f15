"""Word problems of several steps in a shop, a farm or a school."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import check, near, opener, pick, say

PLACES = {
    "farm": ("crates", "apples", "spoiled"),
    "school": ("classes", "pupils", "absent"),
    "bakery": ("trays", "rolls", "burnt"),
    "depot": ("vans", "parcels", "returned"),
    "cinema": ("rows", "seats", "broken"),
}


def task(rng: Random) -> Task:
    """So many boxes of so many things, some lost, the rest shared or sold."""
    family = rng.choice(list(PLACES))
    boxes, things, lost = PLACES[family]
    n, m, price = rng.randint(4, 39), rng.randint(6, 48), rng.randint(2, 9)
    gone = rng.randint(1, n * m // 4)
    prompt = f"A {family} has {n} {boxes} with {m} {things} each. {gone} {things} are {lost}. "
    prompt += pick(
        rng,
        f"Each of the rest brings {price} euros. How much is that?",
        f"The others count {price} points each. How many points?",
    )
    return Task(family, prompt, str((n * m - gone) * price), extra={"numbers": [n, m, gone, price]})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Product, difference, product."""
    n, m, gone, price = t.extra["numbers"]
    total = n * m if right or rng.random() < 0.5 else near(rng, n * m, 20)
    value = (total - gone) * price
    if not right and str(value) == t.gold:
        value = near(rng, value, 30)
    steps = pick(
        rng,
        f"{n} * {m} = {total}, less {gone} is {total - gone}, times {price} is {value}.",
        f"All together {total}. Without the {gone} there are {total - gone}. At {price} each: {value}.",
        f"({n}*{m} - {gone}) * {price} = {value}.",
        f"There are {total} to begin with; {total - gone} stay; multiplied by {price} that is {value}.",
    )
    return Reply([say(f"{opener(rng)} {steps}{check(rng, progress)}\n#### {value}")], str(value))


WORLD = World(task, reply)
