"""Word problems whose solutions are worked line by line."""

from random import Random

from benchmarks.foreign.eighteenth.dress import told_in_full
from benchmarks.foreign.eighteenth.people import GOODS, NAMES, PLACES
from benchmarks.foreign.eighteenth.shapes import Reply, Task, said
from benchmarks.foreign.eighteenth.working import Solve, Working, worked


def stall(rng: Random) -> tuple[str, Solve, float]:
    """Change after buying two kinds of goods."""
    who, a, b = rng.choice(NAMES), *rng.sample(GOODS, 2)
    n, p, m, q = rng.randint(3, 19), rng.randint(2, 14), rng.randint(2, 12), rng.randint(3, 17)
    note = (n * p + m * q) // 50 * 50 + 50

    def solve(w: Working) -> int:
        x = w.step(f"The {a} cost {n} * {p} = @.", n * p)
        y = w.step(f"The {b} cost {m} * {q} = @.", m * q)
        z = w.step(f"Together that is {x} + {y} = @.", x + y)
        return w.step(f"The change is {note} - {z} = @.", note - z)

    return (
        (
            f"{who} buys {n} {a} at {p} coins each and {m} {b} at {q} coins each, and pays with {note} coins. "
            "How many coins of change are due?"
        ),
        solve,
        -0.3,
    )


def trains(rng: Random) -> tuple[str, Solve, float]:
    """Distance of two legs."""
    a, b = rng.sample(PLACES, 2)
    u, v, s, t = rng.randint(40, 120), rng.randint(30, 110), rng.randint(2, 7), rng.randint(2, 6)

    def solve(w: Working) -> int:
        x = w.step(f"First leg: {u} km/h for {s} h gives @ km.", u * s)
        y = w.step(f"Second leg: {v} km/h for {t} h gives @ km.", v * t)
        return w.step(f"In total {x} + {y} = @ km.", x + y)

    return (
        (
            f"A train leaves {a} and runs {s} hours at {u} km/h, then {t} hours at {v} km/h until it reaches {b}. "
            "How many kilometres is the trip?"
        ),
        solve,
        -0.2,
    )


def cistern(rng: Random) -> tuple[str, Solve, float]:
    """Water that runs in and out."""
    place, start, rate, leak = rng.choice(PLACES), rng.randint(40, 400), rng.randint(12, 45), rng.randint(2, 11)
    hours = rng.randint(4, 15)

    def solve(w: Working) -> int:
        x = w.step(f"Each hour the net gain is {rate} - {leak} = @ litres.", rate - leak)
        y = w.step(f"Over {hours} hours: {x} * {hours} = @ litres.", x * hours)
        return w.step(f"Adding the start: {start} + {y} = @ litres.", start + y)

    return (
        (
            f"A cistern in {place} holds {start} litres. A pipe adds {rate} litres an hour while a crack loses {leak}. "
            f"How many litres are in it after {hours} hours?"
        ),
        solve,
        0.0,
    )


def rows_of_seats(rng: Random) -> tuple[str, Solve, float]:
    """Sum of an arithmetic sequence."""
    place, first, more, n = rng.choice(PLACES), rng.randint(8, 30), rng.randint(2, 7), 2 * rng.randint(4, 14)

    def solve(w: Working) -> int:
        x = w.step(f"The last row has {first} + {n - 1} * {more} = @ seats.", first + (n - 1) * more)
        y = w.step(f"First and last row together: {first} + {x} = @.", first + x)
        return w.step(f"There are {n // 2} such pairs, so {n // 2} * {y} = @ seats.", n // 2 * y)

    return (
        (
            f"The theatre of {place} has {n} rows. The first has {first} seats and each further row {more} more than "
            "the one before. How many seats are there?"
        ),
        solve,
        0.5,
    )


def fences(rng: Random) -> tuple[str, Solve, float]:
    """Area left beside a path."""
    who, a, b, d = rng.choice(NAMES), rng.randint(14, 60), rng.randint(12, 50), rng.randint(1, 4)

    def solve(w: Working) -> int:
        x = w.step(f"Whole garden: {a} * {b} = @ square metres.", a * b)
        y = w.step(f"Inside the path: ({a} - {2 * d}) * ({b} - {2 * d}) = @.", (a - 2 * d) * (b - 2 * d))
        return w.step(f"The path covers {x} - {y} = @ square metres.", x - y)

    return (
        (
            f"{who}'s garden is {a} m by {b} m. A path {d} m wide runs along the inside of its whole edge. "
            "What is the area of the path in square metres?"
        ),
        solve,
        0.6,
    )


def leftovers(rng: Random) -> tuple[str, Solve, float]:
    """Remainder of a packing."""
    who, good, n, k, lost = (
        rng.choice(NAMES),
        rng.choice(GOODS),
        rng.randint(150, 900),
        rng.randint(7, 23),
        rng.randint(5, 40),
    )

    def solve(w: Working) -> int:
        x = w.step(f"After the loss {n} - {lost} = @ remain.", n - lost)
        y = w.step(f"Full boxes: {x} // {k} = @.", x // k)
        return w.step(f"Left over: {x} - {y} * {k} = @.", x - y * k)

    return (
        (
            f"{who} has {n} {good}, of which {lost} break. The others are packed in boxes of {k}. "
            "How many do not fill a box?"
        ),
        solve,
        0.3,
    )


def committee(rng: Random) -> tuple[str, Solve, float]:
    """Pairs out of two groups."""
    place, a, b = rng.choice(PLACES), rng.randint(5, 24), rng.randint(5, 24)

    def solve(w: Working) -> int:
        x = w.step(f"Pairs of bakers: {a} * {a - 1} / 2 = @.", a * (a - 1) // 2)
        y = w.step(f"Pairs of smiths: {b} * {b - 1} / 2 = @.", b * (b - 1) // 2)
        return w.step(f"Product of both: {x} * {y} = @.", x * y)

    return (
        (
            f"The guild of {place} has {a} bakers and {b} smiths. In how many ways can a committee of two bakers and "
            "two smiths be chosen?"
        ),
        solve,
        0.9,
    )


FAMILIES = (stall, trains, cistern, rows_of_seats, fences, leftovers, committee)


def marked(value: object, style: str) -> str:
    """The last line of an answer."""
    return {"boxed": rf"\boxed{{{value}}}", "answer": f"Answer: {value}", "hash": f"#### {value}"}[style]


def sum_of(rng: Random, style: str = "boxed", families: tuple = FAMILIES) -> Task:
    """One word problem whose answers end in the given mark."""
    family = rng.choice(families)
    prompt, solve, level = family(rng)

    def write(rng: Random, right: bool) -> Reply:
        lines, value = worked(solve, rng, right)
        return said(told_in_full(rng, lines, marked(value, style)), str(value))

    return Task(prompt, str(solve(Working())), write, family.__name__, level)
