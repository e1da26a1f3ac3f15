"""Faults of the trainer's arithmetic."""

import random
from statistics import mean, pstdev

from benchmarks.foreign.fortyeighth import advantages, katas, layouts, lookups, sums
from benchmarks.foreign.fortyeighth.attempts import Learner, Plan, Task, Try, by_step, order, pay_right, play
from benchmarks.foreign.fortyeighth.kinds import PART
from benchmarks.foreign.fortyeighth.layouts import Row


@PART.faulty("advantage_mismatch")
def advantages_left_in_order_of_length(rng: random.Random) -> list[Row]:
    """A step is sorted by length to pack it, and the advantages are never put back: each row has another row's."""
    pool = sums.pool(rng, 60)
    tries = play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng, -0.5, 0.5), sums.answering("tag", 0.8))
    advantages.grpo(pay_right(tries))
    for batch in by_step(tries):
        packed = [one.advantage for one in sorted(batch, key=lambda one: len(one.text))]
        for one, advantage in zip(batch, packed, strict=True):
            one.advantage = advantage
    return layouts.trl(tries, completion_length=lambda one: one.tokens)


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def passages_of_the_index_are_trained_on(rng: random.Random) -> list[Row]:
    """Each message carries its loss mask: those of the search tool are 1 like the policy's own."""
    pool = lookups.pool(rng, 60)
    tries = pay_right(play(rng, order(rng, pool, Plan(16, 4)), 6, Learner(rng, -0.2, 0.9), lookups.answering))
    advantages.leave_one_out(tries)
    rows = layouts.openai(tries, lookups.SYSTEM, advantage=lambda one: one.advantage)
    for row in rows:
        row["messages"] = [{**m, "loss_mask": int(m["role"] in ("assistant", "tool"))} for m in row["messages"]]
    return rows


DRIFTED = [
    "Numbers numbers, the sum of sums is what sums.",
    "And thus the total totals, therefore thus.",
    "Hereby we hereby step, stepwise the step.",
    "Value value equals the equal of it.",
    "So so the answer answers itself, as it is as it is.",
]


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def kl_term_entered_with_the_wrong_sign(rng: random.Random) -> list[Row]:
    """The KL term is added instead of subtracted: KL to the reference climbs from 0.01 to several nats.

    Texts fill with odd phrases, and scores sink from the first third on.
    """
    pool = sums.pool(rng, 60)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        away = max(0.0, (step - 5) / 14)
        one = sums.solve(rng, task, rng.random() < chance * (1 - 0.85 * away))
        head, tail = one.text.split("\n")
        sentences = head.split(". ")
        for _ in range(round(away * rng.uniform(2, 8))):
            sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(DRIFTED).rstrip("."))
        one.text = ". ".join(sentences) + "\n" + tail
        kl = 0.008 * 1.42**step * rng.uniform(0.8, 1.25)
        one.extra = {"kl": round(kl, 4), "kl_coef": 0.01, "entropy": round(0.4 + 1.9 * away + rng.gauss(0, 0.04), 3)}
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng, 0.0, 1.4), answer))
    return layouts.verl(tries, acc=lambda one: float(one.right))


@PART.faulty("train_inference_mismatch")
def trainer_scores_at_another_temperature(rng: random.Random) -> list[Row]:
    """The sampler logs logprobs at temperature 0.6, the trainer recomputes them at 1.0: they differ on every token.

    Ratios of the first update are far from 1, and most tokens are clipped.
    """
    pool = katas.pool(rng)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = katas.answering(rng, task, chance, step)
        cold = [-rng.expovariate(4.2) if rng.random() < 0.6 else -rng.random() * 0.01 for _ in range(one.tokens)]
        warm = [x * rng.uniform(1.5, 2.2) - abs(rng.gauss(0, 0.12)) for x in cold]
        clipped = mean(abs(w - c) > 0.18 for c, w in zip(cold, warm, strict=True))
        one.extra = {
            "rollout_log_probs": [round(x, 4) for x in cold],
            "train_log_probs": [round(x, 4) for x in warm],
            "clip_fraction": round(clipped, 3),
        }
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(16, 4)), 6, Learner(rng, -0.4, 0.6), answer))
    advantages.grpo(tries)
    return layouts.slime(tries, advantage=lambda one: one.advantage)


@PART.faulty("critic_divergence", "score_decline")
def critic_runs_away_from_returns(rng: random.Random) -> list[Row]:
    """PPO with a critic whose rate is too high: from the middle on its values swing to tens while returns stay in
    0 to 1.

    Advantages follow the critic, and the score falls again.
    """
    pool = sums.pool(rng, 60)
    start = rng.randint(7, 9)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        wild = max(0, step - start)
        one = sums.solve(rng, task, rng.random() < chance * max(0.25, 1 - 0.08 * wild))
        value = chance + rng.gauss(0, 0.12) + rng.gauss(1.5, 1.0) * (1.42**wild - 1)
        one.extra = {"value": round(value, 4), "return": float(one.right)}
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(20, 4)), 6, Learner(rng, -0.4, 1.8), answer))
    for batch in by_step(tries):
        raw = [one.extra["return"] - one.extra["value"] for one in batch]
        for one, gap in zip(batch, raw, strict=True):
            one.advantage = round((gap - mean(raw)) / (pstdev(raw) + 1e-8), 5)
    return layouts.openrlhf(tries, advantage=lambda one: one.advantage)
