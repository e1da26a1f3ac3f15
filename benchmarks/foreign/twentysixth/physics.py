"""Physics at school: one formula, a number with a unit in a box."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import check, opener, pick, say

LAWS = {
    "kinetic": ("the energy in joules of a body of {a} kg at {b} m/s", lambda a, b: a * b * b / 2, "E = m v^2 / 2"),
    "ohm": ("the current in amperes through {a} ohms at {b} volts", lambda a, b: b / a, "I = U / R"),
    "density": ("the mass in grams of {b} cubic centimetres at {a} g/cm^3", lambda a, b: a * b, "m = rho V"),
    "lever": ("the torque in newton metres of {b} newtons at an arm of {a} metres", lambda a, b: a * b, "M = F r"),
    "fall": ("the depth in metres of a fall of {a} seconds, with g = 9.8 and {b} m/s at the start",
             lambda a, b: b * a + 4.9 * a * a, "s = v t + g t^2 / 2"),
    "wave": ("the wave length in metres at {a} hertz and a speed of {b} m/s", lambda a, b: b / a, "lambda = c / f"),
}  # fmt: skip


def task(rng: Random) -> Task:
    """One law with two numbers."""
    family, a, b = rng.choice(list(LAWS)), rng.randint(2, 38), rng.randint(3, 95)
    text, law, formula = LAWS[family]
    ask = pick(rng, "Find", "Compute", "What is", "Give")
    prompt = f"{ask} {text.format(a=a, b=b)}. Round to two decimals, in \\boxed{{}}."
    return Task(family, prompt, f"{law(a, b):.2f}", extra={"a": a, "b": b, "formula": formula})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Formula, numbers, box; wrong ones lose a factor or turn it over."""
    gold = float(t.gold)
    value = gold if right else rng.choice((gold * 2, gold / 2, gold * 10, gold + t.extra["a"], gold * 1.1 + 0.07))
    body = pick(
        rng,
        f"The law is {t.extra['formula']}. With {t.extra['a']} and {t.extra['b']} this is {value:.2f}.",
        f"{t.extra['formula']}; putting in {t.extra['a']} and {t.extra['b']} I get {value:.3f}.",
        f"We use {t.extra['formula']}, hence {value:.2f}.",
    )
    return Reply([say(f"{opener(rng)} {body}{check(rng, progress)} \\boxed{{{value:.2f}}}")], f"{value:.2f}")


WORLD = World(task, reply)
