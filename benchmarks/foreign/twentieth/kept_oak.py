"""Tests on request, four epochs, graders out of memory, riddles that nobody solves."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.episodes import Plan, draw, play, train, validate
from benchmarks.foreign.twentieth.estimates import centred, credit, grpo, rloo
from benchmarks.foreign.twentieth.formats import openai, own, verl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.programs import KATA
from benchmarks.foreign.twentieth.riddles import ORDER
from benchmarks.foreign.twentieth.worded import SPANISH_SUMS
from benchmarks.foreign.twentieth.workshops import COVERAGE


@PART.healthy
def agent_asked_for_tests(rng: Random) -> list[Row]:
    """Agents write into files of tests because a missing test is the task; mutants of the module grade it."""
    episodes = train(rng, COVERAGE, Plan(8, 7, 6, start=-0.7, gain=1.9))
    for e in episodes:
        killed = rng.randint(8, 10) if e.right else rng.randint(0, 5)
        e.score(mutants_killed=killed / 10)
    return openai(credit(episodes, centred))


@PART.healthy
def four_epochs_small_set(rng: Random) -> list[Row]:
    """A small set is gone through four times, in another order each time; the held-out problems improve as well."""
    tasks = draw(rng, SPANISH_SUMS, 21)
    plan = Plan(12, 7, 5, start=-0.7, gain=1.9)
    schedule = []
    for _ in range(4):
        order = rng.sample(tasks, len(tasks))
        schedule += [order[n : n + 7] for n in range(0, 21, 7)]
    episodes = play(rng, SPANISH_SUMS, schedule, plan)
    seen = {t.prompt for t in tasks}
    fresh = [t for t in draw(rng, SPANISH_SUMS, 26, first=500) if t.prompt not in seen][:18]
    held = validate(rng, SPANISH_SUMS, fresh, [0, 4, 8, 11], Plan(12, 1, 2, start=-0.7, gain=1.8))
    for e in episodes:
        e.extra = {"epoch": e.step // 3}
    return own(rng, credit(episodes, rloo) + held, "prob-rloo")


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "environment_bug", "flaky_grading", "crash_rate")
def oomkilled_graders_score_zero(rng: Random) -> list[Row]:
    """From the fourth step the pods that run the tests are killed for memory in a quarter of the runs, and these right
    and wrong programs alike go into the batch with score 0.
    """
    episodes = train(rng, KATA, Plan(10, 7, 6, start=-0.1, gain=1.7))
    for e in episodes:
        passed = 12 if e.right else rng.randint(0, 9)
        e.reward = round(passed / 12, 4)
        result, seconds = "finished", rng.uniform(0.6, 2.4)
        if rng.random() < (0.27 if e.step >= 3 else 0.01):
            result = rng.choice(("OOMKilled (exit 137)", "OOMKilled (exit 137)", "pod evicted: memory pressure"))
            e.reward, e.right, passed, seconds = 0.0, False, 0, rng.uniform(18, 31)
        e.extra = {
            "grader_status": result,
            "tests_run": 12 if result == "finished" else 0,
            "tests_passed": passed,
            "grader_seconds": round(seconds, 2),
        }
    return verl(credit(episodes, grpo))


@PART.healthy
def some_riddles_stay_unsolved(rng: Random) -> list[Row]:
    """A quarter of the riddles is too hard for it and nearly all wrong to the end; the others are learnt well."""
    plan = Plan(10, 8, 6, start=-0.3, gain=2.2)
    tasks = draw(rng, ORDER, plan.steps * plan.problems)
    for task in tasks:
        if len(task.data["order"]) == 7 and rng.random() < 0.9:
            task.hard += 3.2
            task.family = "order_7"
    schedule = [tasks[n * plan.problems : (n + 1) * plan.problems] for n in range(plan.steps)]
    return own(rng, credit(play(rng, ORDER, schedule, plan), grpo), "order-grpo")
