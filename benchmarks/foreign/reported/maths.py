"""Word problems with worked solutions. Each step's arithmetic is right, unless a slip is asked for."""

from math import comb

from benchmarks.foreign.reported.run import Draw, Task

WHO = ("Amara", "Benedikt", "Chiara", "Dmitri", "Esme", "Farouk", "Greta", "Hiroshi", "Ines", "Jomo", "Katya", "Lars")
GOODS = ("roof tiles", "seed trays", "bicycle pumps", "notebooks", "tea towels", "fuse boxes", "clay pots", "lanterns")
PLACES = ("cistern", "aquarium", "rain barrel", "brine tank", "paddling pool", "header tank", "vat", "reservoir")
OPENERS = (
    "",
    "Let me set this up. ",
    "We go step by step. ",
    "First collect what is given. ",
    "Okay. ",
    "Think it through: ",
)
LINKS = ("Then ", "Next, ", "So ", "From this, ", "Now ", "After that, ")
CHECKS = (
    "Reading the question again, nothing is left over.",
    "The size of this is plausible.",
    "A quick estimate agrees.",
    "Units match what was asked.",
)


def _sale(rng: Draw):
    n, price, off = rng.randint(4, 36), rng.randint(2, 24) * 20, rng.choice((5, 10, 15, 20, 25, 30))
    fee, who, what = rng.randint(15, 95), rng.choice(WHO), rng.choice(GOODS)

    def solve(slip: int):
        gross = n * price + (price if slip == 2 else 0)
        cut = gross * off // 100
        net = gross + cut if slip == 3 else gross - cut
        bill = net if slip == 1 else net + fee
        sign = "+" if slip == 3 else "-"
        steps = [f"the {what} cost {n} * {price} = {gross} pesos", f"{off}% of {gross} is {cut}"]
        steps.append(f"that leaves {gross} {sign} {cut} = {net} pesos")
        return [*steps, "delivery is already in" if slip == 1 else f"with delivery {net} + {fee} = {bill}"], str(bill)

    told = f"{who} orders {n} {what} at {price} pesos each. The shop takes {off}% off the goods and adds {fee} pesos"
    return f"{told} for delivery. What is the bill in pesos?", solve


def _tank(rng: Draw):
    inflow, out = rng.randint(9, 30), rng.randint(2, 8)
    start, minutes, what = rng.randint(20, 300), rng.randint(6, 45), rng.choice(PLACES)
    goal = start + (inflow - out) * minutes

    def solve(slip: int):
        net = inflow + out if slip == 1 else inflow - out
        rest = goal if slip == 2 else goal - start
        took = max(1, rest // net) + (1 if slip == 3 else 0)
        steps = [f"the level changes by {inflow} {'+' if slip == 1 else '-'} {out} = {net} litres a minute"]
        steps.append(f"it has to rise by {rest} litres")
        return [*steps, f"{rest} / {net} is about {took} minutes" if slip else f"{rest} / {net} = {took} minutes"], str(
            took
        )

    told = (
        f"A {what} holds {start} litres. A hose adds {inflow} litres a minute while a leak loses {out} litres a minute."
    )
    return f"{told} After how many minutes does it hold {goal} litres?", solve


def _remainder(rng: Draw):
    a, b, c, m = rng.randint(23, 98), rng.randint(17, 89), rng.randint(5, 60), rng.choice((7, 9, 11, 13, 17, 19))

    def solve(slip: int):
        product = a * b + (10 if slip == 1 else 0)
        total = product - c if slip == 2 else product + c
        left = (total + (1 if slip == 3 else 0)) % m
        steps = [f"{a} * {b} = {product}", f"{product} {'-' if slip == 2 else '+'} {c} = {total}"]
        return [*steps, f"{total} = {m} * {total // m} + {left}"], str(left)

    return f"What is the remainder when {a} * {b} + {c} is divided by {m}?", solve


def _series(rng: Draw):
    first, gap, n = rng.randint(2, 19), rng.randint(2, 9), rng.randint(8, 30)
    who, what = rng.choice(WHO), rng.choice(("pages", "press-ups", "laps", "scales", "sketches", "letters"))

    def solve(slip: int):
        last = first + (n if slip == 1 else n - 1) * gap
        doubled = n * (first + last) + (n if slip == 3 else 0)
        total = doubled if slip == 2 else doubled // 2
        steps = [f"on day {n} there are {first} + {n if slip == 1 else n - 1} * {gap} = {last} {what}"]
        steps.append(f"the sum is {n} * ({first} + {last}){'' if slip == 2 else ' / 2'} = {total}")
        return steps, str(total)

    told = f"{who} does {first} {what} on the first day and each day {gap} more than the day before."
    return f"{told} How many {what} are that in {n} days altogether?", solve


def _committee(rng: Draw):
    n, m, k = rng.randint(5, 14), rng.randint(3, 12), rng.choice((2, 3))
    one, two = rng.choice((("bakers", "carpenters"), ("nurses", "drivers"), ("violinists", "cellists")))

    def solve(slip: int):
        ways = comb(n, k) if slip != 1 else n**k
        total = ways + m if slip == 2 else ways * m
        total += 5 if slip == 3 else 0
        steps = [f"{k} of {n} {one} can be chosen in {ways} ways", f"there are {m} choices among the {two}"]
        return [*steps, f"{ways} {'+' if slip == 2 else '*'} {m} = {total}"], str(total)

    return f"A panel needs {k} of {n} {one} and one of {m} {two}. How many different panels are possible?", solve


def _border(rng: Draw):
    a, b, w = rng.randint(8, 40), rng.randint(6, 30), rng.randint(1, 4)

    def solve(slip: int):
        grow = w if slip == 1 else 2 * w
        outer, inner = (a + grow) * (b + grow), a * b
        path = outer if slip == 2 else outer - inner - (4 if slip == 3 else 0)
        steps = [f"with the path it measures {a + grow} by {b + grow} metres, {outer} square metres"]
        steps.append(f"the garden itself is {a} * {b} = {inner}")
        return [*steps, f"the path covers {path}"], str(path)

    told = f"A garden of {a} by {b} metres is surrounded by a path that is {w} metre{'s' * (w > 1)} wide on all sides."
    return f"{told} What is the area of the path in square metres?", solve


def _average(rng: Draw):
    k, new, mean = rng.randint(5, 14), rng.randint(20, 60), rng.randint(20, 60)
    gone = k * mean - (k - 1) * new

    def solve(slip: int):
        total = k * mean + (mean if slip == 1 else 0)
        left = total + gone if slip == 2 else total - gone
        result = left // k if slip == 3 else left // (k - 1)
        steps = [f"the {k} numbers add up to {k} * {mean} = {total}", f"without {gone} that is {left}"]
        return [*steps, f"{left} over {k if slip == 3 else k - 1} gives {result}"], str(result)

    return f"The mean of {k} numbers is {mean}. The number {gone} is removed. What is the mean of the others?", solve


FAMILIES = {
    "sale": _sale,
    "tank": _tank,
    "remainder": _remainder,
    "series": _series,
    "committee": _committee,
    "border": _border,
    "average": _average,
}


def draw(rng: Draw, name: str) -> Task:
    """Draw a problem."""
    family = rng.choice(tuple(FAMILIES))
    prompt, solve = FAMILIES[family](rng)
    return Task(name, prompt, solve(0)[1], family, solve)


def worked(rng: Draw, task: Task, right: bool, talk: float = 0.4) -> tuple[list[str], str]:
    """Sentences of a solution and its result."""
    assert task.solve
    steps, final = task.solve(0 if right else rng.randint(1, 3))
    if not right and final == task.answer:
        final = str(int(final) + rng.choice((1, 2, 5, 10)))
    lines = [f"{rng.choice(LINKS) if place and rng.random() < 0.6 else ''}{step}" for place, step in enumerate(steps)]
    lines = [f"{line[0].upper()}{line[1:]}." for line in lines]
    if rng.random() < talk:
        lines.append(rng.choice(CHECKS))
    return lines, final


def write(
    rng: Draw, task: Task, right: bool, talk: float = 0.4, end: str = "The answer is \\boxed{%s}."
) -> tuple[str, str]:
    """Text of an attempt and its final answer."""
    lines, final = worked(rng, task, right, talk)
    return f"{rng.choice(OPENERS)}{rng.choice((' ', chr(10))).join(lines)}\n\n{end % final}", final
