"""A world of questions whose answers stand in a made-up archive: an agent searches, opens a page and answers."""

from random import Random

from benchmarks.foreign.sixth.calls import Talk
from benchmarks.foreign.sixth.runs import Message, Problem, system, user

_OF_PLACES = (
    ("Vel", "Mor", "Tash", "Kor", "Lin", "Bren", "Os", "Ard", "Pel", "Quin", "Har", "Stel", "Wyn", "Dur", "Fal"),
    ("ford", "mouth", "vik", "dale", "stad", "by", "combe", "holm", "wick", "burn", "ness", "port"),
    ("", "Upper ", "Lower ", "New ", "East ", "West "),
)
_FIRST, _LAST = (
    ("Ida", "Ruben", "Marta", "Sven", "Aoife", "Tomas", "Nkechi"),
    ("Halloran", "Brandt", "Eze", "Lund", "Pires"),
)
_THINGS = ("lighthouse", "salt works", "tram depot", "observatory", "town library", "rope factory", "cable bridge")
_ASKS = {
    "year": "In which year was the {t} of {p} opened?",
    "founder": "Who designed the {t} of {p}?",
    "height": "How many metres high is the {t} of {p}?",
}
_PROMPT = "You answer questions from the town archive. Tools: search(query), open_page(page). End with `Answer: ...`."
_PAD = (
    "The road to it was paved twice.", "A storm took part of the roof.", "School classes visit in May.",
    "The keeper's house is now a cafe.", "It was painted red for many years.", "Boats are built next to it.",
    "The council sold the land around it.", "There is a small exhibition on the ground floor.",
)  # fmt: skip
_THOUGHTS = ("I look for the {t}.", "Let me search the archive for {p}.", "First find the page on the {t} of {p}.", "")
_OPENS = ("This page should hold it.", "The first hit fits.", "Opening the page.", "")
_GUESSES = ("I know this one.\nAnswer: {v}", "Answer: {v}", "From memory.\nAnswer: {v}")
_CLOSE = (
    "The page gives it.\nAnswer: {v}",
    "Found.\nAnswer: {v}",
    "Answer: {v}",
    "By the archive's page:\nAnswer: {v}",
)


def draw_question(rng: Random, number: int) -> Problem:
    """Draw a place with two buildings, and what is asked of the first."""
    place = _place(number)
    thing, other = rng.sample(_THINGS, 2)
    what = rng.choice(list(_ASKS))
    facts = others = _building(rng, place, thing)
    while others[what] == facts[what]:
        others = _building(rng, place, other)
    asked = [system(_PROMPT), user(_ASKS[what].format(**facts))]
    known = {**facts, "what": what, "other": others}
    return Problem(f"archive-{number:04d}", asked, facts[what], rng.gauss(0, 0.9), known)


def _place(number: int) -> str:
    """Return the name of a place, another for each number."""
    starts, ends, sides = _OF_PLACES
    rest, start = divmod(number, len(starts))
    rest, end = divmod(rest, len(ends))
    return sides[rest % len(sides)] + starts[start] + ends[(end + start) % len(ends)]


def _building(rng: Random, place: str, thing: str) -> dict[str, str]:
    """Return the facts of a building, with its page."""
    facts = {
        "p": place,
        "t": thing,
        "year": str(rng.randint(1802, 1975)),
        "height": str(rng.randint(11, 98)),
        "founder": f"{rng.choice(_FIRST)} {rng.choice(_LAST)}",
        "slug": f"{place} {thing}".lower().replace(" ", "-"),
    }
    known = ("It opened in {year}.", "The designer was {founder}.", "It stands {height} metres high.")
    lines = [line.format(**facts) for line in known] + rng.sample(_PAD, 4)
    rng.shuffle(lines)
    return facts | {"page": f"{thing.capitalize()} of {place}. " + " ".join(lines)}


def search_archive(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Search, open a page and answer; a wrong attempt opens the other page, or none."""
    facts, other, talk = problem.facts, problem.facts["other"], Talk()
    query = rng.choice(("{t} {p}", "{p} {t} {what}", "{t} of {p}", "{p} {t}")).format(**facts)
    hits = f"1. {facts['slug']}\n2. {other['slug']}"
    talk.call(rng.choice(_THOUGHTS).format(**facts), "search", {"query": query}, hits)
    opened = facts if is_right else other
    if is_right or rng.random() < 0.6:
        talk.call(rng.choice(_OPENS), "open_page", {"page": opened["slug"]}, opened["page"])
        return talk.say(rng.choice(_CLOSE).format(v=opened[facts["what"]]))
    return talk.say(rng.choice(_GUESSES).format(v=guess(rng, problem)))


def guess(rng: Random, problem: Problem) -> str:
    """Return a made-up answer that is not the right one."""
    while True:
        value = _building(rng, problem.facts["p"], problem.facts["t"])[problem.facts["what"]]
        if value != problem.gold:
            return value
