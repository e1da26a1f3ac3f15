"""Word problems of several trades: a chain of sums with one number at the end."""

import random
from dataclasses import dataclass

Move = tuple[str, str, int]
SIGNS = {"+": "+", "-": "-", "*": "×"}


@dataclass(frozen=True)
class Figure:
    """A question, where its chain starts, and what is done to that number."""

    text: str
    trade: str
    unit: str
    start: int
    moves: tuple[Move, ...]

    @property
    def answer(self) -> int:
        """The right number."""
        return self.values()[-1]

    def values(self, slip: int | None = None, off: int = 0) -> list[int]:
        """Result after each move; one of them may be off."""
        value, out = self.start, []
        for number, (_, op, by) in enumerate(self.moves):
            value = value + by if op == "+" else value - by if op == "-" else value * by
            value += off if number == slip else 0
            out.append(value)
        return out


def dose(rng: random.Random) -> Figure:
    """What a pharmacy must supply."""
    kg, per, days, loss = rng.randint(41, 97), rng.choice([4, 5, 6, 8, 12]), rng.randint(4, 14), rng.randint(15, 90)
    text = rng.choice(
        [
            f"A patient of {kg} kg gets {per} mg of a drug per kg each day for {days} days, and priming the pump loses "
            f"{loss} mg. How many mg must the pharmacy supply?",
            f"The ward orders a course of {days} days at {per} mg/kg daily for someone of {kg} kg. Add {loss} mg "
            "for the dead space of the line. What is the total in mg?",
        ]
    )
    moves = (("daily amount", "*", per), ("amount for the course", "*", days), ("amount with the loss", "+", loss))
    return Figure(text, "pharmacy", "mg", kg, moves)


def freight(rng: random.Random) -> Figure:
    """Crates that are left to carry."""
    trucks, crates, trips, broken = rng.randint(3, 19), rng.randint(12, 48), rng.randint(2, 6), rng.randint(3, 30)
    text = rng.choice(
        [
            f"{trucks} trucks carry {crates} crates each and drive {trips} times. {broken} crates arrive broken. "
            "How many crates arrive whole?",
            f"A depot sends {trucks} trucks on {trips} trips with {crates} crates a truck; of all these, {broken} are "
            "rejected at the gate. How many are accepted?",
        ]
    )
    moves = (("crates a trip", "*", crates), ("crates over all trips", "*", trips), ("crates left", "-", broken))
    return Figure(text, "freight", "crates", trucks, moves)


def payroll(rng: random.Random) -> Figure:
    """Pay of a week."""
    hours, wage, extra, tax = rng.randint(18, 44), rng.randint(13, 39), rng.randint(20, 140), rng.randint(30, 170)
    name = rng.choice(["Amira", "Jonas", "Keiko", "Tomás", "Wanjiru", "Piotr", "Leila"])
    text = (
        f"{name} works {hours} hours at {wage} euros an hour, gets a bonus of {extra} euros and has {tax} withheld. "
        "How many euros are paid out?"
    )
    moves = (("pay for the hours", "*", wage), ("pay with the bonus", "+", extra), ("pay after deduction", "-", tax))
    return Figure(text, "payroll", "euros", hours, moves)


def energy(rng: random.Random) -> Figure:
    """Output of a field of panels."""
    rows, panels, kwh, used = rng.randint(4, 21), rng.randint(6, 28), rng.randint(2, 7), rng.randint(11, 60)
    town = rng.choice(["Alder Hill", "Brant", "Corrie", "Dunmore", "Esk", "Farley"])
    text = (
        f"The solar field at {town} has {rows} rows of {panels} panels. Each panel yields {kwh} kWh a day and the site "
        f"itself uses {used} kWh. How many kWh a day go to the grid?"
    )
    moves = (("panels in all", "*", panels), ("daily yield", "*", kwh), ("net feed-in", "-", used))
    return Figure(text, "energy", "kWh", rows, moves)


def dilution(rng: random.Random) -> Figure:
    """Cells in a flask."""
    count, square, factor, dead = (
        rng.randint(21, 88),
        rng.choice([5, 10, 16, 25]),
        rng.randint(2, 9),
        rng.randint(5, 95),
    )
    text = (
        f"A chamber shows {count} cells in a square. There are {square} such squares, the sample was diluted "
        f"{factor}-fold, and {dead} of the cells so reckoned are dead. How many living cells does the sample hold?"
    )
    moves = (("cells in the chamber", "*", square), ("cells before dilution", "*", factor), ("living cells", "-", dead))
    return Figure(text, "laboratory", "cells", count, moves)


def harvest(rng: random.Random) -> Figure:
    """Jars of an orchard; a longer chain."""
    trees, kilos, jars, sold, gift = (rng.randint(a, b) for a, b in ((11, 60), (8, 35), (2, 4), (20, 150), (5, 25)))
    text = (
        f"An orchard has {trees} trees that bear {kilos} kg each. Every kg fills {jars} jars. {sold} jars are sold, "
        f"{gift} jars are given away, and the rest is doubled by a neighbour's delivery. How many jars are there then?"
    )
    moves = (
        ("kilos picked", "*", kilos),
        ("jars filled", "*", jars),
        ("jars after the sale", "-", sold),
        ("jars after the gifts", "-", gift),
        ("jars with the delivery", "*", 2),
    )
    return Figure(text, "orchard", "jars", trees, moves)


TRADES = (dose, freight, payroll, energy, dilution, harvest)


def any_figure(rng: random.Random) -> Figure:
    """A problem of any trade."""
    return rng.choice(TRADES)(rng)


OPENINGS = (
    "Let me set up the {trade} question first.",
    "I go through this {trade} problem in order.",
    "We start from {start} and are asked for {unit}.",
    "The quantity we want is in {unit}.",
    "First I note what is given; the first number is {start}.",
    "Breaking this down into its parts.",
    "This is a chain of {n} operations.",
)
LINES = (
    "The {what} is {a} {op} {b} = {c}.",
    "Then {a} {op} {b} gives {c}, the {what}.",
    "Next comes the {what}: {a} {op} {b} = {c}.",
    "For the {what} I compute {a} {op} {b} and get {c}.",
    "So far {a}; with {op} {b} the {what} becomes {c}.",
)
CHECKS = (
    "The size of {c} seems reasonable for {unit} here.",
    "Let me check the last line again: it still gives {c}.",
    "Nothing else in the statement changes this number.",
    "Reading the question once more, it asks for {unit}, and that is what {c} counts.",
    "All the numbers that were given have now been used.",
    "A rough estimate is of the same order as {c}.",
    "Going backwards from {c} one arrives at {start} again.",
)
ENDS = {
    "box": "The answer is \\boxed{{{c}}}.",
    "unit": "The answer is \\boxed{{{c} {unit}}}.",
    "line": "Answer: {c}",
    "hash": "#### {c}",
}


def attempted(rng: random.Random, problem: Figure, is_right: bool) -> list[int]:
    """Results of each move as an attempt has them: with a slip where it is not right."""
    slip = None if is_right else rng.randrange(len(problem.moves))
    return problem.values(slip, rng.choice([-10, -7, -3, -2, 2, 3, 6, 10, 20, 100]))


def line(rng: random.Random, problem: Figure, values: list[int], place: int) -> str:
    """One move in words."""
    what, op, by = problem.moves[place]
    before = values[place - 1] if place else problem.start
    return rng.choice(LINES).format(what=what, op=SIGNS[op], a=before, b=by, c=values[place])


def check(rng: random.Random, problem: Figure, value: int, many: int) -> list[str]:
    """So many sentences that look back on the result."""
    words = {"c": value, "unit": problem.unit, "start": problem.start}
    return [t.format(**words) for t in rng.sample(CHECKS, min(many, len(CHECKS)))]


def closing(problem: Figure, value: int, end: str) -> str:
    """The line that gives the number."""
    return ENDS[end].format(c=value, unit=problem.unit)


def reason(rng: random.Random, problem: Figure, values: list[int], checks: int = 1) -> str:
    """Reasoning up to the line of the answer."""
    names = {"trade": problem.trade, "start": problem.start, "unit": problem.unit, "n": len(problem.moves)}
    lines = [line(rng, problem, values, place) for place in range(len(values))]
    looks = check(rng, problem, values[-1], rng.randint(0, checks))
    return " ".join([rng.choice(OPENINGS).format(**names), *lines, *looks])


def work(rng: random.Random, problem: Figure, is_right: bool, end: str = "box", checks: int = 1) -> tuple[str, str]:
    """Reasoning about a problem, and the number it ends with."""
    values = attempted(rng, problem, is_right)
    body = reason(rng, problem, values, checks)
    return f"{body}\n{closing(problem, values[-1], end)}", str(values[-1])
