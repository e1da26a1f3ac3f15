"""Sums of school physics, by stage of difficulty."""

from random import Random

from benchmarks.foreign.nineteenth.chains import Chain, Tongue, plain, task_of
from benchmarks.foreign.nineteenth.core import Task

TONGUE = Tongue(
    (
        "Known quantities first.",
        "Use the definitions.",
        "I'll keep SI units throughout.",
        "Write down the relation and insert numbers.",
    ),
    ("{what} = {sum}", "{n}) {what}: {sum}", "Inserting, {what} = {sum}.", "This gives {what}: {sum}"),
    (
        "Units agree; {value} is plausible.",
        "Order of magnitude: {value} is fine.",
        "Inserting {value} back reproduces the data.",
    ),
    ("<answer>{answer}</answer>", "Therefore <answer>{answer}</answer>", "In {unit}: <answer>{answer}</answer>"),
    plain,
    "Solve the exercise. Give the number alone inside <answer></answer>.",
)


def lift(rng: Random) -> Chain:
    """Work done against gravity."""
    m, h, e = rng.randrange(2, 60), rng.randrange(2, 25), rng.randrange(5, 95)
    thing = rng.choice(("crate", "bucket", "flowerpot", "toolbox", "anchor"))
    prompt = (
        f"A {thing} of {m} kg is raised by {h} m (g = 10 N/kg); friction costs another {e} J. What work is done, in J?"
    )
    return Chain(prompt, m, (("weight", "*", 10), ("lifting work", "*", h), ("work in all", "+", e)), "mechanics", "J")


def heater(rng: Random) -> Chain:
    """Energy of a heater."""
    u, i, t = rng.choice((6, 12, 24, 48, 230)), rng.randrange(2, 16), rng.randrange(10, 120, 5)
    prompt = f"A heater draws {i} A at {u} V for {t} s. How much energy does it use, in J?"
    return Chain(prompt, u, (("power", "*", i), ("energy", "*", t)), "circuits", "J")


def coast(rng: Random) -> Chain:
    """Uniform acceleration."""
    v, a, t = rng.randrange(2, 30), rng.randrange(2, 9), rng.randrange(3, 20)
    what = rng.choice(("tram", "sledge", "cyclist", "lorry"))
    prompt = f"A {what} moving at {v} m/s speeds up by {a} m/s² for {t} s. What is its speed then, in m/s?"
    return Chain(prompt, a, (("gain in speed", "*", t), ("final speed", "+", v)), "mechanics", "m/s")


def resistor(rng: Random) -> Chain:
    """Resistors in a row on a battery."""
    r1, r2, i, k = rng.randrange(2, 40), rng.randrange(2, 40), rng.randrange(2, 9), rng.randrange(3, 30)
    prompt = (
        f"Resistors of {r1} Ω and {r2} Ω are in series and carry {i} A. The supply also powers a lamp of {k} W. "
        "What power does the supply give, in W?"
    )
    steps = (
        ("series resistance", "+", r2),
        ("voltage", "*", i),
        ("power of the pair", "*", i),
        ("with the lamp", "+", k),
    )
    return Chain(prompt, r1, steps, "circuits", "W")


def physics_problem(rng: Random) -> Task:
    """Draw an exercise."""
    return task_of(rng, rng.choice((lift, heater, coast, resistor))(rng), TONGUE)


def easy_exercise(rng: Random) -> Task:
    """Draw an exercise of the first stage."""
    task = task_of(rng, rng.choice((heater, coast))(rng), TONGUE)
    task.extra["stage"] = "basic"
    return task


def hard_exercise(rng: Random) -> Task:
    """Draw an exercise of the last stage."""
    task = task_of(rng, rng.choice((lift, resistor))(rng), TONGUE)
    task.ease -= 1.3
    task.extra["stage"] = "advanced"
    return task
