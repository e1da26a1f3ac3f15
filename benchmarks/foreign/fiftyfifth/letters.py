"""Single-turn letters to tenants, graded by a judge against a rubric of points."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, pick, say

SYSTEM = "Write the letter that is asked for: polite, short, and with all the points that the user names."
WORKS = ("the lift", "the heating", "the roof", "the front door", "the cellar drain", "the stair lights")


def problem(rng: random.Random, number: int) -> Problem:
    """A notice with four points."""
    work, day, hour, people = rng.choice(WORKS), rng.randint(2, 28), rng.randint(7, 11), rng.randint(2, 4)
    fee, phone = rng.randint(0, 1), rng.randint(2000, 9999)
    points = [
        f"work on {work} begins on the {day}th",
        f"the crew comes at {hour} o'clock",
        "there is no cost" if not fee else f"{people * 10} euros are shared",
        f"questions go to extension {phone}",
    ]
    return Problem(
        f"letter-{number}",
        work.split()[-1],
        SYSTEM,
        "Letter to tenants. Points: " + "; ".join(points) + ".",
        "",
        {"points": points, "work": work},
    )


def write(rng: random.Random, problem: Problem, share: float) -> tuple[str, int]:
    """A letter and the number of points in it."""
    kept = [point for point in problem.data["points"] if rng.random() < share] or problem.data["points"][:1]
    hello = pick(rng, "Dear tenants,", "Dear neighbours,", "To all who live in the house,")
    why = pick(
        rng, f"we write because of {problem.data['work']}.", f"{problem.data['work']} needs repair.", "a short notice."
    )
    body = " ".join(pick(rng, "Please note: ", "We let you know that ", "As planned, ") + point + "." for point in kept)
    bye = pick(
        rng,
        "With kind regards, the management",
        "Thank you for your patience. The management",
        "Yours, the house office",
    )
    return f"{hello} {why}\n\n{body}\n\n{bye}", len(kept)


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """A right letter has all four points."""
    text, _ = write(rng, problem, 1.0 if right else rng.choice((0.3, 0.5, 0.7)))
    return [say(text)], ""
