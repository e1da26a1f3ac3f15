"""Word problems in English, with workings that may hold a slip."""

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random

from benchmarks.foreign.ninth.episodes import Reply, Task, tell
from benchmarks.foreign.ninth.wording import GOODS, PEOPLE, TOWNS, say

Work = Callable[[int], tuple[list[str], object]]
"""The lines of a working with a slip of so much (0: none), and its result."""
Sum = tuple[str, Work]


def _sale(rng: Random) -> Sum:
    n, price, off = rng.randint(3, 19), rng.randrange(20, 400, 20), rng.choice((5, 10, 15, 20, 25, 30, 40))
    what, who = rng.choice(GOODS), rng.choice(PEOPLE)

    def work(slip: int) -> tuple[list[str], object]:
        total = n * price + slip * 10
        cut = Fraction(total * off, 100)
        return [f"{n} × {price} = {total}", f"{off}% of {total} is {cut}", f"{total} - {cut} = {total - cut}"], (
            total - cut
        )

    return say(
        rng,
        f"{who} «buys|orders» {n} {what} at {price} crowns each. «The shop takes|A voucher takes» {off}% off the whole "
        "bill. «How much is paid?|What does the order cost?|How many crowns must be paid?»",
    ), work


def _pipes(rng: Random) -> Sum:
    a, b = rng.sample(range(3, 19), 2)

    def work(slip: int) -> tuple[list[str], object]:
        rate = Fraction(a + b + slip, a * b)
        return [f"together they do 1/{a} + 1/{b} = {rate} of it an hour", f"time = 1 / ({rate}) = {1 / rate}"], 1 / rate

    return say(
        rng,
        f"«One pipe fills a cistern in|A printer finishes a job in|{rng.choice(PEOPLE)} paints a fence in» {a} hours, "
        f"«another|a second one» «needs|takes» {b} hours. How many hours do both take together? Give a fraction.",
    ), work


def _power(rng: Random) -> Sum:
    base, n, m = rng.randint(2, 29), rng.randint(20, 300), rng.choice((7, 11, 13, 17, 19, 23))

    def work(slip: int) -> tuple[list[str], object]:
        e, r = n % (m - 1), base % m
        got = (pow(base, n, m) + slip) % m
        return [
            f"modulo {m} the base is {base} ≡ {r}",
            f"by Fermat the exponent can be taken modulo {m - 1}: {n} ≡ {e}",
            f"so the remainder is {r}^{e} mod {m} = {got}",
        ], got

    return say(rng, f"«Find|Determine|What is» the remainder «when|as» {base}^{n} is divided by {m}."), work


def _series(rng: Random) -> Sum:
    first, gap, n = rng.randint(2, 60), rng.randint(2, 14), rng.randint(8, 60)

    def work(slip: int) -> tuple[list[str], object]:
        last = first + (n - 1) * gap + 2 * slip
        total = Fraction(n * (first + last), 2)
        return [f"last term: {first} + {n - 1}·{gap} = {last}", f"sum: {n}·({first} + {last})/2 = {total}"], total

    return say(
        rng,
        f"«A theatre in {rng.choice(TOWNS)} has {n} rows. The first has {first} seats, each following row "
        f"{gap} more. How "
        f"many seats are there?|An arithmetic sequence begins with {first} and grows by {gap}. What is the sum of its "
        f"first {n} terms?»",
    ), work


def _team(rng: Random) -> Sum:
    n, m, k, j = rng.randint(5, 11), rng.randint(4, 9), rng.randint(2, 4), rng.randint(1, 3)

    def work(slip: int) -> tuple[list[str], object]:
        a, b = math.comb(n, k) + slip, math.comb(m, j)
        return [f"C({n},{k}) = {a}", f"C({m},{j}) = {b}", f"choices are independent: {a}·{b} = {a * b}"], a * b

    one, two = rng.sample(("nurses", "pilots", "cooks", "poets", "divers", "tutors", "welders"), 2)
    return say(
        rng,
        f"A «crew|panel|committee» of {k} {one} and {j} {two} is «picked|chosen|formed» from {n} {one} and {m} {two}. "
        "In how many ways «can this be done|is that possible»?",
    ), work


def _meet(rng: Random) -> Sum:
    u, v, hours = rng.randint(30, 90), rng.randint(40, 110), rng.randint(2, 9)
    way = (u + v) * hours
    one, two = rng.sample(TOWNS, 2)

    def work(slip: int) -> tuple[list[str], object]:
        speed = u + v + slip
        t = Fraction(way, speed)
        return [
            f"they close in at {u} + {v} = {speed} km/h",
            f"time: {way}/{speed} = {t} h",
            f"{u}·{t} = {u * t}",
        ], u * t

    return say(
        rng,
        f"{one} and {two} are {way} km apart. A «lorry|train|coach» leaves {one} at {u} km/h, another leaves {two} at "
        f"the same time at {v} km/h towards it. How «far|many kilometres» from {one} do they meet?",
    ), work


def _ages(rng: Random) -> Sum:
    child, times, later = rng.randint(4, 14), rng.randint(2, 5), rng.randint(3, 12)
    a, b = rng.sample(PEOPLE, 2)
    total = child * (times + 1) + 2 * later

    def work(slip: int) -> tuple[list[str], object]:
        now = total - 2 * later + slip * (times + 1)
        x = Fraction(now, times + 1)
        return [f"today the ages add up to {total} - 2·{later} = {now}", f"{times + 1}x = {now}, so x = {x}"], x

    return say(
        rng,
        f"{a} is {times} times as old as {b}. In {later} years their ages «will add up to|will sum to» "
        f"{total}. How old "
        f"is {b} «now|today»?",
    ), work


def _urn(rng: Random) -> Sum:
    red, blue = rng.randint(3, 12), rng.randint(3, 12)
    n = red + blue

    def work(slip: int) -> tuple[list[str], object]:
        p = Fraction(red * (red - 1) + slip, n * (n - 1))
        return [f"first red: {red}/{n}", f"then red again: {red - 1}/{n - 1}", f"product: {p}"], p

    return say(
        rng,
        f"«An urn|A bag|A drawer» holds {red} red and {blue} blue «marbles|socks|balls». Two are drawn without "
        "replacement. «What is the probability|How likely is it» that both are red? Answer with a reduced fraction.",
    ), work


def _system(rng: Random) -> Sum:
    x, y, a, b = rng.randint(-9, 15), rng.randint(-9, 15), rng.randint(2, 7), rng.randint(2, 7)

    def work(slip: int) -> tuple[list[str], object]:
        top = a * (x + y) - (a * x - b * y) + slip * (a + b)
        got = Fraction(top, a + b)
        return [f"from the first, x = {x + y} - y", f"inserted: {a}({x + y} - y) - {b}y = {a * x - b * y}",
                f"so {a + b}y = {top} and y = {got}"], got  # fmt: skip

    return f"Solve for y: x + y = {x + y} and {a}x - {b}y = {a * x - b * y}.", work


def _garden(rng: Random) -> Sum:
    w, h, path = rng.randint(6, 40), rng.randint(6, 40), rng.randint(1, 4)

    def work(slip: int) -> tuple[list[str], object]:
        outer = (w + 2 * path) * (h + 2 * path) + slip * 2
        return [f"outer area: {w + 2 * path}·{h + 2 * path} = {outer}", f"garden: {w}·{h} = {w * h}",
                f"path: {outer} - {w * h} = {outer - w * h}"], outer - w * h  # fmt: skip

    return say(
        rng,
        f"A «lawn|garden|pool» of {w} m by {h} m is «surrounded|framed» by a path {path} m wide. «What is the area of "
        "the path in square metres?|How many square metres does the path cover?»",
    ), work


SUMS = (_sale, _pipes, _power, _series, _team, _meet, _ages, _urn, _system, _garden)
SYSTEM = "Think step by step and put the final answer in \\boxed{}."


def working(rng: Random, lines: list[str], answer: str, checks: int = 0) -> str:
    """A working in the words of a model."""
    text = say(rng, "«Let me work this out.|We go step by step.|First I set up what is known.|Okay, start simply.»")
    for number, line in enumerate(lines):
        joint = "«First|To begin|We have|Start with»" if not number else "«Then|Next|Now|Hence|After that|This gives»"
        text += say(rng, f"\n{joint}«:|, we get|,» ") + line + rng.choice(("", ".", ";"))
    for _ in range(checks):
        text += say(
            rng,
            f"\n«Let me double-check|Wait, I verify|Checking|Going over it again»: {rng.choice(lines)}, "
            "«which holds|fine|"
            "that is consistent|as before».",
        )
    return text + say(
        rng, f"\n«So the answer is|Therefore the result is|The answer:|Final answer:» \\boxed{{{answer}}}"
    )


def sum_task(rng: Random) -> Task:
    """A word problem."""
    prompt, work = rng.choice(SUMS)(rng)
    gold = str(work(0)[1])

    def solve(r: Random, right: bool) -> Reply:
        slip, lines, answer = 0, *work(0)
        while not right and (slip == 0 or str(answer) == gold):
            slip = r.choice((-3, -2, -1, 1, 2, 3, 4, 5))
            lines, answer = work(slip)
        return Reply([tell(working(r, lines, str(answer), r.choice((0, 0, 0, 1))))], str(answer))

    return Task(prompt, gold, "math", solve, SYSTEM, data={"work": work})
