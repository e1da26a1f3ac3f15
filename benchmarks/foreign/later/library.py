"""Questions about places and works that exist nowhere else, and an agent that searches for their answers."""

import random
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.later.course import Talk, Task, words

HEADS = words("Al,Bre,Cor,Dun,El,Fal,Gra,Hol,Is,Kel,Lor,Mar,Nor,Or,Pel,Ras,Sul,Tor,Ul,Ver")
TAILS = words("ba,dan,eth,gar,holm,ick,lea,mond,nova,path,quay,ridge,sted,thorpe,ulm,vik,wen")
PEOPLE = words("Ada Brandt,Luis Ferro,Hanna Voss,Yuki Tanabe,Owen Pryce,Rosa Klein,Emil Dahl,Noor Aziz,Ivan Sokol")


@dataclass(frozen=True)
class Sort:
    """A sort of thing with facts to ask for."""

    title: str
    pages: tuple[str, ...]
    questions: tuple[tuple[str, str], ...]


SORTS = (
    Sort(
        "{name} Bridge",
        (
            "{title} crosses the river at {town}. {person} designed it. Opened in {year}, it is {size} metres long.",
            "Opened in {year}, {title} near {town} spans {size} metres. Its engineer was {person}.",
        ),
        (
            ("When was {title} opened?", "year"),
            ("How long is {title}, in metres?", "size"),
            ("Who designed {title}?", "person"),
        ),
    ),
    Sort(
        "the novel {name}",
        (
            "{person} published {title} in {year}. The first edition, printed in {town}, had {size} pages.",
            "{title}, {size} pages long, is by {person}; the printer at {town} delivered it in {year}.",
        ),
        (
            ("Who wrote {title}?", "person"),
            ("In which year did {title} appear?", "year"),
            ("Where was {title} printed?", "town"),
        ),
    ),
    Sort(
        "{name} Observatory",
        (
            "{title} stands above {town} at {size} metres. {person} has led it since its founding in {year}.",
            "Founded in {year} by {person}, {title} lies {size} metres above the sea, an hour from {town}.",
        ),
        (("Which town is {title} close to?", "town"), ("At what height, in metres, is {title}?", "size")),
    ),
    Sort(
        "the ferry {name}",
        (
            "{title} was launched at {town} in {year} and carries {size} passengers. Its first captain was {person}.",
            "With room for {size} people, {title} left the yard of {town} in {year} under captain {person}.",
        ),
        (("How many passengers does {title} carry?", "size"), ("Who was the first captain of {title}?", "person")),
    ),
    Sort(
        "the {name} Festival",
        (
            "{title} has been held in {town} since {year}. {person} founded it; last summer {size} visitors came.",
            "Every June {town} hosts {title}. It drew {size} visitors last time and was begun by {person} in {year}.",
        ),
        (("Since which year has {title} been held?", "year"), ("Who founded {title}?", "person")),
    ),
)
PLANS = (
    "I need a source for this.",
    "Let me search for it.",
    "I don't know this, so I look it up.",
    "First the name itself.",
    "A search should settle this.",
    "The question names it, so that is my query.",
    "",
)
AGAIN = ("That is not the page I need.", "Close, but another one.", "Let me try other words.", "Not there; once more.")
ENDS = (
    "The page says so directly: {answer}",
    "According to the search result, {answer}",
    "{answer}",
    "Found it. Answer: {answer}",
    "It is {answer}",
    "The source gives {answer}",
)


def _thing(rng: random.Random) -> dict[str, Any]:
    sort, name = rng.choice(SORTS), rng.choice(HEADS) + rng.choice(TAILS)
    facts = {"title": sort.title.format(name=name), "town": rng.choice(HEADS) + rng.choice(TAILS)}
    facts |= {"person": rng.choice(PEOPLE), "year": rng.randint(1820, 1999), "size": rng.randint(120, 2900)}
    return {"sort": sort, **facts}


def problem(rng: random.Random) -> Task:
    """Draw a thing, a question about it, and other things that a search may find instead."""
    facts = _thing(rng)
    question, asked = rng.choice(facts["sort"].questions)
    others = [_thing(rng) for _ in range(4)]
    return Task(question.format(**facts), str(facts[asked]), {"it": facts, "asked": asked, "others": others})


def page(rng: random.Random, facts: dict[str, Any]) -> str:
    """A page about a thing."""
    text = rng.choice(facts["sort"].pages).format(**facts)
    return text[0].upper() + text[1:]


def results(rng: random.Random, task: Task, hit: bool) -> str:
    """What a search finds: pages, the right one among them or not."""
    pages = [page(rng, other) for other in rng.sample(task.facts["others"], 2)]
    if hit:
        pages.insert(rng.randrange(3), page(rng, task.facts["it"]))
    return "\n\n".join(f"[{place}] {text}" for place, text in enumerate(pages, start=1))


def query(rng: random.Random, task: Task) -> str:
    """Words to search for."""
    title, asked = task.facts["it"]["title"], task.facts["asked"]
    word = {"year": "year opened founded", "size": "size length", "person": "by whom", "town": "location town"}[asked]
    return rng.choice((title, f"{title} {word}", f"{word} {title}", task.prompt, f'"{title}"', f"{title} facts"))


def solve(rng: random.Random, task: Task, right: bool) -> Talk:
    """Search until the page is found, or take an answer from another page."""
    talk = Talk(task.prompt, "Answer with the help of the search tool. End with the answer alone.")
    for place in range(rng.choice((0, 0, 1, 2))):
        thought = rng.choice(AGAIN if place else PLANS)
        talk.use(thought, "search", results(rng, task, False), query=query(rng, task))
    talk.use(
        rng.choice(AGAIN if len(talk.messages) > 2 else PLANS),
        "search",
        results(rng, task, right),
        query=query(rng, task),
    )
    source = task.facts["it"] if right else rng.choice(task.facts["others"])
    talk.say(rng.choice(ENDS).format(answer=source[task.facts["asked"]]))
    return talk
