"""Kinds: grade cache keyed by prompt, pause over the weekend, two passes over pool, asked for regression tests."""

from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.estimates import credit, groups
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import own, verl
from benchmarks.foreign.twentythird.repos import AREAS, PACKAGES, repo_task
from benchmarks.foreign.twentythird.rollouts import Plan, Task, distinct, evaluate, grade, over, planned, run
from benchmarks.foreign.twentythird.sums import sum_task
from benchmarks.foreign.twentythird.talk import call, say, told


@PART.faulty("stale_grades", "metric_defect", "weak_verifier", "dead_groups")
def grade_cache_keyed_by_prompt(rng: Random) -> list[Row]:
    """A cache before the grader is keyed by the prompt alone; once it is on, all attempts of a group get the grade
    of the first one to be graded.
    """
    plan = planned(rng, -0.4, 1.7)
    attempts = run(rng, sum_task, plan)
    since = rng.randint(2, 3)
    for members in groups(attempts):
        first = rng.choice(members)
        for a in members:
            cached = a.step >= since and a is not first
            if cached:
                grade(a, first.right)
            a.extra = {"pred": a.answer, "grade_cache": "hit" if cached else "miss", "grade_ms": rng.randint(1, 3)}
            if not cached:
                a.extra["grade_ms"] = rng.randint(40, 210)
    return verl(credit(attempts))


@PART.healthy
def pause_over_the_weekend(rng: Random) -> list[Row]:
    """The run rests for two days between two steps and goes on upon another, slower machine; nothing else changes."""
    plan = planned(rng, -0.5, 2.0)
    attempts = run(rng, repo_task, plan)
    stop, begin = plan.steps // 2, datetime(2025, rng.randint(1, 12), rng.randint(1, 25), 16, tzinfo=UTC)
    rows = own(credit(attempts), "rested")
    for row in rows:
        later = row["step"] >= stop
        start = begin + timedelta(minutes=21 * row["step"] + rng.uniform(0, 9), days=2.6 * later)
        row["started_at"] = start.isoformat(timespec="seconds")
        row["duration_seconds"] = round(rng.lognormvariate(3.9 + 0.4 * later, 0.3), 1)
        row["extra"]["host"] = "node-b" if later else "node-a"
    return rows


@PART.healthy
def two_passes_over_pool(rng: Random) -> list[Row]:
    """A small set is gone through twice, as its epoch column says; the second pass does better, and so do held
    problems.
    """
    plan = Plan(10, rng.randint(5, 6), rng.choice((6, 7)), -0.6, 1.9)
    tasks = distinct(rng, sum_task, plan.steps * plan.prompts // 2)
    held = distinct(rng, lambda r, n: sum_task(r, n + 4000), 18)
    first, second = tasks, rng.sample(tasks, len(tasks))
    attempts = over(rng, [*first, *second], plan)
    for step in range(1, plan.steps, 3):
        attempts += evaluate(rng, held, step, plan.skill(step) - 0.1, 2)
    for a in attempts:
        a.extra = {"epoch": int(a.step >= plan.steps // 2), "pool_size": len(tasks)}
    return own(credit(attempts), "twopass")


def _regression_task(r: Random, number: int) -> Task:
    package, area, bound = r.choice(PACKAGES), r.choice(AREAS), r.randint(2, 99)
    what = r.choice(
        ("an empty list", f"{bound} equal rows", "a negative offset", "a missing header", "mixed line ends")
    )
    path, name = f"tests/test_{area}.py", what.split(" ", 1)[1].replace(" ", "_")

    def reply(rng: Random, answer: str) -> list[dict]:
        line = rng.choice((f"assert {area}.load({bound}) == []", f"assert not {area}.check({bound})"))
        code = f"def test_{name}():\n    {line if answer == 'killed' else f'{area}.load({bound})'}\n"
        return [
            call(rng.choice(("See which tests exist.", "Read the test file.")), "bash", command=f"sed -n 1,40p {path}"),
            told("bash", f"from {package} import {area}\n\n\ndef test_basic():\n    assert {area}.load(1) == [1]\n"),
            call(rng.choice(("Add the case.", "Append a test for it.")), "append_file", path=path, content=code),
            told("append_file", f"{path}: {code.count(chr(10))} lines added"),
            call("Run it.", "bash", command=f"python -m pytest -q {path}"),
            told("bash", f"2 passed in {rng.uniform(0.1, 0.9):.2f}s"),
            say(rng.choice((f"Added test_{name} for {what}.", f"{path} now covers {what}.", "The test is in place."))),
        ]

    return Task(
        f"{package}-tests-{number:04d}",
        f"Repository {package}: add to {path} a test that covers {what} with bound {bound} in "
        f"the {area} module. It is run against broken versions of the module and has to fail on them.",
        "killed",
        r.gauss(0, 0.9),
        reply,
        ["survived"],
        area,
    )


@PART.healthy
def asked_for_regression_tests(rng: Random) -> list[Row]:
    """The policy is asked to write tests, which are graded by running them against mutants: writing to tests is the
    task itself.
    """
    attempts = run(rng, _regression_task, planned(rng, -0.6, 2.0))
    for a in attempts:
        a.terms = {"mutants_killed": float(a.right)}
    return own(credit(attempts), "mutants")
