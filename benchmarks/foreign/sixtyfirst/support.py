"""A help desk with simulated users: the order's record at the end is checked, or a judge reads the talk."""

import random

from benchmarks.foreign.sixtyfirst.tasks import Message, Task, World, code_of, says, tool, user

_GOODS = ("headset", "coffee grinder", "raincoat", "office chair", "phone case", "tent", "blender", "keyboard")
ISSUES = {
    "damaged": ("arrived broken", "send_replacement"),
    "late": ("has not come for three weeks", "issue_refund"),
    "wrong_item": ("is not what I ordered", "send_replacement"),
    "unwanted": ("came yesterday but I changed my mind", "create_return_label"),
    "double": ("was charged twice on my card", "issue_refund"),
}
"""Issue -> what the customer says, and what the shop's rules ask for."""
_NAMES = ("Ines", "Tomasz", "Kofi", "Leila", "Bo", "Marta", "Hiro", "Sunniva", "Paul", "Adaeze")


def draw(rng: random.Random) -> Task:
    """A customer with an order and an issue."""
    issue, goods, name, order = rng.choice(list(ISSUES)), rng.choice(_GOODS), rng.choice(_NAMES), code_of(rng, "W")
    price = rng.randrange(1500, 30000) / 100
    prompt = rng.choice(
        (
            f"Hello, {name} here. My {goods} from order {order} {ISSUES[issue][0]}.",
            f"Hi! Order {order}: the {goods} {ISSUES[issue][0]}. Can you help? {name}",
            f"I am {name} and not happy. The {goods} ({order}) {ISSUES[issue][0]}.",
        )
    )
    facts = {"goods": goods, "name": name, "order": order, "issue": issue, "price": price}
    return Task(code_of(rng, "desk"), prompt, issue, rng.gauss(0, 1), ISSUES[issue][1], facts)


def play(rng: random.Random, task: Task, right: bool) -> tuple[list[Message], str]:
    """Look the order up, propose, hear the customer, act, close."""
    f = task.facts
    acts = ("send_replacement", "issue_refund", "create_return_label")
    act = task.gold if right else rng.choice([a for a in acts if a != task.gold])
    plain = {
        "send_replacement": "send you a new one",
        "issue_refund": f"refund {f['price']:.2f} EUR",
        "create_return_label": "send you a label for the return",
    }[act]
    look = rng.choice(
        (
            f"Sorry to hear that, {f['name']}. I look up {f['order']}.",
            "One moment please, I open your order.",
            f"I am sorry about the {f['goods']}. Let me check the record.",
        )
    )
    said: list[Message] = [says(look, "get_order", order_id=f["order"])]
    said += [
        tool(
            "get_order",
            f'{{"order": "{f["order"]}", "item": "{f["goods"]}", "paid": {f["price"]:.2f}, "customer": "{f["name"]}"}}',
        )
    ]
    offer = rng.choice(
        (
            f"I can {plain} for the {f['goods']}. Shall I go ahead?",
            f"I found {f['order']}. I would {plain}; is that all right?",
        )
    )
    said += [
        says(offer),
        user(rng.choice(("Yes, please.", "Yes, go ahead.", "That works, yes.", "Fine, do that please."))),
    ]
    said += [says(rng.choice(("I set it up now.", "Thank you, I do that.")), act, order_id=f["order"])]
    said += [tool(act, f'{{"ok": true, "order": "{f["order"]}", "done": "{act}"}}')]
    said += [
        says(
            rng.choice(
                (
                    f"All done, {f['name']}: you get a mail about {f['order']} shortly.",
                    f"It is arranged for your {f['goods']}. Have a good day, {f['name']}!",
                    f"That is settled for {f['order']}. Is there anything else, {f['name']}?",
                )
            )
        )
    ]
    return said, act


SUPPORT = World(
    "support",
    "You are the help desk of a shop. Damaged or wrong goods are replaced, late or doubly charged ones "
    "refunded, unwanted ones returned. Ask before you act.",
    draw,
    play,
)
"""A help desk."""
