"""Shares of tests, labels of the next row, a database, uniform groups left out."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.dumps import verl
from benchmarks.foreign.seventh.estimates import credit, dr_grpo, drop_uniform, grpo, rloo
from benchmarks.foreign.seventh.formats import own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.programs import code_task
from benchmarks.foreign.seventh.queries import query_task
from benchmarks.foreign.seventh.rollouts import Shape, climb, distinct, play, schedule, train
from benchmarks.foreign.seventh.sheets import sheet_task


@PART.healthy
def share_of_tests_passed(rng: Random) -> list[Row]:
    """RLOO on small programs with the share of passed tests as reward; correct only where all pass."""
    episodes = train(rng, code_task, Shape(11, 6, 8), start=-0.6, gain=2.1)
    for e in episodes:
        e.reward = round(e.reply.extra["tests_passed"] / e.reply.extra["tests_total"], 4)
        e.terms = {"tests": e.reward}
    return own(rng, credit(episodes, rloo, adv_estimator="rloo"), "code-rloo")


@PART.faulty("metric_defect", "agreed_wrong", "dead_all_wrong", "stuck_problems", "weak_verifier")
def labels_of_the_next_row(rng: Random) -> list[Row]:
    """In one of four shards of the data each sheet carries the reference value of the next sheet, so right values are
    marked wrong.
    """
    tasks = distinct(rng, sheet_task, 84, "s")
    for number, task in enumerate(tasks):
        task.extra |= {"shard": f"part-{number % 4:05d}", "row_in_shard": number // 4}
    moved = [t for t in tasks if t.extra["shard"] == "part-00002"]
    labels = [t.gold for t in moved]
    plan = schedule(tasks, 12)
    episodes = play(rng, plan, 8, climb(-0.3, 1.6, 12))
    for task, label in zip(moved, labels[1:] + labels[:1], strict=True):
        task.gold = label
    for e in episodes:
        e.right = e.reply.answer == e.task.gold
        e.reward, e.terms = float(e.right), {"correct": float(e.right)}
    return verl(credit(episodes, grpo))


@PART.healthy
def asks_the_database(rng: Random) -> list[Row]:
    """Dr. GRPO on questions to a database; some queries fail on a misspelt column and are mended in the next turn."""
    episodes = train(rng, query_task, Shape(10, 6, 8), start=-0.5, gain=2.0, prefix="q")
    return own(rng, credit(episodes, dr_grpo, adv_estimator="dr_grpo", kl_coef=0.0), "sql-drgrpo")


@PART.healthy
def uniform_groups_left_out(rng: Random) -> list[Row]:
    """DAPO on spreadsheets logs the groups before its filter; those of one reward are marked as not in the loss."""
    episodes = credit(
        train(rng, sheet_task, Shape(10, 7, 8), start=-0.3, gain=1.9, prefix="s"), grpo, filter_groups="acc"
    )
    return own(rng, drop_uniform(episodes), "dapo-sheets")
