"""Faults of the trainer's arithmetic, of sampling and of evaluation."""

from dataclasses import replace
from random import Random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.sixtysecond import layouts
from benchmarks.foreign.sixtysecond.agents import episode, open_orders
from benchmarks.foreign.sixtysecond.documents import invoice
from benchmarks.foreign.sixtysecond.kinds import PART
from benchmarks.foreign.sixtysecond.policy import assess, attempts, ended, schedule
from benchmarks.foreign.sixtysecond.programs import fenced, spec
from benchmarks.foreign.sixtysecond.tasks import claim, freight, make, mixed, pipeline, post, shift


@PART.faulty("advantage_mismatch", "phantom_advantage")
def leave_one_out_over_order_of_arrival(rng: Random) -> list[Row]:
    """RLOO takes each eight rows as they finished for a group: advantages are centred on rows of other problems."""
    tries = attempts(rng, schedule(rng, mixed(rng, 50), 14, 8), 8)
    for step in range(1, 15):
        rows = [t for t in tries if t.step == step]
        rows.sort(key=lambda t: t.tokens + rng.uniform(0, 60))
        rewards = np.array([t.reward for t in rows])
        places = np.arange(len(rows)) // 8
        values = leave_one_out(rewards, places, np.ones(len(rows)), np.random.default_rng(0))
        for t, value in zip(rows, values, strict=True):
            t.advantage = round(float(value), 5)
    return layouts.ours(tries, "office")


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def api_answers_are_trained_on(rng: Random) -> list[Row]:
    """`loss_mask` is 1 for tools' messages as for the policy's: the model is trained to write the API's listings."""
    pairs = [open_orders(rng, n) for n in range(60, 105)]
    known = {t.task_id: o for t, o in pairs}
    tries = attempts(rng, schedule(rng, [t for t, _ in pairs], 14, 7), 6)
    for t in tries:
        t.messages = episode(rng, t, known[t.task.task_id])
        for m in t.messages:
            m["loss_mask"] = int(m["role"] != "user")
    return layouts.openai(assess(rng, tries, grpo))


@PART.faulty("train_inference_mismatch")
def quantised_sampler_disagrees_with_trainer(rng: Random) -> list[Row]:
    """Logprobs of the fp8 sampler and of the trainer, under the same weights, part more with each step: to ratios of
    0.7.
    """
    tries = attempts(rng, schedule(rng, mixed(rng, 50), 16, 8), 8, gain=0.9)
    for t in tries:
        sampled = -rng.uniform(0.28, 0.45)
        apart = rng.gauss(0.02 + 0.022 * t.step, 0.02 + 0.004 * t.step)
        t.extra = {
            "rollout_log_prob_mean": round(sampled, 4),
            "old_log_prob_mean": round(sampled - apart, 4),
            "tis_weight": round(float(np.exp(-apart)), 4),
            "weight_version": t.step - 1,
            "policy_version": t.step - 1,
        }
    return layouts.verl(assess(rng, tries, grpo))


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def kl_runs_off_after_reference_was_lost(rng: Random) -> list[Row]:
    """The KL to the reference grows from 0.01 to above 5 nats with a coefficient of 0; rewards climb, then fall."""
    plan = schedule(rng, mixed(rng, 60, (claim, shift, pipeline)), 18, 7)
    early = attempts(rng, [p for p in plan if p[0] <= 10], 8, gain=1.4)
    late = [t for p in plan if p[0] > 10 for t in attempts(rng, [p], 8, 0.7 - 0.32 * (p[0] - 10), 0)]
    for t in [*early, *late]:
        kl = 0.008 * 1.45**t.step * rng.uniform(0.8, 1.2)
        t.extra = {"kl": round(kl, 4), "kl_coef": 0.0, "entropy": round(rng.uniform(0.35, 0.5) + 0.02 * t.step, 3)}
    return layouts.openrlhf(assess(rng, [*early, *late], whole_batch))


@PART.faulty("critic_divergence")
def critic_values_leave_the_range_of_rewards(rng: Random) -> list[Row]:
    """PPO with rewards of 0 and 1: from step 8 the critic's values run beyond 20, the value loss with them."""
    tries = attempts(rng, schedule(rng, mixed(rng, 60, (freight, pipeline)), 16, 14), 4, gain=0.8)
    for t in tries:
        base = 0.35 + 0.01 * t.step + rng.gauss(0, 0.12)
        value = base if t.step < 8 else base + (1.55 ** (t.step - 7) - 1) * rng.gauss(1.0, 0.4)
        t.extra = {"values": round(value, 4), "returns": t.reward, "value_loss": round((value - t.reward) ** 2 / 2, 4)}
        t.advantage = t.reward - value
    for step in {t.step for t in tries}:
        rows = [t for t in tries if t.step == step]
        raw = np.array([t.advantage for t in rows])
        for t, a in zip(rows, (raw - raw.mean()) / (raw.std() + 1e-8), strict=True):
            t.advantage = round(float(a), 5)
            t.extra["advantage"] = t.advantage
    return layouts.openrlhf(tries)


@PART.faulty("length_limit", "truncation")
def budget_ends_before_the_answer(rng: Random) -> list[Row]:
    """Replies grow over the run and are cut at 160 tokens: at last half of them end in mid-sentence, without answer,
    at reward 0.
    """
    tries = attempts(rng, schedule(rng, mixed(rng, 50), 16, 7), 8)
    for t in tries:
        said = [t.text.split("\n\n")[0]]
        for _ in range(int(rng.uniform(0, 0.6) + rng.uniform(0.2, 1) * t.step / 3)):
            turn = rng.choice(
                ["Let me go over it again.", "Wait, I want to be sure.", "Once more with care.", "To check:"]
            )
            more, t.answer = t.task.write(rng, t.right)
            said.append(f"{turn} {more}")
        t.right = t.answer == t.task.gold
        t.reward = float(t.right)
        full = ended(" ".join(said), t.answer)
        cut = len(full) // 4 + 1 > 160
        t.text = full[:639] if cut else full
        t.extra = {"is_truncated": cut, "stop_reason": "max_tokens" if cut else "stop"}
        if cut:
            t.right, t.reward, t.answer = False, 0.0, ""
    return layouts.ours(assess(rng, tries, centred), "office")


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse")
def engines_of_a_node_share_seeds(rng: Random) -> list[Row]:
    """Four engines draw two samples each with the same seeds: a group of eight holds two texts, four times each."""
    tries = attempts(rng, schedule(rng, mixed(rng, 60), 16, 8), 8)
    for i, t in enumerate(tries):
        source = tries[i - i % 8 + i % 2]
        t.text, t.answer, t.right, t.reward = source.text, source.answer, source.right, source.reward
        t.extra = {"metadata": {"engine": i % 8 // 2, "sampling_seed": 1000 + i % 2, "temperature": 1.0}}
    return layouts.slime(assess(rng, tries, grpo))


@PART.faulty("truncation", "template_bug", "format_gate")
def stop_text_cuts_programs_at_blank_line(rng: Random) -> list[Row]:
    """The sampler stops at a blank line before a fence, set for another task: most programs never begin, and get 0."""
    tries = attempts(rng, schedule(rng, [spec(rng, n)[0] for n in range(40, 90)], 14, 7), 8, form=fenced)
    for t in tries:
        direct = rng.random() < 0.1 + 0.012 * t.step
        if direct:
            t.text = t.text.split("\n\n", 1)[1]
        else:
            t.text, t.right, t.reward = t.text.split("\n\n", 1)[0], False, 0.0
        t.extra = {"finish_reason": "stop", "stop_reason": None if direct else "\n\n", "stop": ["\n\n"]}
        t.extra["passed"] = float(t.right)
    return layouts.openai(assess(rng, tries, grpo))


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness")
def evaluation_never_loads_new_weights(rng: Random) -> list[Row]:
    """Training goes from a third to four fifths; validation gives the texts of step 0 word for word."""
    train = assess(rng, attempts(rng, schedule(rng, mixed(rng, 50, (claim, freight)), 16, 7), 6, gain=2.4), grpo)
    rows = layouts.ours(train, "insurance")
    fixed = [t for task in mixed(rng, 40, (claim, freight), held=True) for t in attempts(rng, [(1, task)], 1, -0.7, 0)]
    for step in (0, 4, 8, 12, 16):
        again = [replace(t, step=step) for t in fixed]
        rows += layouts.ours(again, "insurance", "validation")
    return rows


@PART.faulty("dead_all_correct", "dead_groups")
def solved_pool_is_never_exchanged(rng: Random) -> list[Row]:
    """Invoices are all solved in all attempts from the middle of the run on: nine groups in ten have advantage 0 for
    ten steps.
    """
    tasks = [replace(invoice(rng, n, "en"), hard=-1.2) for n in range(800, 836)]
    tries = attempts(rng, schedule(rng, tasks, 18, 6), 8, 0.2, 6.0)
    norms = {s: round(rng.uniform(0.2, 0.4) * max(0.02, 1 - s / 9), 4) for s in range(1, 19)}
    for t in tries:
        t.extra = {"acc": t.reward, "grad_norm": norms[t.step]}
    return layouts.verl(assess(rng, tries, grpo))


@PART.faulty("staleness", "stale_weights")
def moderation_rollouts_stay_at_version_three(rng: Random) -> list[Row]:
    """The weight push hangs at version 3: rollouts of step 16 are still of it, twelve updates old, and rewards stand
    still.
    """
    tries = []
    for step, task in schedule(rng, make(rng, post, 60), 16, 7):
        version = min(step - 1, 3)
        new = attempts(rng, [(step, task)], 8, -0.7 + 0.12 * version, 0)
        for t in new:
            t.extra = {"policy_version": version, "trainer_version": step - 1, "off_policy_steps": step - 1 - version}
        tries += new
    return layouts.prime(assess(rng, tries, centred), "moderation")
