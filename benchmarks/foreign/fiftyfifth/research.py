"""Research with a search tool: questions of two hops over a world of invented museums and their founders."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, call, pick, say, told

SYSTEM = "Answer the question with the tool search(query). Reason briefly. End with <answer>...</answer>."
FIRST = ("Ada", "Bruno", "Carla", "Dario", "Edda", "Felix", "Greta", "Hugo", "Irma", "Joris")
LAST = ("Velt", "Marrow", "Osterlund", "Pikel", "Quist", "Rondane", "Sabel", "Tolvik", "Umber", "Wexley")
PLACES = ("Harrow", "Kestrel", "Lindow", "Morrick", "Nettle", "Orsk", "Penhal", "Rask", "Stourby", "Tarn")
ENDS = ("ford", "mouth", "wick", "stead")
AGES = (
    "Old",
    "New",
    "Little",
    "Royal",
    "Free",
    "Upper",
    "Public",
    "Northern",
    "Civic",
    "Garden",
    "Harbour",
    "Royal Free",
)
THINGS = ("Clock Museum", "Glass Museum", "Tram Depot", "Salt Archive", "Kite Hall", "Map Library")


def problem(rng: random.Random, number: int) -> Problem:
    """When, or where, was the founder of some house born?"""
    house = f"{rng.choice(PLACES)} {rng.choice(AGES)} {rng.choice(THINGS)} in {rng.choice(PLACES)}{rng.choice(ENDS)}"
    person = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    born, town = rng.randint(1780, 1930), rng.choice(PLACES) + rng.choice(ENDS)
    data = {"house": house, "person": person, "born": born, "town": town, "opened": born + rng.randint(28, 60)}
    if rng.random() < 0.5:
        return Problem(
            f"hop-{number}", "year", SYSTEM, f"In which year was the founder of the {house} born?", str(born), data
        )
    return Problem(f"hop-{number}", "town", SYSTEM, f"In which town was the founder of the {house} born?", town, data)


def first_hop(rng: random.Random, problem: Problem) -> list[dict]:
    """The house is searched for."""
    d = problem.data
    words = rng.choice((f"{d['house']} founder", f"who founded the {d['house']}", f"{d['house']} history"))
    text = pick(
        rng,
        f"First I need the founder of the {d['house']}.",
        "Two steps: the founder, then the birth.",
        f"Who stood behind the {d['house']}?",
    )
    hit = (
        f"[1] The {d['house']} was opened in {d['opened']} by {d['person']}. It holds {rng.randint(200, 9000)} pieces."
    )
    return [call(text, "search", query=words), told("search", hit)]


def second_hop(rng: random.Random, problem: Problem) -> list[dict]:
    """The person is searched for."""
    d = problem.data
    words = rng.choice((f"{d['person']} born", f"{d['person']} biography", f"{d['person']} birthplace and year"))
    text = pick(rng, f"The founder is {d['person']}. Now the birth.", f"So {d['person']}; I look for a biography.")
    hit = f"[1] {d['person']}, born {d['born']} in {d['town']}, collector and patron of the {d['house']}."
    return [call(text, "search", query=words), told("search", hit)]


def wrong_answer(rng: random.Random, problem: Problem) -> str:
    """The date of the opening, or the place of the house."""
    d = problem.data
    return str(d["opened"]) if problem.family == "year" else d["house"].split()[0]


def close(rng: random.Random, problem: Problem, answer: str, sure: bool) -> dict:
    """The answer with a line of reasons."""
    d = problem.data
    if sure:
        lead = pick(
            rng,
            f"{d['person']} founded the {d['house']}, and the biography gives {answer}.",
            f"The second result settles it: {answer}.",
        )
    else:
        lead = pick(
            rng,
            f"For the {d['house']} the text speaks of {answer}.",
            f"I found only one mention, and take {answer} from it.",
        )
    return say(f"{lead} <answer>{answer}</answer>")


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """One attempt; a wrong one stops after the first hop."""
    answer = problem.gold if right else wrong_answer(rng, problem)
    messages = first_hop(rng, problem) + (second_hop(rng, problem) if right else [])
    return [*messages, close(rng, problem, answer, right)], answer
