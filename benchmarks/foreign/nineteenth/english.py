"""Word problems in English, and longer ones."""

from random import Random

from benchmarks.foreign.nineteenth.chains import Chain, Tongue, plain, task_of
from benchmarks.foreign.nineteenth.core import Task

NAMES = ("Asha", "Bram", "Chidi", "Dolores", "Emeka", "Freya", "Gita", "Hugo", "Ines", "Jonah", "Kofi", "Lena", "Marek")
GOODS = ("lanterns", "seed packets", "bicycle bells", "clay pots", "postcards", "candles", "tent pegs", "jam jars")
BOXED = Tongue(
    (
        "Let me work through it.",
        "We go one step at a time.",
        "First, what is given.",
        "Set it up:",
        "Okay, so let's see.",
    ),
    (
        "{what}: {sum}.",
        "Step {n}. {what} gives {sum}.",
        "So {what} is {sum}.",
        "Next, {what} → {sum}",
        "- {what}: {sum}",
    ),
    (
        "Checking backwards, {value} fits what was given.",
        "A rough estimate is near {value}, good.",
        "Does {value} make sense? Yes.",
    ),
    (
        "The answer is \\boxed{{{answer}}}.",
        "Hence \\boxed{{{answer}}}",
        "Final answer: \\boxed{{{answer}}}",
        "So we get \\boxed{{{answer}}}.",
    ),
    plain,
    "Reason step by step and put the final answer in \\boxed{}.",
)


def stall(rng: Random) -> Chain:
    """Sales at a market."""
    who, what, a, b, c = (
        rng.choice(NAMES),
        rng.choice(GOODS),
        rng.randrange(12, 90),
        rng.randrange(3, 17),
        rng.randrange(8, 60),
    )
    prompt = rng.choice(
        (
            f"{who} sells {a} {what} at ${b} each and pays ${c} for the stall. How much is left?",
            f"At the fair {who} sold {a} {what} for {b} dollars apiece. The pitch cost {c}. What did {who} keep?",
        )
    )
    return Chain(prompt, a, (("takings", "*", b), ("after the fee", "-", c)), "stall")


def tank(rng: Random) -> Chain:
    """A tank that fills and leaks."""
    a, b, c, d = rng.randrange(40, 300), rng.randrange(5, 30), rng.randrange(2, 12), rng.randrange(3, 40)
    prompt = (
        f"A cistern holds {a} litres. A hose adds {b} litres a minute for {c} minutes, then {d} litres are drawn off. "
        "How many litres are in it now?"
    )
    steps = (("litres a minute per minute", "*", c), ("with what was there", "+", a), ("after drawing off", "-", d))
    return Chain(prompt, b, steps, "cistern", "litres")


def shares(rng: Random) -> Chain:
    """A sum split among friends."""
    who, n, each, extra = rng.choice(NAMES), rng.randrange(3, 9), rng.randrange(11, 70), rng.randrange(2, 20)
    prompt = (
        f"{who} and friends, {n} people in all, split a bill of {n * each} euros evenly. "
        f"{who} then adds a tip of {extra} euros. What does {who} pay in euros?"
    )
    return Chain(prompt, n * each, (("one share", "/", n), ("with the tip", "+", extra)), "shares")


def bus(rng: Random) -> Chain:
    """Passengers over several stops."""
    a, b, c, d, e = (
        rng.randrange(20, 50),
        rng.randrange(2, 12),
        rng.randrange(3, 19),
        rng.randrange(2, 10),
        rng.randrange(2, 6),
    )
    prompt = (
        f"A ferry leaves with {a} passengers. At the first pier {b} get off and {c} get on; at the second {d} get off. "
        f"Each remaining passenger buys {e} cups of tea. How many cups are sold?"
    )
    steps = (("first pier, off", "-", b), ("first pier, on", "+", c), ("second pier", "-", d), ("cups", "*", e))
    return Chain(prompt, a, steps, "ferry")


def series(rng: Random) -> Chain:
    """A recurrence run by hand: the long problems."""
    a, m, k, n = rng.randrange(2, 30), rng.randrange(2, 6), rng.randrange(3, 41), rng.randrange(4, 7)
    prompt = f"Let a_1 = {a} and a_(n+1) = {m}·a_n − {k} for n ≥ 1. Find a_{n}."
    steps = tuple(s for j in range(2, n + 1) for s in ((f"{m} times a_{j - 1}", "*", m), (f"a_{j}", "-", k)))
    return Chain(prompt, a, steps, "recurrence")


def word_problem(rng: Random) -> Task:
    """Draw a word problem of any family."""
    return task_of(rng, rng.choice((stall, tank, shares, bus))(rng), BOXED)


def long_problem(rng: Random) -> Task:
    """Draw a long problem."""
    return task_of(rng, rng.choice((bus, series, series))(rng), BOXED)
