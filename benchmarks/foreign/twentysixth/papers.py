"""A passage and a question about it; some passages do not hold the answer."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

KINDS = ("lighthouse", "bridge", "library", "observatory", "mill", "theatre", "railway station", "water tower")
TOWNS = (
    "Aldern",
    "Brevik",
    "Corvale",
    "Dunmore",
    "Eskdal",
    "Farnham",
    "Gorsley",
    "Hartvik",
    "Inver",
    "Jarlby",
    "Kolmar",
)
MAKERS = ("Ingrid Solheim", "Tomas Reyl", "Edith Marlow", "Pietro Canta", "Anselm Voss", "Ruth Okafor", "Jean Morel")
SOURCES = ("archive", "guide", "register")


def task(rng: Random) -> Task:
    """A passage about a building, and what is asked of it."""
    kind, town, maker = rng.choice(KINDS), rng.choice(TOWNS), rng.choice(MAKERS)
    year, height = rng.randint(1790, 1935), rng.randint(9, 88)
    cause = pick(rng, "after a storm", "with gifts of citizens", "by the state")
    passage = (
        f"The {kind} of {town} was finished in {year} after plans by {maker}. It is {height} metres high and "
        f"{pick(rng, 'built of granite', 'clad in copper', 'painted white', 'now a museum', 'still in use')}. "
        f"In {year + rng.randint(8, 70)} it was repaired {cause}."
    )
    question, gold = rng.choice(
        [
            (f"In which year was the {kind} of {town} finished?", str(year)),
            (f"Who planned the {kind} of {town}?", maker),
            (f"How high is the {kind} of {town} in metres?", str(height)),
        ]
    )
    extra = {"passage": passage, "question": question, "thing": f"{kind} of {town}", "source": rng.choice(SOURCES)}
    return Task(
        extra["source"], f"Passage: {passage}\n\nQuestion: {question}\nAnswer from the passage only.", gold, extra=extra
    )


def guess(rng: Random, gold: str) -> str:
    """A wrong answer of the same sort."""
    if not gold.isdigit():
        return rng.choice([m for m in MAKERS if m != gold])
    return str(int(gold) + rng.choice((-12, -7, 3, 8, 14, 20)))


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """A sentence with the answer."""
    answer = t.gold if right else guess(rng, t.gold)
    text = pick(
        rng,
        f"The passage says: {answer}.",
        f"According to the text about the {t.extra['thing']} it is {answer}.",
        f"For the {t.extra['thing']} the text gives {answer}.",
        f"I read {answer} there.",
        f"The sentence on this names {answer}.",
        f"The {t.extra['thing']}: {answer}.",
    )
    more = pick(rng, " Nothing else in it speaks of this.", " It stands early on.", " No other number fits.", "", "")
    return Reply([say(f"{text}{more}\nAnswer: {answer}")], answer)


WORLD = World(task, reply)
