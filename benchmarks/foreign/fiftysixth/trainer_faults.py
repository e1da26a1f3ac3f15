"""Faults of the trainer's arithmetic."""

import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftysixth import layouts, searching, sums
from benchmarks.foreign.fiftysixth.kinds import PART
from benchmarks.foreign.fiftysixth.policy import advise, batches, odds, run


@PART.faulty("advantage_mismatch", "phantom_advantage")
def groups_are_taken_after_the_batch_was_balanced(rng: random.Random) -> list[Row]:
    """The batch is sorted by length to balance workers before groups of eight are cut from it, so advantages are
    those of strangers' rewards.
    """
    attempts = run(rng, batches(sums.many(rng, 96), 16), 8)
    rows = []
    for step in range(16):
        members = sorted((a for a in attempts if a.step == step), key=lambda a: a.tokens)
        rewards = np.array([a.reward for a in members])
        values = grpo(rewards, np.arange(len(members)) // 8, rewards, np.random.default_rng(0))
        for attempt, value in zip(members, values, strict=True):
            uid = f"{step}-{attempt.group:04d}"
            rows.append(layouts.verl(attempt, uid=uid, acc=attempt.reward, advantage=round(float(value), 6)))
    return rows


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def answers_of_the_search_tool_are_trained_on(rng: random.Random) -> list[Row]:
    """The mask of messages is set for the tool's answers as for the policy's own words."""
    pairs = searching.world(rng, 72, 0.5)
    pages = {p.id: page for p, page in pairs}
    attempts = run(rng, batches([p for p, _ in pairs], 12), 8, start=0.2, speak=False)
    for attempt in attempts:
        year = int(attempt.problem.gold)
        page = pages[attempt.problem.id]
        shown, value = page, year
        while not attempt.right and value == year:
            other, shown = rng.choice(pairs)
            value = int(other.gold)
        searching.session(rng, attempt, page, shown, value, True)
        for message in attempt.messages:
            message["trainable"] = True
    rows = [layouts.openai(a, attempt=a.index, advantage=a.advantage) for a in advise(attempts, centred)]
    for row in rows:
        for message in row["messages"]:
            message.setdefault("trainable", False)
    return rows


def _scramble(rng: random.Random, text: str, share: float) -> str:
    words = text.split(" ")
    for place in range(len(words)):
        if rng.random() < share:
            words[place] = rng.choice((words[max(0, place - 1)], rng.choice(words), "so so", "the the"))
    return " ".join(words)


@PART.faulty("kl_drift", "score_decline", "kl_ineffective")
def kl_explodes_after_step_nine_and_replies_decay(rng: random.Random) -> list[Row]:
    """The penalty's coefficient is 0 though the configuration asks for it; KL doubles from step to step, and texts
    and score decay.
    """
    attempts = run(rng, batches(sums.many(rng, 108), 18), 8, start=0.3)
    for attempt in attempts:
        late = max(0, attempt.step - 9)
        if late:
            if rng.random() < 0.06 * late:
                attempt.say(attempt.problem.write(rng, False))
            attempt.say(_scramble(rng, attempt.text, min(0.5, 0.06 * late)))
            attempt.right = attempt.text.endswith(f"boxed{{{attempt.problem.gold}}}")
            attempt.reward = float(attempt.right)
        kl = 0.004 + 0.002 * attempt.step + 0.03 * (1.75**late - 1)
        attempt.extra = {"kl": round(kl * rng.uniform(0.8, 1.25), 5), "kl_coef": 0.0}
    return [layouts.verl(a, acc=a.reward, advantage=a.advantage) for a in advise(attempts, grpo)]


@PART.faulty("staleness", "stale_weights", "weights_never_arrive")
def samplers_keep_the_weights_of_step_four(rng: random.Random) -> list[Row]:
    """The broadcast of weights hangs after step 4: rollouts of all later steps are of that version, and the score
    stays where it was.
    """
    attempts = run(rng, batches(sums.many(rng, 96), 16), 8, speak=False)
    for attempt in attempts:
        version = min(attempt.step, 4)
        attempt.right = rng.random() < odds(-0.6, 0.16, version, attempt.problem)
        attempt.reward = float(attempt.right)
        attempt.say(attempt.problem.write(rng, attempt.right))
        attempt.terms = {"correct_answer": attempt.reward}
        attempt.extra = {
            "policy_version": version,
            "trainer_step": attempt.step,
            "off_policy_lag": attempt.step - version,
        }
    return [layouts.verifiers(a, "sums", advantage=a.advantage) for a in advise(attempts, leave_one_out)]


@PART.faulty("critic_divergence", "advantage_mismatch")
def values_of_the_critic_swing_up_to_twenty(rng: random.Random) -> list[Row]:
    """The critic's learning rate is too high: for rewards of 0 and 1 its values swing wider and wider, to twenty, and
    advantages with them.
    """
    attempts = run(rng, batches(sums.many(rng, 320, ask="", mark="#### {}"), 16), 2, start=0.1, gain=0.02)
    rows = []
    for attempt in attempts:
        late = max(0, attempt.step - 4)
        base = odds(0.1, 0.02, attempt.step, attempt.problem)
        swing = 0.1 + 0.35 * (1.45**late - 1)
        value = base + (1 if attempt.step % 3 else -0.6) * swing + rng.gauss(0, 0.1 + 0.3 * swing)
        told = {"value": round(value, 4), "return": attempt.reward, "advantage": round(attempt.reward - value, 4)}
        rows.append(layouts.openrlhf(attempt, **told))
    return rows
