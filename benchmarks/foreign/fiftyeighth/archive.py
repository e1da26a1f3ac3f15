"""Questions on a made-up archive of lighthouses and mills, answered with a search tool or from a long document."""

import random

from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, called, said, told

FIRST = ("Brannoch", "Sel", "Ketter", "Ormo", "Vasca", "Tull", "Hjelm", "Dorra", "Quill", "Farn", "Istra", "Mere")
LAST = ("holm", "vik", "stead", "mouth", "ness", "fjord", "garth", "by", "ley", "port")
KEEPERS = (
    "Elin Sorve",
    "Jonas Pike",
    "Marta Quist",
    "Bram Oster",
    "Ida Ferrant",
    "Luis Aker",
    "Nora Welde",
    "Tom Harrow",
)
SYSTEM = "Answer from the archive. Use the search tool; give the final answer between <answer> and </answer>."
FACTS = ("year", "height", "keeper")
ASKS = {
    "year": "In which year was the {kind} of {name} first lit or set going, according to the archive?",
    "height": "How many metres high is the {kind} of {name}?",
    "keeper": "Who was the first keeper of the {kind} at {name}?",
}


FILLERS = (
    "The parish paid for the road in two instalments.",
    "Storms closed the harbour for nine days in its second winter.",
    "A painting of it hangs in the district court.",
    "Grain and oil were brought up by mule until the rail came.",
    "Letters of the surveyor mention quarrels about the fence.",
    "The door was replaced after a fire in the store room.",
    "Children of the village were given a day off for the opening.",
    "Part of the wall was taken from an older chapel on the hill.",
    "Its logbooks are kept in the cellar of the school.",
    "Two neighbours objected to the noise and were paid in firewood.",
    "The stone came by barge from a quarry upriver.",
)


def draw(rng: random.Random, step: int = 0) -> Problem:
    """A question with the facts that the archive holds on its place."""
    name = rng.choice(FIRST) + rng.choice(LAST)
    kind = rng.choice(("lighthouse", "windmill", "signal tower"))
    facts = {"year": str(rng.randint(1742, 1931)), "height": str(rng.randint(9, 58)), "keeper": rng.choice(KEEPERS)}
    fact = rng.choice(FACTS)
    lines = {
        "year": f"The {kind} of {name} was taken into service in {facts['year']}.",
        "height": f"It measures {facts['height']} metres from base to lamp or cap.",
        "keeper": f"Its first keeper was {facts['keeper']}, who stayed {rng.randint(3, 30)} years.",
    }
    order = [f for f in FACTS if f != fact]
    rng.shuffle(order)
    fillers = rng.sample(FILLERS, 7)
    parts = [x for i, f in enumerate([*order, fact]) for x in (fillers[2 * i], fillers[2 * i + 1], lines[f])]
    passage = " ".join([*parts, fillers[6]])
    data = {
        "name": name,
        "kind": kind,
        "facts": facts,
        "fact": fact,
        "passage": passage,
        "sentence": lines[fact].rstrip("."),
        "domain": "search",
    }
    prompt = ASKS[fact].format(kind=kind, name=name)
    return Problem(f"{name.lower()}-{fact}-{rng.randint(10, 999)}", fact, prompt, facts[fact], 0.45, SYSTEM, data)


def guess(rng: random.Random, problem: Problem) -> str:
    """A wrong answer of the right type."""
    fact = problem.data["fact"]
    while True:
        value = {
            "year": str(rng.randint(1742, 1931)),
            "height": str(rng.randint(9, 58)),
            "keeper": rng.choice(KEEPERS),
        }[fact]
        if value != problem.gold:
            return value


def other_passage(rng: random.Random, problem: Problem) -> str:
    """What a search for something else brings up."""
    return draw(rng).data["passage"]


THINKS = (
    "The question names {name}, so I search for that place first.",
    "I need the entry on the {kind}; let me look it up.",
    "Nothing I know covers {name}. The archive should have it.",
    "A short query with the place and the kind of building is likely best.",
)
FOUND = (
    "The entry on {name} states it directly, and no other passage contradicts it.",
    "Reading the passage about the {kind}, the relevant sentence is clear.",
    "That passage is about the right place, so I take the figure from there.",
)
LOST = (
    "The passage doesn't mention what I was looking for. From similar buildings of the region I would estimate it.",
    "This seems to be about another place. I will go with what appears most likely.",
    "Two entries look alike; I take the value from the second one.",
)


def searched(rng: random.Random, problem: Problem, answer: str, shown: str, query: str) -> list[dict[str, object]]:
    """An episode: a search, what it showed, and an answer."""
    data = problem.data
    found = answer == problem.gold and answer in shown
    closing = rng.choice(FOUND if found else LOST).format(**data)
    return [
        called(rng.choice(THINKS).format(**data), "search", query=query),
        told("search", shown),
        said(f"{closing}\n<answer>{answer}</answer>"),
    ]


def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
    """An episode whose query finds the entry with the policy's skill; exact match is paid."""
    data = problem.data
    hit = rng.random() < skill
    tail = rng.choice(("history", "archive", "first keeper", "built", "details"))
    query = f"{data['kind']} {data['name']} {tail}" if hit else f"{data['kind']} {tail}"
    shown = data["passage"] if hit else other_passage(rng, problem)
    answer = problem.gold if hit and rng.random() < 0.93 else guess(rng, problem)
    score = float(answer == problem.gold)
    return Attempt(searched(rng, problem, answer, shown, query), score, score, extra={"answer": answer})
