"""Times, speeds and mixtures."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import musing, person, say, town


def train(rng: Random) -> tuple[str, str, list[str], int]:
    """When a train arrives, in minutes after its start."""
    speed, legs = rng.choice((60, 80, 90, 120)), rng.randint(2, 9)
    far, rest = speed // 6 * legs, rng.randint(3, 25)
    question = (
        f"A train runs {far} km from {town(rng)} to {town(rng)} at {speed} km/h and stands {rest} minutes on the way. "
        "How many minutes does the journey take?"
    )
    steps = [f"{far} km at {speed} km/h take {legs * 10} minutes", f"with the stop of {rest} minutes"]
    return question, "train", steps, legs * 10 + rest


def mixture(rng: Random) -> tuple[str, str, list[str], int]:
    """How much of something a mixture holds."""
    one, two, p, q = rng.randint(2, 12) * 10, rng.randint(2, 12) * 10, rng.randint(1, 4) * 10, rng.randint(5, 8) * 10
    question = (
        f"{person(rng)} mixes {one} ml of a {p}% syrup with {two} ml of a {q}% syrup. How many ml of sugar are in the "
        "mixture?"
    )
    steps = [f"the first holds {one * p // 100} ml", f"the second holds {two * q // 100} ml"]
    return question, "mixture", steps, one * p // 100 + two * q // 100


def shift(rng: Random) -> tuple[str, str, list[str], int]:
    """Minutes between two times of a day."""
    start, length = rng.randint(6 * 60, 11 * 60), rng.randint(95, 560)
    end = start + length
    question = (
        f"{person(rng)} starts work in {town(rng)} at {start // 60:02d}:{start % 60:02d} and stops at "
        f"{end // 60:02d}:{end % 60:02d}. How many minutes is that?"
    )
    steps = [f"{end // 60:02d}:{end % 60:02d} is minute {end} of the day", f"the start is minute {start}"]
    return question, "shift", steps, length


def task(rng: Random) -> Task:
    """One of the three."""
    question, family, steps, value = rng.choice((train, mixture, shift))(rng)
    return Task(question, str(value), family=family, facts={"steps": steps, "value": value})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """The steps and the number."""
    value = task.facts["value"] + (0 if right else rng.choice((-60, -30, -10, -5, 5, 10, 15, 60)))
    first, second = task.facts["steps"]
    lines = [
        say(rng, f"[We note that|Observe:|Start with this:|Well,] {first}[, which is easy to check|]."),
        *musing(rng, 0, 3),
        say(rng, f"[And|Also|Furthermore,] {second}[, as given|, by the statement|]."),
        say(rng, f"[Together|Altogether|In sum|Thus] this [gives|makes|comes to] {value}.\nAnswer: {value}"),
    ]
    return Reply([speak(" ".join(lines))], str(value))


CLOCKS = Domain(task, reply)
