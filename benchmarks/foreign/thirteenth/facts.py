"""Questions about invented companies, answered with a search tool."""

from random import Random

from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.rollouts import Message, Task

SYSTEM = "Answer with the help of the `search` tool. Finish with <answer>...</answer>."
HALF = [
    "Aero",
    "Bright",
    "Cinder",
    "Delta",
    "Ember",
    "Fathom",
    "Grove",
    "Helio",
    "Iron",
    "Juniper",
    "Kestrel",
    "Lumen",
    "Meridian",
    "North",
    "Opal",
    "Pine",
]
TAIL = ["works", "line", "bank", "forge", "leaf", "port", "stone", "field", "ware", "craft"]
CITIES = ["Porto", "Ghent", "Tampere", "Lviv", "Bergen", "Graz", "Trieste", "Cork", "Malmö", "Brno", "Turku", "Aarhus"]
HEADS = ("Ida Voss", "Marek Dolan", "Chiara Nuti", "Samuel Oyelaran", "Petra Hviid", "Luc Fontan", "Yara Haddad")
THINK = (
    "I should look this up.",
    "Let me search.",
    "I do not know this company.",
    "Search first.",
    "Checking sources.",
)


def company(rng: Random, index: int) -> Task:
    """One question about one company."""
    name = rng.choice(HALF) + rng.choice(TAIL) + rng.choice((" AG", " Ltd", " SA", " Oy", " plc"))
    city, head, year, staff = rng.choice(CITIES), rng.choice(HEADS), rng.randint(1951, 2015), rng.randint(40, 5200)
    asks = (
        (f"In which city is {name} based?", city, CITIES, "city"),
        (f"Who led {name} when it was founded?", head, HEADS, "founder"),
        (f"In which year was {name} founded?", str(year), [str(year + d) for d in (-7, -2, 1, 3, 11)], "year"),
        (f"How many people work for {name}?", str(staff), [str(staff + d) for d in (-30, 15, 100, 240)], "staff"),
    )
    question, gold, others, kind = rng.choice(asks)
    pages = {
        "city": f"{name} keeps its seat in {city}, in a former tannery, and has done so since the start.",
        "founder": f"The first head of {name} was {head}, who left after a quarrel with the bank.",
        "year": f"{name} was entered in the register in {year}.",
        "staff": f"According to its latest report {name} employs {staff} people.",
    }

    def wrong(rng: Random) -> str:
        return rng.choice([x for x in others if x != gold])

    def work(rng: Random, answer: str, right: bool) -> list[Message]:
        done: list[Message] = []
        about = kind if right or rng.random() < 0.25 else rng.choice([k for k in pages if k != kind])
        for n in rng.sample(range(3), rng.randint(1, 3)):
            done += looked_up(rng, query(name, about, n), [pages[about]], name)
        return [*done, said(f"{rng.choice(('', 'The sources agree.', 'That settles it.'))}<answer>{answer}</answer>")]

    task = Task(f"co{index:04d}", kind, question, gold, rng.gauss(0, 0.8), wrong, work, SYSTEM)
    task.extra = {"company": name}
    return task


def query(name: str, kind: str, n: int) -> str:
    """A query about the company."""
    words = {
        "city": ("seat", "headquarters", "location"),
        "founder": ("founder", "first director", "history"),
        "year": ("founded", "register entry", "year"),
        "staff": ("employees", "staff", "annual report"),
    }
    return f"{name} {words[kind][n]}"


def looked_up(rng: Random, asked: str, pages: list[str], name: str) -> list[Message]:
    """A call of the search and its results, which hang on the query alone."""
    index = Random(asked)
    firm = index.choice(HALF) + index.choice(TAIL)
    other = f"{firm} opened a plant in {index.choice(CITIES)} in {index.randint(1990, 2023)}."
    hits = [*pages, other]
    if index.random() < 0.5:
        hits.append(f"Trade fair list: {name}, stand {index.randint(2, 400)}.")
    text = "\n".join(f"[{n}] {hit}" for n, hit in enumerate(hits, 1))
    return [said(rng.choice(THINK), call("search", query=asked)), heard("search", text)]
