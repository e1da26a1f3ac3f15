"""Word problems in English with a whole number as answer."""

from random import Random

from benchmarks.foreign.thirteenth.prose import near, worked
from benchmarks.foreign.thirteenth.rollouts import Task

NAMES = [
    "Amara",
    "Bjorn",
    "Celia",
    "Dmitri",
    "Esther",
    "Farid",
    "Greta",
    "Hamza",
    "Ines",
    "Jonas",
    "Keiko",
    "Lucia",
    "Mateo",
    "Nadia",
    "Oskar",
    "Priya",
    "Quinn",
]
SYSTEM = "Solve the problem. Put the final number after '####'."
OPEN = ("Let me work through this.", "Step by step:", "First, what is given.", "Okay.", "We can do this in parts.", "")


def ferry(rng: Random, who: str) -> tuple[str, int, list[str]]:
    """Fares of cars, vans and children."""
    cars, vans, fare, extra, kids = (rng.randint(*r) for r in ((12, 60), (3, 25), (7, 19), (3, 9), (2, 40)))
    text = (
        f"A ferry that {who} pilots carries {cars} cars at ${fare} each and {vans} vans, which pay ${extra} more than "
        f"a car. {kids} children on foot pay $2 each. How many dollars are taken?"
    )
    a, b = cars * fare, vans * (fare + extra)
    lines = [f"Cars: {cars} * {fare} = {a}.", f"Vans: {vans} * {fare + extra} = {b}.", f"Children: {kids * 2}."]
    return text, a + b + 2 * kids, lines


def beads(rng: Random, who: str) -> tuple[str, int, list[str]]:
    """Beads that are threaded, cracked and sold."""
    strings, each, broken, sold = rng.randint(8, 40), rng.randint(15, 60), rng.randint(5, 70), rng.randint(2, 7)
    text = (
        f"{who} threads {strings} strings of {each} glass beads. {broken} beads turn out cracked and are taken out, "
        f"then {sold} full strings' worth of good beads are sold. How many good beads remain?"
    )
    total = strings * each
    lines = [
        f"In all {strings} x {each} = {total} beads.",
        f"Without the cracked: {total - broken}.",
        f"Sold: {sold * each}.",
    ]
    return text, total - broken - sold * each, lines


def orchard(rng: Random, who: str) -> tuple[str, int, list[str]]:
    """Crates for pears."""
    rows, trees, kilos, crate = rng.randint(6, 24), rng.randint(5, 18), rng.randint(12, 40), rng.choice((8, 10, 12, 15))
    text = (
        f"In {who}'s orchard stand {rows} rows of {trees} pear trees. Each gives {kilos} kg. Pears are packed in "
        f"crates of {crate} kg; a last crate may be partly filled. How many crates are needed?"
    )
    mass = rows * trees * kilos
    lines = [f"Trees: {rows * trees}.", f"Mass: {rows * trees} * {kilos} = {mass} kg.", f"Divide by {crate}, round up."]
    return text, -(-mass // crate), lines


def savings(rng: Random, who: str) -> tuple[str, int, list[str]]:
    """A sum that grows each week."""
    first, more, weeks, spent = rng.randint(5, 30), rng.randint(2, 9), rng.randint(5, 14), rng.randint(10, 90)
    text = (
        f"{who} saves {first} euros in week one, and each week {more} euros more than the week before. After {weeks} "
        f"weeks {who} buys boots for {spent} euros. How many euros are left?"
    )
    total = weeks * (2 * first + more * (weeks - 1)) // 2
    last = first + more * (weeks - 1)
    lines = [f"Week {weeks}: {last} euros.", f"Sum = {weeks} * ({first} + {last}) / 2 = {total}.", f"Minus {spent}."]
    return text, total - spent, lines


def tiles(rng: Random, who: str) -> tuple[str, int, list[str]]:
    """Tiles for a floor."""
    long, wide, side, spare = rng.randint(5, 18), rng.randint(3, 12), rng.choice((20, 25, 50)), rng.randint(4, 30)
    text = (
        f"{who} tiles a floor of {long} m by {wide} m with square tiles of {side} cm, and keeps {spare} spare ones. "
        "How many tiles must be ordered?"
    )
    a, b = long * 100 // side, wide * 100 // side
    return text, a * b + spare, [f"Along: {a} tiles.", f"Across: {b} tiles.", f"{a} * {b} = {a * b}, plus spares."]


STORIES = (ferry, beads, orchard, savings, tiles)


def word_sum(rng: Random, index: int) -> Task:
    """A story of one of five sorts."""
    story = STORIES[rng.randrange(len(STORIES))]
    text, gold, lines = story(rng, rng.choice(NAMES))
    return sum_task(rng, f"w{index:04d}", story.__name__, text, gold, lines)


def sum_task(rng: Random, key: str, family: str, text: str, gold: int, lines: list[str]) -> Task:
    """The task of a story that was told."""

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        return worked(rng, OPEN, lines, rng.choice((f"#### {answer}", f"So the answer is\n#### {answer}")))

    return Task(key, family, text, str(gold), rng.gauss(0, 0.9), near(gold), work, SYSTEM)
