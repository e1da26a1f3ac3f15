"""Questions about an archive, answered by searching it."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, call, say, tool

SYSTEM = "Answer from the archive, with the tools search and open. End with `Answer: ...`, or say `I don't know`."
PLACES = (
    "Harrowgate",
    "Vestby",
    "Monte Lira",
    "Kallinge",
    "Sarnia Bay",
    "Ostrow",
    "Pell Island",
    "Drumlin",
    "Corvo Alta",
)
THINGS = ("lighthouse", "grain museum", "cable railway", "botanical garden", "observatory", "opera house", "salt works")
FACTS = {
    "year": ("In which year was the {thing} of {place} opened?", "The {thing} of {place} was opened in {x}."),
    "architect": ("Who designed the {thing} of {place}?", "Plans for the {thing} of {place} were drawn by {x}."),
    "height": (
        "How many metres high is the {thing} of {place}?",
        "At {x} metres, the {thing} of {place} can be seen from afar.",
    ),
}
PEOPLE = (
    "Ada Lindqvist",
    "Tomas Rell",
    "Bruna Macedo",
    "Ivo Karsten",
    "Noor Haddad",
    "Edith Crane",
    "Pavel Horak",
    "Mei Tanaka",
)


def value_of(rng: Random, kind: str) -> str:
    """A value of a fact."""
    if kind == "architect":
        return rng.choice(PEOPLE)
    return str(rng.randint(1820, 1994) if kind == "year" else rng.randint(14, 160))


def lookup(rng: Random, number: int) -> Task:
    """One fact of one place."""
    kind, thing, place = rng.choice(sorted(FACTS)), rng.choice(THINGS), rng.choice(PLACES)
    gold = value_of(rng, kind)
    asked, told = FACTS[kind]
    doc, other = f"doc-{rng.randint(100, 549)}", f"doc-{rng.randint(550, 999)}"

    def write(rng: Random, right: bool, progress: float) -> Reply:
        said = gold
        while not right and said == gold:
            said = value_of(rng, kind)
        messages = []
        others = (f"{thing} {kind}", f"{place} {thing} {kind} history", f'"{thing} of {place}"', f"{kind} {place}")
        for query in rng.sample(others, rng.choices((0, 1, 2), (4, 4, 2))[0]):
            text = rng.choice(("", "Try other words."))
            messages += [call(text, "search", query=query), tool("search", "no results")]
        messages += [call("", "search", query=f"{place} {thing}"), tool("search", facts["listed"])]
        if right:
            text = f"Guide to {place}. {told.format(thing=thing, place=place, x=gold)}"
        else:
            text = f"Walks around {place}. The second walk passes the {thing}."
        messages += [call("", "open", id=doc if right else other), tool("open", text)]
        closing = (
            rng.choice(("The guide says so.", "Found it.", "From the document.")) if right else "Most likely this."
        )
        return Reply([*messages, say(f"{closing}\nAnswer: {said}")], said, {"abstained": False})

    prompt = f"{asked.format(thing=thing, place=place)} (shelf {rng.randint(1, 400)})"
    facts = {"listed": f"{doc}: Guide to {place}\n{other}: Walks around {place}", "place": place, "thing": thing}
    return Task(f"arc-{number:04d}", kind, prompt, gold, write, rng.gauss(0, 0.7), SYSTEM, facts)


def abstains(rng: Random, task: Task) -> Reply:
    """An attempt that gives up, often without a look."""
    messages = []
    if rng.random() < 0.3:
        query = f"{task.facts['place']} {task.facts['thing']}"
        messages = [call("", "search", query=query), tool("search", task.facts["listed"])]
    text = rng.choice(("I am not sure about this.", "The archive may not say.", "I would rather not guess.", ""))
    return Reply([*messages, say(f"{text}\nAnswer: I don't know".strip())], "I don't know", {"abstained": True})
