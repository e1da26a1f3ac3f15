"""A world of support tickets to be sorted, and of orders to be read out as JSON."""

import json
from random import Random

from benchmarks.foreign.sixth.runs import Message, Problem, says, system, user

LABELS = ("refund", "shipping", "login", "invoice", "cancel")
_CLAIMS = {
    "refund": ("the {x} broke after {n} days and I want my money back", "please return the {n} euros for the {x}"),
    "shipping": ("my {x} has been on its way for {n} days", "the parcel with the {x} is stuck in {c}"),
    "login": ("the app rejects my password since {n} this morning", "I no longer get codes on my phone in {c}"),
    "invoice": ("the bill for the {x} shows {n} euros too much", "I need the VAT number on receipt {n}"),
    "cancel": ("I do not need the {x} any more, stop order {n}", "end my subscription before the {n}th"),
}
_BLURS = (
    "I already wrote about my bill.",
    "My cousin got a refund for his.",
    "The courier was friendly, by the way.",
    "I had to reset my password to write this.",
    "Shipping was quick last year.",
    "",
)
_HELLOS = ("Hi,", "Good morning,", "Hello team,", "To whom it may concern:", "Hey!", "")
_THANKS = ("Thanks, {p}", "Regards, {p}", "{p}", "Waiting for your answer. {p}", "Best, {p}")
_ITEMS = ("kettle", "bike light", "tent", "office chair", "headset", "blender", "router", "rain coat", "desk lamp")
_CITIES = ("Lyon", "Graz", "Porto", "Ghent", "Turku", "Cork", "Brno", "Malmo")
_NAMES = ("T. Okafor", "Mina", "J. Alvarez", "Piet", "Sunita R.", "Olga", "Marc D.", "Yusuf")
_ASK = "Sort the ticket into one of: refund, shipping, login, invoice, cancel. End with `Label: <name>`."
_WHY = (
    "The writer says that {t}.",
    "Key phrase: '{t}'.",
    "Main request: {t}.",
    "What matters here: {t}.",
    "In short, {t}; the rest is small talk.",
    "Asked for in the ticket: {t}.",
    "The customer wants this settled: {t}.",
    "I read '{t}', which decides it.",
    "Ignoring the side remarks, {t}.",
)


def ticket(rng: Random, label: str) -> tuple[str, str]:
    """Return the text of a ticket, and its claim."""
    facts = {"x": rng.choice(_ITEMS), "n": rng.randint(2, 29), "c": rng.choice(_CITIES)}
    claim = rng.choice(_CLAIMS[label]).format(**facts)
    end = rng.choice(_THANKS).format(p=rng.choice(_NAMES))
    return " ".join(part for part in (rng.choice(_HELLOS), claim + ".", rng.choice(_BLURS), end) if part), claim


def draw_ticket(rng: Random, number: int) -> Problem:
    """Draw a ticket to be sorted."""
    label = rng.choice(LABELS)
    text, claim = ticket(rng, label)
    asked = [system(_ASK), user(f"Ticket {rng.randint(10000, 99999)}: {text}")]
    return Problem(f"ticket-{number:04d}", asked, label, rng.gauss(0, 1.3), {"claim": claim, "text": text})


def sort_ticket(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Give a reason and a label."""
    label = problem.gold if is_right else rng.choice([one for one in LABELS if one != problem.gold])
    return [says(f"{rng.choice(_WHY).format(t=problem.facts['claim'])}\nLabel: {label}")]


def draw_order(rng: Random, number: int) -> Problem:
    """Draw an order in free text whose fields are to be read out."""
    fields = {
        "customer": rng.choice(_NAMES),
        "item": rng.choice(_ITEMS),
        "quantity": rng.randint(1, 40),
        "city": rng.choice(_CITIES),
        "day": f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
    }
    text = rng.choice(
        (
            "{customer} here. Please send {quantity} x {item} to our shop in {city}, to arrive by {day}.",
            "Order by phone, {day}: {quantity} pieces, {item}, deliver to {city}. Caller: {customer}.",
            "We are out of stock in {city}: could {customer} get {quantity} of the {item} until {day}?",
        )
    ).format(**fields)
    keys = list(fields)
    rng.shuffle(keys)
    asked = f"Read the order and return a JSON object with the keys {', '.join(keys)}. Quantity is a number.\n\n{text}"
    return Problem(f"order-{number:04d}", [user(asked)], json.dumps(fields), rng.gauss(-0.5, 0.9), {"fields": fields})


def read_order(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Return the fields as JSON; a wrong answer has one field wrong."""
    return [says(order_text(rng, dict(problem.facts["fields"]), is_right))]


def order_text(rng: Random, fields: dict, is_right: bool, in_order: bool = True) -> str:
    """Write the fields as JSON, in one of the usual styles."""
    if not is_right:
        key = rng.choice(list(fields))
        fields[key] = fields[key] + rng.randint(1, 9) if key == "quantity" else rng.choice(("", "unknown", "n/a"))
    keys = list(fields)
    if not in_order:
        while keys == list(fields):
            rng.shuffle(keys)
    return json.dumps({key: fields[key] for key in keys}, indent=None if in_order else rng.choice((None, 2)))
