"""Customers of a shop and of an airline, and the agent's turns with them."""

from random import Random

from benchmarks.foreign.twentyfifth.course import Task

FIRST = ("Mei", "Omar", "Lucia", "Piotr", "Aisha", "Noah", "Ingrid", "Raj", "Chen", "Sofia", "Ivan", "Fatima")
LAST = ("Patel", "Moreau", "Kowalski", "Silva", "Haddad", "Nguyen", "Berg", "Rossi", "Sato", "Okafor")
GOODS = ("desk lamp", "jigsaw puzzle", "water bottle", "bookshelf", "headset", "hiking boots", "kettle", "backpack")
WHYS = (
    "it was ordered by mistake",
    "I no longer need it",
    "I found it cheaper",
    "it comes too late",
    "it's the wrong colour",
)
POLICY = (
    "You are a shop's agent. Look the order up, tell the customer what you will do and get an explicit yes before any "
    "change, then make the change and say that it is done. One tool at a time."
)


def order_task(rng: Random) -> Task:
    """A customer who wants a pending order changed."""
    first, last, good = rng.choice(FIRST), rng.choice(LAST), rng.choice(GOODS)
    order = f"#W{rng.randrange(1000000, 9999999)}"
    act = rng.choice(["cancel_pending_order", "modify_order_address", "exchange_item"])
    wish = {
        "cancel_pending_order": "cancel",
        "modify_order_address": "change the address of",
        "exchange_item": "exchange",
    }
    info = {
        "order": order,
        "good": good,
        "act": act,
        "why": "I have moved" if act == "modify_order_address" else rng.choice(WHYS),
        "total": rng.randint(18, 460),
    }
    prompt = (
        f"Hi, {first} {last} here, zip {rng.randrange(10000, 99999)}. I want to {wish[act]} the {good} in order {order}"
    )
    return Task(f"{prompt}, {info['why']}.", act, info)


def shown(info: dict) -> str:
    """What the shop's database says of the order."""
    head = f'{{"order_id": "{info["order"]}", "status": "pending", "items": [{{"name": "{info["good"]}"}}], '
    return f'{head}"total": {info["total"]}}}'
