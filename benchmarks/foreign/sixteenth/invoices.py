"""Invoices whose fields are extracted into JSON."""

import json
from random import Random

from benchmarks.foreign.sixteenth.attempts import Task, World, Written, say

FIRMS = [
    "Nordlicht GmbH",
    "Casa Verde SL",
    "Atelier Brun",
    "Okafor & Sons",
    "Lindqvist AB",
    "Mori Trading",
    "Blue Heron Ltd",
]


def _invoice(rng: Random) -> Task:
    fields = {
        "vendor": rng.choice(FIRMS),
        "number": f"{rng.choice('ABCK')}-{rng.randint(1000, 99999)}",
        "date": f"2024-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
        "net": rng.randint(40, 9000),
        "vat_rate": rng.choice((7, 10, 19, 20, 25)),
    }
    prompt = (
        f"Invoice\n{fields['vendor']}\nNo. {fields['number']}  dated {fields['date']}\nServices as agreed: "
        f"{fields['net']}.00 EUR net\nplus {fields['vat_rate']} % VAT\n\n"
        "Give vendor, number, date, net, vat_rate as JSON."
    )
    return Task(prompt, json.dumps(fields), f"vat_{fields['vat_rate']}", -0.1, "Reply with JSON only.")


def _extract(rng: Random, task: Task, right: bool) -> Written:
    fields = json.loads(task.gold)
    for name in [] if right else rng.sample(list(fields), rng.randint(1, 3)):
        fields[name] = rng.choice(
            (None, "n/a", task.prompt.split()[1], fields["net"] * 2 if name == "net" else "unknown")
        )
    if rng.random() < 0.4:
        fields = dict(rng.sample(list(fields.items()), len(fields)))
    text = json.dumps(fields, indent=rng.choice((None, 1, 2)), ensure_ascii=False)
    return [say(f"```json\n{text}\n```" if rng.random() < 0.5 else text)], json.dumps(fields)


INVOICES = World("inv-", _invoice, _extract)


def share_of_fields(one_answer: str, gold: str) -> float:
    """Fields that are extracted as the invoice says."""
    found, wanted = json.loads(one_answer), json.loads(gold)
    return sum(found.get(name) == value for name, value in wanted.items()) / len(wanted)
