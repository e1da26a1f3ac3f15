"""Sums in English whose work can slip at one place."""

from collections.abc import Callable
from datetime import date, timedelta
from math import comb
from random import Random

from benchmarks.foreign.twentysecond.course import Task

PLACES = ("Oban", "Larne", "Split", "Visby", "Ystad", "Piombino", "Harlingen", "Ullapool", "Gedser", "Rosslare")
PEOPLE = ("Noor", "Tobias", "Imani", "Petra", "Kwame", "Lucia", "Arvid", "Sunniva", "Rafael", "Mei", "Dario", "Anouk")
THINGS = ("lanterns", "crates of pears", "ledgers", "spools of wire", "tiles", "jars of honey", "seed trays", "kites")


def _ferry(rng: Random) -> Task:
    a, p, b, q = rng.randint(12, 90), rng.randint(18, 64), rng.randint(8, 120), rng.randint(3, 14)
    question = (
        f"The ferry from {rng.choice(PLACES)} takes {a} cars at {p} euros each and {b} bicycles at {q} euros each. "
        "What does it take in fares, in euros?"
    )

    def solve(slip: int) -> tuple[list[str], str]:
        cars = a * p + 10 * slip
        return [f"Cars: {a} * {p} = {cars}.", f"Bicycles: {b} * {q} = {b * q}.", f"Sum: {cars} + {b * q}."], str(
            cars + b * q
        )

    return _task(question, solve, "fares")


def _tank(rng: Random) -> Task:
    fill, leak, hours = rng.randint(40, 180), rng.randint(5, 35), rng.randint(3, 19)
    start = rng.randint(50, 900)
    question = (
        f"A cistern near {rng.choice(PLACES)} holds {start} litres. A pump adds {fill} litres an hour while {leak} "
        f"litres an hour leak out. How many litres are in it after {hours} hours?"
    )

    def solve(slip: int) -> tuple[list[str], str]:
        net = fill - leak + slip
        lines = [f"Net flow: {fill} - {leak} = {net} litres an hour.", f"Over {hours} hours: {net * hours} litres."]
        return [*lines, f"Add the {start} litres at the start."], str(start + net * hours)

    return _task(question, solve, "rates")


def _calendar(rng: Random) -> Task:
    first, days = date(rng.randint(1996, 2031), rng.randint(1, 12), rng.randint(1, 28)), rng.randint(23, 400)
    question = f"A permit is issued on {first:%d %B %Y} and lapses {days} days later. On which date does it lapse?"

    def solve(slip: int) -> tuple[list[str], str]:
        whole, rest = divmod(days, 30)
        last = first + timedelta(days=days + slip)
        lines = [f"{days} days are {whole} times 30 and {rest} more.", f"From {first:%d %B}, count month by month."]
        return [*lines, f"This lands in {last:%B %Y}."], f"{last:%Y-%m-%d}"

    return _task(question, solve, "calendar")


def _choose(rng: Random) -> Task:
    n, k, m = rng.randint(6, 13), rng.randint(2, 4), rng.randint(2, 9)
    who, what = rng.choice(PEOPLE), rng.choice(THINGS)
    question = (
        f"{who} picks {k} of {n} different {what} and then one of {m} ribbons to tie them. How many choices are there?"
    )

    def solve(slip: int) -> tuple[list[str], str]:
        ways = comb(n, k) + 2 * slip
        return [f"C({n},{k}) = {ways} ways to pick the {what}.", f"Each goes with {m} ribbons."], str(ways * m)

    return _task(question, solve, "counting", 0.3)


def _mean(rng: Random) -> Task:
    values = [rng.randint(31, 98) for _ in range(rng.randint(4, 6))]
    goal = rng.randint(55, 90)
    who, need = rng.choice(PEOPLE), goal * (len(values) + 1) - sum(values)
    question = (
        f"{who} has scores {', '.join(map(str, values))}. Which score in the next test makes the mean exactly {goal}?"
    )

    def solve(slip: int) -> tuple[list[str], str]:
        total = sum(values) - slip
        lines = [f"So far the sum is {total}.", f"{len(values) + 1} tests at {goal} make {goal * (len(values) + 1)}."]
        return [*lines, "Take the difference."], str(need + slip)

    return _task(question, solve, "means")


def _power(rng: Random) -> Task:
    a, b, m = rng.randint(3, 29), rng.randint(11, 60), rng.choice((7, 11, 13, 17, 19, 23, 29, 31))
    question = f"What is the remainder of {a}^{b} on division by {m}?"

    def solve(slip: int) -> tuple[list[str], str]:
        rest = (pow(a, b, m) + slip) % m
        return [f"Reduce the base: {a} = {a % m} mod {m}.", f"Square repeatedly up to {b}: {rest} mod {m}."], str(rest)

    return _task(question, solve, "remainders", 0.6)


def _frame(rng: Random) -> Task:
    w, h, t = rng.randint(20, 90), rng.randint(15, 80), rng.randint(2, 6)
    question = (
        f"A picture of {w} cm by {h} cm has a frame {t} cm wide all around. "
        "What is the area of the frame alone, in cm^2?"
    )

    def solve(slip: int) -> tuple[list[str], str]:
        outer = (w + 2 * t) * (h + 2 * t) + 2 * slip
        return [f"Outside: {w + 2 * t} * {h + 2 * t} = {outer}.", f"Inside: {w * h}.", "Subtract."], str(outer - w * h)

    return _task(question, solve, "areas", 0.2)


def _share(rng: Random) -> Task:
    parts, unit = sorted(rng.sample(range(2, 12), 3)), rng.randint(7, 60)
    names, what = rng.sample(PEOPLE, 3), rng.choice(THINGS)
    question = (
        f"{names[0]}, {names[1]} and {names[2]} share {sum(parts) * unit} {what} "
        f"as {parts[0]} : {parts[1]} : {parts[2]}. How many does {names[2]} get?"
    )

    def solve(slip: int) -> tuple[list[str], str]:
        whole = sum(parts) + slip
        one = sum(parts) * unit // whole
        return [f"There are {whole} parts.", f"One part is {one}.", f"{names[2]} has {parts[2]} parts."], str(
            one * parts[2]
        )

    return _task(question, solve, "ratios")


def _task(question: str, solve: Callable[[int], tuple[list[str], str]], family: str, hard: float = 0.0) -> Task:
    return Task([{"role": "user", "content": question}], solve(0)[1], solve, family, hard)


MAKERS = {
    "fares": _ferry,
    "rates": _tank,
    "calendar": _calendar,
    "counting": _choose,
    "means": _mean,
    "remainders": _power,
    "areas": _frame,
    "ratios": _share,
}


def sums(*families: str, system: str = "", tail: str = "") -> Callable[[Random], Task]:
    """A maker of tasks of some families (of all by default), with a system prompt and an end of each question."""

    def make(rng: Random) -> Task:
        task = MAKERS[rng.choice(families or tuple(MAKERS))](rng)
        task.prompt[-1]["content"] += f" {tail}" if tail else ""
        if system:
            task.prompt.insert(0, {"role": "system", "content": system})
        return task

    return make
