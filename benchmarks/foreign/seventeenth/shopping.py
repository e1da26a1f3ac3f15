"""Orders in a shop, placed through tools."""

import json
from random import Random

from benchmarks.foreign.seventeenth.calls import call, told
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

THINGS = (
    "enamel mug", "linen apron", "oak spoon", "bike bell", "wool cap", "garden twine", "tea strainer", "pocket lens",
    "field notebook", "brass hook", "clay pot", "rain cover", "desk lamp", "cork mat", "tin whistle", "door wedge",
)  # fmt: skip
COLOURS = ["green", "blue", "rust", "white", "black", "ochre"]
SYSTEM = "You place orders for customers of a household shop. Order exactly what is asked, nothing else."


def cart_text(items: list[tuple[str, int]]) -> str:
    """What the shop shows as a cart."""
    return json.dumps({"cart": [{"item": name, "qty": qty} for name, qty in items]})


def shop_task(rng: Random, number: int) -> Task:
    """An order of one to three things."""
    names = rng.sample(THINGS, rng.randint(1, 3))
    wanted = [(f"{rng.choice(COLOURS)} {name}", rng.randint(1, 6)) for name in names]
    asked = rng.choice(
        ("Please order {}.", "I need {}, to my usual address.", "Could you get me {}?", "One order: {}.")
    )
    told_as = ", ".join(f"{qty} x {name}" for name, qty in wanted)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        return order(rng, wanted, right, [], rng.random() < 0.85)

    task = Task(
        f"order-{number:04d}",
        f"{len(wanted)} items",
        user(asked.format(told_as), SYSTEM),
        told_as,
        rng.gauss(0.3 * len(wanted) - 0.6, 0.6),
        solve,
    )
    task.extra = {"wanted": [list(w) for w in wanted]}
    return task


def order(
    rng: Random, wanted: list[tuple[str, int]], right: bool, already: list[tuple[str, int]], views: bool
) -> Reply:
    """An attempt that begins with what is already in the cart; right means that the policy makes no mistake."""
    cart, messages = list(already), []
    slip = -1 if right else rng.randrange(len(wanted))
    if views and already:
        messages += [call("view_cart", {}, "Let me see the cart."), told("view_cart", cart_text(cart))]
    for place, (name, qty) in enumerate(wanted):
        sku = f"SKU-{rng.randint(1000, 9999)}"
        found = json.dumps({"results": [{"sku": sku, "name": name, "price": rng.randint(3, 60)}]})
        spoken = rng.choice(("", f"Looking for the {name}.", "Next item.", "I search the catalogue."))
        messages += [call("search_items", {"query": name}, spoken), told("search_items", found)]
        bought = qty if place != slip else max(1, qty + rng.choice((-2, -1, 1, 2)))
        if place == slip and bought == qty:
            bought += 1
        cart.append((name, bought))
        messages += [call("add_to_cart", {"sku": sku, "qty": bought}), told("add_to_cart", '{"ok": true}')]
    if views:
        messages += [call("view_cart", {}, rng.choice(("A last look.", ""))), told("view_cart", cart_text(cart))]
    receipt = json.dumps({"order": rng.randint(10**5, 10**6), "lines": len(cart), "pieces": sum(q for _, q in cart)})
    messages += [call("checkout", {}), told("checkout", receipt)]
    closing = rng.choice(("Your order is placed.", "Done, it is on its way.", "I placed the order. Anything else?"))
    return Reply(
        [*messages, says(closing)], ", ".join(f"{q} x {n}" for n, q in cart), {"cart_pieces": sum(q for _, q in cart)}
    )
