"""Faults of sampling and machines."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import archive, estimates, rows, sums
from benchmarks.foreign.sixth.calls import Talk
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Message, Plan, Problem, train


@PART.faulty("infrastructure_zeros", "tool_failure")
def search_backend_lost(rng: Random) -> list[Row]:
    """On three of eight workers every search fails with a server error; those attempts are graded 0 and trained on as
    wrong.
    """
    plan = Plan(steps=13, prompts=5, attempts=6, start=-0.2, end=1.5)
    attempts = train(rng, plan, archive.draw_question, archive.search_archive)
    for one in attempts:
        worker = rng.randrange(8)
        one.columns = {"worker": f"rollout-{worker}", "duration_seconds": round(rng.gauss(9, 1.5), 2)}
        if worker in (1, 4, 6) and one.step >= 2:
            one.said, one.is_right, one.reward = _without_search(rng, one.problem), False, 0.0
            one.columns["duration_seconds"] = round(rng.gauss(64, 3), 2)
    return [rows.own(one, "search") for one in estimates.by_group(attempts)]


def _without_search(rng: Random, problem: Problem) -> list[Message]:
    talk, facts = Talk(), problem.facts
    for query in (f"{facts['t']} {facts['p']}", f"{facts['p']} {facts['what']}")[: rng.randint(1, 2)]:
        failed = rng.choice(("503 Service Unavailable: upstream connect error", "HTTP 503: no healthy upstream"))
        talk.call(rng.choice(("", "Search again.", "I look it up.")), "search", {"query": query}, failed)
    return talk.say(rng.choice(("The archive cannot be reached.\nAnswer: unknown", "No result.\nAnswer: not found")))


_EVALUATED = {"split": "validation", "advantage": None, "in_loss": None, "extra": {"decoding": "greedy"}}


@PART.faulty("staleness", "stale_evaluation", "metric_defect")
def evaluation_of_the_first_weights(rng: Random) -> list[Row]:
    """The server that evaluates never loads new weights: every evaluation repeats the first to the letter, while
    training gets better.
    """
    plan = Plan(steps=14, prompts=5, attempts=5, start=-1.0, end=1.8)
    attempts = train(rng, plan, sums.draw_sum, sums.solve_sum)
    for one in estimates.by_group(attempts):
        one.columns = {"policy_id": f"step-{one.step:03d}"}
    once = Plan(steps=1, prompts=14, attempts=1, start=-1.0)
    first = train(rng, once, lambda r, k: sums.draw_sum(r, 900 + k), sums.solve_sum)
    held = [replace(one, step=step, columns=dict(_EVALUATED)) for step in range(0, plan.steps, 2) for one in first]
    for one in held:
        one.columns["trajectory_id"] = f"eval-{one.step:03d}-{one.problem.name}"
    return [rows.own(one, "math", {"accuracy": one.reward}) for one in [*attempts, *held]]
