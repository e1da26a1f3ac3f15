"""Jobs to be shared out over machines: the plan is a text, its makespan is computed."""

import random

from benchmarks.foreign.thirtysixth.attempts import Problem

JOBS = ("paint", "weld", "press", "sand", "drill", "pack", "glue", "rinse", "stamp", "bend", "trim", "coat")


def draw_roster(rng: random.Random, number: int) -> Problem:
    """Seven to nine jobs for two machines, and the best makespan."""
    names = rng.sample(JOBS, rng.randint(7, 9))
    hours = {name: rng.randint(2, 14) for name in names}
    total = sum(hours.values())
    sums = {0}
    for value in hours.values():
        sums |= {s + value for s in sums}
    best = min(max(s, total - s) for s in sums)
    listing = ", ".join(f"{name} {hour} h" for name, hour in hours.items())
    prompt = (
        f"Share these jobs between the machines A and B so that both are "
        f"done early: {listing}. State the plan and its makespan."
    )
    return Problem(
        f"job-{number:04d}",
        prompt,
        str(best),
        f"{len(names)} jobs",
        rng.uniform(-0.1, 0.1),
        {"hours": hours, "best": best, "total": total},
    )


def plan(rng: random.Random, problem: Problem, skill: float) -> tuple[list[str], int]:
    """Jobs for machine A, and the makespan: greedy where skilled, at random where not."""
    hours = problem.data["hours"]
    tries = 2 + int(rng.random() < skill) * 3 + int(rng.random() < skill) * 8
    best: tuple[list[str], int] = ([], problem.data["total"])
    for _ in range(tries):
        chosen = [name for name in hours if rng.random() < 0.5]
        load = sum(hours[name] for name in chosen)
        span = max(load, problem.data["total"] - load)
        if span <= best[1]:
            best = (chosen, span)
    return best


def tell_plan(rng: random.Random, problem: Problem, chosen: list[str], claim: int) -> str:
    """The plan in words, with the makespan that the policy claims."""
    hours = problem.data["hours"]
    others = [name for name in hours if name not in chosen]
    start = rng.choice(
        (
            f"All jobs together take {problem.data['total']} hours, so neither machine can beat half of that.",
            "I start with the longest jobs and fill up with short ones.",
            f"The longest job is {max(hours, key=hours.get)}; I place it first.",
            "The aim is an even load on both sides.",
        )
    )
    middle = rng.choice(
        (
            "Then I swap jobs while the gap shrinks.",
            "After that the small ones settle the difference.",
            "What remains goes to the machine that is free sooner.",
        )
    )
    return (
        f"{start} {middle}\nA: {', '.join(chosen) or 'nothing'}\nB: "
        f"{', '.join(others) or 'nothing'}\nMakespan: {claim} h"
    )
