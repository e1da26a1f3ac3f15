"""Problems whose answer is a chain of sums: shops, wards, banks, workshops. A slip changes one step and all
that follow.
"""

import random
from dataclasses import dataclass

NAMES = [
    "Amina",
    "Bruno",
    "Chiara",
    "Dmitri",
    "Elif",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Keiko",
    "Lamar",
    "Mira",
    "Nils",
    "Oksana",
    "Priya",
    "Quentin",
    "Rosa",
]
PLACES = [
    "Tromsø",
    "Lisbon",
    "Osaka",
    "Leeds",
    "Nairobi",
    "Quito",
    "Bergen",
    "Lyon",
    "Halifax",
    "Gdansk",
    "Perth",
    "Tucson",
    "Izmir",
    "Cork",
    "Basel",
]

STORIES = (
    (
        "shop",
        "{n}'s stall in {p} sells {a} jars of honey at {b} euros each and {c} candles at {d} euros each. The pitch "
        "costs {e} euros for the day. How many euros does {n} keep?",
        (
            ("honey brings in", 0, "*", 1),
            ("candles bring in", 2, "*", 3),
            ("both together bring in", 5, "+", 6),
            ("after the pitch is paid there is left", 7, "-", 4),
        ),
        "euros",
    ),
    (
        "dose",
        "A patient in {p} weighs {a} kg and is to get {b} mg of a drug per "
        "kg a day, in {c} days' supply. Nurse {n} has "
        "already set aside {d} mg, and the pharmacy adds a reserve of {e} mg. How many mg must still be ordered?",
        (
            ("one day takes", 0, "*", 1),
            ("the whole course takes", 5, "*", 2),
            ("without what is set aside it is", 6, "-", 3),
            ("with the reserve it is", 7, "+", 4),
        ),
        "mg",
    ),
    (
        "ledger",
        "{n} & Co. of {p} invoices {a} hours at {b} dollars and {c} hours at {d} dollars, and grants a rebate of {e} "
        "dollars. What is the amount due in dollars?",
        (
            ("the first rate gives", 0, "*", 1),
            ("the second rate gives", 2, "*", 3),
            ("the gross sum is", 5, "+", 6),
            ("net of the rebate it is", 7, "-", 4),
        ),
        "dollars",
    ),
    (
        "fleet",
        "{a} vans leave {p} with {b} parcels each. {c} stops take {d} "
        "parcels each, and {e} further parcels come back from "
        "{n}'s depot. How many parcels are on the vans at the end?",
        (
            ("the vans set out with", 0, "*", 1),
            ("the stops take", 2, "*", 3),
            ("after the stops there remain", 5, "-", 6),
            ("with those that came back there are", 7, "+", 4),
        ),
        "parcels",
    ),
    (
        "tiles",
        "{n} tiles a hall in {p} with {a} rows of {b} tiles, less a pool of {c} rows of {d} tiles. {e} tiles break and "
        "are bought again. How many tiles are bought in all?",
        (
            ("the full hall takes", 0, "*", 1),
            ("the pool spares", 2, "*", 3),
            ("the floor takes", 5, "-", 6),
            ("with the broken ones it is", 7, "+", 4),
        ),
        "tiles",
    ),
)

OPENERS = (
    "I will go through what is given about {s} before I compute anything.",
    "Let me set out the quantities: the text gives {a}, {b}, {c}, {d} and {e}.",
    "First the products, then the sum and the difference, because {n} needs one number in {u}.",
    "The question is about {s} in {p}, so everything is to be counted in {u}.",
    "Reading the problem again: {a} and {b} belong together, and so do {c} and {d}.",
    "Okay, {n}'s problem has two products and two smaller corrections.",
    "To find the {u} I take one thing after another.",
)
SAY = (
    "Here {l} {x} {o} {y} = {r}.",
    "Next, {l} {x} {o} {y}, which is {r}.",
    "I get that {l} {r}, since {x} {o} {y} = {r}.",
    "{x} {o} {y} = {r}, so {l} {r} {u}.",
    "Then {l} {r} (from {x} {o} {y}).",
)
CHECKS = (
    "Does the size make sense? {r} is of the order I expected from {a} times {b}.",
    "I have used all of {a}, {b}, {c}, {d} and {e} once.",
    "A rough estimate with round numbers near {a} and {b} does not contradict this.",
    "The {e} was a single correction, so it enters only at the end.",
    "Units: everything was in {u}, so nothing has to be converted.",
)


@dataclass(frozen=True)
class Sum:
    """One such problem, with its answer in `answer`."""

    uid: str
    family: str
    prompt: str
    answer: str
    hardness: float
    given: tuple[int, ...]
    steps: tuple[tuple[str, int, str, int], ...]
    slots: dict

    def values(self, rng: random.Random | None = None) -> list[int]:
        """Given numbers and results; with a generator, one result is slipped."""
        values = list(self.given)
        slip = rng.randrange(len(self.steps)) if rng else -1
        for n, (_, left, sign, right) in enumerate(self.steps):
            x, y = values[left], values[right]
            result = {"*": x * y, "+": x + y, "-": x - y}[sign]
            if n == slip and rng:
                result += rng.choice((-20, -10, -9, -1, 1, 2, 9, 10, 11, 30, 100))
            values.append(result)
        return values

    def solve(self, rng: random.Random, right: bool, long: float = 0.5) -> tuple[str, str]:
        """Working in several sentences, and the number it ends with."""
        values = self.values(None if right else rng)
        slots = {**self.slots, "r": values[-1]}
        said = [rng.choice(OPENERS).format(**slots)]
        for n, (label, left, sign, other) in enumerate(self.steps):
            numbers = {"x": values[left], "y": values[other], "r": values[5 + n], "o": sign}
            line = rng.choice(SAY).format(l=label, u=self.slots["u"], **numbers)
            said.append(line[0].upper() + line[1:])
        said += [c.format(**slots) for c in CHECKS if rng.random() < long * 0.6]
        return " ".join(said), str(values[-1])


def draw_sum(rng: random.Random, family: str = "", size: int = 1) -> Sum:
    """A problem; `size` multiplies the numbers and makes it harder."""
    name, prompt, steps, unit = rng.choice([s for s in STORIES if not family or s[0] == family])
    a, b = rng.randint(21, 60) * size, rng.randint(12, 39)
    c, d, e = rng.randint(4, 14), rng.randint(3, 14), rng.randint(11, 48)
    who, where = rng.choice(NAMES), rng.choice(PLACES)
    slots = {"a": a, "b": b, "c": c, "d": d, "e": e, "n": who, "p": where, "u": unit, "s": f"{who}'s {unit}"}
    blank = Sum("", name, "", "", 0.0, (a, b, c, d, e), steps, slots)
    uid = f"{name}-{rng.randrange(16**6):06x}"
    answer = str(blank.values()[-1])
    hardness = rng.gauss(0.6 * (size - 1), 1.1)
    return Sum(uid, name, prompt.format(**slots), answer, hardness, blank.given, steps, slots)
