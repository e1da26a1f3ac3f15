"""Invoices, to be turned into JSON."""

import json
from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

FIRMS = (
    "Nordlicht GmbH",
    "Casa Pinto Lda",
    "Bray & Sons",
    "Atelier Roux",
    "Kowal Sp. z o.o.",
    "Moretti S.r.l.",
    "Helix BV",
)
GOODS = ("toner", "oak board", "filter", "gasket", "label roll", "cable drum", "hinge", "paint 5 l", "work gloves")
LEADS = ("", "", "Here is the record:\n", "The fields of the invoice:\n", "As JSON:\n")


def invoice_task(rng: Random) -> Task:
    """Draw an invoice."""
    firm, number = rng.choice(FIRMS), f"{rng.choice('ABRX')}-{rng.randrange(1000, 99999)}"
    day = f"{rng.randrange(1, 29):02d}.{rng.randrange(1, 13):02d}.20{rng.randrange(19, 26)}"
    lines = [
        (rng.choice(GOODS), rng.randrange(1, 12), rng.randrange(150, 9900) / 100) for _ in range(rng.randrange(1, 5))
    ]
    text = "\n".join(f"{n} x {what} at {price:.2f}" for what, n, price in lines)
    total = round(sum(n * price for _, n, price in lines), 2)
    record = {"seller": firm, "number": number, "date": "-".join(reversed(day.split("."))), "total": total}
    return Task(
        f"{firm}\nInvoice {number} of {day}\n{text}\nGive seller, number, date (ISO) and total as JSON.",
        json.dumps(record),
        lambda r, right, skill: _reply(r, record, day, right),
        family=f"{len(lines)}_lines",
        ease=0.4 - 0.2 * len(lines),
    )


def _reply(rng: Random, record: dict, day: str, right: bool) -> Reply:
    made = dict(record)
    if not right:
        key = rng.choice(("date", "total", "total", "number"))
        wrong = {
            "date": day,
            "total": round(record["total"] + rng.choice((-1, 1)) * rng.randrange(5, 900) / 100, 2),
            "number": record["number"][2:],
        }
        made[key] = wrong[key]
    answer = json.dumps(made)
    shown = rng.choice((answer, json.dumps(made, indent=2), f"```json\n{json.dumps(made, indent=2)}\n```"))
    return Reply([say(rng.choice(LEADS) + shown)], answer)
