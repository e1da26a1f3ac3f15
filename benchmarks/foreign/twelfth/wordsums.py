"""Word problems in English, solved line by line, with the answer in a box."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, slip

SYSTEM = "Solve the problem step by step and put the final answer in \\boxed{}."
NAMES = [
    "Amara",
    "Bjorn",
    "Celeste",
    "Dmitri",
    "Esi",
    "Farid",
    "Greta",
    "Hiro",
    "Ines",
    "Jonas",
    "Kavya",
    "Leopold",
    "Marit",
    "Nadia",
    "Otis",
    "Priya",
    "Quentin",
]
TOWNS = [
    "Lakeview",
    "Brenford",
    "Tolland",
    "Marsh-End",
    "Oakhurst",
    "Pinecrest",
    "Quarry-Hill",
    "Seaford",
    "Thornby",
    "Westerly",
]
STORIES = (
    (
        "orders",
        "{name}'s bakery in {town} bakes {a} trays with {b} rolls on each. It sells {c} rolls before noon and packs "
        "the rest in bags of {d}. How many bags are filled?",
        (("rolls baked", "*", "b"), ("rolls left after the morning", "-", "c"), ("bags", "/", "d")),
    ),
    (
        "orders",
        "A depot in {town} receives {a} pallets of {b} boxes. {c} boxes are damaged and sent back; the others go "
        "evenly to {d} shops. How many boxes does {name}'s shop, one of them, get?",
        (("boxes received", "*", "b"), ("sound boxes", "-", "c"), ("boxes a shop", "/", "d")),
    ),
    (
        "saving",
        "{name} saves {a} dollars a week for {b} weeks, then spends {c} dollars on a trip to {town} and shares what is "
        "left equally among {d} cousins. How much does each cousin get?",
        (("dollars saved", "*", "b"), ("dollars left", "-", "c"), ("dollars each", "/", "d")),
    ),
    (
        "rates",
        "A pump in {town} moves {a} litres a minute. It runs for {b} minutes, {c} litres leak away, and {name} fills "
        "the rest into tanks of {d} litres. How many tanks are full?",
        (("litres pumped", "*", "b"), ("litres that stay", "-", "c"), ("tanks", "/", "d")),
    ),
    (
        "rates",
        "{name} reads {a} pages a day for {b} days, of which {c} pages were read twice. Counting every page once, how "
        "many chapters of {d} pages has {name} finished for the {town} book club?",
        (("pages in all", "*", "b"), ("different pages", "-", "c"), ("chapters", "/", "d")),
    ),
)
OPENERS = (
    "Let me work through this.",
    "First I set up what is given.",
    "Step by step:",
    "Okay.",
    "We track the total.",
)
CHECKS = ("Checking backwards gives the same total.", "That fits the numbers in the text.", "The units agree.")


def numbers(rng: Random, size: int) -> dict[str, int]:
    """Numbers of a story that divide evenly."""
    d = rng.randint(3, 9 + 3 * size)
    share = rng.randint(6, 30 + 15 * size)
    while True:
        a, b = rng.randint(6, 25 + 12 * size), rng.randint(5, 30 + 10 * size)
        if 0 < (c := a * b - d * share) < a * b * 0.6:
            return {"a": a, "b": b, "c": c, "d": d}
        d, share = rng.randint(3, 9 + 3 * size), rng.randint(6, 30 + 15 * size)


def solve(rng: Random, values: dict[str, int], steps: tuple, right: bool) -> tuple[list[str], int]:
    """Lines of reasoning and where they end; a wrong one slips once."""
    bad = None if right else rng.randrange(len(steps))
    lines, total = [], values["a"]
    for place, (what, sign, name) in enumerate(steps):
        other = values[name]
        result = {"*": total * other, "-": total - other, "/": total // other}[sign]
        if place == bad:
            result = max(1, int(slip(rng, result)))
        shown = f"{total} {sign} {other} = {result}"
        lines.append(rng.choice((f"The {what}: {shown}.", f"{what.capitalize()}: {shown}", f"So {shown} {what}.")))
        total = result
    true = (values["a"] * values["b"] - values["c"]) // values["d"]
    if not right and total == true:
        total += rng.choice([-1, 1, 2])
        lines[-1] = f"So there are {total} {steps[-1][0]}."
    return lines, total


def wordsum(rng: Random, number: int, size: int = 1, prefix: str = "ws") -> Task:
    """A story with three operations."""
    family, text, steps = rng.choice(STORIES)
    values = numbers(rng, size)
    gold = str((values["a"] * values["b"] - values["c"]) // values["d"])

    def write(rng: Random, right: bool, progress: float) -> Reply:
        lines, total = solve(rng, values, steps, right)
        if rng.random() < 0.3 + 0.4 * progress:
            lines.append(rng.choice(CHECKS))
        lines.append(rng.choice((f"\\boxed{{{total}}}", f"The answer is \\boxed{{{total}}}.")))
        return Reply([{"role": "assistant", "content": "\n".join([rng.choice(OPENERS), *lines])}], str(total))

    prompt = text.format(name=rng.choice(NAMES), town=rng.choice(TOWNS), **values)
    facts = {"values": values, "text": text, "steps": steps}
    return Task(f"{prefix}-{number:04d}", family, prompt, gold, write, rng.gauss(0, 0.7), SYSTEM, facts)


def retold(rng: Random, task: Task, key: str) -> Task:
    """The same story of someone else in another town: numbers, words and answer stay."""
    name, town = rng.choice(NAMES), rng.choice(TOWNS)
    prompt = task.facts["text"].format(name=name, town=town, **task.facts["values"])
    return Task(key, task.family, prompt, task.gold, task.write, task.hard, task.system, task.facts)


def harder(rng: Random, number: int) -> Task:
    """A story of larger numbers, out of the second book."""
    task = wordsum(rng, number, 6, "book2")
    task.hard += 1.7
    return task
