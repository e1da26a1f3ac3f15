"""Questions on made-up towns and firms, answered with a search tool."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

HEADS = ["Vel", "Kor", "Ast", "Brin", "Dun", "Hol", "Mar", "Ost", "Pel", "Quen", "Ros", "Tarn", "Ulm", "Wex", "Zel"]
TAILS = ["mouth", "ford", "hagen", "ville", "stead", "grad", "burg", "minster", "holm", "by", "wick", "ona", "aro"]
SURNAMES = [
    "Okafor",
    "Lindqvist",
    "Moreau",
    "Tanaka",
    "Petrov",
    "Haddad",
    "Alvarez",
    "Novak",
    "Byrne",
    "Rossi",
    "Demir",
]
GIVEN = ["Ada", "Boris", "Clara", "Dmitri", "Esther", "Felix", "Gita", "Hugo", "Ines", "Jonas", "Karim", "Lucia"]
FACTS = {
    "founder": (
        "founded the ferry company of {t}",
        "The ferry company of {t} was founded by {a} after the great flood",
    ),
    "architect": ("designed the town hall of {t}", "The town hall of {t}, with its copper roof, is the work of {a}"),
    "painter": ("painted the altar of the old church in {t}", "{a} painted the altar of the old church in {t}"),
    "mayor": ("was the first elected mayor of {t}", "The first elected mayor of {t} was {a}, by {n} votes"),
    "inventor": ("built the first glass furnace in {t}", "The first glass furnace in {t} was built by {a}"),
}


def town(rng: Random) -> str:
    """A name of a place."""
    return rng.choice(["", "", "New ", "Upper ", "Little "]) + rng.choice(HEADS) + rng.choice(TAILS)


def person(rng: Random) -> str:
    """A name of a person."""
    return f"{rng.choice(GIVEN)} {rng.choice(SURNAMES)}"


def make(rng: Random) -> Task:
    """Who did what in which town?"""
    where, who, family = town(rng), person(rng), rng.choice(list(FACTS))
    ask, fact = FACTS[family]
    others = [n for n in (person(rng) for _ in range(8)) if n != who][:3]
    end = rng.choice(["Give the full name.", "Answer with a name.", "Name only, please.", "I need it for a footnote."])
    text = f"Who {ask.format(t=where)}? {end}"
    fact = fact.format(t=where, a=who, n=rng.randint(40, 900)) + f" in {rng.randint(1790, 1960)}."
    known = _known(rng, where, others)
    work = {"town": where, "fact": fact, "others": others, "ask": family, "known": known}
    return Task(text, who, family, rng.gauss(0, 0.3), work=work)


FILLER = [
    "{t} lies on the north bank of the river and had {n} inhabitants at the last census.",
    "The market of {t} is held on Thursdays; stalls are let by the council for {n} crowns a year.",
    "A branch line reached {t} in 18{m}, and closed again in 19{m}.",
    "In {t}, {o} kept a school for {m} pupils.",
    "The museum of {t} shows {n} pieces, among them letters of {o}.",
]


def _known(rng: Random, where: str, others: list[str]) -> list[str]:
    """What the index holds on a town beside the fact."""
    numbers = [{"n": rng.randint(120, 9000), "m": rng.randint(40, 79), "o": rng.choice(others)} for _ in FILLER]
    return [text.format(t=where, **drawn) for text, drawn in zip(FILLER, numbers, strict=True)]


def page(rng: Random, task: Task, found: bool) -> str:
    """What a search gives: passages, with or without the fact."""
    lines = rng.sample(task.work["known"], rng.randint(2, 4))
    if found:
        lines.insert(rng.randrange(len(lines) + 1), task.work["fact"])
    return "\n".join(f"[{i}] {line}" for i, line in enumerate(lines, 1))


def query(rng: Random, task: Task, again: bool = False) -> str:
    """Words to search for."""
    words = [task.work["ask"], task.work["town"]]
    words += rng.sample(
        ["history", "records", "who", "biography", "archive", "first", "old"], 2 if again else rng.randint(0, 1)
    )
    return " ".join(words)


def ask(rng: Random, words: str) -> dict:
    """A call of the search tool."""
    said = rng.choice(
        ["", "I'll look this up.", "Let me search.", "The name should be in a local history.", "Searching."]
    )
    return {"role": "assistant", "content": said, "tool_calls": [{"name": "search", "arguments": {"query": words}}]}


def told(text: str, ok: bool = True) -> dict:
    """An answer of the search tool."""
    return {"role": "tool", "tool_name": "search", "content": text, "ok": ok}


def closing(rng: Random, name: str) -> dict:
    """The message that ends an attempt."""
    ways = ["It was {a}.", "According to the passages it was {a}.", "The sources name {a}.", "That would be {a}."]
    return {"role": "assistant", "content": f"{rng.choice(ways).format(a=name)}\n\n<answer>{name}</answer>"}


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """One search or more, and an answer."""
    messages: list[dict] = []
    searches = 1 + (rng.random() < 0.5) + (rng.random() < 0.2)
    for number in range(searches):
        found = number == searches - 1 and (right or rng.random() < 0.4)
        messages += [ask(rng, query(rng, task, number > 0)), told(page(rng, task, found))]
    name = task.gold if right else rng.choice(task.work["others"])
    return Reply([*messages, closing(rng, name)], name)


LOOKUPS = World("townsearch", make, solve, "Answer with the search tool's help. End with <answer>...</answer>.")
