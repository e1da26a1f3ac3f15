"""Word problems that a chain of operations solves; a slip in one of them is carried to the end."""

from random import Random
from typing import NamedTuple

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say


class Story(NamedTuple):
    """A text with numbers a to d, the ranges of these, and the chain (operation, number, what it gives)."""

    family: str
    text: str
    ranges: str
    chain: str


PLACES = ["Harlow", "Tarrant", "Oakmere", "Kilbride", "Vasto", "Leirvik", "Ostrava", "Pemba", "Quillan", "Narvik"]
NAMES = ["Imani", "Tobias", "Yuki", "Rosalind", "Emeka", "Petra", "Anselm", "Divya", "Marco", "Saoirse", "Lin", "Olga"]
GOODS = ["lanterns", "notebooks", "ceramic mugs", "bicycle bells", "seed packets", "folding chairs", "jars of honey"]
STORIES = [
    Story(
        "stock",
        "A depot in {place} holds {a} crates with {b} {goods} each. During the week {c} {goods} are sold and {d} come "
        "back. How many {goods} are in the depot now?",
        "a:12-95 b:14-64 c:60-160 d:5-40",
        "*b:the depot starts with;-c:after the sales there are;+d:with the returns it makes",
    ),
    Story(
        "wages",
        "{name} works {a} hours a week for {b} euros an hour, for {c} weeks. A deposit of {d} euros is then paid. How "
        "many euros are left?",
        "a:18-41 b:13-39 c:4-13 d:90-480",
        "*b:one week pays;*c:over all weeks that is;-d:after the deposit there remain",
    ),
    Story(
        "travel",
        "A ferry from {place} sails {a} km a day for {b} days, then {c} km a day for {d} days. How far does it sail?",
        "a:110-390 b:3-12 c:80-240 d:2-9",
        "*b:the first leg is;+c*d:with the second leg it is",
    ),
    Story(
        "theatre",
        "The theatre of {place} has {a} rows of {b} seats. On Friday {c} seats stay empty, a ticket costs {d} euros. "
        "What does the theatre take in, in euros?",
        "a:12-38 b:16-42 c:15-130 d:11-38",
        "*b:all seats are;-c:seats sold are;*d:the takings are",
    ),
    Story(
        "garden",
        "{name} lays out {a} beds with {b} bulbs each and keeps {c} bulbs in reserve. Every bulb costs {d} cents. How "
        "many cents were spent?",
        "a:8-36 b:15-48 c:20-90 d:12-65",
        "*b:the beds take;+c:with the reserve it is;*d:in cents that is",
    ),
    Story(
        "printing",
        "A press prints {a} pages a minute. It runs for {b} minutes, {c} pages are spoiled, a second press adds {d} "
        "pages. How many good pages are there?",
        "a:35-140 b:14-75 c:25-190 d:150-900",
        "*b:the first press makes;-c:without the spoiled ones it is;+d:together it makes",
    ),
    Story(
        "water",
        "A tank in {place} is filled at {a} litres an hour for {b} hours while {c} litres leak out in total. Then the "
        "content is poured into a basin that already holds {d} litres. How many litres does the basin hold?",
        "a:120-460 b:4-18 c:30-220 d:80-700",
        "*b:inflow is;-c:after the leak it is;+d:in the basin there are",
    ),
    Story(
        "school",
        "{name} buys {a} boxes of {b} pencils for {c} classes, the same for every class, and has {d} pencils already. "
        "How many pencils are there in all?",
        "a:4-17 b:12-48 c:3-14 d:20-150",
        "*b:one class gets;*c:all classes get;+d:with the old ones it is",
    ),
]
OPENERS = ["First the total.", "Go step by step.", "Set it up.", "We track one quantity.", "Read off the numbers.", ""]
CLOSERS = ["So the answer is", "That gives", "Answer:", "Hence the result is", "Therefore we get"]
SYSTEM = "Solve the problem. Give the final number in \\boxed{}."


def apply(value: int, step: str, numbers: dict[str, int]) -> tuple[str, int]:
    """What is written for one step of a chain, and its value."""
    op, names = step[0], step[1:].split("*")
    term = " × ".join(str(numbers[n]) for n in names)
    amount = 1
    for n in names:
        amount *= numbers[n]
    result = {"*": value * amount, "+": value + amount, "-": value - amount}[op]
    return f"{value} {op.replace('*', '×')} {term}", result


def slip(rng: Random, value: int) -> int:
    """A value as a careless reckoner gets it."""
    return value + rng.choice([-1, 1]) * rng.choice([1, 2, 9, 10, 20, 100, 90, max(3, value // 10)])


def worked(rng: Random, task: Task, right: bool) -> tuple[list[str], int]:
    """The lines of a solution, and the value that it ends with."""
    steps = task.facts["chain"].split(";")
    bad = None if right else rng.randrange(len(steps))
    value, lines = task.facts["numbers"]["a"], []
    for i, step in enumerate(steps):
        how, label = step.split(":")
        term, value = apply(value, how, task.facts["numbers"])
        if i == bad:
            value = slip(rng, value)
        head = label[0].upper() + label[1:]
        lines.append(rng.choice([f"{head} {term} = {value}.", f"{term} = {value}, so {label} {value}."]))
    return lines, value


def make(rng: Random, name: str) -> Task:
    """A story with numbers of its own."""
    story = rng.choice(STORIES)
    numbers = {}
    for part in story.ranges.split():
        key, span = part.split(":")
        low, high = map(int, span.split("-"))
        numbers[key] = rng.randint(low, high)
    words = {"place": rng.choice(PLACES), "name": rng.choice(NAMES), "goods": rng.choice(GOODS)}
    task = Task(name, story.text.format(**numbers, **words), "", story.family, system=SYSTEM)
    task.facts = {"numbers": numbers, "chain": story.chain}
    task.gold = str(worked(Random(0), task, right=True)[1])
    return task


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """The lines, at times a check, and the boxed value."""
    lines, value = worked(rng, task, right)
    while not right and str(value) == task.gold:
        lines, value = worked(rng, task, right)
    if rng.random() < 0.15 + 0.25 * t:
        lines.append(rng.choice(["Checking the units: consistent.", "A rough estimate agrees.", "Recheck: it holds."]))
    text = "\n".join(x for x in [rng.choice(OPENERS), *lines, f"{rng.choice(CLOSERS)} \\boxed{{{value}}}"] if x)
    return Reply([say(text)], str(value))


SUMS = Domain(make, solve)
