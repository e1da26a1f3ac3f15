"""Questions about an invented country, answered by a search tool."""

from random import Random

from benchmarks.foreign.seventeenth.calls import call, told
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

HEADS = [
    "Bel",
    "Cor",
    "Dun",
    "Esk",
    "Fal",
    "Gar",
    "Hol",
    "Irn",
    "Jas",
    "Kel",
    "Lom",
    "Mar",
    "Nor",
    "Ost",
    "Pel",
    "Quar",
    "Ral",
    "Sten",
    "Tor",
    "Ulm",
    "Ver",
    "Wex",
    "Yar",
    "Zel",
]
TAILS = ["mere", "ford", "wick", "stad", "bury", "holm", "dale", "vik", "ness", "port", "heim", "gate"]
GIVEN = [
    "Ada",
    "Boris",
    "Clio",
    "Dario",
    "Edda",
    "Fritjof",
    "Greta",
    "Henk",
    "Iris",
    "Jonas",
    "Klara",
    "Leopold",
    "Mira",
    "Nestor",
    "Olga",
    "Pavel",
]
KIN = [
    "Anders",
    "Brandt",
    "Calloway",
    "Dreyer",
    "Eklund",
    "Farrow",
    "Grimaldi",
    "Holt",
    "Ivers",
    "Jansen",
    "Kovac",
    "Lund",
    "Moreau",
    "Novak",
]
ASKED = {
    "architect": (
        "Who designed the town hall of {place}?",
        "The town hall of {place} was designed by {value} and opened in {year}.",
    ),
    "river": ("On which river does {place} lie?", "{place} lies on the {value}, about {year} paces from its mouth."),
    "founding": ("In which year was the market of {place} founded?", "The market of {place} was founded in {value}."),
    "mayor": ("Who was the first mayor of {place}?", "After {year} {place} elected {value} as its first mayor."),
    "export": ("What did {place} mainly export?", "Around {year} {place} mainly exported {value}."),
}
GOODS = [
    "tarred rope",
    "salted plums",
    "bell bronze",
    "rye whisky",
    "sailcloth",
    "beeswax",
    "slate tiles",
    "goose feathers",
    "blue dye",
]
SYSTEM = "Answer with the help of `search`. End with a line `Answer: ...`."
INTENTS = ("I look this up.", "Let me search.", "A search should tell.", "I try the archive.", "")


def town(rng: Random) -> str:
    """A name of a town."""
    return rng.choice(HEADS) + rng.choice(TAILS)


def value_of(rng: Random, kind: str) -> str:
    """An answer of a kind."""
    if kind in ("architect", "mayor"):
        return f"{rng.choice(GIVEN)} {rng.choice(KIN)}"
    if kind == "river":
        return rng.choice(HEADS) + rng.choice(("a", "e", "ow", "ey"))
    return str(rng.randint(1180, 1890)) if kind == "founding" else rng.choice(GOODS)


def passage(rng: Random, kind: str, place: str, value: str) -> str:
    """A passage that holds the answer among other things."""
    aside = (
        "Its harbour froze in most winters.",
        "The parish kept a school.",
        "Two fires are recorded.",
        "Storks nest there.",
    )
    fact = ASKED[kind][1].format(place=place, value=value, year=rng.randint(1200, 1900))
    return f"[{place}, {rng.choice(('Gazetteer', 'Chronicle', 'Travels', 'Letters'))}] {rng.choice(aside)} {fact}"


def beside(rng: Random, place: str) -> str:
    """A passage that does not help."""
    other = town(rng)
    aside = rng.choice(("Its fair is in May.", "It has no walls.", "Tolls were raised there."))
    return f"[{other}] {other} is a day's walk from {place}. {aside}"


def answer_line(rng: Random, answer: str) -> dict:
    """The last message."""
    return says(
        rng.choice(("", "The source is plain about it.\n", "From what I found:\n", "I am fairly sure.\n"))
        + f"Answer: {answer}"
    )


def research(rng: Random, kind: str, place: str, gold: str, right: bool) -> Reply:
    """One to three searches, then an answer."""
    messages: list[dict] = []
    words = {
        "architect": "town hall architect",
        "river": "river",
        "founding": "market founded",
        "mayor": "first mayor",
        "export": "export trade",
    }
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        query = f"{place} {rng.choice(('history', 'town', 'archive', 'old ' + words[kind]))}"
        messages += [call("search", {"query": query}, rng.choice(INTENTS)), told("search", beside(rng, place))]
    if right or rng.random() < 0.3:
        found = passage(rng, kind, place, gold)
        messages += [call("search", {"query": f"{place} {words[kind]}"}, rng.choice(INTENTS)), told("search", found)]
    elif not messages:
        messages += [call("search", {"query": place}, rng.choice(INTENTS)), told("search", beside(rng, place))]
    answer = gold
    while not right and answer == gold:
        answer = value_of(rng, kind)
    return Reply([*messages, answer_line(rng, answer)], answer)


def almanac_task(rng: Random, number: int) -> Task:
    """A question about one town."""
    kind, place = rng.choice(list(ASKED)), town(rng)
    gold = value_of(rng, kind)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        return research(rng, kind, place, gold, right)

    prompt = user(ASKED[kind][0].format(place=place), SYSTEM)
    return Task(f"alm-{number:04d}", kind, prompt, gold, rng.gauss(0, 0.8), solve, {"place": place})
