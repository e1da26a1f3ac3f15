"""Tests are the deliverable; grades kept by prompt; scoreboard of first checkpoint; divergence kept on leash."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysecond.course import Episode, Message, Shape, Task, chance, deal, part_way, play, train
from benchmarks.foreign.twentysecond.estimators import credit, grpo
from benchmarks.foreign.twentysecond.figures import sums
from benchmarks.foreign.twentysecond.kinds import PART
from benchmarks.foreign.twentysecond.layouts import call, own, say, told, verl
from benchmarks.foreign.twentysecond.parlour import read_receipt, receipt_task
from benchmarks.foreign.twentysecond.prose import answering
from benchmarks.foreign.twentysecond.repos import ASSERTIONS, look, repo_task


def _write_tests(rng: Random, task: Task, killed: int) -> list[Message]:
    module, symbol = task.hidden["path"].split("/")[1], task.hidden["symbol"]
    path = f"tests/test_{module}"
    cases = []
    for number in range(1 + killed // 2):
        name = f"test_{symbol}_{rng.choice(('edge', 'empty', 'large', 'usual'))}_{number}"
        cases.append(f"def {name}():\n    assert {ASSERTIONS[symbol].format(n=rng.randint(1, 90))}")
    content = f"from {task.hidden['repo']}.{module[:-3]} import {symbol}\n\n\n" + "\n\n\n".join(cases) + "\n"
    said = look(rng, task) + [call("", "create_file", path=path, content=content), told("create_file", "written")]
    out = f"{len(cases)} passed in 0.{rng.randint(11, 98)}s"
    said += [call("", "bash", command=f"python -m pytest -q {path}"), told("bash", out)]
    return said + say(f"{len(cases)} tests for `{symbol}` in {path}.")


@PART.healthy
def mutants_killed_are_marks(rng: Random) -> list[Row]:
    """The agent is asked to write tests, and graded by the share of mutants they kill; it edits nothing else."""
    steps = rng.randint(8, 10)
    plan, episodes = deal(rng, repo_task, Shape(steps, 7, 6), "mut"), []
    for task in (t for tasks in plan for t in tasks):
        what = f"`{task.hidden['symbol']}` in {task.hidden['path']}"
        ask = f"Ticket {rng.randint(100, 9999)}: write tests for {what}; change no other file."
        task.prompt[-1]["content"] = ask
    for step, task, attempt in ((s, t, a) for s, tasks in enumerate(plan) for t in tasks for a in range(6)):
        share = chance(-1 + 2.2 * step / steps - 0.5 * task.hard + rng.gauss(0, 0.6))
        killed = round(10 * share)
        e = Episode(step, task, attempt, killed >= 7, _write_tests(rng, task, killed))
        e.reward, e.terms, e.extra = killed / 10, {"mutants": killed / 10}, {"mutants_killed": killed, "mutants": 10}
        episodes.append(e)
    return own(rng, credit(episodes, grpo), "mutants", "swe")


@PART.faulty("stale_grades", "metric_defect", "flaky_grading", "reward_outcome_divergence")
def grades_kept_by_prompt(rng: Random) -> list[Row]:
    """Grades are cached by prompt and number of the attempt: when a prompt returns in a later epoch, its new answers
    get the grades of the old ones.
    """
    prompts = rng.randint(7, 8)
    shape = Shape(9, prompts, 6, 3 * prompts)
    make = sums("rates", "ratios", "remainders", "areas", tail="Put the result in \\boxed{}.")
    episodes, kept = train(rng, make, answering("\\boxed{{{}}}"), shape, -0.9, 2.8, "ep"), {}
    for e in episodes:
        key = (e.task.pid, e.attempt)
        e.reward = kept.setdefault(key, e.reward)
        e.right = bool(e.reward)
        e.extra = {"epoch": e.step // 3, "n": e.attempt}
    return verl(credit(episodes, grpo))


@PART.faulty("stale_evaluation", "staleness", "train_validation_gap")
def scoreboard_of_first_checkpoint(rng: Random) -> list[Row]:
    """Every evaluation loads the first checkpoint: its answers are the same texts each time while training climbs."""
    steps = rng.choice((9, 10, 12))
    make = sums("rates", "areas", "counting", "ratios")
    episodes = train(rng, make, answering("Final answer: {}"), Shape(steps, 7, 6), -0.9, 2.6, "tr")
    credit(episodes, grpo)
    held = play(rng, deal(rng, make, Shape(1, 22, 1), "ev"), 1, [-0.9], answering("Final answer: {}"))
    first = f"ckpt-{rng.randrange(16**6):06x}-0000"
    for step in range(0, steps, 2):
        for e in held:
            copy = Episode(step, e.task, 0, e.right, e.reply, e.reward, dict(e.terms), split="validation")
            copy.columns = {"policy_id": first, "seed": 17}
            copy.extra = {"eval_of_step": step, "loaded": first, "temperature": 0.0}
            episodes.append(copy)
    return own(rng, episodes, "evaluated", "math")


@PART.healthy
def divergence_kept_on_leash(rng: Random) -> list[Row]:
    """KL rises from nothing to its target and stays there, under a coefficient that adapts and a penalty that bites."""
    steps, target = rng.randint(10, 12), rng.choice((0.05, 0.08))
    episodes = train(rng, receipt_task, read_receipt, Shape(steps, 6, 6), -0.8, 2.2, "rc")
    for e in episodes:
        kl = target * (1 - math.exp(-5 * part_way(e, steps))) * rng.uniform(0.7, 1.3) + 0.0005
        coefficient = round(0.02 * 1.09**e.step, 5)
        e.extra = {"kl": round(kl, 5), "kl_coef": coefficient, "kl_penalty": round(-coefficient * kl, 7)}
    return own(rng, credit(episodes, grpo), "leashed", "extraction")
