"""Word problems on series, choices, divisors and remainders."""

import math
from random import Random

from benchmarks.foreign.seventh.amounts import Sum
from benchmarks.foreign.seventh.prose import say


def series(rng: Random) -> Sum:
    """Draw rows of seats."""
    first, gap, count = rng.randint(2, 30), rng.randint(2, 12), rng.randint(8, 30)
    last = first + (count - 1) * gap
    total = count * (first + last) // 2
    ask = (
        f"The first row of a theatre has {first} seats and each further row {gap} more. How many seats do the first "
        f"{count} rows have together?"
    )
    right = [f"Last row: {first} + {count - 1}*{gap} = {last}.", f"Sum: {count}*({first} + {last})/2 = {total}."], total
    end = first + count * gap
    bad = count * (first + end) // 2
    return Sum(
        "series",
        ask,
        right,
        [([f"Last row: {first} + {count}*{gap} = {end}.", f"About {count}*({first}+{end})/2 = {bad}."], bad)],
    )


def committee(rng: Random) -> Sum:
    """Draw delegates of equal rank."""
    n, k = rng.randint(6, 14), rng.randint(2, 4)
    value, ordered = math.comb(n, k), math.perm(n, k)
    ask = say(
        rng,
        f"[In how many ways can|How many ways are there that] a club of {n} members [chooses|picks] {k} "
        "delegates of equal rank?",
    )
    if ask.startswith("In"):
        ask = ask.replace("chooses", "choose").replace("picks", "pick")
    right = [f"Order does not matter: C({n},{k}).", f"{ordered} / {math.factorial(k)} = {value}."], value
    return Sum(
        "counting", ask, right, [([f"First {n} choices, then {n - 1}, and so on.", f"That gives {ordered}."], ordered)]
    )


def bells(rng: Random) -> Sum:
    """Draw bells that ring together."""
    a, b, c = rng.sample(range(6, 31), 3)
    value = math.lcm(a, b, c)
    ask = (
        f"Three bells ring every {a}, {b} and {c} minutes. They have just rung together. After how many minutes "
        "will they do so again?"
    )
    right = (
        [
            f"Need the least common multiple of {a}, {b}, {c}.",
            f"lcm({a},{b}) = {math.lcm(a, b)}, and with {c}: {value}.",
        ],
        value,
    )
    wrong = [
        ([f"Multiply: {a} * {b} * {c}.", f"= {a * b * c}."], a * b * c),
        ([f"lcm({a},{b}) = {math.lcm(a, b)}."], math.lcm(a, b)),
    ]
    return Sum("divisors", ask, right, wrong)


def power(rng: Random) -> Sum:
    """Draw a remainder of a power."""
    base, exponent, modulus = rng.randint(2, 13), rng.randint(5, 24), rng.randint(7, 29)
    value = pow(base, exponent, modulus)
    ask = say(
        rng,
        f"[What remainder does {base}^{exponent} leave|What is the remainder of {base}^{exponent}] "
        f"[on division|when divided] by {modulus}?",
    )
    bad = base * exponent % modulus
    square = base * base % modulus
    right = ([f"{base}^2 = {square} (mod {modulus}).", f"going on by squaring to exponent {exponent}: {value}."], value)
    return Sum(
        "modular", ask, right, [([f"{base} * {exponent} = {base * exponent}.", f"Modulo {modulus}: {bad}."], bad)]
    )
