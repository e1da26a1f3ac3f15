"""Customer service with tools that read and change orders."""

import json
from random import Random
from typing import Any

from benchmarks.foreign.seventh.prose import FIRST, GOODS, LAST, TOWNS, say, token
from benchmarks.foreign.seventh.rollouts import Message, Reply, Task, call, said, told

_POLICY = (
    "You are a service agent of a web shop. Use the tools. Refund only delivered orders that are at most {days} days "
    "old; otherwise hand over with transfer_to_human. Change nothing that was not asked for."
)
_HAND_OVER = "transfer_to_human"
_DIRECT = {"refund": "refund_order", "address": "update_address", "cancel": "cancel_order"}
"""What a wish asks for where the policy of the shop allows it."""


def customer(rng: Random) -> dict[str, Any]:
    """Draw a customer with orders."""
    first, last = rng.choice(FIRST), rng.choice(LAST)
    orders = [
        {
            "order_id": f"W{rng.randint(100000, 999999)}",
            "item": rng.choice(GOODS),
            "amount": rng.randint(900, 24000) / 100,
            "status": rng.choice(("delivered", "delivered", "shipped", "processing", "processing")),
            "age_days": rng.randint(1, 40),
            "ship_to": rng.choice(TOWNS),
        }
        for _ in range(rng.randint(2, 4))
    ]
    return {
        "customer_id": f"c_{token(rng, 6)}",
        "name": f"{first} {last}",
        "email": f"{first}.{last}@mail.example".lower(),
        "orders": orders,
    }


def complaint(rng: Random, who: dict[str, Any], order: dict[str, Any], want: str, town: str) -> str:
    """Return what the customer writes."""
    hello = say(rng, f"[Hi|Hello|Good morning|Hey there], [this is|I'm|my name is] {who['name']} ({who['email']}). ")
    if want == "refund":
        return hello + say(
            rng,
            f"[I'd like my money back for|Please refund|I want to return] the {order['item']} [from|in] order "
            f"{order['order_id']}. [They arrived damaged.|Not what I expected.|The colour is wrong.|]",
        )
    if want == "address":
        return hello + say(
            rng,
            "[I have moved|I'm moving house]. [Please send|Could you send|Can you redirect] order "
            f"{order['order_id']} to {town} [instead|now]?",
        )
    return hello + say(
        rng,
        f"[Please cancel|I need to cancel|Can you stop] order {order['order_id']}, "
        "[I ordered by mistake|I found it cheaper|it takes too long].",
    )


def due(order: dict[str, Any], want: str, days: int) -> str:
    """Return the name of the tool that ends the case rightly."""
    if want == "refund":
        allowed = order["status"] == "delivered" and order["age_days"] <= days
    else:
        allowed = order["status"] == "processing"
    return _DIRECT[want] if allowed else _HAND_OVER


def act(rng: Random, name: str, order: dict[str, Any], town: str) -> list[Message]:
    """Return the deciding call and its answer."""
    number = order["order_id"]
    if name == "refund_order":
        return [
            call("", name, order_id=number, amount=order["amount"]),
            told(name, json.dumps({"ok": True, "refunded": order["amount"]})),
        ]
    if name == "update_address":
        return [call("", name, order_id=number, ship_to=town), told(name, json.dumps({"ok": True, "ship_to": town}))]
    if name == "cancel_order":
        return [call("", name, order_id=number), told(name, json.dumps({"ok": True, "status": "cancelled"}))]
    reason = say(rng, "[outside the refund window|order state does not allow it|needs a supervisor]")
    return [
        call("", name, reason=reason),
        told(name, json.dumps({"ok": True, "ticket": f"T{rng.randint(1000, 9999)}"})),
    ]


_CLOSING = {
    "refund_order": "[Done|All set]: [the amount|your money] will be back [in 3-5 days|within a week].",
    "update_address": "[Done|I changed it]: the parcel goes to your new address.",
    "cancel_order": "[The order is cancelled|I have cancelled it], [you will not be charged|nothing will be charged].",
    _HAND_OVER: "[A colleague|Someone from our team] will [take over|look at this] [shortly|today].",
}


def served(
    rng: Random, right: bool, who: dict[str, Any], order: dict[str, Any], want: str, days: int, town: str
) -> Reply:
    """Return a reply in which the agent looks the customer up, reads the order and acts."""
    name = due(order, want, days)
    target = order
    if not right:
        direct = _DIRECT[want]
        name = direct if name == _HAND_OVER else _HAND_OVER
        if name == _HAND_OVER and len(who["orders"]) > 1 and rng.random() < 0.5:
            name, target = direct, rng.choice([o for o in who["orders"] if o is not order])
    messages = [
        call(say(rng, "[|I'll look up your account.|One moment please.]"), "find_customer", email=who["email"]),
        told("find_customer", json.dumps({"customer_id": who["customer_id"], "name": who["name"]})),
    ]
    if rng.random() < 0.12:
        wrong = order["order_id"][:-1]
        messages += [
            call("", "get_order", order_id=wrong),
            told("get_order", json.dumps({"error": f"order {wrong} not found"}), False),
        ]
    if rng.random() < 0.5:
        numbers = [o["order_id"] for o in who["orders"]]
        messages += [call("", "list_orders", customer_id=who["customer_id"]), told("list_orders", json.dumps(numbers))]
    shown = {k: v for k, v in target.items() if k != "order_id"}
    messages += [call("", "get_order", order_id=target["order_id"]), told("get_order", json.dumps(shown))]
    messages += act(rng, name, target, town)
    messages.append(said(say(rng, _CLOSING[name] + "[ Anything else?| Have a nice day!|]")))
    return Reply(messages, f"{name}:{target['order_id'] if name != _HAND_OVER else ''}")


def desk_task(rng: Random, name: str) -> Task:
    """Draw a request that ends in one change of state or a hand-over."""
    who, want, days, town = (
        customer(rng),
        rng.choice(("refund", "refund", "address", "cancel")),
        rng.choice((14, 30, 45)),
        rng.choice(TOWNS),
    )
    suited = [o for o in who["orders"] if due(o, want, days) != _HAND_OVER]
    order = rng.choice(suited if suited and rng.random() < 0.85 else who["orders"])
    name_due = due(order, want, days)
    gold = f"{name_due}:{order['order_id'] if name_due != _HAND_OVER else ''}"
    prompt = complaint(rng, who, order, want, town)
    return Task(
        name,
        want,
        "service",
        prompt,
        gold,
        lambda r, ok: served(r, ok, who, order, want, days, town),
        _POLICY.format(days=days),
        rng.gauss(0, 0.8),
    )
