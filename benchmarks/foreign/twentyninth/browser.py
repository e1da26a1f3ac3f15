"""Errands in live web shops, with an evaluator that reads one element of the last page."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Message, Reply, Task, call, say, told

SITES = {
    "railshop": ("fare", ["Ghent", "Lyon", "Turin", "Graz", "Poznan", "Bilbao"]),
    "paintmart": ("price", ["matt white 5 l", "sea blue 2 l", "floor varnish", "primer 1 l", "chalk paint red"]),
    "seatfinder": ("ticket", ["row F balcony", "stalls centre", "box 3", "gallery", "standing north"]),
    "petdepot": ("total", ["cat litter 20 kg", "dog bed M", "aquarium pump", "bird seed 4 kg", "rabbit hutch"]),
}
OLD_MARK = {
    "railshop": "span.fare-final",
    "paintmart": "#price-box",
    "seatfinder": "td.amount",
    "petdepot": "div.cart-sum",
}
NEW_MARK = {
    "railshop": "p[data-qa=fare]",
    "paintmart": "b.ui-px-9",
    "seatfinder": "li.line--due",
    "petdepot": "output.v2-due",
}


def errand_task(rng: Random, pid: str) -> Task:
    """Find what something costs with a number of pieces and a voucher."""
    site = rng.choice(sorted(SITES))
    noun, things = SITES[site]
    thing, pieces, each, off = rng.choice(things), rng.randint(1, 6), rng.randint(7, 90), rng.choice([0, 5, 10])
    value = pieces * each - off
    voucher = f" with the voucher SAVE{off}" if off else ""
    text = (
        f"On {site}.example put {pieces} x {thing} in the basket{voucher} and leave the page "
        f"open that shows the {noun}. Report it."
    )
    return Task(
        pid, text, f"{value}.00", rng.gauss(0, 0.5), site, data={"thing": thing, "n": pieces, "each": each, "off": off}
    )


def page(task: Task, mark: str, value: str) -> str:
    """The last page as the tool prints it."""
    return f"[page] basket / {task.data['n']} x {task.data['thing']} / <{mark}>{value} EUR</> / button 'Pay'"


def shop(rng: Random, task: Task, right: bool, redesigned: bool) -> Reply:
    """Searches, fills the basket and reads the sum."""
    mark = NEW_MARK[task.family] if redesigned else OLD_MARK[task.family]
    pieces = task.data["n"] if right else max(1, task.data["n"] + rng.choice([-1, 1, 2]))
    value = f"{pieces * task.data['each'] - task.data['off']}.00"
    if value == task.gold and not right:
        value = f"{float(task.gold) + task.data['each']:.2f}"
    out: list[Message] = [
        call(
            rng.choice(["I open the shop.", "First the search.", "Looking for the item."]),
            "goto",
            {"url": f"https://{task.family}.example"},
        ),
        told("goto", f"[page] home / search box / {rng.randint(3, 9)} banners / cookie notice"),
    ]
    if rng.random() < 0.4:
        out += [call("Close the notice.", "click", {"text": "Accept"}), told("click", "[page] home / search box")]
    out += [
        call("", "search", {"query": task.data["thing"]}),
        told(
            "search",
            f"[page] results / {task.data['thing']} / {task.data['each']}.00 EUR / {rng.randint(2, 40)} in stock",
        ),
        call(
            rng.choice(["Set the number.", "Add to the basket.", ""]),
            "add_to_basket",
            {"item": task.data["thing"], "quantity": pieces},
        ),
        told("add_to_basket", page(task, mark, value)),
        say(rng.choice([f"The basket shows {value} EUR.", f"It comes to {value} EUR.", f"Done: {value} EUR is due."])),
    ]
    return Reply(out, value)
