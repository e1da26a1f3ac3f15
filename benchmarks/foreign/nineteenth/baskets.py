"""Errands in a web shop, with tools that hold a basket."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.core import Reply, Task, call, say, told

STOCK = {
    "oat biscuits": 240, "sea salt": 130, "rye flour": 310, "olive soap": 425, "beeswax wraps": 890, "mint tea": 275,
    "wool socks": 1150, "ink refills": 640, "sponge cloths": 355, "birdseed": 520, "lamp oil": 780, "matches": 95,
    "honey": 610, "paper bags": 180, "garden twine": 260, "rubber boots": 2390,
}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """What shall be bought."""

    wanted: tuple[tuple[str, int], ...]


def basket_task(rng: Random) -> Task:
    """Draw an errand."""
    wanted = tuple((item, rng.randrange(1, 6)) for item in rng.sample(sorted(STOCK), rng.randrange(1, 4)))
    text = ", ".join(f"{n} × {item}" for item, n in wanted)
    who = rng.choice(("my mother", "the office", "the school fair", "our neighbour", "the allotment club", "me"))
    scene = Scene(wanted)
    return Task(
        rng.choice((f"Please order for {who}: {text}. Nothing else.", f"Buy {text} for {who} and check out.")),
        str(sum(STOCK[item] * n for item, n in wanted)),
        lambda r, right, skill: basket_reply(r, scene, right, skill, ()),
        family=f"{len(wanted)}_items",
        system="You shop for a customer. Tools: add_to_basket, view_basket, checkout.",
        extra={"num_items": len(wanted)},
        scene=scene,
    )


def listing(lines: list[tuple[str, int]]) -> str:
    """Show a basket."""
    total = sum(STOCK[item] * n for item, n in lines)
    shown = "; ".join(f"{n} x {item} @ {STOCK[item] / 100:.2f}" for item, n in lines)
    return f"basket: {shown or '(empty)'} | total {total / 100:.2f}"


def basket_reply(rng: Random, s: Scene, right: bool, skill: float, left: tuple[tuple[str, int], ...]) -> Reply:
    """Fill the basket and pay; `left` lies in it from the start."""
    basket, messages = list(left), []
    wanted = list(s.wanted)
    if not right:
        place = rng.randrange(len(wanted))
        item, n = wanted[place]
        wanted[place] = (item, n + rng.choice((1, 2))) if rng.random() < 0.6 else (rng.choice(sorted(STOCK)), n)
        if wanted[place] == (item, n):
            wanted[place] = (item, n + 1)
    for item, n in wanted:
        basket.append((item, n))
        note = rng.choice((f"Adding {item}.", f"{item} next.", "", f"{n} of {item}."))
        messages += [call(note, "add_to_basket", item=item, quantity=n), told("add_to_basket", listing(basket))]
    if rng.random() < 0.3 + 0.4 * skill:
        messages += [call("Check it once more.", "view_basket"), told("view_basket", listing(basket))]
    total = sum(STOCK[item] * n for item, n in basket)
    return Reply([*messages, *pay(rng, total)], str(total))


def pay(rng: Random, total: int) -> list[Row]:
    """Check out and say so."""
    return [
        call(rng.choice(("Checking out.", "All in, pay.", "")), "checkout"),
        told("checkout", f"order {rng.randrange(10**5, 10**6)} placed, charged {total / 100:.2f}"),
        say(rng.choice(("Your order is placed.", f"Done, it came to {total / 100:.2f}.", "Ordered as you asked."))),
    ]
