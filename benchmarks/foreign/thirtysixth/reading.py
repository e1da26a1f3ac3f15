"""Facts of harbours that nobody knows by heart: to be read in a passage, or looked up on pages."""

import random

from benchmarks.foreign.thirtysixth.attempts import Message, Problem, call, reply, told, user

FIRST = ("Hal", "Brin", "Tor", "Esk", "Mar", "Vel", "Ros", "Quen", "Dun", "Ald", "Sker", "Lyn")
LAST = ("vik", "holm", "mouth", "ness", "ford", "wick", "sund", "garth", "haven", "by")
ASPECTS = {
    "the depth of the fairway in metres": (6, 29, "dredgers keep the fairway at a depth of {} metres"),
    "the number of berths": (3, 48, "ships find {} berths along its quays"),
    "the year in which the breakwater was finished": (1811, 1968, "the breakwater was finished in {}"),
    "the height of the lighthouse in metres": (14, 71, "its lighthouse stands {} metres tall"),
    "the length of the north pier in metres": (110, 940, "the north pier runs out for {} metres"),
    "the yearly catch of herring in tonnes": (230, 8900, "boats land {} tonnes of herring a year"),
}


def draw_harbour(rng: random.Random, number: int) -> Problem:
    """A question about one harbour, with a passage that answers it."""
    name = f"{rng.choice(FIRST)}{rng.choice(LAST)}{rng.choice(('', ' Roads', ' Staithe', ' Haven'))}"
    facts = {aspect: rng.randint(low, high) for aspect, (low, high, _) in ASPECTS.items()}
    asked = rng.choice(list(ASPECTS))
    told_of = [asked, *rng.sample([a for a in ASPECTS if a != asked], 3)]
    rng.shuffle(told_of)
    parts = [ASPECTS[a][2].format(facts[a]) for a in told_of]
    passage = (
        f"{name} lies on the {rng.choice(('lee', 'windward', 'eastern', 'southern'))} "
        f"shore. There {parts[0]}, and {parts[1]}. "
        f"According to the port office {parts[2]}. Pilots of {name} add that {parts[3]}."
    )
    data = {"name": name, "asked": asked, "passage": passage, "facts": facts, "value": facts[asked], "told": told_of}
    return Problem(
        f"harb-{number:04d}",
        f"What is {asked} at {name}?",
        str(facts[asked]),
        "harbours",
        rng.uniform(-0.15, 0.15),
        data,
    )


def read_answer(rng: random.Random, problem: Problem, right: bool) -> str:
    """An answer out of the passage; a wrong one takes the number of another sentence."""
    data = problem.data
    other = rng.choice([a for a in data["told"] if a != data["asked"]])
    value = data["value"] if right else data["facts"][other]
    aspect = data["asked"] if right else other
    sentence = ASPECTS[aspect][2].format(value)
    lead = rng.choice(("The text is about", "The passage describes", "I look through the lines on", "Here we read of"))
    return (
        f"{lead} {data['name']}. It says that {sentence}. "
        f"{rng.choice(('So', 'Hence', 'Therefore'))} the answer is {value}."
    )


SITES = ("pilotbook.example", "harbourmaster.example", "coastwiki.example", "tidalnotes.example")


def browse(rng: random.Random, problem: Problem, right: bool) -> tuple[list[Message], str]:
    """Search, open a page or two, answer: the turns, and the final answer."""
    data = problem.data
    name, slug = data["name"], data["name"].lower().replace(" ", "-")
    site, second = rng.sample(SITES, 2)
    words = rng.choice(
        (f"{name} harbour {data['asked'].split(' of ')[0]}", f"{name} port facts", f"{name} {data['asked'][4:]}")
    )
    hits = (
        f"1. https://{site}/{slug} - {name}: the harbour at a glance\n2. "
        f"https://{second}/coast/{slug} - Sailing to {name}"
    )
    turns = [
        user(f"{problem.prompt} Use search and open; finish with 'Final answer:' and the number."),
        call(
            rng.choice((f"I do not know {name}, so I search for it.", f"Let me look {name} up.")), "search", query=words
        ),
        told("search", hits),
        call(
            rng.choice(("The first hit looks like an overview.", "I open the overview page.")),
            "open",
            url=f"https://{site}/{slug}",
        ),
        told("open", data["passage"]),
    ]
    if rng.random() < 0.4:
        turns += [
            call("I check it against the second page.", "open", url=f"https://{second}/coast/{slug}"),
            told(
                "open",
                f"Sailing to {name}: call the pilots on channel "
                f"{rng.randint(8, 16)}. {data['passage'].split('. ')[1]}.",
            ),
        ]
    other = rng.choice([a for a in data["told"] if a != data["asked"]])
    value = data["value"] if right else data["facts"][other]
    sentence = ASPECTS[data["asked"] if right else other][2].format(value)
    turns.append(reply(f"The page on {name} says that {sentence}. Final answer: {value}"))
    return turns, str(value)
