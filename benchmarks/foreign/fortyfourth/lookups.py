"""Questions that a search tool answers: an archive of invented places, people and years."""

import random

from benchmarks.foreign.fortyfourth.policy import Draft, Problem

HEADS = ("Ost", "Vel", "Mar", "Tor", "Lin", "Brae", "Kal", "Sund", "Per", "Dov")
TAILS = ("heim", "wick", "ona", "dal", "ford", "stad", "mere", "ley", "berg", "haven")
FIRST = ("Agnes", "Bertil", "Clara", "Dmitri", "Edda", "Farid", "Greta", "Harald", "Ilse", "Joren")
LAST = ("Vint", "Moreau", "Sandel", "Okoro", "Pryce", "Lund", "Castell", "Brandt", "Yilmaz", "Farrow")
THINGS = ("lighthouse", "town hall", "observatory", "tram line", "paper mill", "drawbridge")
ASKS = {"year": "In which year was the {thing} of {town} opened?", "who": "Who designed the {thing} of {town}?"}
FACT = {
    "year": "After long works the {thing} of {town} was opened in {gold}.",
    "who": "The {thing} of {town} was designed by {gold}.",
}
FILL = (
    "{town} lies on the eastern shore and lives mostly from trade and fishing.",
    "A fire destroyed parts of the old quarter in {y}, and much was rebuilt by the council.",
    "The museum of {town} shows models and drawings from that period, with letters of the builders.",
    "Visitors reach the {thing} on foot from the market in about {k} minutes.",
)
SYSTEM = (
    "Answer from the archive. Call search(query) as often as needed, then give the answer in one line after `Answer:`."
)
THINK = (
    "I will look up the {thing} of {town}.",
    "The archive should know about {town}.",
    "Let me search for the {thing}.",
)
QUERIES = ("{thing} {town}", "{town} {thing} history", "{thing} of {town}", "{town} architecture {thing}")
FINAL = (
    "The archive states it plainly.",
    "The passage about {town} says so.",
    "That sentence on the {thing} settles it.",
)
LOST = (
    "The passages do not say it clearly, so I take the nearest.",
    "I go by what is usual for {town}.",
    "I guess here.",
)


def facts(rng: random.Random, amount: int, prefix: str = "arch") -> list[Problem]:
    """Different questions."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        kind = rng.choice(list(ASKS))
        v = {"town": rng.choice(HEADS) + rng.choice(TAILS), "thing": rng.choice(THINGS), "k": rng.randint(4, 30)}
        v |= {"y": rng.randint(1700, 1850), "kind": kind, "old": ""}
        gold = str(rng.randint(1851, 1969)) if kind == "year" else f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        text = ASKS[kind].format(**v)
        out.setdefault(text, Problem(f"{prefix}{len(out):04d}", text, gold, kind, rng.gauss(0, 0.8), SYSTEM, v))
    return list(out.values())


def wrong(rng: random.Random, problem: Problem) -> str:
    """An answer of the right sort that is not right."""
    while True:
        made = str(rng.randint(1840, 1969))
        if problem.data["kind"] == "who":
            made = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        if made != problem.gold:
            return made


def passages(rng: random.Random, problem: Problem, with_fact: bool = True) -> str:
    """What the tool returns for a query: three short documents."""
    v = problem.data
    lines = [line.format(**v) for line in rng.sample(FILL, 3)]
    if with_fact:
        lines[rng.choice((1, 2))] += " " + FACT[v["kind"]].format(gold=problem.gold, **v)
    return "\n".join(f"[{i + 1}] {line}" for i, line in enumerate(lines))


def call(rng: random.Random, problem: Problem) -> dict:
    """A message of the policy that searches."""
    v = problem.data
    query = rng.choice(QUERIES).format(**v)
    return {
        "role": "assistant",
        "content": rng.choice(THINK).format(**v),
        "tool_calls": [{"name": "search", "arguments": {"query": query}}],
    }


def conclude(rng: random.Random, problem: Problem, answer: str, sure: bool) -> dict:
    """The last message."""
    line = rng.choice(FINAL if sure else LOST).format(**problem.data)
    return {"role": "assistant", "content": f"{line}\nAnswer: {answer}"}


def research(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
    """One to three searches; a wrong attempt searched badly or misread."""
    messages = []
    misses = rng.choice((0, 0, 1))
    for _ in range(misses):
        messages += [call(rng, problem), {"role": "tool", "content": passages(rng, problem, False)}]
    found = right or (problem.data["kind"] == "year" and rng.random() < 0.5)
    messages += [call(rng, problem), {"role": "tool", "content": passages(rng, problem, found)}]
    answer = problem.gold if right else wrong(rng, problem)
    if found and not right and str(problem.data["y"]) in messages[-1]["content"]:
        answer = str(problem.data["y"])
    elif not right:
        found = False
    messages.append(conclude(rng, problem, answer, found))
    return Draft(messages, answer, right)
