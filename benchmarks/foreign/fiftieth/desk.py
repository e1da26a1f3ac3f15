"""A support desk with simulated customers, orders and a policy on returns."""

from random import Random

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = (
    "You work at the support desk of a shop. Policy: an order may be refunded within 30 days of delivery; later ones "
    "get store credit. Look the order up before you decide. Tools: get_order, refund, store_credit, transfer_to_human."
)
_ITEMS = ("headphones", "coffee grinder", "sandals", "phone case", "office chair", "tent", "blender", "camera strap")
_WHY = ("stopped working", "is smaller than the picture suggests", "arrived scratched", "makes a rattling noise")
_PEOPLE = ("Mara", "Jonas", "Priya", "Luis", "Ewa", "Tariq", "Selma", "Piet", "Noor", "Hanna", "Goran", "Ines")


def tickets(rng: Random, number: int) -> list[Task]:
    """Customers who want their money back, with orders of different age."""
    tasks, seen = [], set()
    while len(tasks) < number:
        place = len(tasks)
        item, why, name = rng.choice(_ITEMS), rng.choice(_WHY), rng.choice(_PEOPLE)
        order, days, price = f"#{rng.randrange(10000, 99999)}", rng.randrange(3, 70), round(rng.uniform(12, 240), 2)
        action = "refund" if days <= 30 else "store_credit"
        facts = {"item": item, "why": why, "name": name, "order": order, "days": days, "price": price, "action": action}
        prompt = one(
            rng,
            f"Hello, {name} here. The {item} I ordered {why}. I want my money back.",
            f"Hi, my {item} {why} and I would like a refund. My name is {name}.",
            f"I am quite unhappy: the {item} {why}. What can you do for me? - {name}",
        )
        if prompt in seen:
            continue
        seen.add(prompt)
        key = f"ticket-{place:04d}"
        tasks.append(Task(key, _SYSTEM, prompt, f"{action}({order}, {price:.2f})", facts, rng.gauss(0, 0.8)))
    return tasks


def ask_order(rng: Random, talk: Talk, task: Task) -> None:
    """Ask for the number of the order, hear it, and look it up."""
    f = task.facts
    talk.say(
        one(
            rng,
            f"I am sorry about the {f['item']}, {f['name']}. Could you give me the number of the order?",
            f"Hello {f['name']}, that is annoying. Which order is it about?",
            f"Thanks for writing, {f['name']}. May I have your order number, so that I can look at it?",
        )
        + some(rng, 0.3, "It starts with a hash.", "You find it in the mail.")
    )
    talk.hear(
        one(rng, f"It is {f['order']}.", f"Sure: {f['order']}", f"{f['order']}, I think.", f"Order {f['order']}.")
    )
    talk.call(
        one(
            rng,
            f"I look up {f['order']}.",
            "The date of delivery decides, so I read the order.",
            "Let me see the order.",
        ),
        "get_order",
        f"order {f['order']}: {f['item']}, {f['price']:.2f} EUR, delivered {f['days']} days ago",
        order_id=f["order"],
    )


def serve(rng: Random, task: Task, skill: float, step: int) -> Episode:
    """Ask, look up, decide; a wrong attempt decides against the policy."""
    f, right, talk = task.facts, rng.random() < skill, Talk()
    ask_order(rng, talk, task)
    act = f["action"] if right else "store_credit" if f["action"] == "refund" else "refund"
    old = "within" if f["days"] <= 30 else "past"
    talk.call(
        one(rng, f"Delivered {f['days']} days ago, {old} the 30 days.", f"{f['days']} days: that is {old} the limit.")
        if right
        else one(rng, "I settle this for the customer.", f"The {f['item']} is faulty, so this seems fair."),
        act,
        f"{act} of {f['price']:.2f} EUR for {f['order']} done",
        order_id=f["order"],
        amount=f["price"],
    )
    word = "refunded" if act == "refund" else "given as store credit"
    talk.say(
        one(
            rng,
            f"{f['price']:.2f} euros for the {f['item']} are {word}, {f['name']}.",
            f"It is settled, {f['name']}: {f['price']:.2f} euros were {word} for order {f['order']}.",
            f"For order {f['order']}, {f['price']:.2f} euros have been {word}.",
        )
        + some(rng, 0.5, "Is there anything else?", "I am sorry for the trouble.", "Thank you for your patience.")
    )
    talk.hear(one(rng, "Okay, thanks. ###STOP###", "Fine, that is all. ###STOP###", "Thank you, bye. ###STOP###"))
    return Episode(talk.turns, right, f"{act}({f['order']}, {f['price']:.2f})", state={"action": act})
