"""Questions to an invented almanac, answered with a search and a page reader."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.eighteenth.people import NAMES, PLACES
from benchmarks.foreign.eighteenth.shapes import Reply, Task, call, told

THINGS = (
    ("lighthouse", "height in metres", (18, 70)),
    ("town library", "number of volumes", (1200, 90000)),
    ("cable railway", "length in metres", (300, 4200)),
    ("harbour", "number of berths", (14, 380)),
    ("observatory", "year of opening", (1820, 1990)),
    ("botanical garden", "number of species", (200, 9000)),
)
FILL = (
    "The {thing} of {place} was planned by {who} and paid for by the guilds.",
    "Visitors reach it on foot from the market in about {n} minutes.",
    "After the flood of {y} parts of it were built anew with local stone.",
    "It is open from April to October, on most days until {h} in the evening.",
    "A small exhibition in the hall recalls {who}, who worked there for {n} years.",
    "The council of {place} discussed its closure in {y} but never decided it.",
)
OPENING = ("", "The first hit fits.", "I open this one.", "That title looks right.", "Let me read it.")
SAYING = ("According to the page", "The almanac says", "From what I read", "As the entry states", "On that page")


@dataclass
class Entry:
    """A page of the almanac and the fact that is asked for."""

    thing: str
    place: str
    fact: str
    value: int
    sentences: list[str]
    neighbour: str

    def page(self) -> str:
        """The text of the page."""
        return " ".join(self.sentences)


def entry_of(rng: Random) -> Entry:
    """An invented page, its fact in the second half."""
    (thing, fact, span), place = (
        rng.choice(THINGS),
        f"{rng.choice(PLACES)}-{rng.choice(('Nord', 'Sud', 'on-Sea', 'Vale'))}",
    )
    value = rng.randint(*span)
    words = {"thing": thing, "place": place}
    lines = [
        x.format(**words, who=rng.choice(NAMES), n=rng.randint(4, 50), y=rng.randint(1700, 1960), h=rng.randint(5, 9))
        for x in rng.sample(FILL, 5)
    ]
    lines.insert(rng.randint(2, 5), f"Its {fact} is {value}.")
    return Entry(thing, place, fact, value, lines, rng.choice(PLACES))


def search(rng: Random, entry: Entry) -> list[dict]:
    """A search and its list of hits."""
    words = [entry.thing, entry.place, *rng.choice(((), (entry.fact,), ("almanac",), (entry.fact, "exact")))]
    rng.shuffle(words)
    query = " ".join(words)
    thing = entry.thing.title()
    hits = f"1. {thing} of {entry.place}\n2. {entry.place}, history\n3. {thing} of {entry.neighbour}"
    return [call("search", rng.choice(("", "", "Searching.", "First a search.")), query=query), told("search", hits)]


def closing(rng: Random, entry: Entry, value: int) -> dict:
    """The last message with the answer."""
    opening = rng.choice(SAYING)
    return {"role": "assistant", "content": f"{opening}, the {entry.fact} is {value}.\nAnswer: {value}"}


def lookup_of(rng: Random) -> Task:
    """One question; a wrong attempt opens a neighbouring page or misreads."""
    entry = entry_of(rng)

    def write(rng: Random, right: bool) -> Reply:
        messages = search(rng, entry)
        astray = not right and rng.random() < 0.5
        title = f"{entry.place}, history" if astray else f"{entry.thing.title()} of {entry.place}"
        page = " ".join(x for x in entry.sentences if entry.fact not in x) if astray else entry.page()
        if rng.random() < 0.35:
            messages += search(rng, entry)
        messages += [call("open", rng.choice(OPENING), title=title), told("open", page)]
        value = entry.value if right else entry.value + rng.choice((-100, -7, -1, 2, 10, 30))
        return Reply([*messages, closing(rng, entry, value)], str(value))

    prompt = f"Use the almanac: what is the {entry.fact} of the {entry.thing} of {entry.place}?"
    task = Task(prompt, str(entry.value), write, entry.thing.replace(" ", "_"), rng.uniform(-0.3, 0.6), domain="search")
    task.extra["hops"] = rng.randint(1, 2)
    return task
