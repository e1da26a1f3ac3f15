"""A web shop: the policy searches, fills a cart and checks out; the order must be the one asked for."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import call, pick, say, tool

GOODS = {
    "desk lamp": (18, 46), "thermos flask": (12, 35), "yoga mat": (15, 52), "usb hub": (9, 38),
    "rain jacket": (39, 140), "cast iron pan": (22, 75), "bike pump": (14, 44),
    "notebook set": (6, 19), "kettle": (20, 68), "ear plugs": (4, 16),
    "trail shoes": (55, 160), "bread knife": (11, 58), "board game": (17, 60), "phone stand": (7, 25),
}  # fmt: skip
COLOURS = ("black", "olive", "sand", "navy", "red", "white", "teal", "grey")
SYSTEM = (
    "You shop for the user. Tools: search(query), view_cart(), add_to_cart(sku, quantity), remove(sku), checkout()."
)


def task(rng: Random) -> Task:
    """An order of one article in a colour and number, under a price."""
    good, colour, count = rng.choice(list(GOODS)), rng.choice(COLOURS), rng.randint(1, 4)
    low, high = GOODS[good]
    price = round(rng.uniform(low, high), 2)
    limit = int(price * rng.uniform(1.03, 1.3)) + 1
    sku = f"{good[:2].upper()}{rng.randint(1000, 9999)}"
    prompt = pick(
        rng,
        f"Please order {count} x {good} in {colour}, at most {limit} EUR each.",
        f"I need {count} {colour} {good}(s). Don't spend more than {limit} EUR apiece. Check out when done.",
        f"Buy me a {good}, colour {colour}, quantity {count}, under {limit} EUR per item.",
    )
    extra = {"sku": sku, "quantity": count, "price": price, "good": good, "colour": colour}
    return Task(good, prompt, f"{count} x {sku}", system=SYSTEM, extra=extra)


def hits(t: Task) -> tuple[str, str]:
    """What the search lists, and the number of a wrong article among it."""
    rng = Random(t.prompt)
    other = f"{t.extra['sku'][:2]}{rng.randint(1000, 9999)}"
    shade = rng.choice([c for c in COLOURS if c != t.extra["colour"]])
    lines = [
        f"{t.extra['sku']} {t.extra['good']} ({t.extra['colour']}) {t.extra['price']:.2f} EUR",
        f"{other} {t.extra['good']} ({shade}) {t.extra['price'] * rng.uniform(0.7, 1.6):.2f} EUR",
    ]
    rng.shuffle(lines)
    return "\n".join(lines), other


def receipt(lines: list[tuple[int, str]]) -> str:
    """A cart or an order as text."""
    return "; ".join(f"{count} x {sku}" for count, sku in lines) or "(empty)"


def reply(rng: Random, t: Task, right: bool, progress: float, before: tuple[tuple[int, str], ...] = ()) -> Reply:
    """Search, add, check out; wrong ones take another colour or number. Before: what lies in the cart at first."""
    listing, other = hits(t)
    count, sku = t.extra["quantity"], t.extra["sku"]
    if not right:
        count, sku = (count, other) if rng.random() < 0.6 else (count + rng.choice((-1, 1, 2)) or 5, sku)
    query = pick(
        rng, t.extra["good"], f"{t.extra['colour']} {t.extra['good']}", f"{t.extra['good']} {t.extra['colour']}"
    )
    messages = [call(pick(rng, "I'll search first.", "Looking for it.", ""), "search", query=query)]
    messages.append(tool("search", listing))
    lines = [*before, (count, sku)]
    thought = pick(rng, f"{sku} fits.", f"Adding {sku}.", f"The one to take is {sku}, {count} of it.")
    messages += [call(thought, "add_to_cart", sku=sku, quantity=count), tool("add_to_cart", f"Cart: {receipt(lines)}")]
    if rng.random() < 0.2 + 0.3 * progress:
        messages += [call("Let me look at the cart.", "view_cart"), tool("view_cart", receipt(lines))]
    messages += [call("", "checkout"), tool("checkout", f"Order placed: {receipt(lines)}")]
    closing = pick(rng, "Done", "Your order is placed", "Ordered")
    messages.append(say(f"{closing}: {count} x {sku} ({t.extra['good']})."))
    return Reply(messages, f"{count} x {sku}", {"order": receipt(lines)})


WORLD = World(task, reply)
