"""Faults of the trainer's arithmetic: advantages, KL, masks, weights."""

import math
import random

from benchmarks.foreign.fortyfourth import baselines, databases, exams, layouts, puzzles, repairs
from benchmarks.foreign.fortyfourth.kinds import PART
from benchmarks.foreign.fortyfourth.policy import Draft, Learner, Plan, Problem, Sample, run, talk

Row = dict
LOOSE = (
    "indeed",
    "the sum",
    "again and so",
    "number",
    "target of",
    "which is the",
    "so so",
    "equals the",
    "Now",
    "step",
)


@PART.faulty("advantage_mismatch")
def advantages_stay_in_place_when_the_batch_is_sorted_by_length(rng: random.Random) -> list[Row]:
    """The batch is sorted by length to balance devices after advantages were computed, which are not sorted with it.

    Each row carries the advantage of another row of its step.
    """
    samples = run(rng, exams.questions(rng, 90, ("en", "fr")), exams.solve, Plan(12, 8, 8), Learner(-0.2, 0.7))
    baselines.by_group(samples)
    out: list[Sample] = []
    for step in range(12):
        batch = [s for s in samples if s.step == step]
        values = [s.advantage for s in batch]
        batch.sort(key=lambda s: s.tokens)
        for s, value in zip(batch, values, strict=True):
            s.advantage = value
            s.terms = {"accuracy": s.reward}
            s.extra = {"correct": s.reward, "domain": "math", "extra": {"answer": s.answer, "target": s.problem.gold}}
        out += batch
    return layouts.ours(out)


def _crumble(rng: random.Random, draft: Draft, share: float) -> Draft:
    words = draft.messages[0]["content"].split(" ")
    for i in range(len(words) - 2):
        if rng.random() < share:
            words[i] = rng.choice(LOOSE)
    text = " ".join(words)
    return Draft(talk(text), draft.answer, draft.right and f"<answer>{draft.answer}</answer>" in text)


@PART.faulty("kl_drift", "score_decline", "kl_ineffective", "reward_outcome_divergence")
def kl_runs_away_and_the_reasoning_falls_apart(rng: random.Random) -> list[Row]:
    """The coefficient of the KL term is a thousand times too small; after a good start KL grows to nats a token.

    The text crumbles, and the score falls below where it began.
    """

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        late = max(0.0, progress - 0.45)
        right = right and rng.random() > 0.9 * late
        draft = puzzles.play(rng, problem, right, progress)
        return _crumble(rng, draft, 0.7 * late) if late else draft

    samples = run(rng, puzzles.puzzles(rng, 96), attempt, Plan(16, 8, 6), Learner(-0.2, 2.0))
    level = {step: 0.004 * math.exp(0.46 * step) * rng.uniform(0.85, 1.15) for step in range(16)}
    for s in samples:
        kl = round(level[s.step] * rng.uniform(0.7, 1.3), 4)
        s.extra = {"kl": kl, "kl_coef": 1e-6, "acc": s.reward, "uid": s.problem.id, "response_length": s.tokens}
    return layouts.verl(samples)


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def what_tools_answer_is_in_the_loss_mask(rng: random.Random) -> list[Row]:
    """The mask of multi-turn episodes is 1 from the first reply on, so the loss holds what the tools printed."""
    samples = run(rng, repairs.issues(rng, 60), repairs.repair, Plan(12, 6, 8), Learner(-0.5, 1.2))
    rows = layouts.slime(samples)
    for row, sample in zip(rows, samples, strict=True):
        seen = 0
        for message in row["messages"]:
            held = message["role"] in ("assistant", "tool")
            message["loss_mask"] = int(held)
            seen += len(message["content"]) // 4 if message["role"] == "tool" else 0
        row["loss_tokens"] = sample.tokens + seen
        row["response_length"] = sample.tokens + seen
    return rows


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch")
def new_adapters_are_saved_but_the_server_keeps_the_first(rng: random.Random) -> list[Row]:
    """An adapter is written each step, and the inference server goes on with the one that it loaded at the start.

    The lag of rollouts grows by one a step, sampler and trainer move apart, and the score stays.
    """
    samples = run(rng, databases.asked(rng, 96), databases.write, Plan(14, 8, 6), Learner(-0.5, 0.0))
    baselines.by_group(samples, baselines.centred)
    for s in samples:
        sampled = round(rng.gauss(-0.41, 0.05), 4)
        gap = 0.015 + 0.022 * s.step
        s.terms = {"execution_match": s.reward}
        s.extra = {"ckpt_step": 0, "trainer_step": s.step, "off_policy_level": s.step}
        trained = round(sampled - gap * rng.uniform(0.7, 1.3), 4)
        s.extra |= {"inference_logprob_mean": sampled, "trainer_logprob_mean": trained}
        s.extra["mismatch_kl"] = round(gap**1.5 * rng.uniform(0.8, 1.2), 5)
    return layouts.prime(samples, "text2sql")
