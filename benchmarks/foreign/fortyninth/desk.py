"""A service desk with tools: look an order up, apply the rules, refund, and say how much."""

import random

from benchmarks.foreign.fortyninth.attempts import Attempt, Task, say, told

GOODS = (
    "kettle",
    "desk lamp",
    "bicycle pump",
    "tent",
    "rain jacket",
    "headset",
    "coffee mill",
    "sleeping mat",
    "scale",
)
REASONS = (
    "it arrived scratched",
    "it is the wrong size",
    "a part was missing",
    "it stopped working",
    "I ordered twice",
)
SYSTEM = (
    "You work at a service desk. Tools: get_order(order_id), refund(order_id, amount). Refund the item's price "
    "minus the "
    "return fee of the order. End with the amount in whole cents, as `REFUND: n`."
)


def orders(rng: random.Random) -> Task:
    """A refund to work out."""
    oid, good = f"R{rng.randint(10000, 99999)}", rng.choice(GOODS)
    price, fee, ship = rng.randint(900, 18000), rng.randint(50, 700), rng.randint(200, 900)
    record = f'{{"order_id": "{oid}", "item": "{good}", "price": {price}, "shipping": {ship}, "return_fee": {fee}}}'
    prompt = f"Hello, I want to send back the {good} of order {oid}, {rng.choice(REASONS)}. Please refund me."
    data = {"oid": oid, "good": good, "price": price, "fee": fee, "ship": ship, "record": record}
    return Task("desk", "refund", prompt, str(price - fee), rng.gauss(0, 0.8), SYSTEM, data)


def amount_of(rng: random.Random, task: Task, right: bool) -> int:
    """What the policy takes for the amount."""
    d = task.data
    if right:
        return d["price"] - d["fee"]
    wrong = [d["price"], d["price"] + d["ship"] - d["fee"], d["price"] - d["ship"], d["price"] + d["ship"]]
    return rng.choice([w for w in wrong if str(w) != task.gold])


def looks_up(rng: random.Random, task: Task, answer: str | None = None, ok: bool = True) -> list[dict]:
    """The look-up and what it says."""
    first = rng.choice(
        [
            "I look the order up before I promise anything.",
            f"Let me open order {task.data['oid']}.",
            f"To refund the {task.data['good']} I need the record of the order.",
        ]
    )
    record = task.data["record"] if answer is None else answer
    return [say(first, ("get_order", {"order_id": task.data["oid"]})), told("get_order", record, ok)]


def refunds(rng: random.Random, task: Task, amount: int) -> list[dict]:
    """The refund and the closing words."""
    d = task.data
    think = rng.choice(
        [
            f"The record shows a price of {d['price']} and a return fee of {d['fee']}; I arrive at {amount}.",
            f"Price {d['price']}, shipping {d['ship']}, return fee {d['fee']}: the refund is {amount}.",
            f"By the rules {amount} cents go back to the customer.",
        ]
    )
    done = f'{{"status": "refunded", "order_id": "{d["oid"]}", "amount": {amount}}}'
    last = rng.choice(
        [
            f"Your refund for the {d['good']} is on its way.",
            f"I have refunded order {d['oid']}; it takes a few days to arrive.",
            "Sorry for the trouble, the money is on its way back to you.",
        ]
    )
    call = ("refund", {"order_id": d["oid"], "amount": amount})
    return [say(think, call), told("refund", done), say(f"{last}\nREFUND: {amount}")]


def play_order(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """An attempt at a refund, paid for the right amount."""
    messages = looks_up(rng, task) + refunds(rng, task, amount_of(rng, task, right))
    attempt = Attempt(task, messages, right)
    attempt.reward = float(right)
    attempt.terms = {"correct": attempt.reward}
    return attempt
