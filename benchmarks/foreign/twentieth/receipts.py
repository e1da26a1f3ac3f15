"""Invoices to read into JSON."""

import json
from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, said

SELLERS = ("Brandt & Zoon BV", "Kiln Street Pottery", "Oro Verde S.L.", "Nordlys Fisk AS", "Hatch & Daughters Ltd")
GOODS = ("cork tiles", "glazed bowls", "olive oil 5l", "smoked trout", "brass hinges", "linen rolls", "beeswax")


def _task(rng: Random) -> Task:
    seller = rng.choice(SELLERS)
    items = [(g, rng.randint(1, 30), rng.randint(200, 9000)) for g in rng.sample(GOODS, rng.randint(2, 4))]
    date = f"20{rng.randint(19, 25)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    rows = "\n".join(f"{q} x {g} @ {p / 100:.2f}" for g, q, p in items)
    number = f"{rng.choice('ABKRT')}{rng.randint(1000, 99999)}"
    text = (
        "Read the invoice into JSON with the keys number, date, seller, total (a number).\n---\n"
        f"{seller}\nInvoice {number}, issued {'/'.join(reversed(date.split('-')))}\n{rows}\n---"
    )
    total = sum(q * p for _, q, p in items) / 100
    gold = {"number": number, "date": date, "seller": seller, "total": total}
    return Task(text, json.dumps(gold), "invoice", data={"gold": gold})


def _reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    found = dict(task.data["gold"])
    if not right:
        if rng.random() < 0.7:
            found["total"] = round(found["total"] * rng.uniform(0.6, 1.3) + 0.37, 2)
        else:
            year, month, day = found["date"].split("-")
            found["date"] = f"{year}-{day}-{month}" if day != month else f"{int(year) - 1}-{month}-{day}"
    keys = list(found)
    if rng.random() < 0.5:
        rng.shuffle(keys)
    shown = {key: found[key] for key in keys}
    text = json.dumps(shown, indent=rng.choice((None, None, 1, 2)))
    start = rng.choice(("", "", "Adding up the lines first.\n", "The date is day first.\n"))
    return Reply([said(start + text)], json.dumps(found))


INVOICE = Domain("inv", _task, _reply)
