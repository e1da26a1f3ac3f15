"""Single-turn problems in words: a delivery by road, with a distance, a speed and pauses."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, pick, say

SYSTEM = "Solve the problem step by step. End with a line 'Answer: ...' that holds the result."
GOODS = ("bricks", "flour", "letters", "fish", "glass", "timber", "apples")


def problem(rng: random.Random, number: int) -> Problem:
    """How far, or how long."""
    speed, hours, pause, goods = rng.randint(31, 88), rng.randint(3, 9), rng.randint(1, 2), rng.choice(GOODS)
    prompt = (
        f"A van with {goods} leaves at {rng.randint(4, 9)} o'clock and drives {speed} km each hour. It is away for "
        f"{hours + pause} hours, of which it stands {pause}. How many km has it driven?"
    )
    return Problem(
        f"van-{number}",
        goods,
        SYSTEM,
        prompt,
        str(speed * hours),
        {"speed": speed, "hours": hours, "pause": pause, "goods": goods},
    )


def reasoning(rng: random.Random, problem: Problem, right: bool) -> tuple[str, int]:
    """Some sentences and the number they end in."""
    d = problem.data
    hours = d["hours"] if right else d["hours"] + d["pause"]
    value = d["speed"] * hours
    first = pick(
        rng,
        f"The van with {d['goods']} makes {d['speed']} km in each hour that it moves.",
        f"We need the time on the road; the speed is {d['speed']} km per hour.",
        f"Distance is speed times time, and the {d['goods']} travel at {d['speed']} km each hour.",
    )
    second = (
        f"Of {d['hours'] + d['pause']} hours it stands {d['pause']}, so {hours} remain."
        if right
        else f"It is away for {hours} hours."
    )
    third = pick(rng, f"{d['speed']} times {hours} is {value}.", f"That makes {d['speed']} * {hours} = {value}.")
    return f"{first} {second} {third}", value


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """A wrong attempt forgets the pause."""
    text, value = reasoning(rng, problem, right)
    return [say(f"{text}\nAnswer: {value}")], str(value)
