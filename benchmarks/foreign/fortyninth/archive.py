"""Questions about an archive that a search tool opens: lighthouses, bridges, mills, and when they were built."""

import random

from benchmarks.foreign.fortyninth.attempts import Attempt, Task, say, told

PLACES = ("Orvik", "Talmere", "Sankt Veit", "Port Ellam", "Quirra", "Dunholt", "Maresco", "Beltane", "Ysk", "Corvaro")
SIDES = ("North", "South", "Old", "Upper", "Lower", "Little", "Great", "East", "West", "New")
THINGS = ("lighthouse", "stone bridge", "water mill", "town library", "tram depot", "harbour crane", "grain silo")
BUILDERS = ("A. Lindqvist", "the Moreau brothers", "T. Okafor", "the canal board", "R. Hensley", "M. Sarti")
SYSTEM = (
    "Use search(query) to find records of the archive. End with the year, as `Answer: year`; `Answer: unknown` else."
)


def years(rng: random.Random) -> Task:
    """A question for the year in which something was opened."""
    place, thing = f"{rng.choice(SIDES)} {rng.choice(PLACES)}", rng.choice(THINGS)
    year, repair = rng.randint(1790, 1938), rng.randint(1945, 1999)
    data = {"place": place, "thing": thing, "year": year, "begun": year - rng.randint(2, 6), "repair": repair}
    prompt = rng.choice(
        [
            f"In which year was the {thing} of {place} opened?",
            f"When did the {thing} in {place} open to the public? Give the year.",
        ]
    )
    return Task("search", thing, prompt, str(year), rng.gauss(0, 0.8), SYSTEM, data)


def record_of(rng: random.Random, task: Task) -> str:
    """A long record of the archive, the year of opening towards its end."""
    d = task.data
    middle = rng.sample(
        [
            f"The parish books of {d['place']} name {rng.randint(12, 80)} workers and a cost of {rng.randint(3, 90)} "
            "thousand crowns.",
            f"Plans were drawn by {rng.choice(BUILDERS)} after a fire had taken the older building.",
            "The ground was soft, and oak piles had to be driven before any stone was laid.",
            "A dispute over the toll held the work up for a winter.",
            f"Its drawings are kept in box {rng.randint(10, 400)} of the county archive.",
        ],
        3,
    )
    return (
        f"Record {rng.randint(1000, 9999)}: {d['thing']}, {d['place']}. Work on it was begun in {d['begun']}. "
        f"{' '.join(middle)} It was opened in {d['year']} and repaired in {d['repair']}."
    )


def searches(rng: random.Random, task: Task, answer: str, ok: bool = True, again: bool = False) -> list[dict]:
    """A search and its answer."""
    d = task.data
    words = [
        f"{d['thing']} {d['place']} opened",
        f"{d['place']} {d['thing']} history",
        f"year {d['thing']} {d['place']}",
    ]
    said = [f"I search the archive for the {d['thing']}.", f"First the records of {d['place']}.", "Let me look it up."]
    more = ["I try other words.", f"Once more, with {d['place']} first.", "Another query may do."]
    return [
        say(rng.choice(more if again else said), ("search", {"query": rng.choice(words)})),
        told("search", answer, ok),
    ]


def concluded(rng: random.Random, task: Task, year: int | str) -> dict:
    """The closing message with a year."""
    d = task.data
    lead = rng.choice(
        [
            f"From what the archive says about the {d['thing']} I take {year}.",
            f"The record of {d['place']} points to {year}.",
            f"Weighing the dates given for the {d['thing']}, {year} is the one asked for.",
        ]
    )
    return say(f"{lead}\nAnswer: {year}")


def guess(rng: random.Random, task: Task, right: bool) -> int:
    """The year that an attempt with the record at hand names."""
    d = task.data
    return d["year"] if right else rng.choice([d["begun"], d["repair"], d["year"] + rng.choice([-10, 10, 1])])


def play_year(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """An attempt at a question, paid for the right year."""
    messages = searches(rng, task, record_of(rng, task))
    attempt = Attempt(task, [*messages, concluded(rng, task, guess(rng, task, right))], right)
    attempt.reward = float(right)
    attempt.terms = {"correct": attempt.reward}
    return attempt
