"""Word problems on prices, ways, areas, ages and rates."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.seventh.prose import FIRST, GOODS, TOWNS, say

Way = tuple[list[str], int]
"""Steps of the working, and the result."""


@dataclass
class Sum:
    """A question, the right way and wrong ones."""

    family: str
    prompt: str
    right: Way
    wrong: list[Way]


def discount(rng: Random) -> Sum:
    """Draw several pieces at a reduced price."""
    price, cut, count = 20 * rng.randint(2, 15), 5 * rng.randint(2, 9), rng.randint(3, 9)
    goods, town = rng.choice(GOODS), rng.choice(TOWNS)
    new = price * (100 - cut) // 100
    ask = f"A shop in {town} sells {goods} at {price} crowns each. " + say(
        rng,
        f"[During a sale the price falls by {cut}%|With a voucher {cut}% is taken off each]. "
        f"[What do|How much do] {count} of them [cost|come to]?",
    )
    right = (
        [f"Reduced price: {price} - {price}*{cut}/100 = {new}.", f"For {count}: {count} * {new} = {count * new}."],
        count * new,
    )
    off = price * cut // 100
    return Sum(
        "percent", ask, right, [([f"{cut}% of {price} is {off}.", f"{count} * {off} = {count * off}."], count * off)]
    )


def trains(rng: Random) -> Sum:
    """Draw two trains that meet."""
    a, b, hours = rng.randint(40, 95), rng.randint(40, 95), rng.randint(2, 9)
    x, y = rng.sample(TOWNS, 2)
    ask = (
        f"Two trains leave {x} and {y} at the same time, towards each other, at {a} and {b} km/h. They meet after "
        f"{hours} hours. How far apart are the towns?"
    )
    right = (
        [f"Closing speed {a} + {b} = {a + b} km/h.", f"Distance {a + b} * {hours} = {(a + b) * hours}."],
        (a + b) * hours,
    )
    gap = abs(a - b)
    return Sum(
        "speed",
        ask,
        right,
        [([f"Relative speed |{a} - {b}| = {gap}.", f"{gap} * {hours} = {gap * hours}."], gap * hours)],
    )


def border(rng: Random) -> Sum:
    """Draw a path round a pond."""
    w, h, d = rng.randint(8, 40), rng.randint(8, 40), rng.randint(1, 4)
    area = (w + 2 * d) * (h + 2 * d) - w * h
    ask = f"A {w} m by {h} m pond is surrounded by a path {d} m wide. " + say(
        rng, "[What is the area of the path|Find the path's area], in square metres?"
    )
    right = [f"Outer size {w + 2 * d} by {h + 2 * d}.", f"{(w + 2 * d) * (h + 2 * d)} - {w * h} = {area}."], area
    bad = (w + d) * (h + d) - w * h
    return Sum(
        "area", ask, right, [([f"Outer size {w + d} by {h + d}.", f"{(w + d) * (h + d)} - {w * h} = {bad}."], bad)]
    )


def average(rng: Random) -> Sum:
    """Draw a raised average."""
    n, mean, new = rng.randint(4, 11), rng.randint(40, 80), rng.randint(1, 3)
    added = mean + new * (n + 1)
    who = rng.choice(FIRST)
    ask = (
        f"After {n} tests {who} has an average of {mean} points. What must {who} score in the next test to raise "
        f"the average by {new}?"
    )
    right = (
        [
            f"Old sum {n}*{mean} = {n * mean}.",
            f"New sum {n + 1}*{mean + new} = {(n + 1) * (mean + new)}.",
            f"Difference {added}.",
        ],
        added,
    )
    return Sum(
        "average",
        ask,
        right,
        [([f"One more test, so add {n}*{new}.", f"{mean} + {n * new} = {mean + n * new}."], mean + n * new)],
    )


def ages(rng: Random) -> Sum:
    """Draw two ages to be added."""
    young, times, later = rng.randint(3, 14), rng.randint(2, 5), rng.randint(2, 15)
    a, b = rng.sample(FIRST, 2)
    value = young * (times + 1) + 2 * later
    ask = (
        f"{a} is {young} years old, and {b} is {times} times as old. What will the sum of their ages be in {later} "
        "years?"
    )
    right = (
        [
            f"{b}: {times}*{young} = {times * young}.",
            f"Now {young * (times + 1)} together; both gain {later}: {value}.",
        ],
        value,
    )
    bad = young * (times + 1) + later
    return Sum("ages", ask, right, [([f"Together {young * (times + 1)}.", f"Plus {later}: {bad}."], bad)])


def tank(rng: Random) -> Sum:
    """Draw a tank with a pipe and a leak."""
    inflow, leak, minutes, start = rng.randint(12, 40), rng.randint(2, 11), rng.randint(6, 45), 10 * rng.randint(2, 30)
    value = start + (inflow - leak) * minutes
    ask = (
        f"A tank holds {start} litres. A pipe adds {inflow} litres a minute and a leak loses {leak}. How many "
        f"litres are in it after {minutes} minutes?"
    )
    right = [f"Net gain {inflow - leak} litres a minute.", f"{start} + {minutes}*{inflow - leak} = {value}."], value
    bad = (inflow - leak) * minutes
    return Sum("rates", ask, right, [([f"Net gain {inflow - leak}.", f"{minutes}*{inflow - leak} = {bad}."], bad)])
