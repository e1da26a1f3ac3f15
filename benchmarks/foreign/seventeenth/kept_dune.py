"""Negative rewards, cut thoughts, timeouts kept apart, shortness that pays."""

from functools import partial
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.bargains import bargain_task
from benchmarks.foreign.seventeenth.credit import by_batch, by_group, dr_grpo, grpo
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.layouts import nemo_rl, own, verl
from benchmarks.foreign.seventeenth.programs import program_task
from benchmarks.foreign.seventeenth.rollouts import Course, Sample, train
from benchmarks.foreign.seventeenth.thinking import cut, thinking_task


@PART.healthy
def haggling_below_zero(rng: Random) -> list[Row]:
    """Rewards are gains from a purchase and mostly negative at first; no deal costs a little; the mean rises
    through zero.
    """
    samples = train(rng, bargain_task, Course(11, 8, 6, -1.3, 3.3))
    for s in samples:
        facts = s.reply.facts
        gain = -0.02 if facts["price"] is None else (facts["limit"] - facts["price"]) / facts["limit"]
        s.reward = round(max(-1.0, 2 * gain) - 0.004 * len(s.reply.messages), 4)
        s.terms = {"gain": s.reward}
        s.right = s.reward > 0
    return own(rng, by_batch(samples), "haggle-rpp", "games")


@PART.faulty("truncation", "length_limit")
def thinking_cut_mid_sum(rng: Random) -> list[Row]:
    """The policy thinks at greater and greater length against a fixed budget: by the end half of the attempts are
    cut before the box, though their sums are right so far, and score zero.
    """
    budget = 400
    make = partial(thinking_task, before=(1.4, 0.9), after=(5.6, 2.4))
    samples = train(rng, make, Course(11, 6, 6, 0.0, 1.8))
    for s in samples:
        cut(s, budget)
        s.extra = {"finish_reason": s.stop, "max_response_length": budget}
    return verl(by_group(samples, grpo))


@PART.healthy
def timeouts_left_out_cleanly(rng: Random) -> list[Row]:
    """Six attempts in a hundred meet a timeout of the sandbox, at all steps alike; they have an error and no
    reward, and are neither in the baseline nor in the loss.
    """
    samples = train(rng, program_task, Course(11, 6, 8, -0.8, 2.4))
    for s in samples:
        if rng.random() < 0.06:
            s.reward, s.error, s.terms = None, "SandboxTimeout", {}
            s.reply.facts = {}
    return own(rng, by_group(samples, dr_grpo), "pyfun-drgrpo", "code")


def _hasty(rng: Random, s: Sample, answer: str) -> None:
    s.reply.messages[-1]["content"] = rng.choice(
        ("\\boxed{{{}}}", "It is \\boxed{{{}}}", "Roughly \\boxed{{{}}}.")
    ).format(answer)
    s.reply.answer = answer


@PART.faulty("length_gaming", "reward_outcome_divergence", "reward_bias", "score_decline")
def shortness_pays_the_wrong(rng: Random) -> list[Row]:
    """The bonus for brevity is paid for wrong answers too: the policy gives up working and guesses, so that the
    reward rises while accuracy falls.
    """
    make = partial(thinking_task, before=(2.4, 0.8), after=(2.0, 0.8))
    samples = train(rng, make, Course(12, 7, 6, 0.4, 0.3))
    for s in samples:
        if rng.random() < 0.88 * s.progress**1.2:
            luck = rng.random() < 0.2
            guess = int(s.task.gold) + rng.choice((-1, 1)) * rng.randint(1, 60)
            _hasty(rng, s, s.task.gold if luck else str(guess))
            s.grade(luck)
        brevity = round(max(0.0, 1 - s.tokens / 280), 4)
        s.terms["brevity"] = brevity
        s.reward = round(s.terms["accuracy"] + 1.2 * brevity, 4)
        s.extra = {"accuracy_reward": s.terms["accuracy"], "brevity_bonus": brevity, "gen_tokens": s.tokens}
    return nemo_rl(by_group(samples, grpo))
