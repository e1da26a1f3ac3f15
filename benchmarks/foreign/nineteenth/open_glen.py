"""Twin workers, an engine without new weights, the first box; half a group trained, a third epoch."""

import re
from copy import deepcopy
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.boards import board_task
from benchmarks.foreign.nineteenth.credit import credit, dr_grpo, grouped, grpo, rloo
from benchmarks.foreign.nineteenth.english import long_problem
from benchmarks.foreign.nineteenth.formats import measure, openai, own, verl
from benchmarks.foreign.nineteenth.islanders import islander_task
from benchmarks.foreign.nineteenth.kinds import PART
from benchmarks.foreign.nineteenth.programs import code_task, run_tests
from benchmarks.foreign.nineteenth.run import Shape, climb, deal, examine, judged, late, play, pool, roughen, train
from benchmarks.foreign.nineteenth.targets import target_task


@PART.faulty("identical_samples", "seed_reuse")
def twin_workers_share_seed(rng: Random) -> list[Row]:
    """After a restart both samplers start from one seed: the last four attempts of a group repeat the first four."""
    tries = train(rng, target_task, Shape(10, 7, 8), start=-1.0, gain=2.2, prefix="num")
    broken = {t.step for t in late(tries, 0.3)}
    for group in grouped(tries):
        for t in group:
            t.extra |= {"worker": t.number // 4, "sampling_seed": rng.randrange(10**8)}
        for t in group:
            measure(rng, t)
        if group[0].step in broken:
            for one, twin in zip(group[:4], group[4:], strict=True):
                twin.messages, twin.answer, twin.stop = deepcopy(one.messages), one.answer, one.stop
                twin.right, twin.reward, twin.terms = one.right, one.reward, dict(one.terms)
                twin.error, twin.in_loss = one.error, one.in_loss
                twin.extra["sampling_seed"] = one.extra["sampling_seed"]
    return own(rng, credit(tries, grpo), "numbers-vllm")


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch")
def engine_keeps_fourth_checkpoint(rng: Random) -> list[Row]:
    """The weight transfer breaks after step 4: the engine goes on with that checkpoint, and its play stays as
    it was.
    """
    shape = Shape(12, 6, 5)
    tasks = pool(rng, board_task, shape.steps * shape.groups, "pos")
    course = climb(rng, shape.steps, -1.4, 3.2)
    course[4:] = [(course[3][0], course[3][1] + rng.gauss(0, 0.1)) for _ in course[4:]]
    tries = roughen(rng, play(rng, deal(rng, tasks, shape), shape, course))
    for t in tries:
        lag = max(0, t.step - 4)
        gap = 0.004 + 0.021 * lag
        t.extra |= {
            "result": t.answer or "forfeit",
            "trainer_version": t.step,
            "engine_version": min(t.step, 4),
            "policy_lag": lag,
            "sampler_logprob": round(rng.gauss(-0.62, 0.05), 4),
        }
        t.extra["trainer_logprob"] = round(t.extra["sampler_logprob"] - abs(rng.gauss(gap, gap / 3)), 4)
    return openai(credit(tries, rloo), env="stones")


@PART.faulty("format_gate", "metric_defect")
def parser_keeps_first_box(rng: Random) -> list[Row]:
    """Where a policy boxes an intermediate result too, the parser takes that first box, and right answers earn
    nothing.
    """
    tries = train(rng, long_problem, Shape(11, 7, 6), start=0.3, gain=1.7, prefix="rec-")
    for t in late(tries, 0.0):
        if rng.random() < 0.5 - 0.2 * t.skill:
            message = t.messages[0]
            hits = list(re.finditer(r"= (-?[\d.]*\d)", message["content"]))
            one = rng.choice(hits[: max(1, len(hits) - 1)])
            message["content"] = (
                message["content"][: one.start()] + f"= \\boxed{{{one.group(1)}}}" + message["content"][one.end() :]
            )
            t.answer = one.group(1)
            judged(t, t.answer == t.task.gold)
    return verl(credit(tries, grpo))


@PART.healthy
def variance_picked_half_trained(rng: Random) -> list[Row]:
    """Of each group the four attempts with the most different rewards are trained on; the others stay out by design."""
    tries = run_tests(rng, train(rng, code_task, Shape(9, 7, 8), start=-0.6, gain=2.0, prefix="fun_"))
    for t in tries:
        if t.reward is not None:
            t.reward = round(t.extra["tests_passed"] / t.extra["tests_total"], 4)
            t.terms = {"tests": t.reward}
    for group in grouped(tries):
        graded = sorted((t for t in group if t.reward is not None), key=lambda t: t.reward or 0.0)
        picked = {id(t) for t in graded[:2] + graded[-2:]}
        for t in group:
            t.in_loss = id(t) in picked
            t.extra["picked_by"] = "max_variance"
        credit([t for t in group if t.in_loss], dr_grpo)
    return own(rng, tries, "code-pods")


@PART.healthy
def third_epoch_of_little_data(rng: Random) -> list[Row]:
    """Three epochs over some thirty puzzles, as planned: problems return, and the exam's score rises with
    training's.
    """
    shape = Shape(12, 8, 5)
    tasks = pool(rng, islander_task, 32 + 28, "kk")
    exam, rest = tasks[:28], tasks[28:]
    course = climb(rng, shape.steps, -0.8, 2.0)
    tries = roughen(rng, play(rng, deal(rng, rest, shape), shape, course))
    for t in tries:
        t.extra["epoch"] = (t.step - 1) // 4
    for place in (0, 2, 4, 6, 8, 10, 11):
        tries += examine(rng, exam, place + 1, course[place][0], course[place][1] - 0.1)
    return own(rng, credit(sorted(tries, key=lambda t: t.step), grpo), "logic-small")
