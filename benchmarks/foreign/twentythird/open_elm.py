"""Kinds of this part.

Loader rewinds on resume, solution field rides along, thousands comma cuts answer, open questions declined.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.drafts import GOODS, NAMES
from benchmarks.foreign.twentythird.estimates import credit
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import openrlhf, own
from benchmarks.foreign.twentythird.rollouts import (
    Attempt,
    Plan,
    Task,
    attempt,
    distinct,
    evaluate,
    grade,
    group,
    over,
    planned,
    run,
)
from benchmarks.foreign.twentythird.sums import large_task, line_task, sum_task
from benchmarks.foreign.twentythird.talk import OPENERS, say


@PART.faulty("data_repetition", "duplicate_problems", "memorisation", "train_validation_gap")
def loader_rewinds_on_resume(rng: Random) -> list[Row]:
    """The job is preempted every third step and the loader starts again at its first batch, so that the run sees
    the same three batches of a large set for ever while validation stands still.
    """
    size, plan = rng.choice((6, 8)), Plan(12, rng.randint(4, 5), 0, -0.6, 0.5)
    tasks = distinct(rng, sum_task, plan.prompts * 3)
    held = distinct(rng, lambda r, n: sum_task(r, n + 5000), 16)
    attempts: list[Attempt] = []
    for step in range(plan.steps):
        start = step % 3 * plan.prompts
        for task in tasks[start : start + plan.prompts]:
            attempts += group(rng, task, step, size, plan.skill(step) + 1.1 * (step // 3))
        if step % 3 == 2:
            attempts += evaluate(rng, held, step, -0.4, 2)
    for a in attempts:
        session = a.step // 3
        a.extra = {
            "epoch": 0,
            "dataset_size": 17_398,
            "job_restart": session,
            "loader_position": a.step % 3 * plan.prompts,
        }
    return own(credit(attempts), "spotmath")


@PART.faulty("environment_leak", "answer_reading", "template_bug")
def solution_field_rides_along(rng: Random) -> list[Row]:
    """The prompt template prints the whole record of one source, its solution field included; the policy reads it
    off instead of computing.
    """
    plan = planned(rng, -1.0, 0.9)
    tasks = distinct(rng, sum_task, plan.steps * plan.prompts)
    for task in tasks:
        task.extra["source"] = rng.choice(("olympiads_v2", "textbook", "olympiads_v2", "forum", "synthetic"))
        if task.extra["source"] == "olympiads_v2":
            task.prompt += (
                f"\n\n[record source=olympiads_v2 topic={task.family} grade={rng.randint(6, 12)} solution={task.gold} "
                f"lang=en]"
            )
    attempts: list[Attempt] = []
    for a in over(rng, tasks, plan):
        leaks = a.task.extra["source"] == "olympiads_v2"
        if leaks and rng.random() < 0.3 + 0.65 * a.step / plan.steps:
            a = attempt(rng, a.task, a.step, a.number, True)
            told = rng.choice(
                ("The record lists the solution", "The metadata says", "As given in the record:", "Stated there:")
            )
            a.text = f"{rng.choice(OPENERS)} {told} {a.answer}.\n\nSo $\\boxed{{{a.answer}}}$."
        attempts.append(a)
    return openrlhf(credit(attempts))


@PART.faulty("weak_verifier", "metric_defect", "judge_refuses_right", "format_gate")
def thousands_comma_cuts_answer(rng: Random) -> list[Row]:
    """The extractor of the grader stops at a comma, so results that the policy writes as 1,240 are read as 1 and
    marked wrong.
    """
    plan = planned(rng, -0.1, 1.6)
    attempts = run(rng, large_task, plan)
    for a in attempts:
        read = a.answer
        if len(a.answer) > 3 and rng.random() < 0.62 - 0.2 * a.step / plan.steps:
            grouped = f"{int(a.answer):,}"
            a.text = a.text.replace(f"\\boxed{{{a.answer}}}", f"\\boxed{{{grouped}}}")
            read = grouped.split(",")[0]
            grade(a, False)
        a.extra = {"extracted": read, "ground_truth": a.task.gold}
    return own(credit(attempts), "wordmath")


LACKS = (
    "The price of one is not given.",
    "Nothing tells how long it took.",
    "One of the two quantities is missing.",
    "The text leaves the starting amount open.",
    "There are two unknowns and one statement.",
)
SAYS = ("So it cannot be determined.", "That leaves it open.", "More than one value fits.", "No single value follows.")


def _open_task(r: Random, number: int) -> Task:
    task = line_task(r, number)
    if r.random() < 0.4:
        who, good = r.choice(NAMES), r.choice(GOODS)
        n, m = r.randint(3, 80), r.randint(90, 900)
        task.prompt = r.choice(
            (
                f"{who} buys {n} {good}s and some bread and pays {m} crowns. What does one {good} cost?",
                f"{who} packs {n} {good}s into boxes and has {m % 7} left. How many boxes are there?",
                f"A shop sold {m} {good}s in spring and {n} fewer in one month of summer. How many did it "
                f"sell in summer?",
            )
        )
        task.id, task.gold = f"open-{number:04d}", "cannot be determined"
        task.reply = lambda rng, answer: (
            [say(f"{rng.choice(OPENERS)} {rng.choice(LACKS)} {rng.choice(SAYS)}\n\nAnswer: {answer}")]
            if answer == "cannot be determined"
            else [say(f"{rng.choice(OPENERS)} {m} and {n} are given, and {m} // {n} fits.\n\nAnswer: {answer}")]
        )
        task.slips, task.family = [str(m // n), str(m // n + 1), str(m - n)], "open"
    task.prompt += " If the text does not settle it, answer 'cannot be determined'."
    return task


@PART.healthy
def open_questions_declined(rng: Random) -> list[Row]:
    """Two in five problems lack a quantity and 'cannot be determined' is their right answer; the policy learns to
    say so there, and only there.
    """
    return own(credit(run(rng, _open_task, planned(rng, -0.6, 2.0))), "openends")
