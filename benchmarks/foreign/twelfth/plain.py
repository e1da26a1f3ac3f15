"""Short tasks: routing of tickets, fields of an invoice, questions on a passage."""

import json
from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, say

TICKETS = {
    "billing": (
        "I was charged twice for {month}.",
        "The invoice of {month} shows a wrong VAT number.",
        "Where is my {month} credit note?",
    ),
    "login": (
        "The reset mail of {month} never came.",
        "My code app was lost in {month}, I can't sign in.",
        "Locked out since {month}.",
    ),
    "shipping": (
        "The parcel sent in {month} is still in transit.",
        "Wrong street on my {month} delivery.",
        "Box arrived open in {month}.",
    ),
    "bug": (
        "Export to CSV crashes since the {month} update.",
        "The {month} calendar shows each day twice.",
        "Dark mode is white since {month}.",
    ),
}
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
CLIENTS = ("Order {n}.", "Customer {n} writes:", "Ticket {n}:", "Account {n}:")
FIRMS = ("Hollis Print", "Norrland Timber", "Pico Parts", "Verde Farms", "Lumiere SARL", "Kestrel Ltd")
PEOPLE = ("Agnes", "Bela", "Chidi", "Daria", "Emil", "Fumiko", "Goran", "Halima")
CRAFTS = ("potter", "glazier", "beekeeper", "clockmaker", "boatbuilder", "weaver", "saddler")


def ticket(rng: Random, number: int) -> Task:
    """One word out of four."""
    label = rng.choice(sorted(TICKETS))
    body = rng.choice(TICKETS[label]).format(month=rng.choice(MONTHS))
    head = rng.choice(CLIENTS).format(n=rng.randint(1000, 99999))
    likely = rng.choice([name for name in sorted(TICKETS) if name != label])

    def write(rng: Random, right: bool, progress: float) -> Reply:
        said = (
            label if right else likely if rng.random() < 0.8 else rng.choice([x for x in sorted(TICKETS) if x != label])
        )
        return Reply([say(said)], said)

    prompt = f"Route this ticket: billing, bug, login or shipping? One word.\n\n{head} {body}"
    return Task(f"tk-{number:04d}", "routing", prompt, label, write, rng.gauss(0, 1.0))


def invoice(rng: Random, number: int) -> Task:
    """Three fields as JSON, always under the same keys."""
    firm, amount = rng.choice(FIRMS), rng.randint(2100, 980000) / 100
    date = f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    head = f"{firm}\nInvoice {rng.randint(1000, 9999)} of {date}"
    text = f"{head}\nNet {amount * 0.8:.2f}\nGross {amount:.2f} EUR\nDue in 14 days"
    gold = {"vendor": firm, "date": date, "gross": amount}

    def write(rng: Random, right: bool, progress: float) -> Reply:
        said = dict(gold)
        if not right:
            field, value = rng.choice(
                (("gross", round(amount * 0.8, 2)), ("date", date[:8] + "31"), ("vendor", firm.split()[0]))
            )
            said[field] = value
        text = json.dumps(said)
        return Reply([say(f"```json\n{text}\n```")], text)

    system = 'Return {"vendor": ..., "date": "YYYY-MM-DD", "gross": number} in a json block, and nothing else.'
    return Task(f"inv-{number:04d}", "invoice", text, json.dumps(gold), write, rng.gauss(0, 0.6), system)


def passage(rng: Random, number: int) -> Task:
    """A passage that holds its answer, as such passages do."""
    who = rng.sample(PEOPLE, 3)
    crafts = rng.sample(CRAFTS, 3)
    years = rng.sample(range(1878, 1961), 3)
    lines = [f"{w} became a {c} in {y}." for w, c, y in zip(who, crafts, years, strict=True)]
    asked = rng.randrange(3)
    by_year = rng.random() < 0.5
    gold = str(years[asked]) if by_year else who[asked]
    wish = f"In which year did {who[asked]} begin?" if by_year else f"Who became a {crafts[asked]}?"

    def write(rng: Random, right: bool, progress: float) -> Reply:
        other = rng.choice([i for i in range(3) if i != asked])
        said = gold if right else str(years[other]) if by_year else who[other]
        why = lines[asked if right else other]
        head = f'The passage says: "{why}"' if rng.random() < 0.4 + 0.5 * progress else "From the passage."
        return Reply([say(f"{head}\nAnswer: {said}")], said)

    prompt = f"{' '.join(rng.sample(lines, 3))} {wish}"
    return Task(f"rd-{number:04d}", "year" if by_year else "person", prompt, gold, write, rng.gauss(0, 0.6))
