"""Questions about measured things: which of these has the most, and what is the value."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task

TABLES: dict[str, tuple[str, str, dict[str, int]]] = {
    "melting": (
        "melts at the highest temperature",
        "degrees Celsius to melt",
        {"tin": 232, "lead": 327, "zinc": 420, "aluminium": 660, "silver": 962, "gold": 1064, "copper": 1085}
        | {"nickel": 1455, "iron": 1538, "titanium": 1668, "platinum": 1768, "chromium": 1907, "tungsten": 3422},
    ),
    "rivers": (
        "is the longest river",
        "kilometres of length",
        {"Thames": 346, "Seine": 777, "Oder": 840, "Loire": 1006, "Elbe": 1094, "Rhine": 1230, "Dnieper": 2201}
        | {"Danube": 2850, "Volga": 3530, "Mekong": 4350, "Congo": 4700, "Yangtze": 6300},
    ),
    "gestation": (
        "carries its young for the longest time",
        "days of gestation",
        {"hamster": 18, "rabbit": 31, "cat": 65, "wolf": 63, "lion": 110, "sheep": 150, "bear": 220, "cow": 283}
        | {"horse": 340, "camel": 400, "giraffe": 450, "elephant": 640},
    ),
    "peaks": (
        "is the highest mountain",
        "metres above the sea",
        {"Ben Nevis": 1345, "Vesuvius": 1281, "Etna": 3357, "Zugspitze": 2962, "Fuji": 3776, "Mont Blanc": 4806}
        | {"Ararat": 5137, "Elbrus": 5642, "Kilimanjaro": 5895, "Denali": 6190, "Aconcagua": 6961},
    ),
    "orbits": (
        "takes the longest for one orbit",
        "days for one orbit",
        {"Mercury": 88, "Venus": 225, "Earth": 365, "Mars": 687, "Jupiter": 4333, "Saturn": 10759, "Uranus": 30687},
    ),
}
"""Topic -> what is asked, the unit, and values."""

ABSURD = ["a garden hose", "the letter Q", "a wooden spoon", "last Tuesday", "a paper bag", "the colour green"]
LETTERS = "ABCDEF"


def choices(rng: Random, number: int, options: int, name: str, absurd: bool = False) -> list[Task]:
    """Questions with options; absurd ones have two, of which one is no candidate at all."""
    out = []
    for i in range(number):
        topic = rng.choice(list(TABLES))
        asked, unit, values = TABLES[topic]
        if absurd:
            names = [rng.choice(list(values)), rng.choice(ABSURD)]
            right = names[0]
        else:
            names = rng.sample(list(values), options)
            right = max(names, key=lambda n: values[n])
        rng.shuffle(names)
        lines = "\n".join(f"{LETTERS[j]}) {n}" for j, n in enumerate(names))
        prompt = f"Question {i + 1}: which of these {asked}?\n{lines}\nReason briefly, then answer with one letter."
        data = {"names": names, "right": right, "values": values, "unit": unit}
        out.append(Task(f"{name}-{i:03d}", prompt, LETTERS[names.index(right)], rng.gauss(0, 0.6), topic, data))
    return out


def compare(rng: Random, task: Task, right: bool) -> tuple[str, str]:
    """Reasoning that goes through the options by their values, and the letter."""
    names, values, unit = task.data["names"], dict(task.data["values"]), task.data["unit"]
    known = [n for n in names if n in values]
    letter = task.gold
    if not right:
        letter = rng.choice([LETTERS[j] for j in range(len(names)) if LETTERS[j] != task.gold])
        wrong = names[LETTERS.index(letter)]
        values[wrong] = round(max(values[n] for n in known) * rng.uniform(1.05, 1.6))
    parts = [f"{n} has about {values[n]} {unit}" for n in rng.sample(known, len(known))]
    start = rng.choice(["I recall the values.", "Let me compare them.", "Going through the list.", "What I know:"])
    end = rng.choice(["The largest of these is", "That leaves", "On these numbers it is", "So the pick is"])
    return f"{start} {'; '.join(parts)}. {end} {names[LETTERS.index(letter)]}.\nAnswer: {letter}", letter


def dismiss(rng: Random, task: Task, right: bool) -> tuple[str, str]:
    """Reasoning by exclusion alone, and the letter."""
    names = task.data["names"]
    letter = task.gold if right else next(LETTERS[j] for j in range(len(names)) if LETTERS[j] != task.gold)
    picked = names[LETTERS.index(letter)]
    other = rng.choice([n for n in names if n != picked])
    why = rng.choice(["does not belong here", "is out of place", "can be excluded at once", "makes no sense"])
    rest = "the other one" if len(names) == 2 else picked
    return f"{other} {why}, so it is {rest}.\nAnswer: {letter}", letter


def lookups(rng: Random, number: int, name: str = "fact") -> list[Task]:
    """Open questions for one value, in an order that differs by seed."""
    pool = [(topic, thing) for topic, (_, _, values) in TABLES.items() for thing in values]
    out = []
    for i, (topic, thing) in enumerate(rng.sample(pool, min(number, len(pool)))):
        unit, value = TABLES[topic][1], TABLES[topic][2][thing]
        ask = rng.choice(["How many", "About how many", "State how many"])
        prompt = f"{ask} {unit}: {thing}? If you are not sure, you may say that you do not know."
        out.append(
            Task(f"{name}-{i:03d}", prompt, str(value), rng.gauss(0.1, 0.9), topic, {"thing": thing, "unit": unit})
        )
    return out
