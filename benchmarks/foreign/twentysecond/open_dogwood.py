"""Critique server half marks; shell output weighted one; baseline of whole batch, and others."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysecond.course import Shape, climb, deal, part_way, play, train
from benchmarks.foreign.twentysecond.estimators import by_step, credit, credit_batch, grpo, rloo
from benchmarks.foreign.twentysecond.figures import sums
from benchmarks.foreign.twentysecond.kinds import PART
from benchmarks.foreign.twentysecond.layouts import openai, own, say
from benchmarks.foreign.twentysecond.letters import essay_of_points, essay_task
from benchmarks.foreign.twentysecond.prose import answering
from benchmarks.foreign.twentysecond.repos import mend, repo_task


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors", "flaky_grading")
def critique_server_half_marks(rng: Random) -> list[Row]:
    """The critic's server drops requests from some step on, and each dropped one is graded exactly one half."""
    steps = rng.randint(8, 10)
    plan = deal(rng, essay_task, Shape(steps, 8, 6), "ess")
    episodes, begin = play(rng, plan, 6, climb(rng, steps, -0.4, 2.0), essay_of_points), rng.randint(2, 4)
    for e in episodes:
        marks = {k: rng.randint(*span) for k, span in (("clear", (5, 9)), ("fit", (4, 8)), ("true", (5, 9)))}
        marks = {k: min(10, v + e.right) - (0 if e.right else rng.randint(1, 3)) for k, v in marks.items()}
        raw, e.reward = json.dumps(marks), round(sum(marks.values()) / 30, 3)
        if e.step >= begin and rng.random() < 0.2 + 0.05 * (e.step - begin):
            e.reward = 0.5
            raw = rng.choice(("upstream connect error or disconnect/reset before headers", "502 Bad Gateway", ""))
        e.extra = {"critic_raw": raw, "critic": "critic-70b"}
    return openai(credit(episodes, grpo))


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def shell_output_weighted_one(rng: Random) -> list[Row]:
    """In the sessions of one of two converters the tool's messages carry loss weight 1 like the agent's own."""
    steps = rng.randint(7, 9)
    episodes = train(rng, repo_task, mend, Shape(steps, 8, 5), -0.5, 1.6, "term")
    for e in episodes:
        e.extra = {"converter": rng.choice(("convert-0.8", "convert-0.9"))}
    rows = openai(credit(episodes, grpo))
    for row in rows:
        trained = {"assistant"} | ({"tool"} if row["converter"] == "convert-0.9" else set())
        row["messages"] = [m | {"weight": int(m["role"] in trained)} for m in row["messages"]]
    return rows


@PART.healthy
def baseline_of_whole_batch(rng: Random) -> list[Row]:
    """REINFORCE++: the advantage is taken over the whole batch, so groups of one outcome have one too."""
    make = sums("means", "ratios", "calendar", "areas", tail="Close with `Answer: X`.")
    episodes = train(rng, make, answering(), Shape(rng.randint(9, 12), 8, 5), -0.4, 1.9, "rpp")
    for e in episodes:
        e.extra = {"adv_estimator": "reinforce_plus_plus", "whiten": "batch"}
    return own(rng, credit_batch(episodes), "rpp-sums", "math")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def advantages_follow_sorted_lengths(rng: Random) -> list[Row]:
    """With packing switched on, rows are sorted by length but their advantages are not, so that each row trains on
    another's.
    """
    make = sums("calendar", "means", "ratios", tail="Finish with `Answer: ...`.")
    episodes, begin = train(rng, make, answering(), Shape(rng.randint(9, 11), 8, 6), -0.5, 1.4, "q"), rng.randint(2, 3)
    credit(episodes, rloo)
    for batch in by_step(episodes):
        packed = batch[0].step >= begin
        for e in batch:
            e.extra = {"packed": packed, "adv_estimator": "rloo"}
        if packed:
            advantages = [e.advantage for e in batch]
            for e, a in zip(sorted(batch, key=lambda e: len(e.text)), advantages, strict=True):
                e.advantage = a
    return own(rng, episodes, "packed-rloo", "math")


NOISE = ("thus thus thus", "(indeed, indeed)", "ok ok ok ok", "→→ so →→", "as as follows", "QED QED", "hence hence")


def _noisy(rng: Random, text: str, amount: float) -> str:
    words = text.split(" ")
    for _ in range(round(amount * len(words) / 4 * rng.uniform(0.5, 1.5))):
        words.insert(rng.randrange(len(words)), rng.choice(NOISE))
    return " ".join(words)


@PART.faulty("kl_drift", "kl_ineffective")
def penalty_without_a_reference(rng: Random) -> list[Row]:
    """KL to the reference grows to several nats a token while its coefficient is set, yet the penalty in every row is
    0 and the texts come apart.
    """
    steps, coefficient = rng.randint(10, 12), rng.choice((0.02, 0.05))
    plan = deal(rng, sums("fares", "rates", "areas"), Shape(steps, 7, 6), "m")
    levels = [v - 2.4 * max(0, s / (steps - 1) - 0.6) / 0.4 for s, v in enumerate(climb(rng, steps, -0.3, 1.7))]
    episodes = play(rng, plan, 6, levels, answering("The answer is {}."))
    for e in episodes:
        share = part_way(e, steps)
        e.reply = say(_noisy(rng, e.text, max(0, share - 0.35)))
        kl = 0.004 * 1500**share * rng.uniform(0.75, 1.3)
        e.extra = {"kl": round(kl, 5), "kl_coef": coefficient, "kl_penalty": 0.0}
    return own(rng, credit(episodes, grpo), "leashless", "math")
