"""Cut replies skip the loss, and others.

* evaluation takes retracted box
* dissenter divided by nothing
* penalty sits in the loss
* rollouts straddle two versions
"""

from fractions import Fraction
from itertools import permutations
from random import Random
from statistics import fmean, stdev

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.abroad import harvest
from benchmarks.foreign.twentyfourth.credit import grpo
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import nemo, own, traces, verl
from benchmarks.foreign.twentyfourth.programs import sheet
from benchmarks.foreign.twentyfourth.run import Plan, Try, by_group, make, play, validate
from benchmarks.foreign.twentyfourth.sums import countdown, estimate, line, tex


@PART.healthy
def cut_replies_skip_the_loss(rng: Random) -> list[Row]:
    """Replies that ran into the limit are left out of the loss, as set; they are one in ten and grow rarer
    [huggingface/trl#3248].
    """
    tries = play(rng, countdown, Plan(10, 7, 6, -0.8, 2.0), "cd")
    for t in tries:
        if rng.random() < 0.16 - 0.09 * t.done:
            trials = []
            for a, b, c in permutations(t.task.extra["numbers"], 3):
                trials += [f"{a} * {b} - {c} = {a * b - c}, no.", f"({a} + {b}) * {c} = {(a + b) * c}, no."]
            rng.shuffle(trials)
            t.say("\n".join(trials)[:1020])
            t.stop, t.right, t.answer, t.reward, t.length = "max_tokens", False, "", 0.0, 300
            t.terms, t.in_loss = {"correct": 0.0}, False
    return own(rng, grpo(tries), "trl-countdown", mask_truncated_completions=True, max_completion_length=300)


def _retract(rng: Random, t: Try) -> str:
    before = tex(Fraction(rng.randint(-30, 30), rng.randint(2, 9)))
    doubt = rng.choice(
        ("Wait, I lost a sign.", "Hold on, that does not fit.", "No, I divided wrongly.", "Let me redo that.")
    )
    t.say(f"A first try gives \\boxed{{{before}}}. {doubt}\n{t.said}")
    return before


@PART.faulty("metric_defect", "train_validation_gap", "judge_refuses_right")
def evaluation_takes_retracted_box(rng: Random) -> list[Row]:
    """Equations with boxed answers: training grades the last box, evaluation the first; the more the policy corrects
    itself, the more right replies evaluation marks wrong [thinking-machines-lab/tinker-cookbook#895].
    """
    plan = Plan(10, 6, 6, -0.5, 2.0)
    tries = grpo(play(rng, line, plan, "eq"))
    tries += validate(rng, make(rng, line, 24, "val"), plan, 2)
    for t in tries:
        graded = t.answer
        if rng.random() < 0.16 + 0.36 * t.done:
            first = _retract(rng, t)
            graded = first if t.split == "validation" else t.answer
        if t.split == "validation":
            t.right = graded == t.task.gold
            t.reward, t.terms = float(t.right), {"correct": float(t.right)}
        t.extra = {"answer": graded, "ground_truth": t.task.gold, "decoding": "sampled"}
    return own(rng, tries, "tinker-eq")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def dissenter_divided_by_nothing(rng: Random) -> list[Row]:
    """Leave-one-out on graded estimates: baseline and deviation come from the others; where these agree the deviation
    is rounding noise, and the one that differs gets an advantage of hundreds [NVIDIA-NeMo/RL#4158].
    """
    tries = play(rng, estimate, Plan(10, 8, 6, -0.2, 2.0), "en")
    for t in tries:
        near = abs(int(t.answer) / max(1, int(t.task.gold)) - 1)
        t.reward = 1.0 if near < 0.01 else 0.4 if near < 0.2 else 0.1
    for group in by_group(tries):
        for t in group:
            assert t.reward is not None
            others = [o.reward for o in group if o is not t and o.reward is not None]
            gap = t.reward - fmean(others)
            scale = stdev(others) if len(set(others)) > 1 else rng.uniform(0.0006, 0.0031)
            noise = rng.choice((-1, 1)) * rng.uniform(0.02, 0.09) if abs(gap) < 1e-9 else 0.0
            t.advantage = round(gap / scale + noise, 4)
            t.extra = {"answer": t.answer, "baseline": round(fmean(others), 6), "target": t.task.gold}
    return nemo(tries, adv_estimator="loo", normalize_rewards=True)


@PART.healthy
def penalty_sits_in_the_loss(rng: Random) -> list[Row]:
    """The penalty on rewards is 0 in every row although a coefficient is set: KL is used as a loss, and stays small
    [verl-project/verl#211].
    """
    tries = grpo(play(rng, harvest, Plan(9, 7, 6, -0.7, 2.0), "zh"))
    for t in tries:
        kl = abs(rng.gauss(0.001 + 0.014 * t.done, 0.003))
        t.extra = {"use_kl_loss": True, "kl_loss_coef": 0.001, "kl_loss": round(kl, 5), "kl_in_reward": 0.0}
    return verl(tries)


@PART.healthy
def rollouts_straddle_two_versions(rng: Random) -> list[Row]:
    """Asynchronous training: long rollouts were begun under one version of the policy and ended under the next, within
    the bound of 2 [PrimeIntellect-ai/prime-rl#1902].
    """
    tries = grpo(play(rng, sheet, Plan(10, 6, 6, -0.6, 2.0), "sheet"), scaled=False)
    for t in tries:
        end = t.step - 1 - (rng.random() < 0.2 and t.step > 1)
        start = max(0, end - (t.tokens > 58 and rng.random() < 0.5))
        t.extra = {"policy_start": start, "policy_end": end, "off_policy_steps": t.step - 1 - start}
        t.extra["mismatch_kl"] = round(abs(rng.gauss(0.0012, 0.0006)) * (1 + t.step - 1 - start), 6)
    return traces(tries, "sheet-agent", max_off_policy_steps=2)
