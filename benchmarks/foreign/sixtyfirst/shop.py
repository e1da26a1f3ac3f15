"""A web shop: buy the cheapest thing that meets the wishes. The order that stands at the end is checked."""

import random

from benchmarks.foreign.sixtyfirst.tasks import Message, Task, World, code_of, says, tool

_NOUNS = (
    "kettle",
    "backpack",
    "desk lamp",
    "rain jacket",
    "yoga mat",
    "bike lock",
    "thermos",
    "wall clock",
    "umbrella",
)
_COLOURS = ("green", "black", "red", "blue", "grey", "yellow")
_BRANDS = ("Halden", "Mirou", "Ostrava", "Kitefin", "Pell & Co", "Tarn", "Vesper", "Lodestar", "Quill")
_REASONS = ("It is a present for my aunt.", "I need it before Friday.", "My old one broke.", "Thanks in advance.", "")


def draw(rng: random.Random) -> Task:
    """A wish, and a catalogue where one item is the cheapest that meets it."""
    noun, colour, least = rng.choice(_NOUNS), rng.choice(_COLOURS), rng.choice((3.5, 4.0, 4.2))
    others = [c for c in _COLOURS if c != colour]
    prices = sorted(rng.sample(range(1299, 9900, 50), 6))
    kinds = [
        (colour, 3.1),
        (rng.choice(others), 4.6),
        (colour, 4.5),
        (colour, 4.7),
        (rng.choice(others), 3.9),
        (colour, 4.3),
    ]
    items = [
        {"id": code_of(rng, "SKU"), "brand": rng.choice(_BRANDS), "colour": c, "rating": r, "price": p / 100}
        for p, (c, r) in zip(prices, kinds, strict=True)
    ]
    prompt = (
        f"Buy the cheapest {colour} {noun} that is rated {least} stars or better. "
        f"Order exactly one. {rng.choice(_REASONS)}"
    ).strip()
    facts = {"noun": noun, "colour": colour, "least": least, "items": items}
    return Task(code_of(rng, "shop"), prompt, noun.replace(" ", "_"), rng.gauss(0, 1), items[2]["id"], facts)


def listing(task: Task, query: str) -> str:
    """What the page of results shows; its order depends on the query."""
    items = list(task.facts["items"])
    random.Random(f"{task.key} {query}").shuffle(items)
    lines = [
        (
            f"[{n}] {i['brand']} {task.facts['noun']}, {i['colour']} | {i['id']} | "
            f"{i['rating']} stars | {i['price']:.2f} EUR"
        )
        for n, i in enumerate(items, 1)
    ]
    return f"Results for your search: {len(items)} items\n" + "\n".join(lines)


def play(rng: random.Random, task: Task, right: bool) -> tuple[list[Message], str]:
    """Search, look closer, put it in the cart, pay."""
    f = task.facts
    picked = f["items"][2] if right else rng.choice([i for n, i in enumerate(f["items"]) if n != 2])
    begin = rng.choice(
        (
            f"I look for a {f['noun']} first and sort out colour and rating from the list.",
            (
                f"The wish names a {f['colour']} {f['noun']} and a least rating of "
                f"{f['least']}. Searching gives me the candidates."
            ),
            f"Let me see which {f['noun']} the shop can offer before I choose.",
        )
    )
    why = rng.choice(
        (
            f"Of those in the list, {picked['brand']} at {picked['price']:.2f} looks like the one to take.",
            f"{picked['brand']} has {picked['rating']} stars and costs {picked['price']:.2f}, so I go for it.",
            f"Comparing prices among what fits leaves me with {picked['id']} by {picked['brand']}.",
        )
    )
    query = rng.choice((f"{f['colour']} {f['noun']}", f["noun"], f"{f['noun']} {f['colour']} cheap"))
    said: list[Message] = [says(begin, "search_items", query=query), tool("search_items", listing(task, query))]
    if rng.random() < 0.5:
        page = f"{picked['brand']} {f['noun']} | colour {picked['colour']} | {picked['rating']} stars | in stock"
        said += [says(rng.choice(("I open its page to be sure.", "A closer look.")), "open_item", item=picked["id"])]
        said += [tool("open_item", page)]
    said += [says(why, "add_to_cart", item=picked["id"], quantity=1)]
    said += [tool("add_to_cart", f"Cart: 1 x {picked['id']} ({picked['price']:.2f} EUR)")]
    said += [says(rng.choice(("The cart is as wished; I pay.", "Now the checkout.")), "checkout")]
    said += [
        tool("checkout", f"Order {code_of(rng, 'ORD')} placed: 1 x {picked['id']}, total {picked['price']:.2f} EUR")
    ]
    last = rng.choice(("Ordered", "Done, I bought", "The order is placed for"))
    said += [says(f"{last} {picked['id']}, the {picked['brand']} {f['noun']} for {picked['price']:.2f} EUR.")]
    return said, picked["id"]


SHOP = World("shop", "You shop for a customer. Use the tools of the shop and end with a short report.", draw, play)
"""The web shop."""
