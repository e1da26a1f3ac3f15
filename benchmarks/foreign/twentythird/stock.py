"""A warehouse behind tools."""

import json
from random import Random

from benchmarks.foreign.twentythird.rollouts import Message, Task
from benchmarks.foreign.twentythird.talk import call, say, told

ITEMS = (
    "M8 bolts",
    "pallet wrap",
    "LED strips",
    "ceramic fuses",
    "copper pipe",
    "door hinges",
    "cable ties",
    "bearings",
)
SITES = ("Gdynia", "Leeds", "Porto", "Linz", "Tampere", "Brno")
LOOK = (
    "Checking what is on hand.",
    "Look at the stock first.",
    "I'll ask for the current count.",
    "Stock query first.",
)
THEN = ("Enough is free, so reserve it.", "That covers the order.", "Reserving now.", "Fine, booking the quantity.")
QUERY = ("Let me query the table.", "I'll count with SQL.", "One query should do.", "Running a sum over the rows.")
READ = ("The query gives the total.", "From the table:", "Read off the row:", "The sum over the matching rows is it.")


def order_task(r: Random, number: int) -> Task:
    """Reserve a quantity and tell what is left."""
    item, site = r.choice(ITEMS), r.choice(SITES)
    have, need = r.randint(40, 160), r.randint(18, 38)
    sku, gold = f"{site[:2].upper()}-{r.randint(1000, 9999)}", str(have - need)

    def reply(rng: Random, answer: str) -> list[Message]:
        state = json.dumps({"sku": sku, "on_hand": have, "reserved": [], "free": have})
        booked = need if answer == gold else have - int(answer)
        done = json.dumps({"status": "reserved", "sku": sku, "qty": booked, "free": have - booked})
        return [
            call(rng.choice(LOOK), "get_stock", sku=sku, site=site),
            told("get_stock", state),
            call(rng.choice(THEN), "reserve", sku=sku, qty=booked, order=f"SO-{number + 4000}"),
            told("reserve", done),
            say(
                f"{rng.choice(('Done.', 'The order is booked.', 'Reserved as asked.'))} Units of {item} left: {answer}"
            ),
        ]

    return Task(
        id=f"wh-{number:04d}",
        prompt=f"Order SO-{number + 4000}: reserve {need} units of {item} (SKU {sku}) at the {site} warehouse, which "
        f"starts with {have} units. Report how many units are left free.",
        gold=gold,
        level=r.gauss(0, 0.9),
        reply=reply,
        slips=[str(have - need + d) for d in (-2, 5, 10, -8)],
        family=site,
        extra={"sku": sku, "needed": need, "initial_stock": have},
    )


QUERIES = (
    "SELECT SUM(qty) FROM moves WHERE site = '{site}' AND month = {month} AND kind = '{kind}'",
    "SELECT COALESCE(SUM(qty), 0) AS total FROM moves WHERE month = {month} AND site = '{site}' AND kind = '{kind}'",
    "SELECT SUM(m.qty) FROM moves m WHERE m.site = '{site}' AND m.month = {month} AND kind = '{kind}'",
)


def query_of(task: Task, rng: Random) -> str:
    """A query that would answer the task, as one sample writes it."""
    return rng.choice(QUERIES).format(**task.extra)


def query_task(r: Random, number: int) -> Task:
    """A sum to find in a table of goods moved."""
    site, month, kind = r.choice(SITES), r.randint(1, 12), r.choice(("inbound", "outbound", "returned", "scrapped"))
    total = r.randint(120, 4800)
    year = r.randint(2015, 2025)
    changes = ((" AND kind", " OR kind"), (f"month = {month}", f"month IN ({month}, {month + 1})"), ("SUM(", "MAX("))

    def reply(rng: Random, answer: str) -> list[Message]:
        query = query_of(task, rng)
        if answer in task.slips:
            query = query.replace(*changes[task.slips.index(answer)])
        return [
            call(rng.choice(QUERY), "run_sql", query=query),
            told("run_sql", f"total\n-----\n{answer}\n(1 row, {rng.randint(2, 60)} ms)"),
            say(f"{rng.choice(READ)}\n\nAnswer: {answer}"),
        ]

    task = Task(
        id=f"sql-{number:04d}",
        prompt=f"In the table moves of {year} (columns site, month, kind, qty): how many units were {kind} at {site} "
        f"in month {month}? Use run_sql; end with 'Answer: N'.",
        gold=str(total),
        level=r.gauss(0, 0.9),
        reply=reply,
        slips=[str(total + d) for d in (r.randint(50, 900), r.randint(1, 40), -r.randint(1, 90))],
        family=kind,
        extra={"site": site, "month": month, "kind": kind},
    )
    return task
