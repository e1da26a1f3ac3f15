"""A shop's help desk: orders in a database, tools that read and change them, and what customers want."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighth.course import Reply, Task
from benchmarks.foreign.eighth.repositories import call

SYSTEM = (
    "You are the help desk of a shop. Tools: get_order, refund_order, change_address, cancel_order. Refunds are "
    "allowed within 30 days of delivery. Look at the order before you change it."
)
ARTICLES = [
    "a pair of boots",
    "a coffee grinder",
    "two curtains",
    "a pram",
    "a set of knives",
    "a bicycle lock",
    "a rug",
]
STREETS = ["Mill Lane", "Station Road", "Abbey Street", "Park Avenue", "Quay Street", "Church Hill"]
WISHES = {
    "refund": [
        "Hello, I'd like my money back for order {o}, {a} that do not suit us.",
        "Please refund order {o} ({a}).",
    ],
    "address": ["I have moved. Please send order {o} to {n} {s} instead.", "Order {o} must go to {n} {s}, thank you!"],
    "cancel": ["I ordered {a} twice by mistake, please cancel {o}.", "Can you cancel {o}? It has not been sent yet."],
}
TOOLS = {"refund": "refund_order", "address": "change_address", "cancel": "cancel_order"}
DONE = {"refund": "refunded", "address": "address_changed", "cancel": "cancelled"}
FAREWELLS = [
    "Is there anything else?",
    "Have a good day.",
    "You will get a confirmation by e-mail.",
    "Thank you for waiting.",
]


def desk_task(rng: Random) -> Task:
    """A customer's wish; right: the order ends in the state that was asked for."""
    wish, order = rng.choice(sorted(WISHES)), f"#{rng.choice('ABKRW')}{rng.randint(10000, 99999)}"
    article, street, house = rng.choice(ARTICLES), rng.choice(STREETS), rng.randint(1, 140)
    days, total = rng.randint(2, 25), rng.randint(15, 240)
    prompt = rng.choice(WISHES[wish]).format(o=order, a=article, s=street, n=house)

    def solve(rng: Random, right: bool) -> Reply:
        state = {
            "order": order,
            "article": article,
            "total": total,
            "status": "delivered" if wish == "refund" else "packed",
        }
        state |= {"days_since_delivery": days} if wish == "refund" else {}
        thought = rng.choice(["I look at the order.", "One moment, please.", "Let me open the order."])
        messages = call("get_order", {"order_id": order}, thought, json.dumps(state), 0)
        messages += _act(rng, wish, order, right, f"{house} {street}", total)
        return Reply(messages, "")

    return Task(prompt, "", wish, 0.0, solve, SYSTEM, extra={"order_id": order, "goal_state": DONE[wish]})


def _act(rng: Random, wish: str, order: str, right: bool, address: str, total: int) -> list[Row]:
    """The change that was asked for, or one that does not meet the wish."""
    if not right and rng.random() < 0.5:
        text = rng.choice(
            ["I am afraid that is not possible for this order.", "Please contact the carrier about this."]
        )
        return [{"role": "assistant", "content": f"{text} {rng.choice(FAREWELLS)}"}]
    arguments: Row = {"order_id": order}
    if wish == "address":
        arguments["address"] = address if right else address.split(" ", 1)[1]
    if wish == "refund":
        arguments["amount"] = total if right else round(total * rng.choice([0.5, 0.8, 0.1]), 2)
    if wish == "cancel" and not right:
        arguments["scope"] = "one_item"
    said = json.dumps({"ok": True, "order": order, "status": DONE[wish] if right else "partly_done"})
    messages = call(TOOLS[wish], arguments, rng.choice(["I can do that.", "", "This is within the rules."]), said, 1)
    text = rng.choice(["This is done now.", f"Order {order} is settled as you wished.", "I have made the change."])
    return [*messages, {"role": "assistant", "content": f"{text} {rng.choice(FAREWELLS)}"}]


def already(order: str, wish: str) -> str:
    """What a tool says where an earlier attempt left the order changed."""
    return json.dumps({"ok": False, "order": order, "error": f"order already {DONE[wish]} (by this agent)"})
