"""Word problems with a number as answer, and workings that come out right or slip."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd
from random import Random

from benchmarks.foreign.eighth.course import Reply, Task, answered, words
from benchmarks.foreign.eighth.remarks import TURNS, check_product

NAMES = words(
    "Amara Bence Chiara Dmitri Elif Farid Greta Hana Idris Jonas Kavya Lucía Mateo Noor Oskar Priya Quinn Rosa"
)
GOODS = ["notebooks", "bags of rice", "lamps", "bicycle tubes", "jars of honey", "seedlings", "paint tins", "cables"]
PLACES = [
    "the harbour",
    "a school in Leeds",
    "the co-operative",
    "the library",
    "a bakery",
    "the museum shop",
    "a depot",
]


@dataclass
class Sum:
    """A problem: its text and a writer of the steps, right or with a slip."""

    prompt: str
    family: str
    hard: float
    work: Callable[[Random, bool], tuple[list[str], Fraction]]


def _discount(rng: Random) -> Sum:
    name, good, place = rng.choice(NAMES), rng.choice(GOODS), rng.choice(PLACES)
    count, price, off, fee = (
        rng.randint(12, 180),
        rng.randint(4, 60),
        rng.choice([5, 10, 15, 20, 25, 30]),
        rng.randint(8, 95),
    )
    prompt = rng.choice([
        f"{name} orders {count} {good} for {place} at {price} euros each. The supplier takes {off}% off the whole "
        f"order and then adds {fee} euros for delivery. How many euros does {name} pay?",
        f"For {place}, {count} {good} are bought at {price} euros apiece. A rebate of {off}% is granted, delivery is "
        f"{fee} euros on top and not reduced. What is the bill in euros?",
    ])  # fmt: skip

    def work(rng: Random, right: bool) -> tuple[list[str], Fraction]:
        full = count * price
        if right:
            cut = Fraction(full * off, 100)
            total = full - cut + fee
            return [
                f"The goods cost {count} * {price} = {full}.",
                f"{off}% of {full} is {show(cut)}, so {show(full - cut)} is left.",
                f"Delivery comes after the rebate: {show(full - cut)} + {fee} = {show(total)}.",
            ], total
        if rng.random() < 0.5:
            cut = Fraction((full + fee) * off, 100)
            total = full + fee - cut
            return [
                f"Goods and delivery together are {count} * {price} + {fee} = {full + fee}.",
                f"The rebate of {off}% is {show(cut)}.",
                f"So {full + fee} - {show(cut)} = {show(total)}.",
            ], total
        wrong = full + rng.choice([-10, 10, 100, -100, price])
        cut = Fraction(wrong * off, 100)
        return [f"{count} times {price} is {wrong}.", f"Less {off}% that is {show(wrong - cut)}.", f"Plus {fee}."], (
            wrong - cut + fee
        )

    return Sum(prompt, "discount", -0.2, work)


def _meeting(rng: Random) -> Sum:
    first, second, hours = rng.randint(36, 90), rng.randint(40, 110), rng.randint(2, 6)
    ahead = rng.choice([1, 2])
    distance = (first + second) * hours + first * ahead
    prompt = rng.choice([
        f"Two towns are {distance} km apart. A goods train leaves the first at {first} km/h; {ahead} h later an "
        f"express leaves the second towards it at {second} km/h. How many hours after the first start do they meet?",
        f"A lorry sets out at {first} km/h on a road of {distance} km. After {ahead} h a van starts from the far end, "
        f"driving {second} km/h towards it. Find the time in hours from the lorry's departure to their meeting.",
    ])  # fmt: skip

    def work(rng: Random, right: bool) -> tuple[list[str], Fraction]:
        gone = first * ahead
        steps = [f"In the first {ahead} h alone, {gone} km are covered, which leaves {distance - gone} km."]
        if right:
            return [
                *steps,
                f"They close in at {first} + {second} = {first + second} km/h, taking {hours} h for the rest.",
                f"From the first start this is {ahead} + {hours} = {hours + ahead}.",
            ], Fraction(hours + ahead)
        if rng.random() < 0.6:
            return [*steps, f"At {first + second} km/h together the rest takes {hours} h."], Fraction(hours)
        value = Fraction(distance, first + second)
        return [f"Together they make {first + second} km/h.", f"{distance} / {first + second} = {show(value)}."], value

    return Sum(prompt, "meeting", 0.2, work)


def _committee(rng: Random) -> Sum:
    women, men, seats = rng.randint(4, 9), rng.randint(4, 9), rng.randint(3, 5)
    least = rng.choice([1, 2])
    prompt = (
        f"A club has {women} women and {men} men. In how many ways can it choose a committee of {seats} with at least "
        f"{least} {'woman' if least == 1 else 'women'}?"
    )
    everything = comb(women + men, seats)
    without = sum(comb(women, k) * comb(men, seats - k) for k in range(least))

    def work(rng: Random, right: bool) -> tuple[list[str], Fraction]:
        opening = f"Without the condition there are C({women + men},{seats}) = {everything} committees."
        if right:
            return [
                opening,
                f"Those with fewer than {least} women number {without}.",
                f"The rest is {everything} - {without} = {everything - without}.",
            ], Fraction(everything - without)
        if rng.random() < 0.5:
            value = comb(women, least) * comb(women + men - least, seats - least)
            return [
                f"First choose {least} of the women: C({women},{least}) ways.",
                f"Fill the other {seats - least} seats from the {women + men - least} left, which gives {value}.",
            ], Fraction(value)
        return [opening, f"With men only there are {comb(men, seats)}.", "Their sum counts each once."], Fraction(
            everything + comb(men, seats)
        )

    return Sum(prompt, "committee", 0.9, work)


def _series(rng: Random) -> Sum:
    start, gap, rows = rng.randint(3, 40), rng.randint(2, 11), rng.randint(12, 45)
    place = rng.choice(["an open-air theatre", "a lecture hall", "a stadium block", "a cinema"])
    prompt = rng.choice([
        f"The front row of {place} has {start} seats and each row behind has {gap} more than the one before. There are "
        f"{rows} rows. How many seats are there in all?",
        f"{rng.choice(NAMES)} saves {start} euros in the first week and {gap} euros more every week than in the week "
        f"before. How much is saved after {rows} weeks?",
    ])  # fmt: skip

    def work(rng: Random, right: bool) -> tuple[list[str], Fraction]:
        last = start + gap * (rows - (1 if right else 0))
        total = Fraction(rows * (start + last), 2)
        return [
            f"The last term is {start} + {gap} * {rows - 1 if right else rows} = {last}.",
            f"An arithmetic series of {rows} terms sums to {rows} * ({start} + {last}) / 2.",
            f"That makes {show(total)}.",
        ], total

    return Sum(prompt, "series", 0.1, work)


def _remainder(rng: Random) -> Sum:
    base, power, modulus = rng.randint(2, 13), rng.randint(20, 400), rng.choice([7, 11, 13, 17, 19, 23, 29])
    while gcd(base, modulus) != 1:
        base += 1
    prompt = f"What is the remainder when {base}^{power} is divided by {modulus}?"
    order = next(k for k in range(1, modulus) if pow(base, k, modulus) == 1)

    def work(rng: Random, right: bool) -> tuple[list[str], Fraction]:
        small = ", ".join(str(pow(base, k, modulus)) for k in range(1, min(order, 7) + 1))
        rest = power % order if right else (power + rng.randint(1, max(1, order - 1))) % order
        value = pow(base, rest, modulus)
        return [
            f"Modulo {modulus} the powers of {base} begin {small}.",
            f"They repeat with period {order}, and {power} leaves {rest} on division by {order}.",
            f"So {base}^{power} is congruent to {base}^{rest}, that is {value}.",
        ], Fraction(value if right or value != pow(base, power, modulus) else (value + 1) % modulus)

    return Sum(prompt, "remainder", 0.8, work)


def _urn(rng: Random) -> Sum:
    red, blue, green = rng.randint(3, 9), rng.randint(2, 8), rng.randint(1, 6)
    total = red + blue + green
    prompt = (
        f"A box holds {red} red, {blue} blue and {green} green counters. Two are drawn without putting the first back. "
        "What is the probability that both have the same colour? Give a reduced fraction."
    )
    same = red * (red - 1) + blue * (blue - 1) + green * (green - 1)

    def work(rng: Random, right: bool) -> tuple[list[str], Fraction]:
        if right:
            value = Fraction(same, total * (total - 1))
            return [
                f"There are {total} * {total - 1} = {total * (total - 1)} ordered draws.",
                f"Equal colours: {red}*{red - 1} + {blue}*{blue - 1} + {green}*{green - 1} = {same}.",
                f"The fraction reduces to {show(value)}.",
            ], value
        value = Fraction(red**2 + blue**2 + green**2, total**2)
        return [
            f"The chances are {red}/{total}, {blue}/{total} and {green}/{total} on each draw.",
            f"The sum of squares is ({red**2} + {blue**2} + {green**2}) / {total**2}.",
            f"Reduced: {show(value)}.",
        ], value

    return Sum(prompt, "urn", 0.5, work)


def _pair(rng: Random) -> Sum:
    x, y = rng.randint(2, 40), rng.randint(2, 40)
    a, b, c, d = rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6)
    while a * d == b * c:
        d += 1
    prompt = rng.choice([
        f"Tickets: {a} adults and {b} children pay {a * x + b * y} euros, {c} adults and {d} children pay "
        f"{c * x + d * y} euros. What does one adult pay?",
        f"Solve for x: {a}x + {b}y = {a * x + b * y} and {c}x + {d}y = {c * x + d * y}.",
    ])  # fmt: skip

    def work(rng: Random, right: bool) -> tuple[list[str], Fraction]:
        left = (a * x + b * y) * d - (c * x + d * y) * b
        factor = a * d - b * c if right else a * d + b * c
        value = Fraction(left, factor)
        return [
            f"Multiply the first line by {d}, the second by {b}, and subtract so that y goes.",
            f"What is left is {factor}x = {left}.",
            f"Hence x = {show(value)}.",
        ], value

    return Sum(prompt, "pair", 0.3, work)


FAMILIES = (_discount, _meeting, _committee, _series, _remainder, _urn, _pair)


def show(value: Fraction | int) -> str:
    """A number as it is written: whole, or with a slash."""
    value = Fraction(value)
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def draw(rng: Random, families: tuple[Callable[[Random], Sum], ...] = FAMILIES) -> tuple[Sum, Fraction]:
    """A problem and its right answer."""
    made = rng.choice(families)(rng)
    return made, made.work(Random(0), True)[1]


OPENERS = [
    "Let me set this up.",
    "I start with what is given.",
    "First I note the quantities.",
    "We need to be careful about the order here.",
    "Let's work through it.",
    "Okay, so what do we know?",
    "Write down the facts first.",
]
LINKS = ["", "Then ", "Next: ", "Now, ", "From this, ", "So far so good. "]
DOUBTS = [
    "Wait, let me check this once more by putting the numbers back in.",
    "Does the size make sense? Roughly, yes.",
    "Alternatively one could go backwards from the end; it comes to the same.",
    "Hmm, is every condition used? I believe so.",
    "Let me redo the multiplication in parts to be safe.",
]


def wording(rng: Random, steps: list[str], doubts: int = 0) -> str:
    """Steps as a policy words them."""
    lines = [rng.choice(OPENERS)]
    for step in steps:
        link = rng.choice(LINKS)
        lines.append(link + (step[0].lower() + step[1:] if link.endswith((", ", "Then ")) else step))
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        lines.insert(rng.randint(1, len(lines)), f"{rng.choice(TURNS)} {check_product(rng, steps)}")
    lines += rng.sample(DOUBTS, min(doubts, len(DOUBTS)))
    return rng.choice([" ", "\n", "\n\n"]).join(lines)


def sum_task(
    rng: Random, families: tuple[Callable[[Random], Sum], ...] = FAMILIES, thinks: bool = False, harder: float = 0.0
) -> Task:
    """A word problem, answered in a box, with or without a think block."""
    made, gold = draw(rng, families)

    def solve(rng: Random, right: bool) -> Reply:
        steps, value = made.work(rng, right)
        if not right and value == gold:
            value = gold + rng.choice([-2, -1, 1, 2, 3, 10])
        text = wording(rng, steps, rng.choice([0, 0, 1, 2]))
        closing = rng.choice(["The answer is", "Therefore:", "So the result is", "Final answer:"])
        ending = f"{closing} \\boxed{{{show(value)}}}"
        return answered(f"<think>\n{text}\n</think>\n{ending}" if thinks else f"{text}\n{ending}", show(value))

    return Task(made.prompt + " Put the final answer in \\boxed{}.", show(gold), made.family, made.hard + harder, solve)
