"""Tasks of companies, with gold answers and a writer of right and wrong replies."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

Written = tuple[str, str]
"""Reasoning, and the answer it comes to."""


@dataclass(frozen=True)
class Task:
    """One problem: its prompt, its answer, how hard it is, and how a policy writes about it."""

    task_id: str
    prompt: str
    gold: str
    family: str
    hard: float
    write: Callable[[Random, bool], Written]


def _join(rng: Random, opening: list[str], steps: list[str], closing: list[str]) -> str:
    parts = [rng.choice(opening), *steps]
    if rng.random() < 0.7:
        parts.append(rng.choice(closing))
    return " ".join(parts)


def freight(rng: Random, number: int) -> Task:
    """What a shipment costs."""
    pallets, kilos, rate, fee = rng.randint(3, 29), rng.randint(140, 620), rng.randint(2, 9), rng.randint(35, 190)
    city = rng.choice(["Gdansk", "Lyon", "Porto", "Trieste", "Malmo", "Izmir", "Cork", "Brno"])
    gold = pallets * kilos * rate + fee * 100
    prompt = (
        f"A forwarder ships {pallets} pallets of {kilos} kg each to {city}. It charges {rate} cents a kilogram and a "
        f"handling fee of {fee} euros for the whole shipment. What is the invoice total in cents?"
    )

    def write(r: Random, right: bool) -> Written:
        slip = "" if right else r.choice(["fee", "count", "fee_each", "product"])
        count = pallets - 1 if slip == "count" else pallets
        weight = count * kilos + (r.choice([-100, 100, 10, -10]) if slip == "product" else 0)
        paid = {"fee": 0, "fee_each": fee * 100 * pallets}.get(slip, fee * 100)
        total = weight * rate + paid
        steps = [
            r.choice(
                [f"{count} pallets at {kilos} kg make {weight} kg.", f"The weight is {count} x {kilos} = {weight}."]
            ),
            r.choice(
                [f"At {rate} cents that is {weight * rate} cents.", f"Freight: {weight} * {rate} = {weight * rate}."]
            ),
            "The fee is in the rate already, I take it." if not paid else f"Handling adds {paid} cents.",
            r.choice([f"Together {total}.", f"So the total for {city} is {total} cents.", f"Sum: {total}."]),
        ]
        first = [
            "I begin with the weight.",
            f"Shipment to {city}:",
            "Let me list what is billed.",
            "Two parts: freight and fee.",
        ]
        last = [
            "That looks plausible for a load of this size.",
            "Units are cents throughout.",
            "I checked the product once more.",
        ]
        return _join(r, first, steps, last), str(total)

    return Task(f"freight-{number}", prompt, str(gold), "freight", rng.uniform(-0.8, 0.9), write)


def claim(rng: Random, number: int) -> Task:
    """What a patient pays of a bill."""
    bill, deductible, share = rng.randint(20, 96) * 100, rng.randint(3, 15) * 100, rng.choice([10, 15, 20, 25, 30])
    who = rng.choice(["Ms Adeyemi", "Mr Kovac", "Ms Lindqvist", "Mr Tanaka", "Ms Ferreira", "Mr Oduya"])
    gold = deductible + (bill - deductible) * share // 100
    prompt = (
        f"Policy wording: the member pays the annual deductible of ${deductible} first, and then {share}% of what is "
        f"left of covered costs. {who} has a covered bill of ${bill} and has paid nothing this year. How many dollars "
        "does the member owe?"
    )

    def write(r: Random, right: bool) -> Written:
        slip = "" if right else r.choice(["whole", "no_deductible", "insurer"])
        base = bill if slip == "whole" else bill - deductible
        part = base * (100 - share if slip == "insurer" else share) // 100
        total = part + (0 if slip == "no_deductible" else deductible)
        steps = [
            f"The coinsurance applies to ${base}.",
            r.choice([f"That gives ${part}.", f"{part} dollars is the member's part of it.", f"Coinsurance: {part}."]),
            "The deductible was met by the bill itself."
            if slip == "no_deductible"
            else f"The deductible adds {deductible}.",
            r.choice([f"{who} owes {total}.", f"In all {total} dollars.", f"Amount due: {total}."]),
        ]
        first = [
            f"I read the wording for {who}.",
            "Order matters here.",
            f"The bill is ${bill}.",
            "First the clause, then sums.",
        ]
        return _join(
            r, first, steps, ["No out-of-pocket cap is mentioned.", "Nothing else in the wording changes it."]
        ), str(total)

    return Task(f"claim-{number}", prompt, str(gold), "claims", rng.uniform(-0.6, 1.0), write)


def shift(rng: Random, number: int) -> Task:
    """When a crew is done."""
    rooms, minutes, crew, start = rng.randint(9, 34), rng.randint(12, 26), rng.randint(2, 5), rng.randint(6, 10)
    rest = rng.choice([15, 20, 30, 45])

    def clock(total: int) -> str:
        return f"{(start * 60 + total) // 60:02d}:{total % 60:02d}"

    gold = clock(-(-rooms // crew) * minutes + rest)
    site = rng.choice(["the Harbour clinic", "block C", "the night hotel", "the east terminal", "the test lab"])
    prompt = (
        f"{rooms} rooms of {site} must be cleaned, {minutes} minutes each, one cleaner a room. {crew} cleaners "
        f"start at {start:02d}:00, work in parallel and share one break of {rest} minutes. "
        f"When is the last one done? (HH:MM)"
    )

    def write(r: Random, right: bool) -> Written:
        slip = "" if right else r.choice(["break", "rounds", "extra"])
        rounds = -(-rooms // crew) + {"rounds": -1, "extra": 1}.get(slip, 0)
        total = rounds * minutes + (0 if slip == "break" else rest)
        steps = [
            r.choice([f"{rooms} rooms over {crew} people need {rounds} rounds.", f"Rounds: {rounds}."]),
            f"{rounds} rounds of {minutes} minutes take {rounds * minutes} minutes.",
            "I leave the break aside." if slip == "break" else f"With the break that is {total} minutes.",
            r.choice([f"From {start:02d}:00 on we end at {clock(total)}.", f"Done at {clock(total)}."]),
        ]
        return _join(
            r,
            [f"Planning {site}.", "They work in rounds.", "Let me lay out the shift."],
            steps,
            ["The last round need not be full.", "Nobody waits for another."],
        ), clock(total)

    return Task(f"shift-{number}", prompt, gold, "planning", rng.uniform(-0.4, 1.2), write)


def pipeline(rng: Random, number: int) -> Task:
    """How many rows a pipeline leaves."""
    days, daily, dupes, nulls = rng.randint(5, 30), rng.randint(120, 980), rng.randint(2, 24), rng.randint(11, 210)
    table = rng.choice(["orders_raw", "clickstream", "meter_reads", "loan_events", "bookings"])
    gold = days * (daily - dupes) - nulls
    prompt = (
        f"Table {table} gets {daily} rows a day for {days} days. Each day {dupes} of them are exact duplicates that "
        f"the job removes. Afterwards {nulls} rows without a key are dropped from the whole table. "
        "How many rows are left?"
    )

    def write(r: Random, right: bool) -> Written:
        slip = "" if right else r.choice(["once", "nulls", "daily"])
        kept = days * daily - dupes if slip == "once" else days * (daily - dupes)
        lost = {"nulls": 0, "daily": nulls * days}.get(slip, nulls)
        steps = [
            f"After removing duplicates {table} has {kept} rows.",
            "Rows without a key were duplicates too."
            if not lost
            else f"Dropping rows without a key takes away {lost}.",
            r.choice(
                [f"{kept} - {lost} = {kept - lost}.", f"So {kept - lost} rows are left.", f"Left: {kept - lost}."]
            ),
        ]
        first = [
            f"{days} days of {daily} rows is {days * daily}.",
            f"I go through the job on {table}.",
            "Dedup first, then keys.",
        ]
        return _join(r, first, steps, ["Order of both steps is as stated.", "A count query would confirm it."]), str(
            kept - lost
        )

    return Task(f"pipe-{number}", prompt, str(gold), "data", rng.uniform(-0.7, 1.0), write)


LABELS = ("spam", "harassment", "scam", "allowed")
_POSTS = {
    "spam": ["Buy {n} followers today, link in bio, {x} sale ends soon", "{x} coupons!!! repost in {n} groups to win"],
    "harassment": [
        "{x}, nobody wants you here, go cry in your {n} posts",
        "All {n} of us think {x} is trash, tell them daily",
    ],
    "scam": [
        "Send {n} dollars to unlock your {x} refund, agent waits",
        "Your {x} account is locked, reply with the {n} digit code",
    ],
    "allowed": [
        "I waited {n} minutes at {x} and the soup was cold",
        "Has anyone repaired a {x} pump? Mine is {n} years old",
    ],
}
_WHY = {
    "spam": ["It pushes an offer on many readers.", "Bulk promotion is its only aim."],
    "harassment": ["It degrades one named target.", "The aim is to drive somebody away."],
    "scam": ["It asks for money or codes under a pretext.", "The pretext hides a theft."],
    "allowed": ["It is a personal remark without a target.", "I see an ordinary talk among users."],
}


def post(rng: Random, number: int) -> Task:
    """A post to be labelled."""
    gold = rng.choice(LABELS)
    name, count = rng.choice(["Marlo", "Zenbit", "Tessa", "Orbita", "Quill", "Hanno", "Vexa"]), rng.randint(3, 990)
    said = rng.choice(_POSTS[gold]).format(n=count, x=name)
    prompt = f'Label the post with one of spam, harassment, scam, allowed. Post {number}: "{said}"'

    def write(r: Random, right: bool) -> Written:
        label = gold if right else r.choice([x for x in LABELS if x != gold])
        steps = [
            r.choice([f"{name} is mentioned, and the number {count}.", f"The wording around {name} decides."]),
            r.choice(_WHY[label]),
        ]
        first = [
            "I read the post twice.",
            "Which rule fits?",
            "Intent first, then tone.",
            f"The post speaks of {name}.",
        ]
        return _join(r, first, steps, [f"That is {label} under the rules.", "Other labels fit less well."]), label

    return Task(f"post-{number}", prompt, gold, "moderation", rng.uniform(-0.7, 1.0), write)


MAKERS = (freight, claim, shift, pipeline, post)


def make(rng: Random, maker: Callable[[Random, int], Task], count: int) -> list[Task]:
    """So many tasks of one family."""
    start = rng.randint(100, 4000)
    return [maker(rng, start + i) for i in range(count)]


def mixed(
    rng: Random, count: int, makers: tuple[Callable[[Random, int], Task], ...] = MAKERS, held: bool = False
) -> list[Task]:
    """So many tasks of several families in turn; held ones have numbers of their own."""
    start = rng.randint(100, 4000) + 5000 * held
    return [makers[i % len(makers)](rng, start + i) for i in range(count)]
