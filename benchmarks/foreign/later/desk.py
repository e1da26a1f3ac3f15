"""Conversations of a shop's service agent with simulated users: orders are looked up and changed by tools."""

import json
import random
from dataclasses import dataclass

from benchmarks.foreign.later.course import Talk, Task, words

SYSTEM = (
    "You are the service agent of a web shop. Look an order up before you change it, ask the customer to confirm, "
    "and change nothing that was not asked for. Hand over to a colleague only what your tools cannot do."
)
GOODS = words("kettle,desk lamp,rain jacket,yoga mat,coffee grinder,backpack,wall clock,bike pump,keyboard,tent")
STREETS = words("Mill Lane,Oak Street,Harbour Road,Station Square,Hill View,Canal Walk,Garden Row,North Parade")
NAMES = words("Vera Stone,Tom Reed,Ines Duarte,Paul Okoye,Mia Lindt,Sam Carver,Lea Moreau,Ivo Petrov")


@dataclass(frozen=True)
class Wish:
    """What a customer may want, and the tool that does it."""

    tool: str
    phrases: tuple[str, ...]
    done: str


WISHES = {
    "cancel": Wish(
        "cancel_order",
        (
            "Please cancel order {order}, I ordered the {item} by mistake.",
            "I don't need the {item} any more. Order number {order}. Can you stop it?",
            "Hi, {name} here. {order} should be cancelled before it ships.",
        ),
        "order {order} is cancelled and {price} euros go back to your card",
    ),
    "return": Wish(
        "open_return",
        (
            "The {item} from order {order} arrived with a crack. I'd like to send it back.",
            "How do I return my {item}? The order is {order}, name {name}.",
            "I'm not happy with the {item} ({order}) and want my money back.",
        ),
        "a return label for the {item} is on its way by mail",
    ),
    "address": Wish(
        "change_address",
        (
            "I moved! Could order {order} go to {street} instead?",
            "The address of {order} is wrong, it should read {street}. Thanks, {name}",
            "Please deliver the {item} to {street}. My order is {order}.",
        ),
        "order {order} will be delivered to {street}",
    ),
    "status": Wish(
        "track_parcel",
        (
            "Where is my {item}? Order {order} was due last week.",
            "{name} again: any news of {order}?",
            "Can you tell me when order {order} will get here?",
        ),
        "the parcel with your {item} was scanned this morning and should arrive in two days",
    ),
    "exchange": Wish(
        "exchange_item",
        (
            "I got the {item} in the wrong colour, can I swap it for green? It's {order}.",
            "Order {order}: please exchange the {item} for the green one.",
            "Could you swap my {item} for a green model? {name}, {order}.",
        ),
        "the green {item} will be sent as soon as the other one reaches us",
    ),
}
CHECKS = (
    "I found it: a {item} for {price} euros. Shall I go ahead?",
    "Thank you, {name}. The order holds one {item}. Do you want me to do that now?",
    "That can still be done for {order}. May I proceed?",
    "Just to be sure: this is about the {item} at {price} euros, right?",
    "I see the {item} here. Please confirm and I'll take care of it.",
    "Before I change anything, is {name} the name on the order?",
)
YESES = ("Yes please.", "Yes, go ahead.", "Correct.", "That's the one, thanks.", "Sure, do it.", "Yep", "Please do.")
ENDINGS = (
    "Done: {done}. Is there anything else?",
    "All set, {done}. Have a nice day!",
    "Good news, {done}.",
    "It worked; {done}. Thanks for your patience.",
    "Finished. To sum up, {done}.",
    "That's taken care of: {done}.",
)
SORRIES = (
    "I'm afraid I could not find a way to do this. Please try again tomorrow.",
    "This order can't be changed any more, sorry.",
    "Sorry, I don't see what is wrong with the {item}. Could you check again yourself?",
    "I have made a note of it. Goodbye.",
)


def problem(rng: random.Random) -> Task:
    """Draw a customer and a wish."""
    wish = rng.choice(list(WISHES))
    order = f"#W{rng.randint(1000000, 9999999)}"
    facts = {"wish": wish, "order": order, "item": rng.choice(GOODS), "name": rng.choice(NAMES)}
    facts |= {"street": f"{rng.randint(1, 99)} {rng.choice(STREETS)}", "price": rng.randint(12, 180)}
    return Task(rng.choice(WISHES[wish].phrases).format(**facts), WISHES[wish].tool, facts)


def begin(rng: random.Random, task: Task) -> Talk:
    """The customer speaks and the agent looks the order up."""
    facts, talk = task.facts, Talk(task.prompt, SYSTEM)
    found = {"order_id": facts["order"], "customer": facts["name"], "items": [facts["item"]], "total": facts["price"]}
    thought = rng.choice(("Let me look that up.", "One moment, I open the order.", "", "I'll check the order first."))
    talk.use(thought, "get_order", json.dumps({**found, "status": "processing"}), order_id=facts["order"])
    return talk


def solve(rng: random.Random, task: Task, right: bool) -> Talk:
    """Serve the customer; a wrong attempt uses another tool, or gives up."""
    facts, talk = task.facts, begin(rng, task)
    talk.say(rng.choice(CHECKS).format(**facts))
    talk.ask(rng.choice(YESES))
    kind = facts["wish"] if right else rng.choice([*(name for name in WISHES if name != facts["wish"]), ""])
    if not kind:
        talk.say(rng.choice(SORRIES).format(**facts))
        return talk
    wish, more = WISHES[kind], {}
    if kind == "address":
        more["address"] = facts["street"]
    if kind in ("return", "exchange"):
        more["item"] = facts["item"]
    answer = json.dumps({"ok": True, "reference": f"{wish.tool[:2].upper()}-{rng.randint(10000, 99999)}"})
    talk.use("", wish.tool, answer, order_id=facts["order"], **more)
    talk.say(rng.choice(ENDINGS).format(done=wish.done.format(**facts), **facts))
    return talk


def hand_over(rng: random.Random, task: Task) -> Talk:
    """Hand the customer to a colleague at once."""
    talk = Talk(task.prompt, SYSTEM)
    reason = rng.choice(
        ("needs a specialist", "customer request", "complex case", "outside my remit", "order question")
    )
    talk.use("", "transfer_to_human", json.dumps({"ok": True}), summary=f"{task.facts['order']}: {reason}")
    talk.say(
        rng.choice(("A colleague will help you shortly.", "I have passed you on.", "Please hold, you are connected."))
    )
    return talk
