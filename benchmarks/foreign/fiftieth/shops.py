"""A shop with a search, pages of articles, a cart and a checkout."""

import json
from random import Random

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = (
    "You shop for the user with the tools search_products, open_product, add_to_cart and checkout. "
    "Buy exactly one article that meets every wish, and check out. If no article does, buy nothing and say so."
)
_GOODS = (
    "kettle",
    "desk lamp",
    "backpack",
    "yoga mat",
    "rain jacket",
    "wall clock",
    "toaster",
    "bike helmet",
    "blanket",
)
_COLOURS = ("red", "green", "navy", "black", "white", "beige", "grey")
_MAKERS = ("Nordvik", "Halden", "Pomelo", "Tarn & Co", "Lumio", "Weka", "Ostro", "Brightside")


def _article(rng: Random, good: str, colour: str, price: float, number: int) -> dict:
    title = f"{rng.choice(_MAKERS)} {good}, {colour}"
    return {
        "sku": f"P{number}",
        "title": title,
        "price": price,
        "rating": round(rng.uniform(3.4, 4.9), 1),
        "stock": rng.randint(2, 60),
    }


def shop_tasks(rng: Random, number: int, impossible: float = 0.0) -> list[Task]:
    """Wishes for a good, a colour and a price; a share of them that nothing in the shop meets."""
    tasks, seen = [], set()
    while len(tasks) < number:
        place = len(tasks)
        good, colour, limit = rng.choice(_GOODS), rng.choice(_COLOURS), rng.randrange(18, 90)
        other = rng.choice([c for c in _COLOURS if c != colour])
        numbers = rng.sample(range(1000, 9999), 4)
        exists = rng.random() >= impossible
        fit = _article(rng, good, colour, round(limit * rng.uniform(0.6, 0.98), 2), numbers[0])
        dear = _article(rng, good, colour, round(limit * rng.uniform(1.08, 1.6), 2), numbers[1])
        off = _article(rng, good, other, round(limit * rng.uniform(0.4, 0.9), 2), numbers[2])
        more = _article(rng, good, other, round(limit * rng.uniform(1.1, 1.5), 2), numbers[3])
        shelf = [fit, dear, off, more] if exists else [dear, off, more]
        rng.shuffle(shelf)
        facts = {"good": good, "colour": colour, "limit": limit, "shelf": shelf, "fit": fit if exists else None}
        facts["wrong"] = [dear, off]
        prompt = one(
            rng,
            f"Please order a {colour} {good} for at most {limit} euros.",
            f"I need a {good}. It has to be {colour} and must not cost more than {limit} euros.",
            f"Get me one {good} in {colour}; my limit is {limit} euros.",
        )
        if prompt in seen:
            continue
        seen.add(prompt)
        gold = json.dumps({"cart": [fit["sku"]] if exists else [], "paid": exists})
        tasks.append(Task(f"shop/{place:03d}-{numbers[0]}", _SYSTEM, prompt, gold, facts, rng.gauss(0, 0.8)))
    return tasks


def listing(shelf: list[dict]) -> str:
    """The shop's answer to a search."""
    return "\n".join(f"[{a['sku']}] {a['title']} - {a['price']:.2f} EUR - rated {a['rating']}" for a in shelf)


def shelf_search(rng: Random, talk: Talk, task: Task) -> None:
    """Search the good that the task wants."""
    f = task.facts
    thought = one(
        rng,
        f"I am to find a {f['colour']} {f['good']} under {f['limit']} euros. I start with a search.",
        f"First I see what the shop has under {f['good']}; colour and price I compare afterwards.",
        f"Two conditions matter here: {f['colour']}, and no more than {f['limit']} euros. Let me search.",
    )
    words = one(rng, f["good"], f"{f['colour']} {f['good']}", f"{f['good']} {f['colour']}")
    talk.call(thought, "search_products", listing(f["shelf"]), query=words)


def buy(rng: Random, task: Task, skill: float, step: int, left: tuple[dict, ...] = ()) -> Episode:
    """Search, open, add, check out; a wrong attempt takes an article that is too dear or of another colour."""
    f, right, talk = task.facts, rng.random() < skill, Talk()
    shelf_search(rng, talk, task)
    if right and f["fit"] is None:
        talk.say(
            one(
                rng,
                f"No {f['good']} in {f['colour']} costs {f['limit']} euros or less, so I bought nothing.",
                f"I cannot fill this order: what is {f['colour']} is above {f['limit']} euros. Nothing was ordered.",
                f"The shop has no {f['colour']} {f['good']} within {f['limit']} euros. I left the cart empty.",
            )
            + some(rng, 0.5, "Shall I look for another colour?", "A higher limit would help.")
        )
        return Episode(talk.turns, True, "nothing bought", state={"cart": [], "paid": False})
    pick = f["fit"] if right else rng.choice(f["wrong"])
    if rng.random() < 0.6:
        page = f"{pick['title']}\nPrice: {pick['price']:.2f} EUR\nRating: {pick['rating']}\nIn stock: {pick['stock']}"
        look = one(rng, f"{pick['sku']} looks promising; I open its page.", f"I want the details of {pick['sku']}.")
        talk.call(look + some(rng, 0.4, "Its price decides."), "open_product", page, sku=pick["sku"])
    cart = [*left, pick]
    add = one(
        rng,
        f"{pick['title']} at {pick['price']:.2f} euros is the one. It goes into the cart.",
        f"I compare the list once more and settle on {pick['sku']}.",
        f"Of the results, {pick['sku']} for {pick['price']:.2f} is my choice.",
    )
    lines = "\n".join(f"- {a['sku']} {a['title']} {a['price']:.2f}" for a in cart)
    talk.call(add, "add_to_cart", f"Added. Your cart ({len(cart)}):\n{lines}", sku=pick["sku"], quantity=1)
    total = sum(a["price"] for a in cart)
    talk.call(
        one(rng, "Now the checkout.", "All is in place, I pay.", "I finish the order."),
        "checkout",
        f"Order placed: {len(cart)} article{'s' * (len(cart) > 1)}, {total:.2f} EUR.",
    )
    talk.say(
        one(rng, f"I ordered the {pick['title']}.", f"Done: {pick['sku']}, {pick['title']}, is on its way.")
        + some(rng, 0.5, f"It costs {pick['price']:.2f} euros.", "You will get a mail.")
    )
    state = {"cart": [a["sku"] for a in cart], "paid": True}
    return Episode(talk.turns, right and not left, pick["sku"], state=state)
