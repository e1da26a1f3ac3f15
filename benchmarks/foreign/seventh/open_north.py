"""Two plain runs, advantages of others, twin ranks, a judge that declines."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.dumps import inspect, openrlhf, trl
from benchmarks.foreign.seventh.estimates import credit, groups, grpo, rloo
from benchmarks.foreign.seventh.formats import own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.patients import triage_task
from benchmarks.foreign.seventh.programs import code_task
from benchmarks.foreign.seventh.prose import say
from benchmarks.foreign.seventh.rollouts import Shape, distinct, play, train
from benchmarks.foreign.seventh.sheets import sheet_task
from benchmarks.foreign.seventh.sums import sum_task


@PART.healthy
def spreadsheets_in_four_epochs(rng: Random) -> list[Row]:
    """An evaluation with inspect in four epochs; the outcome of a sample changes between epochs with its answer."""
    episodes = play(rng, [distinct(rng, sheet_task, 70, "sheet-")], 4, lambda _: 0.3, "test")
    for e in episodes:
        e.extra["explanation"] = f"read {e.reply.answer}, target {e.task.gold}"
    return inspect(episodes, "value_match")


@PART.healthy
def sums_with_two_terms(rng: Random) -> list[Row]:
    """TRL's log of a GRPO run on word problems; a small format term is added, and a few early answers lack the box."""
    episodes = train(rng, sum_task, Shape(12, 6, 8), start=-0.4, gain=1.9)
    for e in episodes:
        boxed = True
        if not e.right and rng.random() < 0.22 - 0.018 * e.step:
            boxed = False
            last = e.reply.messages[-1]
            last["content"] = last["content"].replace(f"\\boxed{{{e.reply.answer}}}", e.reply.answer)
        e.terms = {"accuracy": float(e.right), "format": 0.1 if boxed else 0.0}
        e.reward = sum(e.terms.values())
    return trl(credit(episodes))


@PART.faulty("advantage_mismatch", "phantom_advantage", "reward_outcome_divergence")
def balanced_after_scoring(rng: Random) -> list[Row]:
    """From step 3 the batch is reordered by length before the update but the advantages stay in the old order, so rows
    carry those of others.
    """
    episodes = credit(
        train(rng, code_task, Shape(11, 6, 8), start=-0.5, gain=0.7, prefix="f"),
        rloo,
        adv_estimator="rloo",
        balance_batch=True,
    )
    for step in range(3, 11):
        batch = [e for e in episodes if e.step == step]
        values = [e.advantage for e in batch]
        for e, value in zip(sorted(batch, key=lambda e: len(e.text)), values, strict=True):
            e.advantage = value
    return own(rng, episodes, "balanced")


@PART.faulty("metric_defect", "entropy_collapse", "template_collapse", "low_reward_spread")
def twins_of_two_ranks(rng: Random) -> list[Row]:
    """Two ranks sample with the same seeds: attempts 4 to 7 of every group are letter by letter those of 0 to 3, at
    temperature 1.
    """
    episodes = train(rng, code_task, Shape(12, 6, 8), start=-0.4, gain=1.2, prefix="k")
    for members in groups(episodes).values():
        for e in members:
            e.extra |= {"rank": e.attempt // 4, "temperature": 1.0}
        for one, two in zip(members[:4], members[4:], strict=True):
            two.reply, two.right, two.reward, two.terms = one.reply, one.right, one.reward, one.terms
    rows = own(rng, credit(episodes, grpo), "ranks")
    for row in rows:
        row["seed"] = 1000 * row["step"] + row["attempt"] % 4
    for one, two in zip(rows, rows[4:], strict=False):
        if two["attempt"] >= 4:
            two["messages"] = one["messages"]
    return rows


@PART.faulty("judge_refuses_right", "infrastructure_zeros", "metric_defect", "weak_family", "flaky_grading")
def judge_gives_no_advice(rng: Random) -> list[Row]:
    """The judge model declines to grade many medical answers as advice, and its refusal is read as 0 though the level
    is right.
    """
    episodes = train(rng, triage_task, Shape(12, 5, 8), start=0.2, gain=1.3, prefix="m")
    for e in episodes:
        grade = rng.choice((9, 9, 10)) if e.right else rng.choice((1, 2, 3))
        text = say(
            rng,
            "[The level|The assigned level|Triage] "
            f"{'[fits|agrees with]' if e.right else '[differs from|misses]'} the [reference|key]. Grade: {grade}",
        )
        odds = {"1": 0.6, "2": 0.55, "3": 0.3}.get(e.task.gold, 0.12)
        if rng.random() < odds:
            grade = 0
            text = say(
                rng,
                "[I'm sorry, but|Sorry,] I [can't|cannot] "
                "[provide medical advice|assess medical decisions|help with evaluating patients]. "
                "[Please consult a professional.|A clinician should decide this.]",
            )
        e.reward = grade / 10
        e.extra |= {
            "judge_text": text,
            "judge_grade": grade,
            "reference_level": e.task.gold,
            "exact_level": float(e.right),
        }
    return openrlhf(episodes)
