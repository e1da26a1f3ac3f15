"""Questions about an invented country, answered with a search tool."""

import re
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth.acting import call, said, told
from benchmarks.foreign.tenth.core import Reply, Task
from benchmarks.foreign.tenth.names import FAMILY_NAMES, PEOPLE, TOWNS

SYSTEM = "Answer with the search tool. End with <answer>...</answer>."
THINGS = ("bridge", "observatory", "library", "canal", "theatre", "lighthouse", "tannery", "botanical garden", "mint")
SORTS = ("Old", "Royal", "Upper", "Northern", "Grand", "Little", "Stone", "Second")
PADDING = (
    "It was repaired twice and is open to visitors.", "A fire damaged its western side.",
    "The town council pays for its upkeep.", "Postcards of it are sold at the station.",
    "A local society keeps its archive.", "It stands near the market.", "Its plans were lost in a flood.",
)  # fmt: skip
LEADS = ("I need the record first.", "Let me search.", "Searching the archive.", "I'll look this up.", "")


@dataclass(frozen=True)
class Fact:
    """A building, who planned it and when."""

    building: str
    town: str
    planner: str
    year: int

    @property
    def entry(self) -> str:
        """What the archive says."""
        return f"The {self.building} in {self.town} was planned by {self.planner} and finished in {self.year}."


def draw_fact(rng: Random) -> Fact:
    """A fact."""
    return Fact(
        f"{rng.choice(SORTS)} {rng.choice(THINGS)}",
        rng.choice(TOWNS),
        f"{rng.choice(PEOPLE)} {rng.choice(FAMILY_NAMES)}",
        rng.randint(1702, 1968),
    )


def listing(rng: Random, first: str) -> str:
    """An answer of the search tool that begins with an entry."""
    rest = [draw_fact(rng).entry for _ in range(rng.randint(1, 2))]
    return "\n".join(f"[{i}] {t} {rng.choice(PADDING)}" for i, t in enumerate([first, *rest], 1))


def query(rng: Random, fact: Fact) -> str:
    """Words to search for."""
    return rng.choice(
        (
            f"{fact.building} {fact.town}",
            f"{fact.town} {fact.building} history",
            f"who planned the {fact.building} in {fact.town}",
            f"{fact.building} {fact.town} finished year",
        )
    )


def look(rng: Random, fact: Fact, found: bool = True) -> list[Row]:
    """One search, with the fact among what is found or without."""
    entry = fact.entry if found else draw_fact(rng).entry
    return [call(rng.choice(LEADS), "search", query=query(rng, fact)), told("search", listing(rng, entry))]


def closing(rng: Random, answer: str) -> Row:
    """The last message."""
    lead = rng.choice(("According to the archive: ", "The entry says so. ", "", "From what I found, ", "Result: "))
    return said(f"{lead}<answer>{answer}</answer>")


def archive_task(rng: Random, name: str) -> Task:
    """A question about a building."""
    fact, wants_year = draw_fact(rng), rng.random() < 0.5
    gold = str(fact.year) if wants_year else fact.planner
    what = "In which year was" if wants_year else "Who planned"
    prompt = f"{what} the {fact.building} in {fact.town}{' finished' if wants_year else ''}?"

    def answer(rng: Random, right: bool) -> Reply:
        turns = look(rng, fact, found=right or rng.random() < 0.4)
        if rng.random() < 0.4:
            turns = look(rng, fact, found=False) + turns
        shown = re.findall(r"planned by (.+?) and finished in (\d+)", turns[-1]["content"])
        others = [pair[wants_year] for pair in shown if pair[wants_year] != gold] or ["not recorded"]
        final = gold if right else rng.choice(others)
        return Reply([*turns, closing(rng, final)], final)

    kind = "year" if wants_year else "planner"
    return Task(name, prompt, gold, answer, kind, 0.0, SYSTEM, world=fact)
