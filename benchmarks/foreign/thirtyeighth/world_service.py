"""Customer desks, calendars and a shop in a browser."""

import random

from benchmarks.foreign.thirtyeighth.core import Attempt, Talk, Task

ITEMS = ("a rain jacket", "a desk lamp", "hiking boots", "a coffee grinder", "a bicycle helmet", "a tent", "headphones")
RULES = (
    "You serve customers of a shop. Returns are accepted within 30 days of delivery, and never of items on final sale. "
    "Look the order up first. Then call `refund` or `decline`, and explain the decision."
)
NAMES = ("Ada", "Bruno", "Celia", "Dario", "Edda", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaja", "Luis")


def desk_task(rng: random.Random, i: int) -> Task:
    """A customer who wants the money back, rightly or not."""
    item, days = rng.choice(ITEMS), rng.randint(2, 60)
    final = rng.random() < 0.25
    accepted = days <= 30 and not final
    order = f"W{rng.randint(10000, 99999)}"
    prompt = rng.choice(
        (
            f"Hello, I am {rng.choice(NAMES)}. I would like to return {item}, order {order}. It does not suit me.",
            f"Hi! Order {order}: {item}. I changed my mind, can I have my money back?",
            f"My order {order} ({item}) is not what I hoped for. Please refund it. {rng.choice(NAMES)}",
        )
    )
    data = {"order": order, "item": item, "days": days, "final": final, "accepted": accepted}
    return Task(f"desk-{i}", prompt, "refund" if accepted else "decline", system=RULES, data=data)


def _reason(d: dict, accept: bool) -> str:
    if accept:
        return f"it was delivered {d['days']} days ago and the return can be accepted"
    return (
        "it was sold as final sale"
        if d["final"]
        else f"it was delivered {d['days']} days ago, which is more than we accept"
    )


def desk_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """Look up, decide, explain."""
    d, talk = task.data, Talk()
    record = f'{{"order": "{d["order"]}", "delivered_days_ago": {d["days"]}, "final_sale": {str(d["final"]).lower()}}}'
    text = rng.choice(
        ("One moment, I look the order up.", f"Thank you. Let me check {d['order']}.", "I open your order.")
    )
    talk.call(text, "get_order", {"order_id": d["order"]}, record)
    if rng.random() < 0.4:
        question, reply = rng.choice(
            ((f"I see {d['item']} on the order. Is it unused?", "Yes, unused, tags on."),
             ("May I ask whether the parcel is complete?", "All complete, in its box."),
             (f"Before I decide: what is the matter with {d['item']}?", "Nothing broken, I just do not like it."),
             ("Did you open the box?", "Only to have a look."))
        )  # fmt: skip
        talk.say(question).user(reply)
    accept = d["accepted"] if right else not d["accepted"]
    name = "refund" if accept else "decline"
    lead = rng.choice(("By our rules", "As the record says", "I have read the order:"))
    talk.call(f"{lead} {_reason(d, accept)}.", name, {"order_id": d["order"]}, '{"status": "done"}')
    if accept:
        text = rng.choice((f"The refund for {d['item']} is on its way; allow five working days.",
                           f"Done: I have refunded {d['item']}. The label for the parcel is in your mail.",
                           "Your money comes back within a week. Please send the parcel soon."))  # fmt: skip
    else:
        text = rng.choice((f"I am sorry, I cannot take {d['item']} back: {_reason(d, False)}.",
                           f"Unfortunately a return is not possible, since {_reason(d, False)}.",
                           f"I understand that this is a pity, but {_reason(d, False)}."))  # fmt: skip
    talk.say(text)
    return Attempt(task, talk.messages, name, float(name == task.gold), tool_seconds=rng.uniform(0.5, 3))


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _free(busy: list[list[tuple[int, int]]], length: int) -> int:
    return next(t for t in range(480, 1440, 15) if all(t + length <= a or b <= t for who in busy for a, b in who))


def calendar_task(rng: random.Random, i: int) -> Task:
    """The first common gap of two calendars."""
    who = rng.sample(NAMES, 2)
    busy = []
    for _ in who:
        t, day = 480, []
        while t < 960:
            length = rng.choice((30, 45, 60, 90))
            if rng.random() < 0.75:
                day.append((t, t + length))
            t += length + rng.choice((0, 15, 30, 45))
        busy.append(day)
    length = rng.choice((30, 45, 60))
    prompt = rng.choice(
        (
            f"Find the first {length} minutes from 08:00 in which {who[0]} and {who[1]} are both free on day {i + 1}. "
            "Book them.",
            f"Day {i + 1}: book a meeting of {length} minutes for {who[0]} and {who[1]}, as early as can be "
            "(from 08:00).",
        )
    )
    data = {"who": who, "busy": busy, "length": length, "day": i + 1}
    return Task(f"day-{i + 1}", prompt, _clock(_free(busy, length)), data=data)


def calendar_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """List both days, reason, book; the wrong way overlooks an appointment."""
    d, talk = task.data, Talk()
    for name, day in zip(d["who"], d["busy"], strict=True):
        text = rng.choice((f"What does {name} have that day?", f"{name}'s calendar, please.", f"Now {name}."))
        listing = "\n".join(f"{_clock(a)}-{_clock(b)} busy" for a, b in day) or "no entries"
        talk.call(text, "list_events", {"person": name, "day": d["day"]}, listing)
    start = _free(d["busy"], d["length"])
    if not right:
        later = [t for t in range(480, 1080, 15) if t != start]
        free_of_one = [
            t for t in later if _free([d["busy"][0]], d["length"]) == t or _free([d["busy"][1]], d["length"]) == t
        ]
        start = rng.choice(free_of_one + [start + 15, start + 30])
    note = rng.choice(
        (f"The first gap that fits {d['length']} minutes opens at {_clock(start)}.",
         f"Going down both lists, {_clock(start)} to {_clock(start + d['length'])} looks clear.",
         f"Before {_clock(start)} one of the two is taken, so I book that.")
    )  # fmt: skip
    arguments = {"people": d["who"], "day": d["day"], "start": _clock(start), "minutes": d["length"]}
    talk.call(note, "create_event", arguments, "created")
    talk.say(rng.choice((f"Booked for {_clock(start)}.", f"Your meeting stands at {_clock(start)}.",
                         f"{d['who'][0]} and {d['who'][1]} meet at {_clock(start)}.")))  # fmt: skip
    return Attempt(
        task, talk.messages, _clock(start), float(_clock(start) == task.gold), tool_seconds=rng.uniform(0.5, 2)
    )


SHOPS = ("Nordlicht", "Casa Verde", "Papeterie Lune", "Tool & Timber", "Ferment Lab", "Sail Loft")
WARES = ("oak board", "ink bottle", "brass hinge", "wool felt", "glass jar", "linen rope", "cork mat")


def browser_task(rng: random.Random, i: int) -> Task:
    """A basket of two wares, with shipping that depends on the sum."""
    a, b = rng.sample(WARES, 2)
    n, m = rng.randint(1, 6), rng.randint(1, 6)
    prices = {a: rng.randint(3, 25), b: rng.randint(3, 25)}
    limit, shipping = rng.choice((40, 60, 80)), rng.randint(4, 9)
    shop = rng.choice(SHOPS)
    prompt = f"At {shop} (page {i + 1}), what do {n} x {a} and {m} x {b} cost with shipping? Give whole euros."
    data = {"shop": shop, "wares": (a, b), "counts": (n, m), "prices": prices, "limit": limit, "shipping": shipping}
    return Task(f"page-{i}", prompt, str(basket(data)), data=data)


def basket(d: dict, forgets: bool = False) -> int:
    """What the basket costs; shipping is free from a limit on."""
    total = sum(n * d["prices"][w] for n, w in zip(d["counts"], d["wares"], strict=True))
    return total + (0 if (total >= d["limit"]) != forgets else d["shipping"])


def browser_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    """Open the shop, read the prices and the terms, and add up."""
    d, talk = task.data, Talk()
    text = rng.choice((f"I open {d['shop']}.", "First the front page.", f"Let me visit {d['shop']} and look around."))
    talk.call(
        text,
        "goto",
        {"url": f"https://{d['shop'].split()[0].lower()}.example/"},
        f"{d['shop']}: Wares | Shipping | Contact",
    )
    for ware in rng.sample(d["wares"], 2):
        text = rng.choice((f"Now the {ware}.", f"I look for the price of the {ware}.", f"Click on {ware}."))
        talk.call(text, "click", {"element": ware}, f"{ware.capitalize()}: EUR {d['prices'][ware]} each, in stock")
    terms = f"Shipping EUR {d['shipping']}. Free from EUR {d['limit']}."
    talk.call(
        rng.choice(("And the terms of shipping?", "Shipping matters too.")), "click", {"element": "Shipping"}, terms
    )
    total = basket(d, forgets=not right)
    (a, b), (n, m) = d["wares"], d["counts"]
    goods = n * d["prices"][a] + m * d["prices"][b]
    text = f"{n} x {d['prices'][a]} = {n * d['prices'][a]} and "
    text += f"{m} x {d['prices'][b]} = {m * d['prices'][b]}, so {goods} for the goods. "
    text += rng.choice((f"Shipping adds {total - goods}.", f"With shipping of {total - goods} that is {total}."))
    talk.say(f"{text}\nAnswer: {total}")
    return Attempt(task, talk.messages, str(total), float(str(total) == task.gold), tool_seconds=rng.uniform(3, 9))
