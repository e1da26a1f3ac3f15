"""Questions about an invented world, answered by a search tool."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, call, say, told

HEADS = ["Vel", "Thar", "Osk", "Mir", "Bral", "Quen", "Dor", "Ysk", "Lom", "Fen", "Arv", "Ketu", "Salm", "Hed", "Nor"]
TAILS = ["anna", "ovik", "edale", "umbra", "holt", "isaari", "grad", "ester", "inho", "wick", "ontes", "areth"]
KINDS = {
    "bridge": ["opened to traffic in {y}", "in which year was the {n} bridge opened to traffic?"],
    "observatory": ["first recorded the night sky in {y}", "when did the {n} observatory first record the night sky?"],
    "football club": ["was founded in {y}", "in what year was the football club of {n} founded?"],
    "canal": ["was dug until {y}", "until what year was the {n} canal dug?"],
    "library": ["received its charter in {y}", "what year did the {n} library receive its charter?"],
    "tram line": ["ran its last car in {y}", "when did the {n} tram line run its last car?"],
}
SYSTEM = "Answer with the help of the tool `search(query)`. End with: Final answer: <year>."
ASIDES = [
    "The valley is known for its slate and for a fair in October.",
    "Its archive was moved twice, most recently after the flood of {z}.",
    "A plaque of {z} names the engineers.",
    "The nearest railway station was closed in {z}.",
    "Local guides still quote the census of {z}.",
    "Repairs in {z} took longer than planned.",
]


def place(rng: Random) -> str:
    """A name that no map holds."""
    return rng.choice(HEADS) + rng.choice(TAILS)


def make(rng: Random, name: str) -> Task:
    """A question about a year."""
    kind = rng.choice(list(KINDS))
    where, year = place(rng), rng.randint(1790, 1989)
    fact, question = (x.format(n=where, y=year) for x in KINDS[kind])
    lead = rng.choice(["Please find out: ", "I need to know: ", "Question: ", "For a quiz: "])
    facts = {"place": where, "kind": kind, "fact": fact, "year": year}
    return Task(name, lead + question, str(year), kind, system=SYSTEM, facts=facts)


def aside(rng: Random) -> str:
    """A sentence beside the point."""
    return rng.choice(ASIDES).format(z=rng.randint(1800, 2012))


def page(rng: Random, task: Task, holds: bool) -> str:
    """Results of a search, with the fact among them or not."""
    where, kind = task.facts["place"], task.facts["kind"]
    other = place(rng)
    lines = [f"[{other}] The {kind} of {other} was rebuilt in {rng.randint(1800, 2005)}. {aside(rng)}"]
    middle = f"The {kind} {task.facts['fact']}." if holds else f"The {kind} is mentioned in several letters."
    lines.append(f"[{where}] {aside(rng)} {middle} {aside(rng)}")
    rng.shuffle(lines)
    return "\n".join(lines)


def queries(rng: Random, task: Task) -> list[str]:
    """Ways to ask for it."""
    where, kind = task.facts["place"], task.facts["kind"]
    words = rng.choice(["history", "year", "opening", "founding date", "chronicle", "archive", "timeline"])
    return [f"{where} {kind}", f"{where} {kind} {words}", f"{kind} in {where} {words}", f"{where} {words} {kind} date"]


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """One to three searches and an answer."""
    asked = rng.sample(queries(rng, task), rng.choice([1, 2, 2, 3]))
    turns = []
    for i, query in enumerate(asked):
        thought = rng.choice(["", "Let me search.", "I look this up.", f"Maybe more about {task.facts['place']}."])
        holds = i == len(asked) - 1 and (right or rng.random() < 0.3)
        turns += [call(thought, "search", query=query), told("search", page(rng, task, holds))]
    year = task.facts["year"] if right else task.facts["year"] + rng.choice([-31, -12, -7, 3, 8, 19, 40])
    how = rng.choice(["The results say so.", "That is what the entry states.", "Based on the search.", ""])
    turns.append(say(f"{how} Final answer: {year}".strip()))
    return Reply(turns, str(year))


LOOKUP = Domain(make, solve)
