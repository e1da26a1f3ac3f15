"""Small puzzles over digits, letters, clocks and figures, worked out line by line."""

from collections.abc import Callable
from random import Random

from benchmarks.foreign.twentyninth.rollouts import Task

WORDS = [
    "harbour",
    "lantern",
    "cascade",
    "meadow",
    "pepper",
    "balloon",
    "corridor",
    "satellite",
    "bookkeeper",
    "banana",
]
Worked = tuple[str, list[str], int]


def base(rng: Random) -> Worked:
    """A number written in another base."""
    b, digits = rng.randint(3, 9), [rng.randint(1, 2) for _ in range(rng.randint(3, 5))]
    value = 0
    for d in digits:
        value = value * b + d
    text = "".join(map(str, digits))
    head = digits[0] * b + digits[1]
    return (
        f"The numeral {text} is written in base {b}. What is its value in base ten?",
        [
            f"start with {digits[0]} * {b} + {digits[1]} = {head}",
            f"carry on with {len(digits) - 2} more digits",
            f"the value is {value}",
        ],
        value,
    )


def letters(rng: Random) -> Worked:
    """Letters of a repeated word."""
    word, times = rng.choice(WORDS), rng.randint(3, 60)
    letter = rng.choice(sorted(set(word)))
    n = word.count(letter)
    return (
        f"The word '{word}' is written {times} times in a row. How many letters '{letter}' are there?",
        [f"'{word}' holds {n} of '{letter}'", f"{n} * {times} = {n * times}"],
        n * times,
    )


def clock(rng: Random) -> Worked:
    """Minutes between two times."""
    h, m, k, j = rng.randint(0, 10), rng.randint(0, 59), rng.randint(12, 23), rng.randint(0, 59)
    gap = (k - h) * 60 + j - m
    return (
        f"How many minutes pass from {h:02d}:{m:02d} to {k:02d}:{j:02d} on one day?",
        [f"hours: ({k} - {h}) * 60 = {(k - h) * 60}", f"minutes: {j} - {m} = {j - m}", f"together {gap}"],
        gap,
    )


def diagonals(rng: Random) -> Worked:
    """Diagonals of a polygon."""
    n = rng.randint(5, 90)
    d = n * (n - 3) // 2
    more = rng.randint(2, max(3, d // 2))
    return (
        f"A convex polygon has {n} corners. {more} of its diagonals are painted red. How many "
        f"diagonals stay unpainted?",
        [f"diagonals {n} * ({n} - 3) / 2 = {d}", f"{d} - {more} = {d - more}"],
        d - more,
    )


def digits_sum(rng: Random) -> Worked:
    """A sum of digits of a product."""
    a, b = rng.randint(101, 989), rng.randint(12, 98)
    product = a * b
    total = sum(map(int, str(product)))
    return (
        f"What is the sum of the digits of {a} * {b}?",
        [f"{a} * {b} = {product}", f"the digits {' + '.join(str(product))} add up to {total}"],
        total,
    )


def handshakes(rng: Random) -> Worked:
    """Greetings between two teams."""
    a, b = rng.randint(4, 40), rng.randint(4, 40)
    inside = a * (a - 1) // 2
    return (
        f"{a} hosts greet each other once, and each of them greets each of {b} guests once. "
        f"How many greetings are there?",
        [
            f"among hosts {a} * {a - 1} / 2 = {inside}",
            f"with guests {a} * {b} = {a * b}",
            f"{inside} + {a * b} = {inside + a * b}",
        ],
        inside + a * b,
    )


MAKERS: dict[str, Callable[[Random], Worked]] = {
    "base": base,
    "letters": letters,
    "clock": clock,
    "diagonals": diagonals,
    "digits": digits_sum,
    "handshakes": handshakes,
}


def puzzle_task(rng: Random, pid: str) -> Task:
    """A puzzle of one of six families."""
    family = rng.choice(sorted(MAKERS))
    text, lines, value = MAKERS[family](rng)
    return Task(pid, text, str(value), rng.gauss(0, 0.7), family, data={"lines": lines})
