"""Letters from which fields are to be extracted as JSON."""

import json
from random import Random

from benchmarks.foreign.fourteenth.course import Domain, Reply, Task

FIRMS = [
    "Harrow & Pike",
    "Nordlys AS",
    "Casa Belmonte",
    "Ondine Textiles",
    "Rook Freight",
    "Miravet SL",
    "Kestrel Labs",
]
ITEMS = ["pallets of roof tiles", "hours of consulting", "crates of lemons", "licences", "bolts of linen", "test kits"]
FIELDS = ["supplier", "invoice_no", "quantity", "total", "due", "currency"]


def invoice_task(rng: Random) -> Task:
    """A letter of a firm about money."""
    n, price = rng.randint(2, 90), rng.randint(11, 480)
    fields = {
        "supplier": rng.choice(FIRMS),
        "invoice_no": f"{rng.choice('ABKRX')}{rng.randint(2019, 2025)}-{rng.randint(100, 9999)}",
        "quantity": n,
        "total": n * price,
        "due": f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
        "currency": rng.choice(["EUR", "USD", "NOK", "GBP"]),
    }
    opening = rng.choice(["Dear all,", "To whom it may concern:", "Hello,", "Good morning,"])
    prompt = (
        f"{opening} please find our invoice {fields['invoice_no']} for {n} {rng.choice(ITEMS)} at {price} "
        f"{fields['currency']} each, payable by {fields['due']}. With kind regards, {fields['supplier']}\n\n"
        f"Extract {', '.join(FIELDS)} as one JSON object."
    )
    return Task(prompt, json.dumps(fields), "invoices", 0.5)


def invoice_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """An object; a wrong one has one to three wrong fields."""
    fields = json.loads(task.gold)
    bad = [] if right else rng.sample(FIELDS, rng.choices([1, 2, 3, 4], [4, 3, 2 - t, 1.2 - t])[0])
    for name in bad:
        value = fields[name]
        others = [None, value[:-1], value.lower()] if isinstance(value, str) else [value + 1, value + 10, value - 1]
        fields[name] = rng.choice([other for other in others if other != value])
    intro = rng.choice(["", "Here is the object:\n", "Extracted:\n"])
    text = json.dumps(fields, indent=rng.choice([None, None, 2]))
    return Reply([{"role": "assistant", "content": f"{intro}{text}"}], text, {"fields_right": len(FIELDS) - len(bad)})


INVOICES = Domain(invoice_task, invoice_reply)
