"""A web shop behind three tools: look, add, pay."""

import json
from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, call, say, told

GOODS = {
    "kettle": 34,
    "desk lamp": 27,
    "rain jacket": 89,
    "headphones": 64,
    "tea sampler": 15,
    "yoga mat": 23,
    "backpack": 72,
    "phone case": 12,
    "board game": 41,
    "water bottle": 18,
    "wool scarf": 29,
    "sketchbook": 9,
    "garden hose": 38,
}
PEOPLE = ["O'Neill", "D'Amico", "Schäfer", "Okafor", "Lindqvist", "Pereira", "O'Brien", "Tanaka", "Novak", "N'Diaye"]
WISHES = ["a gift for {who}", "an order for {who}", "something for the office of {who}", "a parcel to {who}"]
SYSTEM = "You are the assistant of a shop. Tools: view_basket(), add_item(name, quantity, note), checkout(total)."


def make(rng: Random, name: str) -> Task:
    """An order of two or three articles for a person."""
    items = {g: rng.randint(1, 4) for g in rng.sample(list(GOODS), rng.choice([2, 2, 3]))}
    who = rng.choice(PEOPLE)
    listed = ", ".join(f"{n} x {g}" for g, n in items.items())
    start = rng.choice(["Please place", "I'd like to have", "Could you prepare"])
    prompt = f"{start} {rng.choice(WISHES).format(who=who)}: {listed}. Put the name on each item's note and check out."
    total = sum(GOODS[g] * n for g, n in items.items())
    return Task(
        name,
        prompt,
        str(total),
        rng.choice(["gift", "reorder", "bulk"]),
        system=SYSTEM,
        facts={"items": items, "who": who},
    )


def shown(items: dict[str, int]) -> str:
    """A basket as the tool prints it."""
    lines = [{"name": g, "quantity": n, "price": GOODS[g] * n} for g, n in items.items()]
    return json.dumps({"items": lines, "total": sum(x["price"] for x in lines)})


def note_for(rng: Random, who: str) -> str:
    """What is written on an article."""
    return rng.choice([f"for {who}", f"{who}", f"name: {who}", f"to {who}, with thanks"])


def solve(rng: Random, task: Task, right: bool, t: float, before: dict[str, int] | None = None) -> Reply:
    """Look, add each article, pay; `before` is what the basket holds at the start."""
    basket = dict(before or {})
    turns = [
        call(rng.choice(["I start with the basket.", "", "Let me look first."]), "view_basket"),
        told("view_basket", shown(basket)),
    ]
    wanted = dict(task.facts["items"])
    if not right:
        victim = rng.choice(list(wanted))
        wanted[victim] = wanted[victim] + 1 if rng.random() < 0.5 else max(0, wanted[victim] - 1)
    for good, count in wanted.items():
        if count:
            basket[good] = basket.get(good, 0) + count
            turns += [
                call("", "add_item", name=good, quantity=count, note=note_for(rng, task.facts["who"])),
                told("add_item", json.dumps({"ok": True, "basket_lines": len(basket)})),
            ]
    total = sum(GOODS[g] * n for g, n in basket.items())
    turns += [
        call("", "checkout", total=total),
        told("checkout", json.dumps({"order": rng.randint(10**5, 10**6), "charged": total})),
    ]
    turns.append(
        say(
            rng.choice(["Your order is placed, {t} in total.", "Done. I charged {t}.", "All set: {t}."]).format(t=total)
        )
    )
    return Reply(turns, str(total))


BASKETS = Domain(make, solve)
