"""Science questions with a number for an answer, as free text or with options; and stock ledgers with large sums."""

import random

from benchmarks.foreign.thirtysixth.attempts import Problem

Case = tuple[str, int, str, list[tuple[int, str]], str, str]
"""Question, value, unit, wrong values each with how it comes about, the right way, family."""


def _dilution(rng: random.Random) -> Case:
    c, v, k = rng.randint(2, 12), rng.randint(3, 19) * 10, rng.randint(3, 9)
    total = v * k
    ask = f"How many millilitres of water turn {v} ml of a {c * k} g/l dye bath into a bath of {c} g/l?"
    way = (
        f"The dye stays {c * k} * {v}, so the volume must grow {k}-fold "
        f"to {total} ml, and {v} ml of it are there already"
    )
    return (
        ask,
        total - v,
        "ml",
        [(total, f"the bath must hold {total} ml in the end"), (v * (k + 1), "the water adds on top")],
        way,
        "dilution",
    )


def _power(rng: random.Random) -> Case:
    i, r, t = rng.randint(2, 9), rng.randint(3, 24), rng.randint(2, 7)
    ask = f"A heater of {r} ohm carries {i} A for {t} s. How many joules does it give off?"
    way = f"Power is the square of the current times resistance, {i * i} * {r} = {i * i * r} W, over {t} s"
    wrong = [
        (i * r * t, f"the voltage is {i * r} V and it works for {t} s"),
        (i * i * r, "power is current squared times resistance"),
    ]
    return ask, i * i * r * t, "J", wrong, way, "circuits"


def _fall(rng: random.Random) -> Case:
    t, u = rng.randint(2, 9), rng.randint(1, 14)
    ask = f"A stone is thrown down a shaft at {u} m/s and falls for {t} s. How deep is the shaft, with g = 10 m/s^2?"
    way = f"The throw alone gives {u} * {t} = {u * t} m and gravity gives 5 * {t * t} = {5 * t * t} m"
    wrong = [
        (5 * t * t, f"gravity gives 5 * {t * t}"),
        (u * t + 10 * t * t, f"gravity gives 10 * {t * t} on top of {u * t}"),
    ]
    return ask, u * t + 5 * t * t, "m", wrong, way, "mechanics"


def _heat(rng: random.Random) -> Case:
    m, low, rise = rng.randint(2, 15), rng.randint(8, 25), rng.randint(11, 60)
    ask = f"How many kilocalories warm {m} kg of water from {low} to {low + rise} degrees Celsius?"
    way = f"A kilogram takes one kilocalorie a degree; the difference is {rise} degrees for {m} kg"
    wrong = [
        (m * (low + rise), f"the water ends at {low + rise} degrees"),
        (m + rise, "mass and rise are put together"),
    ]
    return ask, m * rise, "kcal", wrong, way, "heat"


def _wave(rng: random.Random) -> Case:
    f, w, t = rng.randint(12, 90), rng.randint(2, 9), rng.randint(2, 6)
    ask = f"A wave of {f} Hz has a wavelength of {w} m. How many metres does it run in {t} s?"
    way = f"Its speed is frequency times wavelength, {f} * {w} = {f * w} m/s, and it runs {t} s"
    return (
        ask,
        f * w * t,
        "m",
        [(f * w, "the speed is frequency times wavelength"), (f * t, f"{f} crests a second")],
        way,
        "waves",
    )


def draw_science(rng: random.Random, number: int) -> Problem:
    """A question with a whole number for an answer."""
    ask, value, unit, wrong, way, family = rng.choice((_dilution, _power, _fall, _heat, _wave))(rng)
    wrong = [(v if v != value else v + 7, how) for v, how in wrong]
    data = {"value": value, "unit": unit, "wrong": wrong, "way": way, "ask": ask}
    return Problem(f"sci-{number:04d}", ask, str(value), family, rng.uniform(-0.2, 0.2), data)


def reason(rng: random.Random, problem: Problem, right: bool) -> tuple[str, int]:
    """Reasoning on a science question, and the value that it comes to."""
    data = problem.data
    value, way = (data["value"], data["way"]) if right else rng.choice(data["wrong"])
    start = rng.choice(
        (
            "Let me write down what is given.",
            "First I look for the law that ties these together.",
            "We go step by step.",
            "The quantities are all in matching units, so no conversion is needed.",
            f"This is a question on {problem.family}.",
        )
    )
    middle = rng.choice((f"{way}.", f"Here {way[0].lower() + way[1:]}.", f"I note that {way[0].lower() + way[1:]}."))
    end = rng.choice(
        (
            f"That comes to {value} {data['unit']}.",
            f"Hence I get {value} {data['unit']}.",
            f"So the result is {value} {data['unit']}.",
            f"A quick look at the magnitude: {value} {data['unit']} seems plausible.",
        )
    )
    return f"{start} {middle} {end}", value


def with_options(rng: random.Random, problem: Problem) -> list[int]:
    """Four different options of a science question, in a drawn order."""
    data = problem.data
    options = list(dict.fromkeys([data["value"], *(v for v, _ in data["wrong"])]))
    while len(options) < 4:
        other = data["value"] + rng.choice((-1, 1)) * rng.randint(3, 40)
        if other > 0 and other not in options:
            options.append(other)
    return rng.sample(options, 4)


GRAINS = ("barley", "rye", "oats", "millet", "lentils", "linseed", "buckwheat", "rapeseed")
PLACES = ("Harnby", "Oltwick", "Sorrel Quay", "Great Fenner", "Mistley", "Upper Dorn", "Kettleby", "Lowmoor")


def draw_ledger(rng: random.Random, number: int) -> Problem:
    """Stock of a granary: sacks in, sacks out, weight a sack; the answer has four digits and more, or few."""
    grain, place = rng.choice(GRAINS), rng.choice(PLACES)
    small = rng.random() < 0.3
    sacks, out, kilos = (
        rng.randint(20, 40 if small else 190),
        rng.randint(3, 17),
        8 if small else rng.choice((25, 40, 50)),
    )
    left = (sacks - out) * kilos
    ask = (
        f"The granary of {place} took in {sacks} sacks of {grain} and sent {out} sacks to the mill. Each sack weighs "
        f"{kilos} kg. How many kilograms of {grain} are left? Give the number behind 'Answer:'."
    )
    way = f"{sacks} - {out} = {sacks - out} sacks remain, each of {kilos} kg"
    wrong = [
        (sacks * kilos - out, f"{sacks} * {kilos} = {sacks * kilos} kg came in and {out} went out"),
        (sacks * kilos, f"{sacks} sacks of {kilos} kg are there"),
    ]
    data = {"value": left, "unit": f"kg of {grain}", "wrong": wrong, "way": way, "ask": ask}
    return Problem(f"led-{number:04d}", ask, str(left), "stock keeping", rng.uniform(-0.1, 0.2), data)
