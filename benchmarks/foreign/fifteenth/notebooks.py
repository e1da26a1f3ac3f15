"""Questions on small tables, answered with a Python tool."""

from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

TABLES = {
    "rentals": ("station", "hours", ["Harbour", "Museum", "Hill", "Campus", "Depot"]),
    "yields": ("orchard", "crates", ["Lower", "North", "Mill", "Abbey", "Creek"]),
    "tickets": ("venue", "sold", ["Arena", "Attic", "Globe", "Palace", "Yard"]),
    "repairs": ("workshop", "parts", ["Alder", "Birch", "Cedar", "Dogwood", "Elm"]),
}


def make(rng: Random) -> Task:
    """A sum, a largest or a mean over a column."""
    name = rng.choice(list(TABLES))
    key, value, places = TABLES[name]
    place, floor, family = rng.choice(places), rng.randint(2, 60), rng.choice(["total", "largest", "count"])
    gold = {"total": rng.randint(900, 48000), "largest": rng.randint(60, 990), "count": rng.randint(8, 420)}[family]
    year = rng.randint(2009, 2024)
    path = f"/data/{name}_{year}_{rng.randint(10, 99)}.csv"
    asks = {
        "total": f"the total of `{value}` for {key} {place} over rows with `{value}` above {floor}",
        "largest": f"the largest `{value}` for {key} {place}",
        "count": f"how many rows of {key} {place} have `{value}` above {floor}",
    }
    text = f"The table {path} has the columns {key}, {value} and day. Find {asks[family]}. Reply with one whole number."
    others = [p for p in places if p != place]
    elsewhere = {
        p: str(max(1, round(gold * rng.choice([0.4, 0.7, 0.9, 1.1, 1.6]))) + rng.randint(1, 5)) for p in others
    }
    rows = "\n".join(f"{i} {rng.choice(places)} {rng.randint(1, 99)} {rng.randint(1, 365)}" for i in range(3))
    work = {"elsewhere": elsewhere, "rows": rows}
    work |= {"path": path, "key": key, "value": value, "place": place, "floor": floor}
    return Task(text, str(gold), family, rng.gauss(0, 0.3), work=work)


def cell(code: str, said: str = "") -> dict:
    """A call of the Python tool."""
    return {"role": "assistant", "content": said, "tool_calls": [{"name": "python", "arguments": {"code": code}}]}


def printed(text: str, ok: bool = True) -> dict:
    """What the Python tool says."""
    return {"role": "tool", "tool_name": "python", "content": text, "ok": ok}


def peek(rng: Random, task: Task) -> list[dict]:
    """The table is loaded and looked at."""
    w = task.work
    said = rng.choice(["", "Load the table first.", "Let me look at the data.", "First a look at the columns."])
    code = f"import pandas as pd\n{rng.choice(['df', 'data', 't'])} = pd.read_csv('{w['path']}')"
    name = code.split("\n")[1].split(" ")[0]
    return [cell(f"{code}\nprint({name}.head(3))", said), printed(f"  {w['key']} {w['value']} day\n{w['rows']}")]


def figure(task: Task) -> str:
    """The figure asked for, of the rows in `d`."""
    column = task.work["value"]
    return {"total": f"d['{column}'].sum()", "largest": f"d['{column}'].max()", "count": "d.shape[0]"}[task.family]


def compute(rng: Random, task: Task, place: str, value: str) -> list[dict]:
    """The figure is computed for a place."""
    w = task.work
    code = (
        f"import pandas as pd\nd = pd.read_csv('{w['path']}')\n"
        f"d = d[(d['{w['key']}'] == '{place}') & (d['{w['value']}'] > {w['floor']})]\n"
        f"print({figure(task)})"
    )
    return [cell(code, rng.choice(["", "Now the figure.", "Filter and aggregate."])), printed(value)]


def closing(rng: Random, value: str) -> dict:
    """The message that ends an attempt."""
    ways = ["The result is {v}.", "{v}", "That gives {v}.", "Computed from the table: {v}."]
    return {"role": "assistant", "content": f"{rng.choice(ways).format(v=value)}\n\nFinal answer: {value}"}


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """A look at the table, a computation, an answer; some cells fail and are mended."""
    messages = peek(rng, task) if rng.random() < 0.7 else []
    if rng.random() < 0.12:
        load = f"import pandas as pd\nprint(pd.read_csv('{task.work['path']}')"
        failed = cell(f"{load}.groupby('{task.work['key'].title()}').sum())")
        messages += [failed, printed(f"KeyError: '{task.work['key'].title()}'", False)]
    place, value = (task.work["place"], task.gold) if right else rng.choice(list(task.work["elsewhere"].items()))
    return Reply([*messages, *compute(rng, task, place, value), closing(rng, value)], value)


NOTEBOOKS = World("tables", make, solve, "You have a Python tool; every attempt begins with a fresh kernel.")
