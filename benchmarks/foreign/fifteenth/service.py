"""A desk for orders: look up, then refund, replace, or tell the customer why not."""

import json
from random import Random

from benchmarks.foreign.fifteenth.core import Reply, Task, World

ITEMS = ["desk lamp", "rain jacket", "coffee grinder", "yoga mat", "bird feeder", "steam iron", "headset", "tent pegs"]
MOODS = ["Hi,", "Hello there.", "Good evening,", "Honestly, I am annoyed.", "hey", "Dear team,"]
WISHES = {
    "refund": ["I want my money back.", "please refund it", "Can I have a refund?"],
    "replace": ["Please send a new one.", "can you replace it", "I would like an exchange."],
    "decline": ["I have had it for ages but want my money back.", "It is old, still: a refund please."],
}
WHY = {"refund": "arrived broken", "replace": "is the wrong colour", "decline": "no longer pleases me"}


def make(rng: Random) -> Task:
    """A message of a customer."""
    family, item = rng.choice(list(WISHES)), rng.choice(ITEMS)
    number = f"{rng.choice('ABCDEFGH')}{rng.randint(10000, 99999)}"
    text = f"{rng.choice(MOODS)} My {item} (order {number}) {WHY[family]}. {rng.choice(WISHES[family])}"
    age = rng.randint(40, 300) if family == "decline" else rng.randint(2, 29)
    return Task(
        text,
        family,
        family,
        rng.gauss(0, 0.3),
        work={"order": number, "item": item, "age": age, "paid": rng.randint(9, 190)},
    )


def call(name: str, said: str = "", **arguments: object) -> dict:
    """A call of one of the desk's tools."""
    return {"role": "assistant", "content": said, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> dict:
    """What the tool says."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def lookup(rng: Random, task: Task) -> list[dict]:
    """The order is looked up."""
    w = task.work
    order = {"order": w["order"], "item": w["item"], "delivered_days_ago": w["age"], "paid": w["paid"]}
    said = rng.choice(["", "I'll check the order.", "One moment, looking it up."])
    return [call("get_order", said, order_id=w["order"]), told("get_order", json.dumps(order))]


def act(rng: Random, task: Task, what: str) -> list[dict]:
    """The order is refunded or replaced."""
    name = {"refund": "issue_refund", "replace": "send_replacement"}[what]
    done = f"{'refund' if what == 'refund' else 'shipment'} {rng.getrandbits(28):07x} created"
    return [call(name, order_id=task.work["order"]), told(name, done)]


FINALS = {
    "refund": ["Your refund for the {i} is on its way.", "Done: the {i} is refunded.", "I have refunded order {o}."],
    "replace": [
        "A new {i} leaves us tomorrow.",
        "I have sent a replacement for order {o}.",
        "Your new {i} is on its way.",
    ],
    "decline": [
        "I am sorry: order {o} came {a} days ago, past our 30 days, so I cannot refund it.",
        "The {i} is {a} days old, and returns end after 30. I cannot take it back.",
    ],
}


def final(rng: Random, task: Task, what: str) -> dict:
    """The last message to the customer."""
    w = task.work
    text = rng.choice(FINALS[what]).format(i=w["item"], o=w["order"], a=w["age"])
    return {"role": "assistant", "content": text + rng.choice(["", " Anything else?", " Thank you for your patience."])}


def solve(rng: Random, task: Task, right: bool, level: float) -> Reply:
    """Look up, act, tell."""
    what = task.gold if right else rng.choice([f for f in WISHES if f != task.gold])
    messages = lookup(rng, task)
    if what != "decline":
        messages += act(rng, task, what)
    return Reply([*messages, final(rng, task, what)], what)


POLICY = "You serve customers of a shop. Orders delivered at most 30 days ago may be refunded or replaced."
SERVICE = World("orderdesk", make, solve, POLICY)
