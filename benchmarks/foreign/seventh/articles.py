"""Local news with points that a summary should hold."""

from random import Random
from typing import Any

from benchmarks.foreign.seventh.prose import TOWNS, person, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

_POINTS = (
    (
        "The council of {town} approved {n} million for a new {thing}.",
        "[{town} approves|The council of {town} grants] {n} million for a {thing}.",
    ),
    (
        "Work is to begin in {month} and to last {k} months.",
        "[Work starts|Building begins] in {month} and [takes|lasts] {k} months.",
    ),
    (
        "Opponents led by {who} collected {m} signatures against the plan.",
        "{who} [gathered|collected] {m} signatures [against it|in protest].",
    ),
    ("The state pays {p} percent of the costs.", "[The state covers|State funds cover] {p} percent."),
    (
        "An expert report warns of flooding in the {side} part of the site.",
        "[Experts warn|A report warns] of flooding in the {side} part.",
    ),
    (
        "Mayor {mayor} called the decision a milestone.",
        "[Mayor {mayor} is pleased|Mayor {mayor} praises the decision].",
    ),
)
_THINGS = ("bridge", "school", "library", "fire station", "sports hall", "bus depot")
_NUMBERED = 4
"""The first so many points hold a number that a summary can get wrong."""
_MONTHS = ("March", "April", "May", "June", "September", "October")
_FILLERS = (
    "The session lasted until late in the evening.",
    "About forty citizens followed the debate.",
    "The weather had kept many at home.",
    "Coffee was served in the break.",
    "A photographer of the local paper was present.",
    "Two members were absent with apologies.",
)


def facts(rng: Random) -> dict[str, Any]:
    """Draw what the news is about."""
    return {
        "town": rng.choice(TOWNS),
        "n": rng.randint(2, 38),
        "thing": rng.choice(_THINGS),
        "month": rng.choice(_MONTHS),
        "k": rng.randint(5, 30),
        "who": person(rng),
        "m": 100 * rng.randint(3, 60),
        "p": 5 * rng.randint(3, 15),
        "side": rng.choice(("northern", "southern", "eastern", "western")),
        "mayor": person(rng),
    }


def article(rng: Random, about: dict[str, Any]) -> str:
    """Return the points in order, with sentences between."""
    lines, fillers = [], rng.sample(_FILLERS, len(_FILLERS))
    for full, _ in _POINTS:
        lines.append(full.format(**about))
        if rng.random() < 0.45:
            lines.append(fillers.pop())
    return " ".join(lines)


def summary(rng: Random, about: dict[str, Any], held: list[int], slips: int = 0) -> str:
    """Return a summary that holds these points; as many as `slips` say have wrong numbers."""
    lines = []
    for place in held:
        told = dict(about)
        if slips and place < _NUMBERED:
            slips -= 1
            told |= {
                "n": about["n"] + rng.randint(3, 9),
                "k": about["k"] + 7,
                "m": about["m"] * 2,
                "p": about["p"] + 10,
            }
        lines.append(say(rng, _POINTS[place][1].format(**told)))
    return " ".join(lines)


def summary_task(rng: Random, name: str) -> Task:
    """Draw an article to be summed up in at most four sentences; three points without a slip are right."""
    about = facts(rng)
    text = article(rng, about)

    def reply(draw: Random, right: bool) -> Reply:
        count = draw.choice((3, 4, 4)) if right else draw.choice((1, 2, 2, 3))
        held = sorted(draw.sample(range(len(_POINTS)), count))
        slips = 0 if right else (1 if count == 3 or draw.random() < 0.3 else 0)
        slips = slips if any(place < _NUMBERED for place in held) else 0
        body = summary(draw, about, held, slips)
        return Reply([said(body)], body, {"points_held": count - slips, "wrong_facts": slips})

    prompt = say(rng, "[Summarise|Sum up] the article in at most four sentences.\n\n") + text
    return Task(
        name,
        about["thing"],
        "summary",
        prompt,
        "; ".join(p[0].format(**about) for p in _POINTS),
        reply,
        level=rng.gauss(0, 0.7),
    )
