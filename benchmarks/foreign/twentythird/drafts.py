"""Drafts of word problems: the question, its number, and the lines that lead to it."""

import math
from random import Random

NAMES = (
    "Amara",
    "Bogdan",
    "Chiara",
    "Dmitri",
    "Esi",
    "Farid",
    "Greta",
    "Hiro",
    "Ines",
    "Jomo",
    "Katya",
    "Luan",
    "Mira",
)
GOODS = ("notebook", "lamp", "kettle", "backpack", "helmet", "blanket", "radio", "drill", "teapot", "jacket")
HALLS = ("concert hall", "lecture theatre", "stadium block", "cinema", "ballroom", "puppet theatre")
Draft = tuple[str, int, list[str]]


def tank(r: Random) -> Draft:
    """Filling with a leak."""
    start, inn, out, minutes = r.randint(30, 900), r.randint(24, 95), r.randint(3, 20), r.randint(11, 58)
    net = inn - out
    return (
        f"A tank holds {start} litres. A pump adds {inn} litres a minute while a leak loses {out} litres a minute. How "
        f"many litres are in the tank after {minutes} minutes?",
        start + net * minutes,
        [
            f"The net flow is {inn} - {out} = {net} litres a minute.",
            f"In {minutes} minutes that adds {net * minutes}.",
            f"With the {start} litres from before the tank holds {{a}} litres.",
        ],
    )


def discount(r: Random) -> Draft:
    """A bill with a rebate."""
    price, count, off, post = 20 * r.randint(2, 19), r.randint(3, 24), 5 * r.randint(1, 9), r.randint(4, 19)
    full = price * count
    who, good = r.choice(NAMES), r.choice(GOODS)
    return (
        f"{who} orders {count} {good}s at {price} crowns each. The shop takes {off}% off the total and adds "
        f"{post} crowns "
        "for delivery. How many crowns are due?",
        full - full * off // 100 + post,
        [
            f"{count} times {price} makes {full}.",
            f"{off}% of {full} is {full * off // 100}.",
            f"Taking that off and adding {post} for delivery leaves {{a}}.",
        ],
    )


def farmyard(r: Random) -> Draft:
    """Heads and legs."""
    hens, goats = r.randint(7, 60), r.randint(5, 55)
    heads, legs = hens + goats, 2 * hens + 4 * goats
    return (
        f"In a yard {r.choice(NAMES)} counts {heads} heads and {legs} legs of hens and goats. How many "
        f"goats are there?",
        goats,
        [
            f"If all {heads} were hens there would be {2 * heads} legs.",
            f"There are {legs - 2 * heads} legs more than that.",
            "Each goat brings two more, so there are {a} goats.",
        ],
    )


def rows(r: Random) -> Draft:
    """Seats of a hall."""
    first, more, count = r.randint(12, 40), r.randint(2, 7), r.randint(9, 34)
    last = first + more * (count - 1)
    return (
        f"The first row of a {r.choice(HALLS)} has {first} seats and each row behind it has {more} more. "
        f"There are {count} "
        "rows. How many seats are there in all?",
        count * (first + last) // 2,
        [
            f"The last row has {first} + {count - 1}*{more} = {last} seats.",
            f"First and last together have {first + last}.",
            f"Half of {count} times {first + last} is {{a}}.",
        ],
    )


def remainder(r: Random) -> Draft:
    """A remainder of a product."""
    a, b, c, m = r.randint(31, 199), r.randint(21, 99), r.randint(5, 80), r.randint(23, 97)
    return (
        f"What remainder does {a} * {b} + {c} leave on division by {m}?",
        (a * b + c) % m,
        [
            f"{a} leaves {a % m} and {b} leaves {b % m} modulo {m}.",
            f"Their product {a % m * (b % m)} plus {c} counts.",
            f"Reduced modulo {m} that is {{a}}.",
        ],
    )


def committee(r: Random) -> Draft:
    """A choice with one member fixed."""
    n, k, who = r.randint(8, 16), r.randint(3, 5), r.choice(NAMES)
    return (
        f"A club of {n} people, {who} among them, picks a board of {k}. In how many ways can it do so if "
        f"{who} must serve?",
        math.comb(n - 1, k - 1),
        [
            f"One seat is fixed for {who}, so {k - 1} remain.",
            f"The other members number {n - 1}.",
            f"Choosing {k - 1} of {n - 1} can be done in {{a}} ways.",
        ],
    )


def field(r: Random) -> Draft:
    """Area from the fence."""
    long, wide = r.randint(25, 140), r.randint(11, 90)
    return (
        f"A fence of {2 * (long + wide)} m encloses a rectangular plot that is {long} m long. What is its "
        f"area in square "
        "metres?",
        long * wide,
        [
            f"Half the fence is {long + wide} m.",
            f"The width is {long + wide} - {long} = {wide} m.",
            f"{long} times {wide} is {{a}} square metres.",
        ],
    )


def either(r: Random) -> Draft:
    """Multiples of one or the other."""
    a, b, n = r.choice((4, 6, 9, 10)), r.choice((7, 11, 13)), r.randint(300, 2400)
    return (
        f"How many whole numbers from 1 to {n} are divisible by {a} or by {b}?",
        n // a + n // b - n // (a * b),
        [
            f"There are {n // a} multiples of {a} and {n // b} of {b}.",
            f"Both divide {n // (a * b)} numbers.",
            "By inclusion and exclusion that leaves {a}.",
        ],
    )
