"""A help desk of a shop: orders to look up, refunds and changes to make with tools."""

import random

from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, called, said, told

ITEMS = (
    "kettle",
    "rain jacket",
    "bicycle lamp",
    "desk chair",
    "tent pegs",
    "coffee grinder",
    "wool blanket",
    "headphones",
)
NAMES = ("Mrs. Adler", "Mr. Okafor", "Ms. Lindqvist", "Mr. Baptiste", "Mrs. Kowal", "Ms. Haddad", "Mr. Tanaka")
SYSTEM = (
    "You are the agent of a shop's help desk. Tools: get_order(order_id), refund(order_id, amount), "
    "change_address(order_id, street). Refund only what was paid for the item. Say what you did at the end."
)
STREETS = ("Harbour Lane", "Mill Road", "Old Market", "Birch Row", "Station Street")


def draw(rng: random.Random, step: int = 0) -> Problem:
    """A customer's request."""
    order = f"R{rng.randint(10000, 99999)}"
    item, name, paid = rng.choice(ITEMS), rng.choice(NAMES), rng.randint(12, 240)
    if rng.random() < 0.65:
        why = rng.choice(("arrived broken", "never worked", "is the wrong size", "came two weeks late"))
        prompt = f"Hello, this is {name}. The {item} of order {order} {why}, and I would like my money back."
        gold, family = f"refund:{order}:{paid}", "refund"
    else:
        street = f"{rng.choice(STREETS)} {rng.randint(1, 90)}"
        prompt = f"Hi, {name} here. Please send order {order} (the {item}) to {street} instead, we have moved."
        gold, family = f"address:{order}:{street}", "address"
    data = {"order": order, "item": item, "paid": paid, "shipping": rng.randint(3, 9), "name": name, "domain": "tools"}
    return Problem(f"desk-{order}", family, prompt, gold, rng.uniform(0.3, 0.7), SYSTEM, data)


def lookup(rng: random.Random, problem: Problem, status: str = "delivered") -> list[dict[str, object]]:
    """Reading the order."""
    d = problem.data
    text = rng.choice(
        (
            "I'll check the order first.",
            f"Let me open order {d['order']}.",
            "Before I change anything I look at the order.",
        )
    )
    shown = (
        f'{{"order_id": "{d["order"]}", "item": "{d["item"]}", "item_price": {d["paid"]}, "shipping": {d["shipping"]}, '
        f'"total": {d["paid"] + d["shipping"]}, "status": "{status}"}}'
    )
    return [called(text, "get_order", order_id=d["order"]), told("get_order", shown)]


def act(rng: random.Random, problem: Problem, right: bool) -> tuple[dict[str, object], str, str]:
    """The call, its tool's name, and what the agent says it did."""
    d = problem.data
    if problem.family == "refund":
        amount = d["paid"] if right else d["paid"] + d["shipping"]
        say = rng.choice(("The item was paid for, so a refund is due.", "This is covered by our terms; refunding now."))
        return called(say, "refund", order_id=d["order"], amount=amount), "refund", f"I have refunded {amount} euros"
    street = problem.gold.split(":")[2]
    if not right:
        street = street.rsplit(" ", 1)[0]
    say = rng.choice(("The order can still be changed.", "I enter the new address as given."))
    return (
        called(say, "change_address", order_id=d["order"], street=street),
        "change_address",
        f"The order now goes to {street}",
    )


def farewell(rng: random.Random, problem: Problem, done: str) -> dict[str, object]:
    """The last message."""
    end = rng.choice(
        ("Is there anything else?", "Sorry for the trouble.", "You will get a confirmation by mail.", "Kind regards.")
    )
    return said(
        f"{done} for the {problem.data['item']} of order {problem.data['order']}, {problem.data['name']}. {end}"
    )


def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
    """An ordinary episode; the state of the shop at the end is compared with the one wanted."""
    right = rng.random() < skill
    call, tool, done = act(rng, problem, right)
    messages = [*lookup(rng, problem), call, told(tool, '{"ok": true}'), farewell(rng, problem, done)]
    score = float(right)
    return Attempt(messages, score, score)
