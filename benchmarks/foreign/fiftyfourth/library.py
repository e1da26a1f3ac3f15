"""Questions for retrieval, notes to extract fields from, and requests for function calls."""

import json
import random

TOWNS = (
    "Velmora",
    "Askerby",
    "Dunholt",
    "Pirelli Bay",
    "Ostrava Mills",
    "Kestrel Point",
    "Lowmarsh",
    "Tarnwick",
    "Sandomir",
    "Hallowgate",
    "Brackley Vale",
    "Cinder Hill",
)
PLACES = ("lighthouse", "tram depot", "opera house", "botanical garden", "observatory", "fish market", "grain exchange")
FACTS = (
    ("In which year was the {p} of {t} opened?", "The {p} of {t} was opened in {v} after long delays.", 1840, 1990),
    ("How many steps lead to the {p} of {t}?", "Visitors climb {v} steps to reach the {p} of {t}.", 41, 320),
    ("How many workers built the {p} of {t}?", "The {p} of {t} was put up by {v} workers.", 35, 900),
)
NOISE = (
    "{t} lies on a slow river and is known for its autumn fair.",
    "A fire damaged several roofs of {t} long ago.",
    "The council of {t} meets on Thursdays.",
    "Trains from {t} leave for the coast twice a day.",
)
FIRMS = ("Holm & Sons", "Brightwater Ltd", "Casa Verde", "Nordlys AS", "Petrov Tools", "Ivy Print", "Lumen Freight")
ITEMS = ("roof tiles", "oak boards", "toner", "copper pipe", "desk lamps", "seed potatoes", "filter sand")


def questions(rng: random.Random, number: int) -> list[dict]:
    """Questions whose fact stands in a document beside the like fact of another place, which a wrong answer takes."""
    triples = rng.sample([(t, p, f) for t in TOWNS for p in PLACES for f in range(3)], number)
    out = []
    for at, (t, p, f) in enumerate(triples):
        ask, says, low, high = FACTS[f]
        value, off = (str(v) for v in rng.sample(range(low, high), 2))
        other = rng.choice([o for o in PLACES if o != p])
        lines = [n.format(t=t) for n in rng.sample(NOISE, 2)]
        lines += [says.format(p=p, t=t, v=value), says.format(p=other, t=t, v=off)]
        out.append(
            {
                "id": f"q{at:03d}",
                "text": ask.format(p=p, t=t),
                "gold": value,
                "place": p,
                "town": t,
                "doc": " ".join(rng.sample(lines, 4)),
                "off": off,
                "span": (low, high),
                "hard": rng.gauss(0, 0.9),
            }
        )
    return out


def search(query: str, text: str = "") -> dict:
    """An assistant turn that searches."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": "search", "arguments": {"query": query}}]}


def found(text: str, ok: bool = True) -> dict:
    """The answer of the search tool."""
    return {"role": "tool", "content": text, "tool_name": "search", "ok": ok}


def query(rng: random.Random, task: dict) -> str:
    """Words to search for."""
    return rng.choice(
        ("{town} {place}", "{place} of {town} history", "{place} in {town}", "{town} {place} facts")
    ).format(**task)


def concluded(rng: random.Random, task: dict, value: str) -> str:
    """An answer from documents."""
    lead = rng.choice(
        (
            "The document on {town} says so directly.",
            "The page about the {place} has it.",
            "One passage names the {place} of {town}.",
            "I found the sentence about the {place}.",
        )
    )
    return f"{lead.format(**task)} The number asked for is {value}.\n\n<answer>{value}</answer>"


def notes(rng: random.Random, number: int) -> list[dict]:
    """Delivery notes with vendor, total and due day."""
    out = []
    for at in range(number):
        firm, item = rng.choice(FIRMS), rng.choice(ITEMS)
        count, price, day = rng.randint(3, 60), rng.randint(4, 95), rng.randint(1, 28)
        month = rng.choice(("March", "May", "July", "October"))
        fields = {"vendor": firm, "total": count * price, "due": f"{day} {month}"}
        body = rng.choice(
            (
                "{f} delivered {c} lots of {i} at {p} euros each, {s} euros in all. Payment is due on {d}. Ref {r}.",
                "Ref {r}. Invoice of {f}: {i}, quantity {c}, unit price {p}, sum {s} euros, payable by {d}.",
                "To be paid by {d} to {f}: {s} euros for {c} × {i} ({p} euros a lot). Order {r}.",
            )
        ).format(f=firm, c=count, i=item, p=price, s=count * price, d=fields["due"], r=rng.randint(10000, 99999))
        out.append(
            {
                "id": f"note-{at:03d}",
                "text": body,
                "fields": fields,
                "gold": json.dumps(fields),
                "numbers": [count, price],
                "hard": rng.gauss(0, 1),
            }
        )
    return out


def extracted(rng: random.Random, task: dict, right: bool) -> dict:
    """Fields as an attempt reads them."""
    fields = dict(task["fields"])
    if not right:
        which = rng.choice(("vendor", "total", "due"))
        fields[which] = {
            "vendor": rng.choice([f for f in FIRMS if f != fields["vendor"]]),
            "total": rng.choice(task["numbers"]),
            "due": fields["due"].split()[1],
        }[which]
    return fields


def bookings(rng: random.Random, number: int) -> list[dict]:
    """Requests that one function call fulfils."""
    out = []
    for at in range(number):
        town, people, hour = rng.choice(TOWNS), rng.randint(2, 9), rng.randint(11, 21)
        name, what = rng.choice((("book_table", "a table"), ("book_court", "a tennis court"), ("book_tour", "a tour")))
        text = rng.choice(
            (
                "Please book {w} in {t} for {n} people at {h}:00.",
                "We are {n} and need {w} in {t} at {h}:00.",
                "Reserve {w} at {h}:00 in {t}, {n} persons.",
            )
        )
        out.append(
            {
                "id": f"fc-{at:03d}",
                "text": text.format(w=what, t=town, n=people, h=hour),
                "name": name,
                "arguments": {"town": town, "people": people, "hour": hour},
                "hard": rng.gauss(0, 1),
            }
        )
    return out
