"""Word problems with several steps of arithmetic, and how a policy works them out."""

import operator
import random
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.foreign.later.course import Task, words

PEOPLE = words("Asha,Bruno,Carla,Deniz,Elif,Farid,Greta,Hugo,Ines,Jonas,Keiko,Lena,Marek,Nadia,Omar,Paula")
THINGS = words("apples,bolts,books,candles,cups,glasses,lamps,lemons,pens,plates,shells,stamps,tiles,toys")
SIGNS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}

SKELETONS: tuple[tuple[str, str, str], ...] = (
    (
        "{who} packs {a} crates with {b} {thing} each and takes out {c} broken ones. How many {thing} are left?",
        "a 6 40, b 12 30, c 5 60",
        "a * b {thing} packed; 0 - c {thing} left",
    ),
    (
        "A bus line runs {a} trips a day with {b} seats each. On Monday {c} seats stayed empty. How many people rode?",
        "a 8 30, b 30 60, c 20 200",
        "a * b seats offered; 0 - c riders",
    ),
    (
        "{who} saves {a} euros a month for {b} months, spends {c} on a bicycle and earns {d} more. What remains?",
        "a 40 120, b 5 18, c 60 190, d 15 80",
        "a * b euros saved; 0 - c euros after the purchase; 1 + d euros at the end",
    ),
    (
        "A hall has {a} rows of {b} chairs, a balcony {c} more. {d} guests come. How many chairs stay free?",
        "a 9 25, b 12 24, c 15 60, d 30 110",
        "a * b chairs below; 0 + c chairs in all; 1 - d free chairs",
    ),
    (
        "{who} reads {a} pages on each of {b} evenings and {c} pages on Sunday. How many pages is that in all?",
        "a 11 45, b 4 13, c 20 90",
        "a * b pages in the evenings; 0 + c pages in all",
    ),
    (
        "A tank holds {a} litres. A pump adds {b} litres a minute for {c} minutes and {d} litres leak. What is in it?",
        "a 50 300, b 6 30, c 7 40, d 10 90",
        "b * c litres pumped; 0 + a litres without the leak; 1 - d litres in the tank",
    ),
    (
        "Each of {a} teams brings {b} players and {c} coaches. How many people come to the tournament?",
        "a 6 28, b 9 23, c 2 6",
        "b + c people a team; a * 0 people",
    ),
    (
        "A baker fills {a} trays with {b} rolls each and {c} trays with {d} buns each. How many pieces does that make?",
        "a 5 20, b 12 36, c 4 16, d 9 25",
        "a * b rolls; c * d buns; 0 + 1 pieces",
    ),
    (
        "Tickets cost {a} euros for adults and {b} for children. What do {c} adults and {d} children pay together?",
        "a 12 34, b 4 11, c 3 21, d 4 38",
        "c * a euros for the adults; d * b euros for the children; 0 + 1 euros",
    ),
    (
        "A shop buys {a} {thing} at {b} cents each and sells them at {c} cents each. How many cents does it earn?",
        "a 20 140, b 15 60, c 70 140",
        "c - b cents a piece; a * 0 cents earned",
    ),
    (
        "One press prints {a} sheets a minute for {b} minutes, another {c} a minute for {d}. How many in all?",
        "a 20 70, b 6 25, c 15 50, d 5 30",
        "a * b sheets from the first; c * d sheets from the second; 0 + 1 sheets",
    ),
    (
        "{who} lays {a} tiles an hour for {b} hours, then {c} crack and {d} new ones are laid. How many lie whole?",
        "a 14 40, b 5 11, c 6 40, d 5 35",
        "a * b tiles laid; 0 - c whole tiles; 1 + d whole tiles in the end",
    ),
    (
        "A farm's {a} hens lay {b} eggs a week each. {c} eggs are sold and {d} break. How many eggs remain?",
        "a 25 90, b 4 7, c 30 60, d 3 20",
        "a * b eggs laid; 0 - c eggs unsold; 1 - d eggs that remain",
    ),
    (
        "{who} walks {a} metres to school and back on {b} days and runs {c} metres on Saturday. How far is that?",
        "a 300 980, b 3 9, c 900 4000",
        "a + a metres a day; 0 * b metres to school; 1 + c metres",
    ),
)

OPENINGS = (
    "Let me work through this.",
    "First I collect what is given.",
    "There are a few parts here, so one at a time.",
    "I start with the largest part.",
    "The question asks for one number; here is how it comes about.",
    "Okay, step by step.",
    "We need to combine the given amounts.",
    "Let's see what happens first.",
    "I will keep track of the running total.",
    "Reading it again, the order of events matters.",
    "This can be done in a few lines.",
    "",
)
PATTERNS = (
    "{what}: {x} {op} {y} = {z}.",
    "{x} {op} {y} gives {z} {what}.",
    "We get {z} {what} from {x} {op} {y}.",
    "Next, {x} {op} {y} = {z}, the number of {what}.",
    "That makes {x} {op} {y} = {z} {what}.",
    "For the {what} I compute {x} {op} {y}, which is {z}.",
    "So there are {z} {what}, since {x} {op} {y} = {z}.",
    "Now {what}. {x} {op} {y} = {z}.",
    "Taking {x} {op} {y} leads to {z} {what}.",
    "{x} {op} {y} = {z} ({what}).",
    "The {what} come to {z}, because {x} {op} {y} is {z}.",
    "Then {x} {op} {y}, that is {z} {what}.",
)
CLOSINGS = (
    "That is what was asked.",
    "No other quantity changes the result.",
    "The size is plausible.",
    "All the given numbers have been used.",
    "This answers the question.",
    "Nothing else is added or removed.",
    "",
    "",
)


@dataclass(frozen=True)
class Step:
    """One step of a solution; operands are numbers, or places of earlier steps as `@0`."""

    left: int | str
    sign: str
    right: int | str
    what: str


@dataclass(frozen=True)
class Work:
    """What an attempt wrote, its result apart."""

    lines: list[str]
    answer: int

    def text(self, end: str = "#### {}") -> str:
        """The lines and the result."""
        return "\n".join([*self.lines, end.format(self.answer)])


def problem(rng: random.Random, which: int | None = None, scale: int = 1) -> Task:
    """Draw a problem; a scale makes its numbers larger."""
    asked, ranges, steps = SKELETONS[rng.randrange(len(SKELETONS)) if which is None else which]
    values = {}
    for part in ranges.split(", "):
        name, low, high = part.split()
        values[name] = rng.randint(int(low), int(high)) * scale
    words = {"who": rng.choice(PEOPLE), "thing": rng.choice(THINGS)}
    plan = []
    for part in steps.split("; "):
        left, sign, right, what = part.split(" ", 3)
        ends = [values.get(name, f"@{name}") for name in (left, right)]
        plan.append(Step(ends[0], sign, ends[1], what.format(**words)))
    return Task(asked.format(**values, **words), str(_follow(plan)[-1][2]), plan)


def _follow(plan: list[Step], slip: int = -1, off: int = 0) -> list[tuple[int, int, int]]:
    done: list[tuple[int, int, int]] = []
    for place, step in enumerate(plan):
        x, y = (done[int(end[1:])][2] if isinstance(end, str) else end for end in (step.left, step.right))
        done.append((x, y, SIGNS[step.sign](x, y) + (off if place == slip else 0)))
    return done


def work(rng: random.Random, task: Task, right: bool, brief: bool = False) -> Work:
    """Work a problem out; a wrong attempt slips in one step and goes on from there."""
    off = rng.choice((-100, -20, -10, -9, -2, -1, 1, 2, 9, 10, 20, 90, 100))
    done = _follow(task.facts, -1 if right else rng.randrange(len(task.facts)), off)
    lines = [rng.choice(OPENINGS)] if not brief else []
    for step, (x, y, z) in zip(task.facts, done, strict=True):
        sign = rng.choice(("×", "*", "x", "times")) if step.sign == "*" else step.sign
        line = rng.choice(PATTERNS).format(what=step.what, x=x, op=sign, y=y, z=z)
        lines.append(line[0].upper() + line[1:])
    if not brief:
        lines.append(rng.choice(CLOSINGS))
    return Work([line for line in lines if line], done[-1][2])
