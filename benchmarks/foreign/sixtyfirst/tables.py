"""Questions on a table of orders, answered through SQL. The number of the answer is checked."""

import random

from benchmarks.foreign.sixtyfirst.tasks import Message, Task, World, code_of, says, tool

_REGIONS = ("north", "south", "east", "west", "overseas")
_MONTHS = ("January", "February", "March", "April", "May", "June")
_SHEETS = ("orders", "invoices", "deliveries", "bookings", "renewals", "repairs")
SCHEMA = "region TEXT, month TEXT, units INTEGER, amount INTEGER"
"""Columns of every table."""


def draw(rng: random.Random) -> Task:
    """A table, and a question about a region from a month on."""
    sheet = rng.choice(_SHEETS)
    cells: list[tuple[str, str, int, int]] = [
        (r, m, rng.randrange(3, 60), rng.randrange(100, 4000)) for r in _REGIONS for m in _MONTHS
    ]
    region, since, what = rng.choice(_REGIONS), rng.randrange(1, 5), rng.choice(("amount", "units"))

    def total(of: str, begin: int) -> int:
        return sum(u if what == "units" else a for r, m, u, a in cells if r == of and _MONTHS.index(m) >= begin)

    right, late, wide = (total(region, begin) for begin in (since, since + 1, 0))
    totals = {r: str(total(r, since)) for r in _REGIONS}
    lead = rng.choice(
        (
            "What is the total of",
            "What do we get if we add up the",
            "How large is the sum of",
            "How much is, all together, the",
        )
    )
    prompt = (
        f"{lead} {what} in the table {sheet} for the region {region} from {_MONTHS[since]} to June? "
        f"Columns: {SCHEMA}. End with a line 'Answer: <number>'."
    )
    facts = {
        "sheet": sheet,
        "region": region,
        "since": since,
        "what": what,
        "late": late,
        "wide": wide,
        "rows": len(cells),
        "totals": totals,
    }
    return Task(code_of(rng, "sql"), prompt, f"{sheet}_{what}", rng.gauss(0, 1), str(right), facts)


def query(task: Task, value: str) -> str:
    """The statement that gives this value."""
    f = task.facts
    months = _MONTHS if value == str(f["wide"]) else _MONTHS[f["since"] + (value != task.gold) :]
    names = ", ".join(f"'{m}'" for m in months)
    return f"SELECT SUM({f['what']}) AS total FROM {f['sheet']} WHERE region = '{f['region']}' AND month IN ({names})"


def play(rng: random.Random, task: Task, right: bool) -> tuple[list[Message], str]:
    """Look at the table, ask it, answer."""
    f = task.facts
    value = task.gold if right else str(rng.choice((f["late"], f["wide"])))
    begin = rng.choice(
        (
            f"I check how {f['sheet']} is laid out before I filter it.",
            f"First a look at {f['sheet']}: months are words, so I cannot compare them by order.",
            f"The question is about {f['what']} in {f['region']}. I count the rows to know what I deal with.",
        )
    )
    then = rng.choice(
        (
            f"Months are text, so I list those that belong to the span and sum {f['what']}.",
            f"Now the sum for {f['region']}, with the months written out one by one.",
            f"A single statement with both conditions gives the total of {f['what']}.",
        )
    )
    said: list[Message] = []
    if rng.random() < 0.7:
        said += [
            says(begin, "run_sql", statement=f"SELECT COUNT(*) AS n FROM {f['sheet']}"),
            tool("run_sql", f"n\n{f['rows']}"),
        ]
    said += [says(then, "run_sql", statement=query(task, value)), tool("run_sql", f"total\n{value}")]
    last = rng.choice(
        (
            f"The sum of {f['what']} for {f['region']} over these months comes out of the last statement.",
            f"That is the total over the months asked for in {f['sheet']}.",
            f"The table gives this total for {f['region']}; nothing else has to be added.",
        )
    )
    return [*said, says(f"{last}\nAnswer: {value}")], value


TABLES = World("tables", "You answer questions on a database. Use run_sql, which takes one statement.", draw, play)
"""Questions on tables."""
