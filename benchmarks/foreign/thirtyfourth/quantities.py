"""Problems of trades whose answer is a number: wards, ledgers, laboratories, chips, looms, kitchens, harbours."""

import random
from collections.abc import Callable

from benchmarks.foreign.thirtyfourth.policy import Problem, speak

Work = Callable[[random.Random, int], tuple[list[str], int]]
Made = tuple[str, Work]


def dose(rng: random.Random) -> Made:
    """Milligrams of a single dose."""
    w, n = rng.randint(8, 40), rng.choice([2, 3, 4])
    k, drug = n * rng.randint(3, 15), rng.choice(["amoxicillin", "cefalexin", "ibuprofen", "erythromycin"])

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        each = w * k // n + slip
        return [
            r.choice([f"The daily amount is {w} kg times {k} mg/kg.", f"Per day the child needs {k} mg for each kg."]),
            r.choice([f"That makes {each * n} mg a day.", f"{w} x {k} = {each * n} mg in total."]),
            r.choice([f"Split into {n} doses: {each} mg.", f"Given {n} times, each dose holds {each} mg."]),
        ], each

    return f"A child of {w} kg is given {drug} at {k} mg/kg/day in {n} equal doses. How many mg is one dose?", work


def anion_gap(rng: random.Random) -> Made:
    """The anion gap of a blood sample."""
    na, cl, hco = rng.randint(128, 150), rng.randint(92, 112), rng.randint(10, 28)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        anions = cl + hco - slip
        return [
            r.choice(["The gap is sodium less chloride and bicarbonate.", "Potassium is left out of this formula."]),
            r.choice([f"The anions sum to {anions}.", f"{cl} + {hco} = {anions}."]),
            r.choice([f"{na} - {anions} = {na - anions}.", f"So {na - anions} mmol/l remain unexplained."]),
        ], na - anions

    return f"Sodium {na}, chloride {cl}, bicarbonate {hco} (mmol/l). What is the anion gap?", work


def drip(rng: random.Random) -> Made:
    """Drops a minute of an infusion."""
    h, q = rng.randint(2, 10), rng.randint(12, 60)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        return [
            r.choice([f"{3 * h * q} ml are {60 * h * q} drops.", "First I turn millilitres into drops."]),
            r.choice([f"{h} hours have {60 * h} minutes.", f"The time is {60 * h} min."]),
            r.choice([f"The rate comes to {q + slip}.", f"Dividing gives {q + slip} drops a minute."]),
        ], q + slip

    return f"{3 * h * q} ml are to run in over {h} hours; the set gives 20 drops per ml. How many drops a minute?", work


def interest(rng: random.Random) -> Made:
    """Simple interest on a loan."""
    p, rate, years = rng.randint(8, 90) * 100, rng.randint(2, 9), rng.randint(2, 7)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        a_year = p * rate // 100 + slip
        return [
            r.choice([f"One year costs {rate}% of {p}, which is {a_year}.", f"Yearly interest: {a_year}."]),
            r.choice(["It does not compound.", "Simple interest stays the same every year.", ""]),
            r.choice([f"Over {years} years: {a_year * years}.", f"{years} x {a_year} = {a_year * years}."]),
        ], a_year * years

    return f"A loan of {p} euro bears {rate}% simple interest. How much interest falls due over {years} years?", work


def break_even(rng: random.Random) -> Made:
    """Pieces to sell until fixed costs are earned."""
    price, cost, units = rng.randint(30, 90), rng.randint(8, 28), rng.randint(40, 400)
    fixed = (price - cost) * units

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        return [
            r.choice([f"Each piece contributes {price - cost} euro.", f"The margin is {price} - {cost}."]),
            r.choice([f"Fixed costs of {fixed} have to be covered.", "Now divide the fixed costs by it."]),
            r.choice([f"That takes {units + slip} pieces.", f"{fixed} over the margin is {units + slip}."]),
        ], units + slip

    return (
        f"Fixed costs {fixed} euro, price {price}, variable cost {cost} a piece. How many pieces to break even?",
        work,
    )


def molar_mass(rng: random.Random) -> Made:
    """The molar mass of a compound of C, H and O."""
    c, h, o = rng.randint(2, 14), rng.randint(4, 28), rng.randint(1, 7)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        carbon = 12 * c + slip
        return [
            r.choice([f"Carbon gives {carbon}.", f"{c} carbons weigh {carbon} g/mol."]),
            r.choice([f"Hydrogen adds {h} and oxygen {16 * o}.", f"To it come {h} and {16 * o}."]),
            r.choice([f"Sum: {carbon + h + 16 * o}.", f"Together {carbon + h + 16 * o} g/mol."]),
        ], carbon + h + 16 * o

    return f"With C = 12, H = 1, O = 16: what is the molar mass of C{c}H{h}O{o} in g/mol?", work


def dilution(rng: random.Random) -> Made:
    """Millilitres of stock for a dilution."""
    v1, fold = rng.randint(4, 60), rng.randint(3, 12)
    c2 = rng.randint(2, 30)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        return [
            r.choice(["The amount of substance stays the same.", "I use c1 v1 = c2 v2."]),
            r.choice([f"The stock is {fold} times stronger.", f"{c2 * fold} over {c2} is {fold}."]),
            r.choice([f"So {v1 + slip} ml of stock.", f"{v1 * fold} divided by {fold} is {v1 + slip}."]),
        ], v1 + slip

    return f"How many ml of a {c2 * fold} mM stock make {v1 * fold} ml of a {c2} mM solution?", work


def slack(rng: random.Random) -> Made:
    """Setup slack of a path on a chip."""
    period, logic = rng.randint(8, 20) * 100, rng.randint(300, 900)
    c2q, setup = rng.randint(40, 120), rng.randint(20, 80)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        used = c2q + logic + setup - slip
        return [
            r.choice(["Data has to settle before the next edge.", "Setup slack is period less all delays."]),
            r.choice([f"The path uses {used} ps.", f"{c2q} + {logic} + {setup} = {used}."]),
            r.choice([f"{period} - {used} leaves {period - used} ps.", f"Slack: {period - used}."]),
        ], period - used

    return (
        f"Clock period {period} ps, clock-to-q {c2q} ps, logic {logic} ps, setup time {setup} ps. "
        "What is the setup slack in ps?"
    ), work


def gears(rng: random.Random) -> Made:
    """Speed behind a pair of gears."""
    z1, ratio, out = rng.randint(12, 30), rng.randint(2, 6), rng.randint(20, 300)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        return [
            r.choice([f"The wheel has {z1 * ratio} teeth, the pinion {z1}.", f"The ratio is {ratio} to 1."]),
            r.choice(["A larger wheel turns slower.", f"So the speed is divided by {ratio}.", ""]),
            r.choice([f"That is {out + slip} rpm.", f"{out * ratio} / {ratio} = {out + slip}."]),
        ], out + slip

    return (
        f"A robot's motor turns at {out * ratio} rpm; its pinion of {z1} teeth drives a wheel of {z1 * ratio} teeth. "
        "At how many rpm does the wheel turn?"
    ), work


def knitting(rng: random.Random) -> Made:
    """Stitches to cast on."""
    gauge, width, edge = rng.randint(16, 30), 10 * rng.randint(3, 12), rng.randint(2, 8)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        body = gauge * width // 10 + slip
        return [
            r.choice([f"{width} cm are {width // 10} times 10 cm.", "The gauge is for ten centimetres."]),
            r.choice([f"The body needs {body} stitches.", f"{gauge} x {width // 10} = {body}."]),
            r.choice([f"With the edges {body + 2 * edge}.", f"Two edges add {2 * edge}: {body + 2 * edge}."]),
        ], body + 2 * edge

    return (
        f"Gauge {gauge} stitches on 10 cm. A shawl is {width} cm wide, with {edge} edge stitches more on each side. "
        "How many stitches are cast on?"
    ), work


def hives(rng: random.Random) -> Made:
    """Jars of honey from an apiary."""
    n, frames, kilos = rng.randint(3, 14), rng.randint(6, 11), rng.choice([2, 3])

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        total = n * frames * kilos + slip
        return [
            r.choice([f"There are {n * frames} frames.", f"One hive gives {frames * kilos} kg."]),
            r.choice([f"The whole harvest is {total} kg.", f"All hives together: {total} kg."]),
            r.choice([f"Half-kilo jars: {2 * total}.", f"Two jars a kilo makes {2 * total} jars."]),
        ], 2 * total

    return f"{n} hives with {frames} frames each give {kilos} kg a frame. How many jars of 500 g are filled?", work


def flour(rng: random.Random) -> Made:
    """Flour for more loaves than the recipe has."""
    per, loaves, extra = rng.randint(30, 60) * 10, rng.randint(3, 18), rng.randint(1, 9) * 10

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        dough = per * loaves + 10 * slip
        return [
            r.choice([f"Each loaf takes {per} g.", f"The dough is scaled by {loaves}."]),
            r.choice([f"{loaves} loaves need {dough} g.", f"{per} x {loaves} = {dough}."]),
            r.choice([f"With the dusting {dough + extra} g.", f"Add {extra} g: {dough + extra}."]),
        ], dough + extra

    return f"A loaf takes {per} g of flour. How many g for {loaves} loaves and {extra} g for dusting the board?", work


def harbour(rng: random.Random) -> Made:
    """Centimetres of water under a keel."""
    chart, tide, draught = rng.randint(120, 400), rng.randint(60, 350), rng.randint(80, 170)

    def work(r: random.Random, slip: int) -> tuple[list[str], int]:
        depth = chart + tide + slip
        return [
            r.choice(["The charted depth holds at lowest tide.", "Height of tide comes on top of the chart."]),
            r.choice([f"The water stands at {depth} cm.", f"{chart} + {tide} = {depth}."]),
            r.choice([f"Less the draught: {depth - draught} cm.", f"Under the keel are {depth - draught} cm."]),
        ], depth - draught

    return (
        f"Charted depth {chart} cm, height of tide {tide} cm, draught {draught} cm. "
        "How many cm of water are under the keel?"
    ), work


FAMILIES: dict[str, Callable[[random.Random], Made]] = {
    f.__name__: f
    for f in (
        dose, anion_gap, drip, interest, break_even, molar_mass, dilution, slack, gears, knitting, hives, flour, harbour
    )
}  # fmt: skip
OPENINGS = [
    "Let me work through it.",
    "Step by step.",
    "",
    "What is asked?",
    "First the data.",
    "Okay.",
    "I start here.",
]
PLANS = [
    "", "The question wants a single number.", "I note what is given and what is missing.", "All units already fit.",
    "Two steps will do, then a short check.", "There is one quantity to find before the last step.",
    "I write the rule down before putting numbers in.", "Nothing has to be converted twice here.",
]  # fmt: skip
CHECKS = ["", "", "The order of size fits.", "A second look gives the same.", "Units agree.", "That seems plausible."]


def draw(rng: random.Random, count: int, *families: str, ask: str = "") -> list[Problem]:
    """Problems of some families, or of all; the words of ask stand behind each question."""
    names = families or tuple(FAMILIES)
    problems, seen = [], set()
    while len(problems) < count:
        name = names[len(problems) % len(names)]
        prompt, work = FAMILIES[name](rng)
        if prompt in seen:
            continue
        seen.add(prompt)
        gold = str(work(random.Random(0), 0)[1])
        hardness = rng.gauss(0, 0.8)
        text = f"{prompt} {ask}".strip()
        problems.append(Problem(f"{name}-{len(problems):03d}", text, gold, name, hardness, {"work": work}))
    return problems


def solve(rng: random.Random, problem: Problem, right: bool) -> tuple[str, str]:
    """Reasoning and answer of one attempt; a wrong one slips within its arithmetic and goes on from there."""
    slip = 0 if right else rng.choice([-9, -5, -3, -2, -1, 1, 2, 3, 4, 6, 10])
    sentences, answer = problem.data["work"](rng, slip)
    return speak(rng, OPENINGS, PLANS, *sentences, CHECKS), str(answer)
