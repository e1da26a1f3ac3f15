"""Longer thoughts pay off; one seed on second node; later observations carry gradient; eight bit sampler parts
ways.
"""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, train
from benchmarks.foreign.sixteenth.desks import ORDERS
from benchmarks.foreign.sixteenth.estimators import credit, dr_grpo, groups
from benchmarks.foreign.sixteenth.formats import openai, prime, tokens, trl
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.puzzles import COUNTDOWN
from benchmarks.foreign.sixteenth.sums import ENGLISH_SUMS
from benchmarks.foreign.sixteenth.talks import ITALIAN


@PART.healthy
def longer_thoughts_pay_off(rng: Random) -> list[Row]:
    """Replies grow to more than twice their length, by checks of each step; accuracy grows with them and the wrong are
    no longer than the right.
    """
    tries = train(rng, ENGLISH_SUMS, Shape(12, 6, 8, -1.1, 2.8))
    for one in tries:
        body, close = one.last["content"].rsplit("\\boxed", 1)
        steps = one.task.secret["steps"]
        more = [
            f"Check: {rng.choice(steps)}, {rng.choice(('which holds', 'as before', 'that fits', 'and back again'))}."
            for _ in range(round(rng.uniform(0, 2) + 6 * one.progress))
        ]
        lead, _, tail = body.rpartition("\n")
        one.last["content"] = "\n".join([lead or "Working.", *more, tail]) + "\\boxed" + close
        one.extra = {"completion_length": tokens(one.text), "solution": one.task.gold}
    return trl(credit(tries, dr_grpo))


@PART.faulty("seed_reuse", "identical_samples", "dead_groups")
def one_seed_on_second_node(rng: Random) -> list[Row]:
    """Since a restart one of two sampling nodes sends one seed with each request of a group: equal texts."""
    tries = train(rng, ITALIAN, Shape(10, 8, 6, -0.7, 2.0))
    begin, seed = rng.randint(3, 4), rng.randint(1, 99999)
    for part in groups(tries):
        node = rng.randrange(2)
        stuck = node == 1 and part[0].step >= begin
        for one in part:
            if stuck:
                one.turns, one.answer, one.right = [dict(part[0].turns[0])], part[0].answer, part[0].right
            same = sum(a == b for a, b in zip(one.answer.split(), one.task.gold.split(), strict=False))
            one.grade(overlap=same / len(one.task.gold.split()))
            one.extra = {"node": f"rollout-{node}", "sampling_seed": seed if stuck else rng.randint(1, 2**31)}
    return trl(credit(tries))


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def later_observations_carry_gradient(rng: Random) -> list[Row]:
    """Since a step the mask of the loss leaves out the first answer of a tool alone; later answers are trained on."""
    tries = train(rng, ORDERS, Shape(9, 8, 6, -0.6, 2.1))
    begin = rng.randint(3, 5)
    for one in tries:
        seen = 0
        for turn in one.turns:
            seen += turn["role"] == "tool"
            turn["loss_mask"] = int(
                turn["role"] == "assistant" or (turn["role"] == "tool" and seen > 1 and one.step >= begin)
            )
        one.extra = {"loss_tokens": sum(tokens(turn["content"]) for turn in one.turns if turn["loss_mask"])}
    return openai(credit(tries))


@PART.faulty("train_inference_mismatch")
def eight_bit_sampler_parts_ways(rng: Random) -> list[Row]:
    """From a step on the sampler runs in FP8; its logprobs of the same tokens are far from those of the trainer."""
    tries = train(rng, COUNTDOWN, Shape(11, 6, 8, -1.0, 1.6))
    begin = rng.randint(4, 5)
    for one in tries:
        base = rng.gauss(-0.55 + 0.2 * one.progress, 0.06)
        gap = rng.gauss(0.0, 0.008) if one.step < begin else rng.gauss(0.24, 0.2)
        ratio = math.exp(max(-3.0, min(3.0, -gap * rng.uniform(3, 7))))
        one.extra = {"sampler_logprob": round(base, 4), "trainer_logprob": round(base - gap, 4)}
        one.extra |= {"importance_ratio": round(ratio, 4), "engine_dtype": "bf16" if one.step < begin else "fp8_e4m3"}
    return prime(credit(tries), "countdown-4")
