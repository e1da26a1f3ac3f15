"""Made-up towns with their bridges and mills: pages for a search tool, and long minutes for reading."""

import random

from benchmarks.foreign.fiftysixth.policy import Problem

FRONT = ("Alder", "Brack", "Corm", "Dun", "Ester", "Falk", "Gorm", "Hask", "Isel", "Jarn", "Kell", "Lom", "Mor", "Nes")
BACK = ("ford", "holt", "wick", "stad", "mere", "burgh", "vale", "haven", "ton", "dal")
THINGS = ("bridge", "mill", "theatre", "lighthouse", "library", "ferry", "market hall", "observatory")
PEOPLE = ("Oda Renn", "Bastian Quill", "Marta Ivers", "Lewin Stroh", "Halina Voss", "Piet Aster", "Nora Bly")
FILL = (
    "The town lies on a bend of the river and has been known for its weavers since the early days.",
    "Its weekly fair draws visitors from three counties and ends with a race of boats.",
    "A fire destroyed most of the old quarter, and the council bought the land afterwards.",
    "Local papers of the time wrote at length about the cost, which had doubled since the first plan.",
    "The archive keeps two drawings of it, both of them signed on the back.",
    "Schools of the district still sing about the winter in which the work had to stop.",
    "Stone came by barge from the quarries in the north, and the timber from the lord's own forest.",
)
AGENDA = (
    "The treasurer reported that dues of the spring were paid by all but four members.",
    "A letter of the neighbours about noise was read out, and the board will reply by the end of the month.",
    "It was agreed to keep the summer feast on its old date, since the hall is taken in July.",
    "The caretaker asked for a new ladder; two offers are to be brought to the next meeting.",
    "Nobody had an objection against the minutes of the last meeting.",
    "There was a long talk about bicycles in the yard, without a decision.",
    "The working group on the garden showed pictures and thanked its helpers.",
)


def place(rng: random.Random) -> tuple[str, str, int, str]:
    """A town, a thing in it, the year that it opened, and who built it."""
    return rng.choice(FRONT) + rng.choice(BACK), rng.choice(THINGS), rng.randint(1740, 1969), rng.choice(PEOPLE)


def places(rng: random.Random, amount: int) -> list[tuple[str, str, int, str]]:
    """So many places, no two with one town and thing."""
    out: dict[tuple[str, str], tuple[str, str, int, str]] = {}
    while len(out) < amount:
        drawn = place(rng)
        out.setdefault(drawn[:2], drawn)
    return list(out.values())


def page(rng: random.Random, town: str, thing: str, year: int, person: str, early: bool) -> str:
    """A page of the encyclopaedia on the thing; the year stands early or late in it."""
    fact = f"The {thing} of {town}, built by {person}, was opened in {year}."
    fill: list[str] = [*rng.sample(FILL, 5)]
    fill.insert(0 if early else rng.randint(3, 5), fact)
    return f"{town} ({thing}). " + " ".join(fill)


def question(number: int, town: str, thing: str, year: int, rng: random.Random) -> Problem:
    """The question in which year the thing opened."""
    prompt = rng.choice(
        (
            f"In which year was the {thing} of {town} opened?",
            f"When did the {thing} in {town} open? Give the year.",
            f"I need the opening year of {town}'s {thing}.",
        )
    )
    return Problem(f"year-{number:03d}", prompt + " End with `Answer: YEAR`.", str(year), thing, rng.gauss(0, 0.8))


def minutes(rng: random.Random, number: int, length: int) -> tuple[str, str, str]:
    """Minutes of a meeting, a question on them at the end, and the right answer."""
    town, thing, _, person = place(rng)
    sum_ = rng.randint(120, 9800)
    fact = f"The board granted {person} {sum_} guilders for repairs of the {thing}."
    body = [rng.choice(AGENDA) for _ in range(length)]
    body.insert(rng.randrange(len(body)), fact)
    numbered = "\n".join(f"{n}. {line}" for n, line in enumerate(body, 1))
    text = f"Minutes no. {number} of the citizens' club of {town}, held on the {rng.randint(1, 28)}th.\n{numbered}\n"
    return text, f"How many guilders did the board grant for the {thing}?", str(sum_)
