"""Questions of two hops over a made-up gazetteer, answered with a search tool."""

import random

from benchmarks.foreign.reported.run import Draw, Row, Task, said, told, user

_FIRST = ("Orla", "Tibor", "Maelis", "Ruben", "Signe", "Anselm", "Pilar", "Wendel", "Yara", "Caspar", "Ottilie", "Bram")
_LAST = ("Vandermeer", "Kosztolan", "Abernethy", "Quintero", "Lindqvist", "Okonjo", "Delacroix", "Hartmann", "Sarkany")
_HEADS = ("Brenn", "Hal", "Mira", "Oster", "Quen", "Tarn", "Vell", "Wex", "Ash", "Dun", "Kir", "Lode", "Pem", "Rusk")
_TAILS = ("wick", "stead", "combe", "by", "holt", "minster", "ford", "ley", "mouth", "gate", "beck", "thorpe")
_RIVERS = ("Isk", "Morrow", "Tavel", "Lenn", "Aldra", "Soum", "Werrin", "Cade", "Ulva", "Brae")
_MADE = ("Ferries", "Optics", "Foundry", "Tea", "Looms", "Maps", "Glassworks", "Seeds", "Pianos", "Cement", "Cycles")
_KINDS = ("Copperline", "Norrland", "Sable", "Petrichor", "Halcyon", "Kestrel", "Union", "Northern", "Old Harbour")
_PLANS = (
    "I need the founder first.",
    "Who founded it?",
    "Let me find the firm.",
    "Start with the company.",
    "Search the founder.",
)
_MORE = ("Now the town.", "And the river there?", "Next: where that is.", "One more lookup.", "Check the birthplace.")


def draw(rng: Draw, name: str) -> Task:
    """Draw a question with the documents that answer it."""
    who = f"{rng.choice(_FIRST)} {rng.choice('ABCDEFGHJKLMNPRSTVW')}. {rng.choice(_LAST)}"
    town = f"{rng.choice(_HEADS)}{rng.choice(_TAILS)}"
    river = random.Random(town).choice(_RIVERS)
    suffix, year = rng.choice(("AG", "Ltd", "SA", "Oy", "BV")), rng.randint(1830, 1975)
    firm = f"{rng.choice(_KINDS)} {rng.choice(_MADE)} {suffix}"
    other = rng.choice([x for x in _RIVERS if x != river])
    people, length = f"{rng.randint(2, 90)},{rng.randint(100, 999)}", rng.randint(20, 300)
    documents = (
        f'Doc 1 (Title: "{firm}") {firm} was founded in {year} by {who}, who led it for {rng.randint(6, 30)} years.',
        f'Doc 2 (Title: "{who}") {who} (born {year - rng.randint(24, 50)} in {town}) was an entrepreneur and patron.',
        f'Doc 1 (Title: "{town}") {town} is a town of {people} people on the river {river}.',
        f'Doc 2 (Title: "{other} valley") The {other} runs {length} km through pasture before it meets the {river}.',
    )
    ask = f"Which river flows through the birthplace of the founder of {firm}, est. {year}?"
    facts = {"firm": firm, "who": who, "town": town, "documents": documents, "other": other}
    return Task(name, ask, river, "two hops", None, facts)


def searched(rng: Draw, task: Task, place: int, answer: str = "") -> list[Row]:
    """One search: first for the founder, then for the town."""
    f = task.facts
    asks = (
        (f"{f['firm']} founder", f"who founded {f['firm']}", f"{f['firm']} history founder birthplace"),
        (f"{f['town']} river", f"river through {f['town']}", f"where is {f['town']} located river"),
    )
    text = answer or "\n".join(f["documents"][2 * place : 2 * place + 2])
    query = rng.choice(asks[place])
    return [said(rng.choice((_PLANS, _MORE)[place]), ("search", {"query": query, "topk": 3})), told("search", text)]


def closing(rng: Draw, task: Task, right: bool) -> tuple[Row, str]:
    """The last message and the answer in it."""
    rivers = [x for x in _RIVERS if x != task.answer]
    final = task.answer if right else rng.choice([task.facts["other"], rng.choice(rivers)])
    way = rng.choice(("So it is", "The river is", "That makes it", "I conclude:", "It must be"))
    return said(f"{way} the {final}.\n<answer>{final}</answer>"), final


def worked(rng: Draw, task: Task, right: bool) -> list[Row]:
    """An honest episode of two searches; a wrong one mostly stops early or mixes up the rivers."""
    hops = [searched(rng, task, 0)]
    if right or rng.random() < 0.6:
        hops.append(searched(rng, task, 1))
    return [user(task.prompt), *(m for hop in hops for m in hop), closing(rng, task, right)[0]]
