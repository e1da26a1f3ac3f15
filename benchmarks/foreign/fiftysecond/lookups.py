"""Questions that a search or a table answers, and how an agent goes about them."""

import random

from benchmarks.foreign.fiftysecond.learning import Task, call, ease, hear, say

_FIRST = ("Halvor", "Brenn", "Cald", "Mirr", "Ost", "Thorn", "Quill", "Vester", "Lund", "Ash", "Kirk", "Rav")
_PARTS = ("Old", "Upper", "Lower", "New", "Great", "Little", "East", "West")
_LAST = ("sen", "berg", "wick", "mere", "holm", "ford", "stad", "dale", "gate", "moor")
_THINGS = ("lighthouse", "aqueduct", "observatory", "tannery", "opera house", "funicular", "salt works", "mill")
_ASKS = (
    ("opened", "In which year was the {} opened?"),
    ("rebuilt", "In which year was the {} rebuilt after the fire?"),
    ("visitors", "How many visitors, in thousands, did the {} have in its first year?"),
)
SEARCH = "Answer with search(query). Give the final answer after 'Answer:'."
TABLE = "You have sql(query) on a warehouse, which filters by month only. Give the final answer after 'Answer:'."
_REGIONS = ("north", "south", "east", "west", "islands", "uplands")


def lookup_task(rng: random.Random, place: int) -> Task:
    """A question about a place that the index knows."""
    name = f"{rng.choice(_PARTS)} {rng.choice(_FIRST)}{rng.choice(_LAST)} {rng.choice(_THINGS)}"
    years = sorted(rng.sample(range(1790, 1975), 2))
    facts = {"opened": years[0], "rebuilt": years[1], "visitors": rng.randint(3, 88)}
    what, ask = rng.choice(_ASKS)
    data = {"name": name, "what": what, "facts": facts, "info": {"topic": what}}
    return Task(f"q{place:04d}", what, ask.format(name), str(facts[what]), ease(rng), SEARCH, data)


def page(rng: random.Random, task: Task, holds: bool = True) -> str:
    """What the index says of the place, with the fact or without."""
    facts, name, what = task.data["facts"], task.data["name"], task.data["what"]
    lines = {
        "opened": f"The {name} was opened in {facts['opened']} after four years of work.",
        "rebuilt": f"A fire took the roof, and it was rebuilt in {facts['rebuilt']}.",
        "visitors": f"In the first year {facts['visitors']} thousand visitors came.",
    }
    kept = [line for key, line in lines.items() if (holds or key != what)]
    filler = rng.choice(["It stands at the old harbour road.", "The town owns it.", "Its keeper lived next door."])
    return f"[1] {name}\n" + " ".join([*kept, filler])


def seek(rng: random.Random, task: Task, right: bool, query: str = "") -> list[dict]:
    """One or two searches and an answer."""
    name, what = task.data["name"], task.data["what"]
    turns = []
    if rng.random() < 0.45:
        turns += [call("I begin with the name.", "search", query=name), hear(page(rng, task, False), "search")]
    first = rng.choice([f"{name} {what}", f"when {name} {what}", f"{name} history {what}", f"{what} {name} record"])
    wrong = {"opened": "rebuilt", "rebuilt": "opened", "visitors": "opened"}[what]
    value = task.gold if right else str(task.data["facts"][wrong] + rng.choice([0, 0, 1]))
    turns += [
        call(
            rng.choice(["The page should name it.", "Now for what was asked.", "Let me look."]), "search", query=first
        ),
        hear(page(rng, task), "search"),
    ]
    words = rng.choice(["The page says so.", "That is stated in the entry.", "Going by the entry found above:"])
    return [*turns, say(f"{words}\nAnswer: {value}")]


def table_task(rng: random.Random, place: int) -> Task:
    """A question about sums in a table of sales."""
    sales = {region: rng.randint(210, 9800) for region in _REGIONS}
    region = rng.choice(_REGIONS)
    month = rng.choice(["March", "June", "August", "October"])
    prompt = f"How many parcels did the depot of the {region} send out in {month}? The table is parcels_{place % 37}."
    managers = ["A. Brandt", "J. Okafor", "M. Silva", "L. Novak", "E. Duarte", "K. Holm"]
    lines = [
        f"{name:<10} | {rng.choice(managers):<20} | 20{rng.randint(10, 22)}-0{rng.randint(1, 9)}-12 | "
        f"{rng.randint(8, 90):>5} | {value}"
        for name, value in sales.items()
    ]
    data = {"lines": lines, "sales": sales, "region": region, "table": f"parcels_{place % 37}", "month": month}
    return Task(f"sql{place:04d}", "warehouse", prompt, str(sales[region]), ease(rng), TABLE, data)


def table(rng: random.Random, task: Task, limit: int = 0) -> str:
    """The rows that the query gives, cut at a number of signs where there is a limit."""
    lines = list(task.data["lines"])
    rng.shuffle(lines)
    head = "region     | depot_manager        | opened     | staff | parcels\n"
    whole = head + "\n".join(lines)
    return whole[:limit] + "..." if limit and len(whole) > limit else whole


def sql(rng: random.Random, task: Task) -> str:
    """A query for the table."""
    month, name = task.data["month"], task.data["table"]
    return rng.choice(
        [
            f"SELECT * FROM {name} WHERE month = '{month}'",
            f"SELECT * FROM {name} WHERE month='{month}' ORDER BY random()",
        ]
    )
