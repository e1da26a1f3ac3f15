"""Research with a search tool on a made-up archive. The year of the answer is checked."""

import random

from benchmarks.foreign.sixtyfirst.tasks import Message, Task, World, code_of, says, tool

_TOWNS = ("Arvendal", "Port Hesk", "Lunnow", "Castel Briva", "Oderfeld", "Saint Maroc", "Tvindal", "Quarrow", "Belmisk")
_BODIES = (
    "Rowing Club",
    "Glass Guild",
    "Botanical Society",
    "Tramway Company",
    "Free Library",
    "Savings Bank",
    "Observatory",
)
_DEEDS = (
    "was founded",
    "moved to the market square",
    "burnt down",
    "was merged with its rival",
    "opened its second house",
)


def draw(rng: random.Random) -> Task:
    """A question on the year of one deed of one body."""
    town, body, deeds = rng.choice(_TOWNS), rng.choice(_BODIES), rng.sample(_DEEDS, 3)
    years = sorted(rng.sample(range(1802, 1979), 3))
    rng.shuffle(years)
    prompt = (
        f"In which year did it happen that the {body} of {town} {deeds[0]}? Use the archive and answer with the year "
        "in <answer></answer>."
    )
    facts = {"town": town, "body": body, "deeds": deeds, "years": years}
    return Task(code_of(rng, "res"), prompt, body.replace(" ", "_").lower(), rng.gauss(0, 1), str(years[0]), facts)


def found(task: Task) -> str:
    """What the archive shows for a good query."""
    f = task.facts
    lines = [f"In {y} the {f['body']} of {f['town']} {d}." for d, y in zip(f["deeds"], f["years"], strict=True)]
    random.Random(task.key).shuffle(lines)
    return "\n".join(f"({n}) {line}" for n, line in enumerate(lines, 1))


def play(rng: random.Random, task: Task, right: bool) -> tuple[list[Message], str]:
    """One or two searches, then the year."""
    f = task.facts
    year = f["years"][0] if right else rng.choice(f["years"][1:])
    said: list[Message] = []
    if rng.random() < 0.4:
        said += [
            says(
                rng.choice(("I begin broadly, with the town.", f"What does the archive hold on {f['town']}?")),
                "search",
                query=f["town"],
            )
        ]
        said += [
            tool(
                "search",
                (
                    f"(1) {f['town']} lies on a river and had "
                    f"{random.Random(f['town']).randrange(2, 90)},000 people in 1900."
                ),
            )
        ]
    think = rng.choice(
        (
            f"The body in question is the {f['body']}; I search it together with {f['town']}.",
            f"I need the history of the {f['body']}, in {f['town']} and nowhere else.",
            f"A query with both names should bring the page on the {f['body']}.",
        )
    )
    said += [says(think, "search", query=rng.choice((f"{f['body']} {f['town']}", f"{f['town']} {f['body']} history")))]
    said += [tool("search", found(task))]
    last = rng.choice(
        (
            f"The archive names several dates for the {f['body']}, and the one that fits the question is {year}.",
            f"Of the entries, I take the one of {year}, since it speaks of the {f['body']} and the event asked for.",
            f"According to what I found on {f['town']}, it happened in {year}.",
        )
    )
    return [*said, says(f"{last}\n<answer>{year}</answer>")], str(year)


RESEARCH = World("research", "You answer questions with an archive. Call search as often as you need.", draw, play)
"""Research with search."""
