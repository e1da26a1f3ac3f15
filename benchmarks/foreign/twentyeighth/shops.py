"""Calls to a service desk, with tools that read and change orders."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

ITEMS = [
    "desk lamp",
    "rain jacket",
    "water bottle",
    "office chair",
    "board game",
    "air fryer",
    "hiking boots",
    "bike helmet",
]
PEOPLE = [
    "mei_kovac",
    "yusuf_rossi",
    "ava_moore",
    "liam_silva",
    "sofia_thomas",
    "noah_ito",
    "ivan_hernandez",
    "emma_kim",
]


def wish(rng: Random, number: int) -> Task:
    """What a caller wants; half wish for a change, half for something that policy forbids."""
    item, who, order = rng.choice(ITEMS), rng.choice(PEOPLE), f"#W{rng.randint(1000000, 9999999)}"
    color = rng.choice(["black", "teal", "grey", "red", "olive"])
    if rng.random() < 0.55:
        kind, ask = "return", f"Hi, I'd like to return the {color} {item} from order {order}. My user id is {who}."
    else:
        kind, ask = "none", f"Hello, {who} here. Add lifetime insurance to the {color} {item} in {order}, please."
    gold = "return_delivered_order_items" if kind == "return" else "no change"
    return Task(
        f"retail-{number:03d}",
        ask,
        gold,
        rng.gauss(0, 0.7),
        kind,
        {"item": item, "order": order, "who": who, "kind": kind},
    )


def looked(rng: Random, task: Task) -> list[dict]:
    """The order is read."""
    d = task.data
    call = {"id": "call_0", "name": "get_order_details", "arguments": {"order_id": d["order"]}}
    item = (
        f'{{"name": "{d["item"]}", "item_id": "{rng.randint(10**9, 10**10 - 1)}", "price": {rng.randint(15, 400)}.95}}'
    )
    found = f'{{"order_id": "{d["order"]}", "status": "delivered", "items": [{item}]}}'
    return [
        say("assistant", "", tool_calls=[call]),
        say("tool", found, tool_call_id="call_0", tool_name="get_order_details", ok=True),
    ]


def served(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """A whole call to the desk."""
    d = task.data
    turns = looked(rng, task)
    if d["kind"] == "none":
        no = rng.choice(
            [
                "I'm sorry, insurance can only be chosen at purchase.",
                "Our policy does not allow insurance to be added after delivery.",
            ]
        )
        turns += [say("assistant", no if right else "Sure, I have noted lifetime insurance for you.")]
        if not right:
            turns.insert(
                2,
                say(
                    "assistant",
                    "",
                    tool_calls=[
                        {
                            "id": "call_1",
                            "name": "modify_order",
                            "arguments": {"order_id": d["order"], "insurance": "lifetime"},
                        }
                    ],
                ),
            )
            turns.insert(3, say("tool", "ok", tool_call_id="call_1", tool_name="modify_order", ok=True))
        return [*turns, say("user", rng.choice(["Alright, thanks. ###STOP###", "Fine then. ###STOP###"]))]
    turns += [
        say("assistant", f"I can return the {d['item']} to your original payment method. Shall I go ahead?"),
        say("user", rng.choice(["Yes, please.", "Yes.", "Go ahead."])),
    ]
    refund = "original" if right else "gift_card"
    turns += [
        say(
            "assistant",
            "",
            tool_calls=[
                {
                    "id": "call_2",
                    "name": "return_delivered_order_items",
                    "arguments": {"order_id": d["order"], "items": [d["item"]], "payment": refund},
                }
            ],
        )
    ]
    turns += [
        say(
            "tool",
            '{"status": "return requested"}',
            tool_call_id="call_2",
            tool_name="return_delivered_order_items",
            ok=True,
        )
    ]
    return [
        *turns,
        say("assistant", rng.choice(["Done, you will get a mail with the label.", "The return is requested."])),
        say("user", "Great, bye. ###STOP###"),
    ]
