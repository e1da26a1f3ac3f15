"""A support desk with a simulated customer: look the order up, then refund or give a voucher, as the policy says."""

import json
import random

from benchmarks.foreign.fiftyfifth.talk import Problem, call, pick, say, told, user

SYSTEM = (
    "You work at the support desk of a shop. Refund the full price of a damaged item if it was delivered at most 30 "
    "days ago; later, send a voucher of half the price instead. Tools: get_order, issue_refund, send_voucher. "
    "Tell the customer what you did."
)
ITEMS = ("kettle", "lamp", "tent", "blender", "rucksack", "keyboard", "clock", "pan", "helmet", "radio")
HARM = ("a crack", "a broken handle", "a dent", "a torn seam", "no power at all", "a missing screw")


def problem(rng: random.Random, number: int) -> Problem:
    """A customer with an order that arrived damaged."""
    days, price, item, harm = rng.randint(3, 58), 2 * rng.randint(9, 90), rng.choice(ITEMS), rng.choice(HARM)
    order = f"R{rng.randint(10000, 99999)}"
    refund = days <= 30
    tool, amount = ("issue_refund", price) if refund else ("send_voucher", price // 2)
    data = {"days": days, "price": price, "item": item, "order": order, "harm": harm, "tool": tool, "amount": amount}
    name = rng.choice(("Mara", "Jonas", "Ilse", "Tariq", "Bea", "Owen", "Lucia", "Henk"))
    prompt = f"Hello, {name} here. My {item} from order {order} came with {harm}. What can you do for me?"
    return Problem(f"desk-{number}", "refund" if refund else "voucher", SYSTEM, prompt, f"{tool} {amount}", data)


def lookup(rng: random.Random, problem: Problem) -> list[dict]:
    """The order is read."""
    d = problem.data
    sorry = pick(
        rng,
        f"I am sorry about the {d['item']}. Let me look at {d['order']}.",
        "That should not happen. I check your order.",
    )
    return [
        call(sorry, "get_order", order_id=d["order"]),
        told(
            "get_order",
            json.dumps({"order": d["order"], "item": d["item"], "price": d["price"], "delivered_days_ago": d["days"]}),
        ),
    ]


def act(rng: random.Random, problem: Problem, tool: str, amount: int) -> list[dict]:
    """The customer agrees, the agent acts and tells."""
    d = problem.data
    what = "refund" if tool == "issue_refund" else "voucher"
    offer = pick(
        rng,
        f"The {d['item']} was delivered {d['days']} days ago, so I can offer a {what} of {amount} euros. Is that fine?",
        f"With {d['harm']} after {d['days']} days you get a {what} of {amount} euros. Shall I go ahead?",
    )
    yes = pick(
        rng,
        "Yes, please go ahead.",
        "That works for me, thanks.",
        "Alright, do that.",
        f"Fine. The {d['item']} is useless to me.",
    )
    done = pick(
        rng,
        f"The {what} of {amount} euros for {d['order']} is on its way. Sorry again for the trouble.",
        f"I have sent you the {what} of {amount} euros. You need not return the {d['item']}.",
    )
    return [
        say(offer),
        user(yes),
        call(f"The customer agrees, I book the {what}.", tool, order_id=d["order"], amount=amount),
        told(tool, f'{{"status": "booked", "amount": {amount}}}'),
        say(done),
    ]


def mistake(rng: random.Random, problem: Problem) -> tuple[str, int]:
    """The other remedy, or the right one with a wrong amount."""
    d = problem.data
    other = ("send_voucher", d["price"] // 2) if d["tool"] == "issue_refund" else ("issue_refund", d["price"])
    return other if rng.random() < 0.6 else (d["tool"], d["amount"] + rng.choice((-4, 5, 10)))


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """One conversation."""
    tool, amount = (problem.data["tool"], problem.data["amount"]) if right else mistake(rng, problem)
    return lookup(rng, problem) + act(rng, problem, tool, amount), f"{tool} {amount}"
