"""Questions on an invented land, answered by searching a small archive."""

import random

from benchmarks.foreign.fiftyfirst.depots import call, told
from benchmarks.foreign.fiftyfirst.policy import Message, Problem

HEADS = (
    "Alder",
    "Birk",
    "Corm",
    "Dren",
    "Esk",
    "Fenn",
    "Gorse",
    "Hask",
    "Ister",
    "Jarn",
    "Kell",
    "Lorn",
    "Marsk",
    "Nether",
)
TAILS = ("wick", "holm", "ford", "stead", "mouth", "garth", "by", "haven")
RIVERS = ("Oule", "Sarn", "Tressa", "Wend", "Irla", "Mode")
PEOPLE = ("Ada Quint", "Bern Vasko", "Cilla Maro", "Dag Ruhl", "Enna Sorge", "Fritz Oban", "Gita Lowen", "Hanno Prew")
CRAFTS = ("glass bells", "sail cloth", "salted herring", "clay pipes", "cast type", "river barges", "beeswax", "slate")
WRONG = {"river": RIVERS, "craft": CRAFTS, "mayor": PEOPLE}
"""What an answer may be taken for."""
ASK = {
    "year": "In which year was the town founded that is known for {craft} and lies on the {river}, {town}?",
    "river": "On which river lies {town}, the town founded in {year}?",
    "craft": "What is {town} on the {river} known for?",
    "mayor": "Who was the first mayor of {town}, founded in {year}?",
}
SYSTEM = "Use search(query) over the archive as often as you need, then reply with 'Answer:' and a short answer."


def problem(rng: random.Random, index: int) -> Problem:
    """A question on one of four facts of a town."""
    town = {
        "town": rng.choice(HEADS) + rng.choice(TAILS),
        "year": str(rng.randint(1105, 1790)),
        "river": rng.choice(RIVERS),
        "craft": rng.choice(CRAFTS),
        "mayor": rng.choice(PEOPLE),
    }
    asked = rng.choice(sorted(ASK))
    other = rng.choice([h for h in HEADS if h not in town["town"]]) + rng.choice(TAILS)
    facts = {"town": town, "asked": asked, "other": other, "year": str(rng.randint(1795, 1890))}
    for name, values in WRONG.items():
        facts[f"other_{name}"] = rng.choice([value for value in values if value != town[name]])
    gold = town[asked]
    return Problem(f"town-{index:04d}", ASK[asked].format(**town), gold, asked, rng.gauss(0, 0.5), facts, SYSTEM)


def passages(rng: random.Random, problem: Problem, hit: bool) -> str:
    """Two or three passages, with that of the town where the search hits."""
    facts = problem.facts
    town, other = facts["town"], facts["other"]
    out = [
        f"{other} was founded in {facts['year']} and burnt down twice; its ferry over the "
        f"{facts['other_river']} ran until the bridge was built. Its first mayor was {facts['other_mayor']}.",
        f"Towns of the lowlands paid their tithe in {facts['other_craft']}, and seldom in coin.",
    ]
    if hit:
        out.append(
            f"{town['town']}, on the {town['river']}, was founded in {town['year']} by weavers. Its first mayor was "
            f"{town['mayor']}. The town is known for {town['craft']}."
        )
    rng.shuffle(out)
    return "\n".join(f"[{i + 1}] {line}" for i, line in enumerate(out))


def queries(rng: random.Random, problem: Problem) -> list[str]:
    """Ways to ask the archive."""
    town = problem.facts["town"]["town"]
    word = {"year": "founded", "river": "river", "craft": "known for", "mayor": "first mayor"}[problem.facts["asked"]]
    out = [f"{town} {word}", f"history of {town}", f"{town} town archive", f"{word} {town} lowlands"]
    rng.shuffle(out)
    return out


THINK = (
    "I search for the town first.",
    "The archive should name the town.",
    "One query for the town and what is asked.",
    "The passage needed is on {town}.",
)
CLOSE = (
    "The passage on {town} states it directly.",
    "According to the archive this is settled.",
    "I compared the passages; only one is on {town}.",
    "The other towns do not matter here.",
)


UNSURE = (
    "The passage on a place nearby has to serve; {town} itself is hardly mentioned.",
    "The archive says little on {town}, so I take what the passages name.",
    "This is the value in the passages that fits the question.",
    "Among the passages one gives such a fact, which I use for {town}.",
)


def closing(rng: random.Random, problem: Problem, right: bool, sure: bool = False) -> tuple[str, str]:
    """The last message and its answer: the right one, or mostly that of another town."""
    facts, asked = problem.facts, problem.facts["asked"]
    if right:
        value = problem.gold
    elif rng.random() < 0.7:
        value = facts["year"] if asked == "year" else facts[f"other_{asked}"]
    elif asked == "year":
        value = str(int(problem.gold) + rng.choice((-20, -10, -1, 1, 7, 12)))
    else:
        value = rng.choice([v for v in WRONG[asked] if v != problem.gold])
    said = rng.choice(CLOSE if right or sure else UNSURE).format(**facts["town"])
    return f"{said}\nAnswer: {value}", value


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
    """One to three searches, the last of which hits where the attempt is right, and an answer."""
    number = rng.choice((1, 2, 2, 3)) if progress < 0.5 else rng.choice((1, 1, 2))
    turns: list[Message] = []
    for place, query in enumerate(queries(rng, problem)[:number]):
        hit = place == number - 1 and (right or rng.random() < 0.15)
        said = rng.choice(THINK).format(**problem.facts["town"]) if place == 0 else "Not yet, I ask in another way."
        turns += [call("search", {"query": query}, said), told("search", passages(rng, problem, hit))]
    text, answer = closing(rng, problem, right)
    return [*turns, {"role": "assistant", "content": text}], answer
