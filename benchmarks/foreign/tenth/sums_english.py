"""Word problems in English."""

from random import Random
from typing import Any

from benchmarks.foreign.tenth.names import GOODS, PEOPLE, TOWNS
from benchmarks.foreign.tenth.sums import Sum


def _crates(rng: Random) -> Sum:
    who, town, goods = rng.choice(PEOPLE), rng.choice(TOWNS), rng.choice(GOODS)
    g: dict[str, Any] = {
        "a": rng.randint(12, 48),
        "b": rng.randint(14, 60),
        "c": rng.randint(5, 90),
        "d": rng.randint(2, 9),
    }
    g["who"] = who
    return Sum(
        "stock",
        f"{who} runs a warehouse in {town}. {g['a']} crates with {g['b']} {goods} each arrive on Monday. {g['c']} "
        f"{goods} are broken and thrown away, and the rest is sold at {g['d']} coins apiece. How many coins does "
        f"{who} take in?",
        g,
        (
            (
                "n",
                f"{{a}} crates of {{b}} make {{a}} * {{b}} = {{it}} {goods}.|total {goods}: {{a}}*{{b}} = {{it}}",
                lambda v: v["a"] * v["b"],
            ),
            (
                "k",
                "Without the {c} broken ones {n} - {c} = {it} are left.|good ones: {n} - {c} = {it}",
                lambda v: v["n"] - v["c"],
            ),
            (
                "r",
                "At {d} coins each that is {k} * {d} = {it}.|{who} earns {k} x {d} = {it} coins.",
                lambda v: v["k"] * v["d"],
            ),
        ),
    )


def _bus(rng: Random) -> Sum:
    town, other = rng.sample(TOWNS, 2)
    g = {"a": rng.randint(20, 49), "b": rng.randint(3, 15), "c": rng.randint(5, 19), "d": rng.randint(2, 12)}
    g |= {"e": rng.randint(3, 8)}
    return Sum(
        "transport",
        f"A bus leaves {town} with {g['a']} people. At the first stop {g['b']} get off and {g['c']} get on, at the "
        f"second {g['d']} get off, and nobody moves until {other}. Each person on board there pays {g['e']} coins. "
        "How much is paid in all?",
        g,
        (
            ("f", "after the first exit {a} - {b} = {it}|{a} minus {b} leaves {it}.", lambda v: v["a"] - v["b"]),
            ("h", "with the new ones {f} + {c} = {it}|{c} board, so {it} ride on.", lambda v: v["f"] + v["c"]),
            ("i", "at the second stop {h} - {d} = {it}|{d} leave again: {it} remain.", lambda v: v["h"] - v["d"]),
            ("j", "they pay {i} * {e} = {it}|each pays {e}, which makes {it}.", lambda v: v["i"] * v["e"]),
        ),
    )


def _tank(rng: Random) -> Sum:
    g = {"a": rng.randint(400, 900), "b": rng.randint(6, 19), "p": rng.randint(17, 46), "d": rng.randint(3, 9)}
    return Sum(
        "rates",
        f"A cistern in {rng.choice(TOWNS)} holds {g['a']} litres. A pump adds {g['p']} litres a minute while "
        f"a leak loses {g['d']} litres a minute. How many litres does it hold after {g['b']} minutes?",
        g,
        (
            ("n", "net gain a minute: {p} - {d} = {it}|{p} in, {d} out, so {it} net", lambda v: v["p"] - v["d"]),
            ("g", "in {b} minutes {b} * {n} = {it} are added|{n} * {b} = {it}", lambda v: v["n"] * v["b"]),
            ("t", "{a} + {g} = {it} litres|together with the first {a} that is {it}", lambda v: v["a"] + v["g"]),
        ),
    )


def _choir(rng: Random) -> Sum:
    who, goods = rng.choice(PEOPLE), rng.choice(GOODS)
    g = {"a": rng.randint(3, 9), "b": rng.randint(11, 28), "c": rng.randint(2, 6), "d": rng.randint(5, 30)}
    return Sum(
        "sharing",
        f"{who}'s club has {g['a']} teams of {g['b']} members. Everybody brings {g['c']} {goods}, and the neighbours "
        f"add {g['d']} more. How many {goods} are there?",
        g,
        (
            ("m", "members: {a} * {b} = {it}|There are {a} times {b}, that is {it} people.", lambda v: v["a"] * v["b"]),
            ("x", "they bring {m} * {c} = {it}|{c} from each of {m}: {it}", lambda v: v["m"] * v["c"]),
            ("y", "plus {d} gives {it}|{x} + {d} = {it}", lambda v: v["x"] + v["d"]),
        ),
    )


def _wages(rng: Random) -> Sum:
    who, town = rng.choice(PEOPLE), rng.choice(TOWNS)
    g = {"a": rng.randint(12, 31), "b": rng.randint(22, 38), "c": rng.randint(3, 11), "d": rng.randint(40, 180)}
    return Sum(
        "money",
        f"{who} earns {g['a']} coins an hour in {town} and works {g['b']} hours a week, plus {g['c']} hours of "
        f"overtime that are paid double. {g['d']} coins are taken off for rent. What is left of the week's pay?",
        g,
        (
            ("n", "normal pay {a} * {b} = {it}|{b} hours at {a}: {it}", lambda v: v["a"] * v["b"]),
            ("o", "overtime at twice {a} is {it} an hour|double rate: 2 * {a} = {it}", lambda v: 2 * v["a"]),
            ("p", "{c} * {o} = {it} for overtime|extra: {it}", lambda v: v["c"] * v["o"]),
            ("q", "both: {n} + {p} = {it}|sum {it}", lambda v: v["n"] + v["p"]),
            ("r", "less rent {q} - {d} = {it}|after {d} of rent {it} are left", lambda v: v["q"] - v["d"]),
        ),
    )


WORD_PROBLEMS = (_crates, _bus, _tank, _choir, _wages)
"""Stock, transport, rates, sharing, money."""
