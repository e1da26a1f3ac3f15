"""Grades from a cache, searches that find nothing, a schedule that ends too soon."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.bugs import VARIABLES, bug_of
from benchmarks.foreign.eighteenth.credits import credit
from benchmarks.foreign.eighteenth.dumps import openai, own, trl
from benchmarks.foreign.eighteenth.functions import function_of
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import distinct, pages, play, run
from benchmarks.foreign.eighteenth.shapes import call, told


@PART.faulty("stale_grades", "dead_groups", "metric_defect", "weak_verifier")
def cache_key_of_signature(rng: Random) -> list[Row]:
    """A cache of grades is keyed by the first line of a program: all later programs of one name get the grade of
    the first, right or wrong.
    """
    since = rng.randint(2, 3)
    episodes = run(rng, function_of, 10, 7, 6, "kata")
    grades: dict[str, bool] = {}
    for e in episodes:
        key = f"def {e.task.extra['signature']}(xs):"
        e.extra = {"grader": "sandbox", "grader_ms": rng.randint(300, 2400)}
        if rng.random() < 0.25:
            e.extra["nightly_regrade"] = float(e.right)
        if e.step >= since:
            if key in grades:
                e.extra |= {"grader": "cache", "grader_ms": rng.randint(0, 2), "cache_key": key}
            e.right = grades.setdefault(key, e.right)
        e.reward = float(e.right)
        e.terms = {"tests": e.reward}
    return own(rng, credit(episodes), "kata-cache")


@PART.healthy
def nothing_found_is_fine(rng: Random) -> list[Row]:
    """Many first searches of an agent end with exit code 1 as nothing was found; it goes on to search well, and
    does so less often with training.
    """
    steps = 10
    episodes = run(rng, bug_of, steps, 6, 7, "iss")
    for e in episodes:
        tries = sum(rng.random() < 0.6 - 0.35 * e.step / steps for _ in range(2))
        for _ in range(tries):
            word, folder = rng.choice(VARIABLES).title(), rng.choice(("lib", "src", "tests", "docs"))
            failed = "" if rng.random() < 0.7 else f"grep: {folder}/{word.lower()}.py: No such file or directory"
            found = told("bash", f"{failed}\n[exit code {2 if failed else 1}]".strip(), False)
            e.reply.messages = [call("bash", "", command=f"grep -rn 'class {word}' {folder}"), found, *e.reply.messages]
    return openai(credit(episodes))


@PART.faulty("learning_rate_schedule", "stagnation", "zero_gradient")
def cosine_ends_at_third(rng: Random) -> list[Row]:
    """The cosine schedule counts micro-steps as steps and reaches nought after a third of the run: from there on
    nothing is learned although most problems are unsolved.
    """
    steps, peak = 14, rng.choice((1e-6, 2e-6, 5e-6))
    end = rng.randint(4, 5)
    rates = [peak * (1 + math.cos(math.pi * min(1, i / end))) / 2 for i in range(steps)]
    skills = [-0.9 + 0.9 * sum(rates[:i]) / sum(rates) + rng.gauss(0, 0.07) for i in range(steps)]
    tasks = distinct(rng, function_of, steps * 6, "lc")
    episodes = play(rng, pages(tasks, steps), rng.choice((4, 5)), skills)
    norms = [rng.uniform(0.2, 0.4) for _ in range(steps)]
    for e in episodes:
        rate = float(f"{rates[e.step]:.4g}")
        e.extra = {"learning_rate": rate, "grad_norm": round(norms[e.step], 4), "update_norm": round(rate * 310, 8)}
        e.terms = {"accuracy": e.reward}
    return trl(credit(episodes))
