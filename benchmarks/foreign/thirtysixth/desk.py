"""A support desk of a shop: tickets, the shop's rule for refunds, and dialogues over tools."""

import json
import random

from benchmarks.foreign.thirtysixth.attempts import Message, Problem, call, reply, told, user

ITEMS = (
    "kettle",
    "desk lamp",
    "rain jacket",
    "bread knife",
    "headphones",
    "yoga mat",
    "wall clock",
    "tent",
    "blender",
    "scooter helmet",
    "backpack",
    "radio",
)
NAMES = (
    "Ines",
    "Tomasz",
    "Amara",
    "Bjarne",
    "Lucia",
    "Owen",
    "Farah",
    "Milan",
    "Greta",
    "Kwame",
    "Noor",
    "Pavel",
    "Siobhan",
    "Yuki",
)
RULE = (
    "You are the desk of Brightbarn. Rule: refund an order that arrived "
    "damaged within 30 days of delivery, or is unopened within "
    "14 days; decline otherwise and offer a repair. Look the order up "
    "first. Tools: lookup_order, refund_order, decline_refund."
)
SAID = {
    "damaged": (
        "it came out of the box with a crack right across",
        "it arrived broken, one side is dented in",
        "it was damaged when I opened the parcel",
    ),
    "unopened": (
        "I have not even opened it and do not need it any more",
        "it is still sealed, I bought two by mistake",
        "the seal is on, I just want to send it back",
    ),
    "used": (
        "I used it for a while and do not like it",
        "I have worn it in but it is not for me",
        "it works, but I changed my mind after using it",
    ),
}
OPENERS = ("Hello,", "Hi there,", "Good morning,", "Hey,", "Dear team,")


def due(state: str, days: int) -> bool:
    """Whether the rule grants a refund."""
    return (state == "damaged" and days <= 30) or (state == "unopened" and days <= 14)


def draw_ticket(
    rng: random.Random, number: int, states: tuple[str, ...] = ("damaged", "unopened", "used"), most: int = 60
) -> Problem:
    """A ticket of one customer about one order."""
    state, days, item, name = rng.choice(states), rng.randint(1, most), rng.choice(ITEMS), rng.choice(NAMES)
    order = f"B{rng.randint(10000, 99999)}"
    text = (
        f"{rng.choice(OPENERS)} {name} here. My order {order} was a {item}; "
        f"{rng.choice(SAID[state])}. I would like my money back."
    )
    data = {
        "state": state,
        "days": days,
        "item": item,
        "order": order,
        "name": name,
        "price": rng.randint(12, 140),
        "due": due(state, days),
    }
    return Problem(
        f"tick-{number:04d}", text, "refund" if data["due"] else "decline", state, rng.uniform(-0.1, 0.2), data
    )


def _look_up(rng: random.Random, d: dict) -> list[Message]:
    lead = (
        f"Thanks, {d['name']}. I look at order {d['order']}.",
        "One moment, I open your order.",
        f"Sorry about the {d['item']}, let me check.",
    )
    found = {"order": d["order"], "item": d["item"], "delivered_days_ago": d["days"], "price": d["price"]}
    return [call(rng.choice(lead), "lookup_order", order=d["order"]), told("lookup_order", json.dumps(found))]


def _grant(rng: random.Random, d: dict, looked: bool) -> list[Message]:
    lead = ["I send the money back now.", "I arrange the refund."]
    amount = {"amount": d["price"]} if looked else {"amount": "full"}
    if looked:
        lead.append(f"That can be refunded: {d['price']} euros.")
    last = (
        f"Done, {d['name']}: {d['price']} euros for the {d['item']} are on their way.",
        f"Your {d['price']} euros will be back within three days.",
        f"The refund for the {d['item']} is booked. Anything else?",
    )
    return [
        call(rng.choice(lead), "refund_order", order=d["order"], **amount),
        told("refund_order", f"refund of {d['price']} booked for {d['order']}"),
        reply(rng.choice(last)),
        user(rng.choice(("Wonderful, thank you!", "Great, that was quick.", "Perfect, thanks a lot."))),
    ]


def _decline(rng: random.Random, d: dict) -> list[Message]:
    lead = (
        f"It was delivered {d['days']} days ago, which our rule does not cover.",
        "This falls outside our refund rule.",
    )
    last = (
        f"I am sorry, {d['name']}, I cannot refund the {d['item']} after {d['days']} days, but we repair it for free.",
        f"A refund is not possible here. I can have the {d['item']} repaired or cleaned for you.",
    )
    end = ("That is a pity.", "Hm, all right then.", "I had hoped for more, but fine.", "Not happy with that.")
    reason = f"{d['state']}, {d['days']} days"
    return [
        call(rng.choice(lead), "decline_refund", order=d["order"], reason=reason),
        told("decline_refund", f"declined, repair offered for {d['order']}"),
        reply(rng.choice(last)),
        user(rng.choice(end)),
    ]


def serve(rng: random.Random, problem: Problem, grants: bool, looks: bool = True) -> list[Message]:
    """A dialogue: look up, decide, close; the customer has the last word. Who declines has looked."""
    d = problem.data
    turns = [{"role": "system", "content": RULE}, user(problem.prompt)]
    if looks or not grants:
        turns += _look_up(rng, d)
    return turns + (_grant(rng, d, looks) if grants else _decline(rng, d))
