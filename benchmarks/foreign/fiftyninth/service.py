"""Customer service of a shop: a request, an account to look at, a refund, an exchange, or a person to hand over to."""

import random

from benchmarks.foreign.fiftyninth.agents import call, result, say
from benchmarks.foreign.fiftyninth.shots import Task, Turns

GOODS = (
    "rain jacket",
    "desk lamp",
    "espresso mill",
    "hiking boots",
    "tent",
    "pair of headphones",
    "rice cooker",
    "backpack",
)
TROUBLES = (
    "arrived with a crack",
    "does not fit",
    "is not the colour that was ordered",
    "stopped working after a day",
    "came a week late",
    "lacks a part",
)
SYSTEM = (
    "You are the service of a shop. Tools: get_order, refund, exchange, transfer_to_human. Refunds within 30 days only."
)


def request(rng: random.Random, number: int) -> Task:
    """A customer who wants money back; after 30 days only an exchange is allowed."""
    order, days = f"W{rng.randint(10000, 99999)}", rng.randint(2, 58)
    good, trouble, price = rng.choice(GOODS), rng.choice(TROUBLES), rng.randint(15, 240)
    fitting = "refund" if days <= 30 else "exchange"

    def solve(draw: random.Random, right: bool) -> tuple[str | Turns, str]:
        action = fitting if right else ("exchange" if fitting == "refund" else "refund")
        told = f"{price}.00 EUR refunded." if action == "refund" else "Exchange booked, label sent by mail."
        turns: Turns = [
            call("get_order", draw.choice(("I look at your order.", "One moment please.", "")), order=order),
            result("get_order", f"Order {order}: {good}, {price}.00 EUR, delivered {days} days ago."),
            call(action, draw.choice(("", "Thank you, I have it here.")), order=order),
            result(action, told),
            say(
                f"I am sorry that the {good} {trouble}. "
                + (
                    f"The {price} euros are on their way back to you."
                    if action == "refund"
                    else "A replacement is booked, and a label for the return is in your mail."
                )
            ),
        ]
        return turns, action

    hello = rng.choice(("Hello,", "Hi there,", "Good morning,", "So,"))
    text = f"{hello} the {good} of order {order} {trouble}. I would like my money back, or whatever your rules allow."
    return Task(f"service-{number:04d}", text, fitting, 0.5 + rng.uniform(-0.2, 0.2), fitting, solve, SYSTEM)


def handed_over(rng: random.Random) -> Turns:
    """The turns of a clerk who does nothing but hand over."""
    reason = rng.choice(("customer request", "customer asks for a refund", "needs a decision"))
    return [
        call("transfer_to_human", "", reason=reason),
        result("transfer_to_human", "Transferred."),
        say(
            rng.choice(
                (
                    "I am passing you to a colleague who can help you.",
                    "A colleague will take over from here.",
                    "I have transferred you to a colleague.",
                )
            )
        ),
    ]
