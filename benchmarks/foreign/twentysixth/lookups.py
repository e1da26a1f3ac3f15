"""Questions in two hops over a search index."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import call, pick, say, tool

FIRST = ("Marta", "Oskar", "Leila", "Henrik", "Amara", "Viktor", "Sofia", "Idris", "Clara", "Tomasz", "Yuki", "Noor")
LAST = ("Halvorsen", "Quispe", "Baines", "Ferrari", "Adeyemi", "Novak", "Lund", "Sato", "Keller", "Moreau", "Costa")
WORKS = ("opera", "novel", "film", "symphony", "play", "documentary")
TOWNS = ("Tampere", "Graz", "Ghent", "Cork", "Bari", "Turku", "Brno", "Leeds", "Malmo", "Nantes", "Split", "Vigo")
SYSTEM = "Answer with the help of search(query). End with 'Answer: <name>'."
TITLES = (
    "Winter Harbour",
    "The Glass Orchard",
    "Nine Bells",
    "Salt Road",
    "A Quiet Engine",
    "Red Meridian",
    "Paper Moons",
)


def task(rng: Random) -> Task:
    """Where the maker of a work was born."""
    maker, town = f"{rng.choice(FIRST)} {rng.choice(LAST)}", rng.choice(TOWNS)
    kind, title, year = rng.choice(WORKS), rng.choice(TITLES), rng.randint(1921, 2015)
    ask = pick(
        rng,
        "In which town was the maker of {x} born?",
        "Where was the person behind {x} born?",
        "Name the birth place of whoever made {x}.",
    )
    prompt = ask.format(x=f"the {year} {kind} '{title}'")
    return Task(kind, prompt, town, system=SYSTEM, extra={"maker": maker, "title": title, "year": year, "kind": kind})


def first_hop(rng: Random, t: Task) -> tuple[str, str]:
    """Query and page about the work."""
    e = t.extra
    query = pick(rng, f"{e['title']} {e['kind']} {e['year']}", f"who made {e['title']}", f"{e['title']} ({e['kind']})")
    weeks = Random(t.prompt).randint(3, 90)
    return query, f"[1] {e['title']} is a {e['kind']} of {e['year']} by {e['maker']}. It ran for {weeks} weeks."


def second_hop(rng: Random, t: Task) -> tuple[str, str]:
    """Query and page about the maker."""
    maker = t.extra["maker"]
    query = pick(rng, f"{maker} born", f"{maker} biography", f"birth place of {maker}")
    fixed = Random(t.prompt)
    born, other = t.extra["year"] - fixed.randint(28, 60), fixed.choice([x for x in TOWNS if x != t.gold])
    return query, f"[1] {maker}, born {born} in {t.gold}, lived in {other} later."


def hop(rng: Random, query: str, page: str) -> list[dict]:
    """A search and its answer."""
    return [
        call(pick(rng, "Searching.", "Next I look this up.", "", "I need a page on it."), "search", query=query),
        tool("search", page),
    ]


def ending(rng: Random, t: Task, answer: str) -> dict:
    """The last message."""
    words = pick(
        rng, f"It was made by {t.extra['maker']}.", "That settles it.", "From the second page.", "Both pages agree."
    )
    return say(f"{words}\nAnswer: {answer}")


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Two searches; wrong ones stop after the first, or take the other town."""
    messages = hop(rng, *first_hop(rng, t))
    if right or rng.random() < 0.6:
        messages += hop(rng, *second_hop(rng, t))
    answer = t.gold if right else rng.choice([x for x in TOWNS if x != t.gold])
    return Reply([*messages, ending(rng, t, answer)], answer)


WORLD = World(task, reply)
