"""Questions about a harbour archive, which a search tool and a page viewer answer."""

import random

from benchmarks.foreign.sixtyfourth.policy import Message, Problem, called, said, told

HEAD = ["Port", "Cape", "Saint", "North", "East", "Lower", "Upper", "Great"]
TAIL = [
    "Varn",
    "Oldis",
    "Merrow",
    "Tesk",
    "Halden",
    "Quill",
    "Brast",
    "Ennor",
    "Lune",
    "Sarke",
    "Dovrin",
    "Aust",
    "Pelmar",
    "Ridd",
    "Yarrow",
    "Kess",
]
THINGS = ["lighthouse", "customs house", "fish market", "rope works", "pilot station", "ice store"]
ASKS = [
    ("In which year was the {t} of {p} opened?", "year", "opened in {v}", 1790, 1930),
    ("How many people worked in the {t} of {p} at its peak?", "staff", "employed {v} people at its peak", 12, 480),
    ("How many metres long is the main hall of the {t} of {p}?", "hall", "has a main hall of {v} metres", 14, 160),
]
PAD = [
    "Its walls are of grey stone that came by barge from the upper quarries.",
    "A storm took the first roof, and the town paid for the second by a tax on salt.",
    "Letters of the harbour master mention disputes about mooring fees.",
    "The building served as a school for some winters.",
    "A plaque beside the gate names the masons.",
]
PLAN = ["I should look this up in the archive.", "I do not know this, so I search.", "Let me find the entry first."]
READ = ["This entry looks fitting; I open it.", "This page should hold the figure.", "I read that page."]


def passage(rng: random.Random, place: str, thing: str, fact: str) -> str:
    """A page of the archive that holds the fact among others."""
    pad = rng.sample(PAD, 3)
    return f"{place}, {thing}. {pad[0]} {pad[1]} The {thing} {fact}. {pad[2]}"


def archive_question(rng: random.Random, place: str, thing: str, ask: int) -> Problem:
    """One question; a right attempt opens its page, a wrong one that of a namesake among the hits."""
    text, field, phrase, low, high = ASKS[ask]
    gold = rng.randint(low, high)
    page = passage(rng, place, thing, phrase.format(v=gold))
    other = f"{rng.choice([h for h in HEAD if h != place.split()[0]])} {place.split()[1]}"
    wrong = rng.choice([v for v in range(low, high) if v != gold])
    decoy = passage(rng, other, thing, phrase.format(v=wrong))
    pages = {f"{p}-{thing}".lower().replace(" ", "-"): text_ for p, text_ in ((place, page), (other, decoy))}
    slug, other_slug = list(pages)
    listed = rng.sample(list(pages), 2)
    hits = "\n".join(f"{k}. {name}: {pages[name][:60]}..." for k, name in enumerate(listed, 1))

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        shown, opened = (gold, slug) if right else (wrong, other_slug)
        query = rng.choice([f"{place} {thing}", f"{thing} {place} {field}", f"history of the {thing} at {place}"])
        close = rng.choice(
            ["The page states it plainly.", "That is the only figure given.", "I take it from the page."]
        )
        return [
            called(rng.choice(PLAN), "search", query=query),
            told("search", f"{hits}\n3. {thing.replace(' ', '-')}-overview: Buildings of the coast."),
            called(rng.choice(READ), "open_page", page=opened),
            told("open_page", pages[opened]),
            said(f"{close} The {thing} {phrase.format(v=shown)}. Answer: {shown}"),
        ], str(shown)

    prompt = text.format(t=thing, p=place) + " Use the archive and end with 'Answer: <number>'."
    facts: dict[str, object] = {"page": page, "slug": slug, "place": place, "thing": thing, "low": low, "high": high}
    return Problem(f"arch-{slug}-{field}", prompt, str(gold), write, field, rng.gauss(0, 0.6), facts)


def archive_questions(rng: random.Random, how_many: int) -> list[Problem]:
    """Different questions in mixed order."""
    keys = [(f"{h} {t}", thing, ask) for h in HEAD for t in TAIL for thing in THINGS for ask in range(3)]
    return [archive_question(rng, *key) for key in rng.sample(keys, how_many)]
