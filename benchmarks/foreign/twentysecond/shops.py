"""Orders in a web shop with a basket."""

from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import call, say, told

WARES = {
    "linen apron": 24,
    "brass hook": 7,
    "oak stool": 61,
    "wool blanket": 88,
    "enamel jug": 19,
    "clay saucer": 5,
    "reed basket": 33,
    "copper pan": 74,
    "cork mat": 11,
    "glass funnel": 13,
}


def order_task(rng: Random) -> Task:
    """Some wares in some numbers."""
    wanted = {w: rng.randint(1, 6) for w in rng.sample(sorted(WARES), rng.randint(2, 3))}
    words = ", ".join(f"{n} x {w}" for w, n in wanted.items())
    prompt = [
        {"role": "system", "content": "Tools: add(item, quantity), view_basket(), remove(item), checkout()."},
        {
            "role": "user",
            "content": f"Order exactly this for customer {rng.randint(10**4, 10**5)}: {words}. Nothing else.",
        },
    ]
    return Task(prompt, "", None, f"{len(wanted)} items", hidden={"wanted": wanted})


def basket_text(basket: dict[str, int]) -> str:
    """What the basket holds."""
    total = sum(WARES[w] * n for w, n in basket.items())
    return "; ".join(f"{n} x {w}" for w, n in basket.items()) + f" | total {total} EUR"


def shop(rng: Random, task: Task, right: bool, before: dict[str, int], looks: float) -> list[Message]:
    """Fills the basket and pays; `before` lies in it when the attempt begins."""
    basket, said = dict(before), []
    for ware, n in task.hidden["wanted"].items():
        n = n if right else rng.choice((n + 1, max(1, n - 1), n))
        basket[ware] = basket.get(ware, 0) + n
        said += [call("", "add", item=ware, quantity=n), told("add", f"added; basket: {basket_text(basket)}")]
    if not right and basket == before | task.hidden["wanted"]:
        extra = rng.choice([w for w in sorted(WARES) if w not in basket])
        basket[extra] = 1
        said += [
            call("This may help too.", "add", item=extra, quantity=1),
            told("add", f"added; basket: {basket_text(basket)}"),
        ]
    if rng.random() < looks:
        said += [call("Check before paying.", "view_basket"), told("view_basket", basket_text(basket))]
    said += [call("", "checkout"), told("checkout", f"order placed: {basket_text(basket)}")]
    return said + say(rng.choice(("The order is placed.", "Done, it has been ordered.", "Ordered as asked.")))
