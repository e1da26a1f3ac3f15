"""Word problems with a worked answer and plausible wrong ways."""

import math
import random
from dataclasses import dataclass

from benchmarks.foreign.seventh.prose import FIRST, GOODS, TOWNS, checked, joined, opener, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

Way = tuple[list[str], int]


@dataclass
class Sum:
    """A question, the right way and wrong ones."""

    family: str
    prompt: str
    right: Way
    wrong: list[Way]


def discount(rng: random.Random) -> Sum:
    """Several pieces at a reduced price."""
    price, cut, count = 20 * rng.randint(2, 15), 5 * rng.randint(2, 9), rng.randint(3, 9)
    goods, town = rng.choice(GOODS), rng.choice(TOWNS)
    new = price * (100 - cut) // 100
    ask = f"A shop in {town} sells {goods} at {price} crowns each. " + say(
        rng,
        f"[During a sale the price falls by {cut}%|With a voucher {cut}% is taken off each]. [What do|How much do] {count} of them [cost|come to]?",
    )
    right = (
        [f"Reduced price: {price} - {price}*{cut}/100 = {new}.", f"For {count}: {count} * {new} = {count * new}."],
        count * new,
    )
    off = price * cut // 100
    return Sum(
        "percent", ask, right, [([f"{cut}% of {price} is {off}.", f"{count} * {off} = {count * off}."], count * off)]
    )


def trains(rng: random.Random) -> Sum:
    """Two trains that meet."""
    a, b, hours = rng.randint(40, 95), rng.randint(40, 95), rng.randint(2, 9)
    x, y = rng.sample(TOWNS, 2)
    ask = f"Two trains leave {x} and {y} at the same time, towards each other, at {a} and {b} km/h. They meet after {hours} hours. How far apart are the towns?"
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


def border(rng: random.Random) -> Sum:
    """A path round a pond."""
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


def series(rng: random.Random) -> Sum:
    """Rows of seats."""
    first, gap, count = rng.randint(2, 30), rng.randint(2, 12), rng.randint(8, 30)
    last = first + (count - 1) * gap
    total = count * (first + last) // 2
    ask = f"The first row of a theatre has {first} seats and each further row {gap} more. How many seats do the first {count} rows have together?"
    right = [f"Last row: {first} + {count - 1}*{gap} = {last}.", f"Sum: {count}*({first} + {last})/2 = {total}."], total
    end = first + count * gap
    bad = count * (first + end) // 2
    return Sum(
        "series",
        ask,
        right,
        [([f"Last row: {first} + {count}*{gap} = {end}.", f"About {count}*({first}+{end})/2 = {bad}."], bad)],
    )


def committee(rng: random.Random) -> Sum:
    """Delegates of equal rank."""
    n, k = rng.randint(6, 14), rng.randint(2, 4)
    value, ordered = math.comb(n, k), math.perm(n, k)
    ask = say(
        rng,
        f"[In how many ways can|How many ways are there that] a club of {n} members [chooses|picks] {k} delegates of equal rank?",
    )
    ask = ask.replace("can a club of", "can a club of").replace("chooses", "choose") if ask.startswith("In") else ask
    ask = ask.replace("picks", "pick") if ask.startswith("In") else ask
    right = [f"Order does not matter: C({n},{k}).", f"{ordered} / {math.factorial(k)} = {value}."], value
    return Sum(
        "counting", ask, right, [([f"First {n} choices, then {n - 1}, and so on.", f"That gives {ordered}."], ordered)]
    )


def bells(rng: random.Random) -> Sum:
    """Bells that ring together."""
    a, b, c = rng.sample(range(6, 31), 3)
    value = math.lcm(a, b, c)
    ask = f"Three bells ring every {a}, {b} and {c} minutes. They have just rung together. After how many minutes will they do so again?"
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


def average(rng: random.Random) -> Sum:
    """A raised average."""
    n, mean, new = rng.randint(4, 11), rng.randint(40, 80), rng.randint(1, 3)
    added = mean + new * (n + 1)
    who = rng.choice(FIRST)
    ask = f"After {n} tests {who} has an average of {mean} points. What must {who} score in the next test to raise the average by {new}?"
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


def power(rng: random.Random) -> Sum:
    """A remainder of a power."""
    base, exponent, modulus = rng.randint(2, 13), rng.randint(5, 24), rng.randint(7, 29)
    value = pow(base, exponent, modulus)
    ask = say(
        rng,
        f"[What remainder does {base}^{exponent} leave|What is the remainder of {base}^{exponent}] [on division|when divided] by {modulus}?",
    )
    bad = base * exponent % modulus
    square = base * base % modulus
    right = (
        [f"{base}^2 = {square} (mod {modulus}).", f"[...] going on by squaring to exponent {exponent}: {value}."],
        value,
    )
    return Sum(
        "modular", ask, right, [([f"{base} * {exponent} = {base * exponent}.", f"Modulo {modulus}: {bad}."], bad)]
    )


def ages(rng: random.Random) -> Sum:
    """The sum of two ages."""
    young, times, later = rng.randint(3, 14), rng.randint(2, 5), rng.randint(2, 15)
    a, b = rng.sample(FIRST, 2)
    value = young * (times + 1) + 2 * later
    ask = f"{a} is {young} years old, and {b} is {times} times as old. What will the sum of their ages be in {later} years?"
    right = (
        [
            f"{b}: {times}*{young} = {times * young}.",
            f"Now {young * (times + 1)} together; both gain {later}: {value}.",
        ],
        value,
    )
    bad = young * (times + 1) + later
    return Sum("ages", ask, right, [([f"Together {young * (times + 1)}.", f"Plus {later}: {bad}."], bad)])


def tank(rng: random.Random) -> Sum:
    """A tank with a pipe and a leak."""
    inflow, leak, minutes, start = rng.randint(12, 40), rng.randint(2, 11), rng.randint(6, 45), 10 * rng.randint(2, 30)
    value = start + (inflow - leak) * minutes
    ask = f"A tank holds {start} litres. A pipe adds {inflow} litres a minute and a leak loses {leak}. How many litres are in it after {minutes} minutes?"
    right = [f"Net gain {inflow - leak} litres a minute.", f"{start} + {minutes}*{inflow - leak} = {value}."], value
    bad = (inflow - leak) * minutes
    return Sum("rates", ask, right, [([f"Net gain {inflow - leak}.", f"{minutes}*{inflow - leak} = {bad}."], bad)])


MAKERS = (discount, trains, border, series, committee, bells, average, power, ages, tank)
HARDNESS = dict(
    zip(
        ("percent", "speed", "area", "series", "counting", "divisors", "average", "modular", "ages", "rates"),
        (-0.6, -0.8, 0.1, 0.2, 0.4, 0.5, 0.3, 1.0, -0.5, -0.7),
        strict=True,
    )
)
LAST = "[So the answer is|Hence|Therefore the result is|Final answer:|The answer comes out as]"


def wrong_way(rng: random.Random, task: Sum) -> Way:
    """A wrong way whose result differs from the right one."""
    ways = [way for way in task.wrong if way[1] != task.right[1]]
    if ways and rng.random() < 0.55:
        return rng.choice(ways)
    steps, value = task.right
    slip = value + rng.choice([-20, -10, -2, -1, 1, 2, 3, 10, 11])
    slip = slip if slip > 0 else value + 4
    before, _, after = steps[-1].rpartition(str(value))
    return [*steps[:-1], f"{before}{slip}{after}"], slip


def answer_to(rng: random.Random, task: Sum, right: bool) -> Reply:
    """A worked answer."""
    steps, value = task.right if right else wrong_way(rng, task)
    bullets = rng.choice(("", "", "- ", "* "))
    lines = [bullets + step.replace("[...] ", "") for step in steps]
    text = joined([opener(rng), *lines, checked(rng), f"{say(rng, LAST)} \\boxed{{{value}}}."])
    return Reply([said(text)], str(value))


def sum_task(rng: random.Random, name: str, makers: tuple = MAKERS) -> Task:
    """A word problem that asks for a boxed answer."""
    made = rng.choice(makers)(rng)
    level = HARDNESS[made.family] + rng.gauss(0, 0.9)
    ending = "\nPut your final answer in \\boxed{}."
    return Task(
        name,
        made.family,
        "math",
        made.prompt + ending,
        str(made.right[1]),
        lambda r, ok: answer_to(r, made, ok),
        level=level,
    )


def detour(rng: random.Random) -> str:
    """A side calculation that is right but leads nowhere."""
    a, b = rng.randint(12, 98), rng.randint(12, 98)
    tens = b // 10 * 10
    return say(
        rng,
        rng.choice(
            (
                f"[Compare|As a check on size]: {a}*{b} = {a}*{tens} + {a}*{b - tens} = {a * tens} + {a * (b - tens)} = {a * b}[.|, which does not settle it.]",
                f"[Suppose|What if] it were {a} [instead|rather]: then {a} + {b} = {a + b}, [too far off|no].",
                f"[Hmm|Wait], [is|could] {a * b} be [relevant|the number]? {a * b} / {a} = {b}[, so no.|; not obviously.]",
                f"[Alternatively|Another way]: {a + b} - {b} = {a}, [which brings nothing new|same thing].",
                "[Let me|I should] [double-check|verify] the [units|wording|first step] [again|before going on].",
            )
        ),
    )
