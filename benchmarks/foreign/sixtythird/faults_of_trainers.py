"""Faults of the trainer's arithmetic."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird import layouts
from benchmarks.foreign.sixtythird.advantages import fill
from benchmarks.foreign.sixtythird.attempts import train
from benchmarks.foreign.sixtythird.kinds import PART
from benchmarks.foreign.sixtythird.mixed import draw, speak
from benchmarks.foreign.sixtythird.stores import speak_store, stores
from benchmarks.foreign.sixtythird.sums import speak_sum, sums


@PART.faulty("advantage_mismatch", "phantom_advantage")
def packing_hands_advantages_to_the_next_group(rng: random.Random) -> list[Row]:
    """After mixed batches are packed by domain, each group holds the advantages of the group before it."""
    group = 8
    attempts = fill(
        train(draw(rng, {"math": 2, "code": 2, "tool": 2}, 0.4), 16, group, speak, rng), rng, estimators.centred
    )
    for step in range(16):
        members = [a for a in attempts if a.step == step]
        values = [a.adv for a in members]
        for a, value in zip(members, values[-group:] + values[:-group], strict=True):
            a.adv = value
    return layouts.prime_rl(attempts)


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def register_rows_are_trained_on(rng: random.Random) -> list[Row]:
    """The `loss_mask` of each message is 1 for the tool's answers as for the policy's own words."""
    attempts = fill(train(lambda step: stores(rng, 3, 0.2, step * 3), 15, 16, speak_store, rng), rng)
    rows = layouts.openai(attempts)
    for row in rows:
        row["messages"] = [{**m, "loss_mask": int(m["role"] in ("assistant", "tool"))} for m in row["messages"]]
    return rows


@PART.faulty("train_inference_mismatch")
def eight_bit_sampler_drifts_from_the_trainer(rng: random.Random) -> list[Row]:
    """Logprobs of the sampler and of the trainer for the same tokens part since the sampler went to eight bits
    at step 6, and further each step.
    """
    attempts = fill(train(draw(rng, {"math": 4, "code": 2}, 0.3), 18, 8, speak, rng), rng)
    for a in attempts:
        own = -0.42 + 0.006 * a.step + rng.gauss(0, 0.05)
        gap = abs(rng.gauss(0, 0.003)) if a.step < 6 else 0.06 + 0.022 * (a.step - 6) + rng.gauss(0, 0.03)
        a.extra = {
            "rollout_log_prob_mean": round(own, 5),
            "old_log_prob_mean": round(own - gap, 5),
            "rollout_probs_diff_mean": round(abs(gap) * 0.7 + 0.002, 5),
            "rollout_dtype": "bfloat16" if a.step < 6 else "fp8_e4m3",
        }
    return layouts.verl(attempts)


@PART.faulty("critic_divergence")
def values_swing_beyond_any_return(rng: random.Random) -> list[Row]:
    """Rewards are 0 or 1, yet the critic's value of the prompt leaves that range after step 7 and swings wider
    each step; advantages follow it.
    """
    attempts = train(lambda step: sums(rng, 5, 0.5, step * 5), 18, 8, speak_sum, rng, 0.3)
    levels = {step: 0.4 if step < 7 else (-1) ** step * 0.35 * 1.33 ** (step - 6) for step in range(18)}
    for a in attempts:
        late = max(0, a.step - 6)
        value = levels[a.step] + rng.gauss(0, 0.1 + 0.09 * late)
        a.adv = round(a.reward - value, 5)
        a.extra = {"value": round(value, 5), "return": a.reward, "vf_loss": round((a.reward - value) ** 2 / 2, 5)}
    return layouts.evidence(attempts)


@PART.faulty("one_sided_loss", "loss_mask", "over_filtering")
def losers_of_each_group_are_left_out(rng: random.Random) -> list[Row]:
    """A filter meant for empty groups tests the sign: all rows of negative advantage have `in_loss` false, in
    every domain.
    """
    attempts = train(draw(rng, {"math": 2, "tool": 2, "swe": 1}, 0.3), 16, 8, speak, rng, 0.8)
    for a in fill(attempts, rng, estimators.grpo):
        a.in_loss = a.adv is not None and a.adv > 0
    return layouts.evidence(attempts)
