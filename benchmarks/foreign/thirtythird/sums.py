"""Word problems with whole numbers, and how a policy reasons about them."""

import random

from benchmarks.foreign.thirtythird.policy import Task

NAMES = ("Amara", "Bojan", "Chidi", "Dilnoza", "Eirik", "Farah", "Goran", "Hana", "Ismael", "Jolanta", "Kofi", "Leila")
THINGS = ("pencils", "lanterns", "seed trays", "jars of honey", "tiles", "kites", "buckets", "scarves", "bells", "maps")
OPEN = (
    "Let me set down what is given.",
    "First I separate the parts of the question.",
    "I take the two parts one after the other.",
    "The quantities are given directly, so I only need to combine them.",
    "We want one total, so I work through it in order.",
    "Reading it again, there are two amounts to find.",
)
CHECK = (
    "That is in the range I would expect.",
    "A rough estimate with round numbers gives something close.",
    "The units match what was asked.",
    "Nothing else in the question changes this.",
    "I went over the product once more and it holds.",
    "",
)


def sums(rng: random.Random, count: int, big: bool = False, tag: str = "sum") -> list[Task]:
    """Word problems of four families."""
    tasks, seen = [], set()
    while len(tasks) < count:
        family = rng.choice(("shop", "travel", "stock", "savings"))
        top = 90 if big else 24
        a, b, c, d = rng.randint(3, top), rng.randint(4, top), rng.randint(3, 19), rng.randint(2, 17)
        name, thing, other = rng.choice(NAMES), *rng.sample(THINGS, 2)
        if family == "shop":
            text = f"{name} buys {a} {thing} at {b} dollars each and {c} {other} at {d} dollars each."
            text, gold = f"{text} How many dollars does {name} pay?", a * b + c * d
        elif family == "travel":
            text = f"A coach with {name} on board drives {a} hours at {b} km/h and then {c} hours at {d} km/h."
            text, gold = f"{text} How many kilometres is that in all?", a * b + c * d
        elif family == "stock":
            text = f"{name}'s store holds {a + 3} boxes of {b} {thing}. {c} {thing} are sold and {d} come back."
            text, gold = f"{text} How many {thing} are there now?", (a + 3) * b - c + d
            a += 3
        else:
            text = f"{name} saves {b} dollars a week for {a + 6} weeks, then spends {c} on {thing} and {d} on {other}."
            text, gold = f"{text} How many dollars are left?", (a + 6) * b - c - d
            a += 6
        if text not in seen:
            seen.add(text)
            data = {"numbers": (a, b, c, d)}
            tasks.append(Task(f"{tag}-{len(tasks):04d}", text, str(gold), family, rng.gauss(0, 1.1), data))
    return tasks


def _second(family: str, c: int, d: int) -> tuple[str, int]:
    if family in ("shop", "travel"):
        return f"The second part is {c} times {d}, that is {c * d}.", c * d
    if family == "stock":
        return f"Then {c} go and {d} come, so the change is {d - c}.", d - c
    return f"Both expenses together are {c} + {d} = {c + d}.", -c - d


def reason(rng: random.Random, task: Task, right: bool, extra: int = 0) -> tuple[str, int]:
    """A worked solution and the number that it comes to."""
    a, b, c, d = task.data["numbers"]
    second, change = _second(task.family, c, d)
    first, slip = a * b, rng.choice(("product", "total", "dropped"))
    if not right and slip == "product":
        first += rng.choice((-b, b, 10, -10, 100))
    total = first + change
    if not right and slip == "total":
        total += rng.choice((1, -1, 10, -10, 9))
    if not right and slip == "dropped":
        total, second = first, "The rest of the sentence does not matter for the total."
    verb = rng.choice(("multiplied by", "times"))
    lines = [rng.choice(OPEN), f"{a} {verb} {b} is {first}." if rng.random() < 0.5 else f"I get {a} × {b} = {first}."]
    if slip != "dropped" or right:
        lines += [second, rng.choice((f"Together: {total}.", f"So {first} and {change} make {total}."))]
    else:
        lines += [second]
    tens, ones = divmod(b, 10)
    who = next(name for name in NAMES if name in task.text)
    more = [
        f"To check the product I split {b} into {10 * tens} and {ones}, which gives {a * 10 * tens} and {a * ones}.",
        f"Going the other way round, {b} groups of {a} are {a * b} if I count them again.",
        f"An estimate with {round(a, -1) or a} and {round(b, -1) or b} is of the same size.",
        f"The smaller numbers {c} and {d} only move the result a little.",
        f"I reread the question for {who} to be sure that nothing is left out.",
        "Each of these amounts is used once, as the text says.",
    ]
    more = more if right else more[2:]
    lines += rng.sample(more, min(extra, len(more)))
    lines.append(rng.choice(CHECK))
    return " ".join(line for line in lines if line), total
