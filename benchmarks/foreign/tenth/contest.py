"""Problems of competitions with one whole number as answer, and problems about lengths of time."""

from random import Random

from benchmarks.foreign.tenth.names import PEOPLE, TOWNS
from benchmarks.foreign.tenth.sums import Sum


def _power(rng: Random) -> Sum:
    g = {"a": rng.randint(3, 29), "m": rng.randint(31, 97), "e": rng.randint(5, 9)}
    return Sum(
        "number_theory",
        f"Find the remainder when ${g['a']}^{{{g['e'] * 2}}}$ is divided by ${g['m']}$.",
        g,
        (
            ("s", "{a}^2 leaves {it} modulo {m}.|square: {a}^2 mod {m} = {it}", lambda v: v["a"] ** 2 % v["m"]),
            (
                "t",
                "raise {s} to the power {e}: remainder {it}|({s})^{e} mod {m} = {it}",
                lambda v: v["s"] ** v["e"] % v["m"],
            ),
        ),
    )


def _multiples(rng: Random) -> Sum:
    a, b = rng.sample((3, 4, 5, 7, 11, 13), 2)
    g = {"a": a, "b": b, "n": rng.randint(200, 999)}
    return Sum(
        "counting",
        f"How many positive integers not above ${g['n']}$ are multiples of ${a}$ or of ${b}$ but not of both?",
        g,
        (
            ("x", "multiples of {a}: floor({n}/{a}) = {it}|{it} multiples of {a}", lambda v: v["n"] // v["a"]),
            ("y", "multiples of {b}: {it}|floor({n}/{b}) = {it}", lambda v: v["n"] // v["b"]),
            (
                "z",
                "of both, that is of {a}*{b}: {it}|{it} are multiples of both",
                lambda v: v["n"] // (v["a"] * v["b"]),
            ),
            (
                "r",
                "{x} + {y} - 2*{z} = {it}|so {it} remain after the overlap goes twice",
                lambda v: v["x"] + v["y"] - 2 * v["z"],
            ),
        ),
    )


def _series(rng: Random) -> Sum:
    g = {"a": rng.randint(2, 25), "d": rng.randint(3, 14), "n": rng.randrange(10, 41, 2)}
    return Sum(
        "algebra",
        f"An arithmetic sequence starts with ${g['a']}$ and has common difference ${g['d']}$. Compute the sum of its "
        f"first ${g['n']}$ terms.",
        g,
        (
            ("l", "last term {a} + ({n}-1)*{d} = {it}|a_{n} = {it}", lambda v: v["a"] + (v["n"] - 1) * v["d"]),
            ("s", "first and last add to {a} + {l} = {it}|pairs sum to {it}", lambda v: v["a"] + v["l"]),
            ("t", "{n}/2 pairs: {n}/2 * {s} = {it}|the sum is {it}", lambda v: v["n"] * v["s"] // 2),
        ),
    )


def _handshakes(rng: Random) -> Sum:
    g = {"n": rng.randint(12, 45), "k": rng.randint(3, 9)}
    return Sum(
        "counting",
        f"At a meeting in {rng.choice(TOWNS)} ${g['n']}$ delegates shake hands once with each other, except that the "
        f"${g['k']}$ members of one delegation do not shake hands among themselves. How many handshakes are there?",
        g,
        (
            ("x", "all pairs: {n}*({n}-1)/2 = {it}|C({n},2) = {it}", lambda v: v["n"] * (v["n"] - 1) // 2),
            (
                "y",
                "pairs within the delegation: C({k},2) = {it}|{it} are missing",
                lambda v: v["k"] * (v["k"] - 1) // 2,
            ),
            ("z", "{x} - {y} = {it}|subtracting leaves {it}", lambda v: v["x"] - v["y"]),
        ),
    )


def _vieta(rng: Random) -> Sum:
    g = {"p": rng.randint(7, 39), "q": rng.randint(2, 60)}
    return Sum(
        "algebra",
        f"Let $r$ and $s$ be the roots of $x^2 - {g['p']}x + {g['q']} = 0$. Find $r^2 + s^2 + rs$.",
        g,
        (
            ("x", "r + s = {p}, so (r+s)^2 = {it}|square of the sum: {it}", lambda v: v["p"] ** 2),
            ("y", "since rs = {q}, r^2 + s^2 = {x} - 2*{q} = {it}|sum of squares: {it}", lambda v: v["x"] - 2 * v["q"]),
            ("z", "add rs: {y} + {q} = {it}|with the product that is {it}", lambda v: v["y"] + v["q"]),
        ),
    )


def shift(rng: Random) -> Sum:
    """How long shifts of work last together."""
    who = rng.choice(PEOPLE)
    g = {"a": rng.randint(3, 9), "b": rng.randint(2, 7), "c": rng.randint(11, 49), "d": rng.randint(5, 30)}
    return Sum(
        "durations",
        f"{who} works {g['a']} shifts of {g['b']} hours and {g['c']} minutes each and rests {g['d']} minutes after "
        "every shift. How many minutes is that in all?",
        g,
        (
            ("x", "{b} hours are {it} minutes|60 * {b} = {it}", lambda v: 60 * v["b"]),
            ("y", "one shift: {x} + {c} = {it}|a shift takes {it} minutes", lambda v: v["x"] + v["c"]),
            ("z", "with rest {y} + {d} = {it}|adding {d} gives {it}", lambda v: v["y"] + v["d"]),
            ("t", "{a} times {z} is {it}|{a} * {z} = {it}", lambda v: v["a"] * v["z"]),
        ),
    )


def ferry(rng: Random) -> Sum:
    """How long a ferry is under way."""
    one, two = rng.sample(TOWNS, 2)
    g = {"a": rng.randint(2, 6), "b": rng.randint(12, 58), "c": rng.randint(4, 22), "d": rng.randint(15, 50)}
    return Sum(
        "durations",
        f"A ferry takes {g['a']} hours {g['b']} minutes from {one} to {two}, waits {g['d']} minutes and is "
        f"{g['c']} minutes faster on the way back. How many minutes pass until it is in {one} again?",
        g,
        (
            ("x", "there: 60*{a} + {b} = {it}|outward {it} minutes", lambda v: 60 * v["a"] + v["b"]),
            ("y", "back: {x} - {c} = {it}|return {it} minutes", lambda v: v["x"] - v["c"]),
            ("z", "{x} + {d} + {y} = {it}|all three parts: {it}", lambda v: v["x"] + v["d"] + v["y"]),
        ),
    )


CONTEST = (_power, _multiples, _series, _handshakes, _vieta)
"""Remainders, counting, series, pairs, roots."""
