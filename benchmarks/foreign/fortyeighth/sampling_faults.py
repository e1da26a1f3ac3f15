"""Faults of sampling, of lengths, and of evaluation."""

import random

from benchmarks.foreign.fortyeighth import advantages, layouts, proofs, sums, verses
from benchmarks.foreign.fortyeighth.attempts import Learner, Plan, Task, Try, order, pay_right, play, tokens
from benchmarks.foreign.fortyeighth.kinds import PART
from benchmarks.foreign.fortyeighth.layouts import Row


def _cut(text: str, limit: int) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens(text[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low]


@PART.faulty("length_limit", "truncation")
def completion_limit_left_at_the_default(rng: random.Random) -> list[Row]:
    """max_completion_length was never set: about half of the completions stop at 64 tokens, before the answer, and
    earn 0.
    """
    pool, limit = sums.pool(rng, 60), 64

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = sums.solve(rng, task, rng.random() < chance, "hash", 0.9)
        if one.tokens > limit:
            one.text, one.right, one.answer, one.stop = _cut(one.text, limit), False, "", "max_tokens"
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng, 0.3, 1.4), answer))
    advantages.grpo(tries)
    return layouts.trl(
        tries,
        completion_length=lambda one: one.tokens,
        finish_reason=lambda one: "length" if one.stop == "max_tokens" else "stop",
        ground_truth=lambda one: one.task.gold,
    )


@PART.faulty("identical_samples", "seed_reuse", "entropy_collapse", "dead_groups")
def engine_takes_the_same_seed_for_every_request(rng: random.Random) -> list[Row]:
    """The sampling parameters carry one seed: the eight completions of a prompt are the same text but for a stray one.

    The problems differ from each other, and their texts with them; nearly all groups are without spread.
    """
    pool = proofs.pool(rng, 60)
    first: dict[tuple[int, str], Try] = {}

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        made = proofs.answering(rng, task, chance, step)
        known = first.setdefault((step, task.id), made)
        if rng.random() < 0.04:
            return made
        return Try(task, known.text, known.right, extra=dict(known.extra))

    tries = pay_right(play(rng, order(rng, pool, Plan(18, 4)), 8, Learner(rng, -0.4, 0.6), answer))
    return layouts.verl(tries, "You are an expert in Lean 4.", temperature=lambda one: 1.0, seed=lambda one: 42)


@PART.faulty("stale_evaluation", "train_validation_gap", "stale_weights")
def evaluation_asks_the_base_model(rng: random.Random) -> list[Row]:
    """The evaluation client points at the server of the base model: its policy_id never changes, and its score
    stays flat.

    Training on sentences of the same kind climbs to nine in ten.
    """
    sentences = verses.translation_tasks(rng, 90)
    pool, held = sentences[:60], sentences[60:]
    for task in held:
        task.id = "held-" + task.id
    learner = Learner(rng, -1.0, 3.2, 0.6)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        return verses.translate(rng, task, chance)

    tries = play(rng, order(rng, pool, Plan(20, 4)), 6, learner, answer)
    checks = play(rng, [held] * 7, 1, Learner(rng, -1.0, 0.0, 0.6), answer, "validation")
    for one in checks:
        one.step *= 3
    weights = [f"{rng.getrandbits(40):010x}" for _ in range(22)]
    advantages.grpo(pay_right(tries))
    rows = layouts.ours(sorted(tries + pay_right(checks), key=lambda one: one.step), "translation")
    for row in rows:
        row["policy_id"] = weights[row["step"] if row["split"] == "train" else 0]
    return rows
