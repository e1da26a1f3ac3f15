"""Exam harder than drill; verdicts cached by problem; lagging by three versions; one word desk labels."""

from dataclasses import replace
from math import exp
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.arithmetic import word_sum
from benchmarks.foreign.thirteenth.counting import counting
from benchmarks.foreign.thirteenth.estimates import grpo
from benchmarks.foreign.thirteenth.functions import function
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import own
from benchmarks.foreign.thirteenth.rollouts import Run, attempt, binary, pool, ragged, train
from benchmarks.foreign.thirteenth.tickets import reasoned, ticket


@PART.healthy
def exam_harder_than_drill(rng: Random) -> list[Row]:
    """Validation is on counting problems, training on easier word sums: one stays below the other, and both rise."""
    attempts = grpo(binary(ragged(rng, train(rng, word_sum, Run(10, 6, 6, 0.0, 1.8)))))
    exam = [replace(t, key=f"exam-{t.key}") for t in pool(rng, counting, 32)]
    for step in (1, 4, 7, 10):
        for task in exam:
            a = attempt(rng, task, step, 0, 1 / (1 + exp(task.hard + 0.9 - 0.12 * step)))
            a.split, a.progress = "validation", step / 10
            attempts += binary([a])
    return own(rng, attempts, "drill-exam")


@PART.faulty("stale_grades", "blind_groups", "dead_groups", "weak_verifier", "metric_defect", "flaky_grading")
def verdicts_cached_by_problem(rng: Random) -> list[Row]:
    """Since the fifth step verdicts are kept by problem, not by answer: what was said of the first answer is said of
    all that follow.
    """
    attempts = train(rng, ticket, Run(11, 6, 8, -0.3, 1.6), 40)
    kept: dict[str, bool] = {}
    for a in attempts:
        a.messages = reasoned(rng, a.task, a.answer)
        a.extra = {"target": a.task.gold, "verdict_from": "grader"}
        if a.step >= 5:
            a.extra["verdict_from"] = "cache" if a.task.key in kept else "grader"
            a.right = kept.setdefault(a.task.key, a.right)
    return own(rng, grpo(binary(attempts)), "desk-labels")


@PART.healthy
def lagging_by_three_versions(rng: Random) -> list[Row]:
    """Asynchronous training: samples are up to three versions old, within the bound set, and ratios stay near 1."""
    attempts = binary(ragged(rng, train(rng, function, Run(12, 6, 6, -0.6, 2.1))))
    for a in attempts:
        lag = min(a.step - 1, rng.choice((0, 0, 1, 1, 1, 2, 2, 3)))
        a.extra = {"policy_lag": lag, "max_lag": 3, "mean_ratio": round(1 + rng.gauss(0, 0.008 + 0.006 * lag), 4)}
    return own(rng, grpo(attempts), "async-py")


@PART.healthy
def one_word_desk_labels(rng: Random) -> list[Row]:
    """Replies are single words, so attempts of a group are often the same text; the groups still differ and learn."""
    attempts = binary(train(rng, ticket, Run(11, 8, 5, -0.6, 2.0)))
    for a in attempts:
        a.extra = {"target": a.task.gold}
    return own(rng, grpo(attempts), "labels-short", 400.0)
