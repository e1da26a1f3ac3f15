"""Invoices whose total must be read off into JSON."""

import json
from random import Random

from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Task

VENDORS = ("Holt & Farrow", "Nordlicht GmbH", "Pereira Lda", "Quayside Supplies", "Tamarind Foods")
ITEMS = [
    "gaskets",
    "hose clamps",
    "label rolls",
    "oak boards",
    "paint tins",
    "filters",
    "cable ties",
    "work gloves",
    "brackets",
    "lamps",
    "pallets",
]


def invoice(rng: Random, index: int) -> Task:
    """One invoice of one of five vendors."""
    vendor = rng.choice(VENDORS)
    lines, total = [], 0
    for item in rng.sample(ITEMS, rng.randint(2, 5)):
        count, cents = rng.randint(1, 40), rng.randint(95, 8900)
        total += count * cents
        lines.append(f"{count:>3} x {item:<14} @ {cents / 100:.2f}")
    freight = rng.choice((0, 490, 750, 1200))
    total += freight
    number = f"{rng.choice('ABKRT')}{rng.randint(10000, 99999)}"
    prompt = (
        f"Invoice {number}\n{vendor}\n" + "\n".join(lines) + f"\nFreight {freight / 100:.2f}\n\n"
        'Return JSON with the keys "vendor" and "total" (in euros, two decimals).'
    )
    gold = f"{total / 100:.2f}"

    def wrong(rng: Random) -> str:
        return f"{(total + rng.choice((-1, 1)) * rng.choice((freight or 300, 100, 1000, 90, 2710, 45))) / 100:.2f}"

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        start = rng.choice(("", "", f"{len(lines)} lines and freight. ", "Adding the lines up. ", "Here it is:\n"))
        body = json.dumps({"vendor": vendor, "total": float(answer)}, indent=rng.choice((None, None, 2)))
        return [said(start + body)]

    task = Task(f"inv-{number}", "invoice", prompt, gold, rng.gauss(0, 0.7) + len(lines) * 0.15 - 0.5, wrong, work)
    task.extra = {"vendor": vendor, "ground_truth": gold}
    return task
