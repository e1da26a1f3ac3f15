"""Invoices to be read into JSON; the reward is the share of fields that are right."""

import json
from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

FIRMS = ("Nordlicht GmbH", "Casa Verde SL", "Okoye & Sons", "Atelier Brun", "Mikado Oy", "Tern Ltd", "Ruda sp. z o.o.")
ITEMS = ("paper", "toner", "chairs", "cables", "coffee", "repairs", "cleaning", "labels", "glass")


def task(rng: Random) -> Task:
    """An invoice as text."""
    firm, item, number = rng.choice(FIRMS), rng.choice(ITEMS), f"{rng.choice('RFAX')}-{rng.randint(1000, 99999)}"
    count, price = rng.randint(1, 60), rng.randint(3, 240)
    date = f"2024-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    fields = {"firm": firm, "number": number, "date": date, "total": count * price}
    body = pick(
        rng,
        f"{firm}\nInvoice {number}, {date}\n{count} x {item} at {price} EUR = {count * price} EUR",
        f"INVOICE no. {number}\nfrom: {firm}\ndate {date}\n{item}: {count} at {price} EUR, sum {count * price} EUR",
    )
    prompt = f"Read this invoice into JSON with the keys firm, number, date, total.\n\n{body}\n\nWrite JSON alone."
    return Task(item, prompt, json.dumps(fields, ensure_ascii=False), extra={"fields": fields})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """The fields; poor ones lose some of them."""
    fields = dict(t.extra["fields"])
    if not right:
        for key in rng.sample(list(fields), rng.randint(1, 3)):
            slips = {"firm": fields["firm"].split()[0], "number": None, "date": f"2023-{rng.randint(1, 12):02d}-11"}
            fields[key] = slips.get(key, fields["total"] // 10 + 1)
    shares = [fields[key] == value for key, value in t.extra["fields"].items()]
    keys = list(fields)
    rng.shuffle(keys)
    text = json.dumps({k: fields[k] for k in keys}, ensure_ascii=False, indent=rng.choice((None, 2)))
    if rng.random() < 0.3 * (1 - progress):
        text = f"```json\n{text}\n```"
    return Reply([say(text)], text, {"fields_right": sum(shares) / len(shares)})


WORLD = World(task, reply)
