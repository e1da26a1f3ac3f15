"""Customer service with simulated users, and pages where rooms are booked."""

import random
from dataclasses import dataclass

from benchmarks.foreign.fortythird.policy import call, said

GOODS = ("kettle", "desk lamp", "rain jacket", "headset", "suitcase", "blender", "bicycle pump", "tent")
CUSTOMERS = ("Mara", "Oskar", "Yusuf", "Ingrid", "Chidi", "Paloma", "Dmitri", "Anjali")
TOWNS = ("Bergen", "Porto", "Ghent", "Trieste", "Kraków", "Malmö", "Cádiz", "Graz")
HOUSES = ("Hotel Linde", "Pension Mar", "The Anchor", "Villa Rosa", "Casa Alta", "Old Mill Inn", "Gasthof Post")


@dataclass(frozen=True)
class Order:
    """A user's wish about an order."""

    text: str
    number: str
    item: str
    price: int
    days: int
    name: str

    @property
    def may_refund(self) -> bool:
        """Whether the policy of thirty days allows a refund."""
        return self.days <= 30


POLICY = (
    "You serve the customers of a shop. Look the order up before you decide. Goods may be returned for a refund within "
    "30 days of delivery; later than that, offer a repair."
)


def order(rng: random.Random) -> Order:
    """A user who wants money back."""
    number, item, name = f"K{rng.randint(10000, 99999)}", rng.choice(GOODS), rng.choice(CUSTOMERS)
    text = rng.choice(
        [
            f"Hello, this is {name}. My {item} from order {number} does not work. I want my money back.",
            f"Hi! {name} here. I would like to return the {item} of order {number}, please.",
            f"The {item} you sent me ({number}) is not what I wanted. Can I get a refund? — {name}",
        ]
    )
    return Order(text, number, item, rng.randint(14, 190), rng.choice([rng.randint(2, 29), rng.randint(33, 90)]), name)


def record(o: Order) -> str:
    """What the shop knows of an order."""
    return f'{{"order": "{o.number}", "item": "{o.item}", "price": {o.price}, "days_since_delivery": {o.days}}}'


def thanks(rng: random.Random, o: Order) -> list[dict]:
    """The user's last words."""
    words = ["Thank you, that is all.", f"All right. Bye, {o.name}.", "Fine, thanks for the help.", "OK, good to know."]
    return [{"role": "user", "content": rng.choice(words)}]


def serve(rng: random.Random, o: Order, is_right: bool) -> list[dict]:
    """Look up, decide, act; the wrong decision is the other one."""
    refund = o.may_refund == is_right
    look = rng.choice([f"Let me look at order {o.number}, {o.name}.", f"I check your {o.item} first.", "One moment."])
    reply = call(look, "lookup_order", record(o), order=o.number)
    if refund:
        out = f'{{"status": "refunded", "amount": {o.price}}}'
        reply += call(f"I start the refund for the {o.item}.", "issue_refund", out, order=o.number, amount=o.price)
        end = rng.choice(
            [f"{o.price} euros are on their way to you.", f"Your refund of {o.price} euros for the {o.item} is booked."]
        )
    else:
        end = rng.choice(
            [
                f"Your {o.item} came {o.days} days ago, so I can offer a repair but no refund.",
                f"After {o.days} days a refund is not possible; we gladly repair the {o.item}.",
            ]
        )
    return reply + said(end) + thanks(rng, o) + said(rng.choice(["You are welcome.", f"Have a good day, {o.name}."]))


@dataclass(frozen=True)
class Stay:
    """A room to be booked."""

    text: str
    town: str
    offers: tuple[tuple[str, int, bool], ...]

    @property
    def answer(self) -> str:
        """The cheapest house with breakfast."""
        return min((o for o in self.offers if o[2]), key=lambda o: o[1])[0]


def stay(rng: random.Random) -> Stay:
    """A town with offers."""
    town, houses = rng.choice(TOWNS), rng.sample(HOUSES, rng.randint(4, 6))
    prices = rng.sample(range(48, 190), len(houses))
    meals = [True, True] + [rng.random() < 0.5 for _ in houses[2:]]
    day = f"{rng.randint(1, 28)} {rng.choice(['April', 'June', 'September'])}"
    ask = rng.choice(["Book the cheapest room with breakfast", "Reserve the lowest-priced room that has breakfast"])
    return Stay(f"{ask} in {town} for {day}.", town, tuple(zip(houses, prices, meals, strict=True)))


def book(rng: random.Random, s: Stay, is_right: bool) -> tuple[list[dict], str]:
    """Open the list, choose and submit."""
    page = f"Rooms in {s.town}\n" + "\n".join(
        f"[{i}] {h} – {p} EUR – {'breakfast included' if m else 'no meals'}" for i, (h, p, m) in enumerate(s.offers, 1)
    )
    pick = s.answer if is_right else rng.choice([o[0] for o in s.offers if o[0] != s.answer])
    place = [o[0] for o in s.offers].index(pick) + 1
    price = s.offers[place - 1][1]
    look = rng.choice([f"I open the rooms in {s.town}.", f"First the list for {s.town}.", "Let me see the offers."])
    why = rng.choice(
        [f"{pick} at {price} EUR looks best.", f"I take number {place}, {pick}.", f"{price} EUR for {pick}."]
    )
    reply = call(look, "open_page", page, url=f"https://stay.example/{s.town.lower()}")
    reply += call(why, "click", f"{pick}\nPrice {price} EUR\n[Book] [Back]", element=place)
    reply += call(
        "That fits; I book it.", "click", f"Booked: {pick}. Reference {rng.randint(1000, 9999)}.", element="Book"
    )
    return reply + said(f"{pick} in {s.town} is booked for {price} EUR."), pick
