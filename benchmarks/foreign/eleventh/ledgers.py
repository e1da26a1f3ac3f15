"""Questions about files of records that a tool prints."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, call, say, told

CITIES = [
    "Aveiro",
    "Bruges",
    "Chania",
    "Dundee",
    "Erfurt",
    "Faro",
    "Gdynia",
    "Haarlem",
    "Izmir",
    "Jena",
    "Kotor",
    "Lugano",
]
STATES = ["paid", "open", "late", "credited"]
ENDS = [
    "{r} is booked with that amount. ",
    "Found it in the row of {r}. ",
    "The last column of {r} tells it. ",
    "I take it from the row of {r}.\n",
    "",
]
SYSTEM = "Use `show(file)` and `filter(file, column, value)` to answer. Reply with: Answer: <number>."


def make(rng: Random, name: str) -> Task:
    """A file of 9 to 16 records, and a question about one of them."""
    rows = [
        (f"INV-{rng.randint(1000, 9999)}", rng.choice(CITIES), rng.choice(STATES), rng.randint(60, 9800))
        for _ in range(rng.randint(9, 16))
    ]
    at = rng.randrange(len(rows))
    stem = rng.choice(["billing", "receivables", "branch", "export"])
    file = f"{stem}_{rng.randint(2015, 2025)}_{rng.randint(1, 12):02d}.csv"
    asks = [
        "What is the amount of {r} in {f}?",
        "In {f}, which amount is booked for {r}?",
        "Look up {r} in {f}: how much?",
    ]
    prompt = rng.choice(asks).format(r=rows[at][0], f=file)
    facts = {"rows": rows, "at": at, "file": file}
    return Task(name, prompt, str(rows[at][3]), stem, system=SYSTEM, facts=facts, extra={"records": len(rows)})


def table(rows: list[tuple]) -> str:
    """Records as text with a head."""
    return "\n".join(["number,city,state,amount", *(",".join(map(str, r)) for r in rows)])


def solve(rng: Random, task: Task, right: bool, t: float, cut: int | None = None) -> Reply:
    """The file is shown or filtered, and the amount read; `cut` is where the tool's text ends."""
    f = task.facts
    row = f["rows"][f["at"]]
    turns = []
    if rng.random() < 0.2 + 0.15 * t:
        text = table([row])
        turns.append(call("", "filter", file=f["file"], column="number", value=row[0]))
    else:
        text = table(f["rows"])
        turns.append(
            call(
                rng.choice(["I open the file.", "Let me see the file.", "First the records.", "I print it.", ""]),
                "show",
                file=f["file"],
            )
        )
    turns.append(told(turns[0]["tool_calls"][0]["name"], text if cut is None else text[:cut]))
    shown = turns[1]["content"]
    others = [r[3] for r in f["rows"] if r[3] != row[3] and f",{r[3]}\n" in shown]
    amount = row[3] if right else rng.choice(others or [row[3] + 90, row[3] - 9, rng.randint(60, 9800)])
    turns.append(say(rng.choice(ENDS).format(r=row[0]) + f"Answer: {amount}"))
    return Reply(turns, str(amount))


LEDGERS = Domain(make, solve)
