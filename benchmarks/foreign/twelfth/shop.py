"""A help desk with a simulated customer."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, call, say, tool, user

SYSTEM = (
    "You are the help desk of an online shop. Look the order up, confirm with the customer, then act. Policy: 30 days."
)
ITEMS = (
    "rain jacket",
    "desk lamp",
    "tea kettle",
    "bicycle bell",
    "wool blanket",
    "headset",
    "chess set",
    "hiking boots",
)
WISHES = {
    "refund": (
        "I'd like my money back for the {item} of order {order}.",
        "The {item} (order {order}) broke, refund please.",
    ),
    "exchange": (
        "Could you swap the {item} of order {order} for another size?",
        "Order {order}: wrong {item}, please exchange.",
    ),
    "address": (
        "Order {order} with the {item} should go to {street} instead.",
        "Please send order {order} ({item}) to {street}.",
    ),
}
STREETS = ("12 Mill Lane", "4 Harbour Row", "88 Orchard Street", "7 Chapel Close", "31 Station Road")
YES = ("Yes, please do.", "That's right, go ahead.", "yes", "Correct. Thanks!", "Sure, do it.")
THANKS = ("Great, thank you!", "Perfect.", "thanks, bye", "Lovely, that was quick.")
GREETINGS = ("Hello! Let me look that up.", "Happy to help, one moment.", "Thanks for writing. I check the order.")


def request(rng: Random, number: int) -> Task:
    """A customer's wish about one order."""
    wish = rng.choice(sorted(WISHES))
    item, order, street = rng.choice(ITEMS), f"W{rng.randint(10000, 99999)}", rng.choice(STREETS)
    days, price = rng.randint(2, 48), rng.randint(900, 18900) / 100
    allowed = wish == "address" or days <= 30
    right_act = wish if allowed else "decline"

    def write(rng: Random, right: bool, progress: float) -> Reply:
        others = [a for a in ("refund", "exchange", "address", "decline") if a != right_act]
        act = right_act if right else rng.choice(others)
        record = f'{{"order": "{order}", "item": "{item}", "price": {price}, "delivered_days_ago": {days}}}'
        messages = [call(rng.choice(GREETINGS), "get_order", order=order), tool("get_order", record)]
        if act == "decline":
            text = f"I'm sorry, the {item} was delivered {days} days ago, and I cannot do this under our policy."
            return Reply([*messages, say(text), user("Oh. All right."), say("Sorry again, and have a good day.")], act)
        doing = {"refund": "refund", "exchange": "exchange", "address": "redirect"}[act]
        messages += [say(f"I can {doing} the {item} of {order}. Shall I?"), user(rng.choice(YES))]
        arguments = {"order": order} | ({"street": street} if act == "address" else {"item": item})
        messages += [call("", f"{act}_order", **arguments), tool(f"{act}_order", '{"status": "ok"}')]
        messages += [say(f"Done: {doing} for order {order}."), user(rng.choice(THANKS))]
        return Reply([*messages, say(rng.choice(("You're welcome!", "Have a nice day.", "Glad to help.")))], act)

    prompt = rng.choice(WISHES[wish]).format(item=item, order=order, street=street)
    facts = {"order": order, "item": item, "price": price, "days": days}
    return Task(f"desk-{number:04d}", wish, prompt, right_act, write, rng.gauss(0, 0.6), SYSTEM, facts)


def unanswered(rng: Random, task: Task) -> Reply:
    """The customer's side sends nothing any more, whatever is asked."""
    item, order = task.facts["item"], task.facts["order"]
    days, price = task.facts["days"], task.facts["price"]
    record = f'{{"order": "{order}", "item": "{item}", "price": {price}, "delivered_days_ago": {days}}}'
    messages = [call(rng.choice(GREETINGS), "get_order", order=order), tool("get_order", record)]
    asked = [
        f"I see the {item} of {order}. Shall I go on?",
        rng.choice(("Are you still there?", "Could you confirm that, please?")),
        rng.choice(("I need your confirmation before I can act.", "I did not get a message from you.")),
        rng.choice(("Please write to me if you still want this.", "I will wait a little longer.")),
    ]
    for text in asked:
        messages += [say(text), user("")]
    return Reply(messages, "")
