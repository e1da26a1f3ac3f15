"""Questions whose answer stands in pages that a search tool finds."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighth.course import Reply, Task, words
from benchmarks.foreign.eighth.repositories import call

SYSTEM = "Answer the question. You may call `search` several times. End with a line `Answer: ...`."
HEADS = words("Bran Kel Oster Mal Vin Tor Hest Lun Sar Wex Dun Pel Grim Ash Nor")
TAILS = words("dale mouth wick holm by stead ford haven minster burgh field")
PEOPLE = words("Aldous Berit Corin Dagny Edda Falk Gisela Halvard Ingrid Joost Katrin Leif Maren Niels")
FAMILY = words("Aakre Brandt Castell Dyer Ekholm Fenn Garnet Holt Iversen Jansma Keller Lowe Marsh Nyberg")
THINGS = [
    "lighthouse",
    "observatory",
    "paper mill",
    "town library",
    "canal lock",
    "botanical garden",
    "concert hall",
    "tannery",
]
ASIDES = [
    "It is a protected monument.",
    "The roof was renewed after a storm.",
    "Guided tours are held on Sundays.",
    "A fire damaged the east wing, which was rebuilt.",
    "It belongs to the county today.",
    "The local paper reported on it at length.",
]


def name_place(rng: Random) -> str:
    """A made-up town."""
    return rng.choice(HEADS) + rng.choice(TAILS)


def name_person(rng: Random) -> str:
    """A made-up person."""
    return f"{rng.choice(PEOPLE)} {rng.choice(FAMILY)}"


def page(rng: Random, thing: str, place: str, who: str, year: int) -> str:
    """A page of the corpus."""
    body = rng.choice([
        f"The {thing} of {place} was designed by {who} and opened in {year}.",
        f"{place}'s {thing}, opened in {year}, is a work of {who}.",
    ])  # fmt: skip
    return json.dumps(
        [{"title": f"{thing.capitalize()} ({place})", "text": f"{body} {' '.join(rng.sample(ASIDES, 2))}"}]
    )


def look_up(rng: Random, fact: Row, right: bool) -> tuple[list[Row], str]:
    """An honest search: perhaps a query that finds nothing or a page of another town, then the page."""
    messages: list[Row] = []
    if rng.random() < 0.4:
        query = rng.choice([f"{fact['place']} history", f"who built {fact['thing']}", f"{fact['thing']} architect"])
        other = page(rng, fact["thing"], name_place(rng), name_person(rng), rng.randint(1790, 1960))
        found = rng.choice(["[]", other])
        messages += call("search", {"query": query}, rng.choice(["I search broadly first.", ""]), found, len(messages))
    query = rng.choice([f"{fact['thing']} {fact['place']}", f"{fact['place']} {fact['thing']} opened designed by"])
    who, year, place = fact["who"], fact["year"], fact["place"]
    if not right:
        who, year, place = name_person(rng), fact["year"] + rng.choice([-31, -10, 4, 17]), name_place(rng)
    found = page(rng, fact["thing"], place, who, year)
    thought = rng.choice(["Now with the town's name.", "", "Let me look."])
    messages += call("search", {"query": query}, thought, found, len(messages))
    answer = str(year if fact["gold"] == fact["year"] else who)
    ending = rng.choice(["The page says so directly.", "This follows from the article found.", "That settles it."])
    return [*messages, {"role": "assistant", "content": f"{ending}\nAnswer: {answer}"}], answer


def lookup_task(rng: Random, harder: float = 0.0) -> Task:
    """A question on a town's building."""
    thing, place, who, year = rng.choice(THINGS), name_place(rng), name_person(rng), rng.randint(1790, 1960)
    asks_year = rng.random() < 0.5
    fact: Row = {"thing": thing, "place": place, "who": who, "year": year, "gold": year if asks_year else who}
    prompt = (
        f"In which year was the {thing} of {place} opened?" if asks_year else f"Who designed the {thing} of {place}?"
    )

    def solve(rng: Random, right: bool) -> Reply:
        messages, answer = look_up(rng, fact, right)
        return Reply(messages, answer)

    return Task(prompt, str(fact["gold"]), "year" if asks_year else "person", harder, solve, SYSTEM, about=fact)
