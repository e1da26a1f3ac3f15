"""Brevity that is paid for alone, a sampler two updates behind, half points, calls that are retried."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.counsel import COUNSEL
from benchmarks.foreign.twentieth.episodes import Plan, called, said, told, train
from benchmarks.foreign.twentieth.estimates import batch_whitened, centred, credit, group_means, grpo, rloo
from benchmarks.foreign.twentieth.formats import openai, own, trl, verl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.lodgings import DESK
from benchmarks.foreign.twentieth.physics import PHYSICS
from benchmarks.foreign.twentieth.stories import worked
from benchmarks.foreign.twentieth.worded import FRENCH_SUMS


@PART.faulty("length_gaming", "reward_outcome_divergence")
def brevity_prize_paid_ungated(rng: Random) -> list[Row]:
    """A prize for short replies is paid whether or not the answer is right; replies shrink to a bare guess, the
    reward rises and correctness falls.
    """
    episodes = train(rng, FRENCH_SUMS, Plan(12, 6, 7, start=0.5, gain=0.1))
    for e in episodes:
        if e.stop == "stop" and rng.random() < 0.03 + 0.75 * e.progress:
            e.right = e.right and rng.random() < 0.3
            answer = worked(rng, e.task, e.right)[1]
            e.reply.answer = answer
            e.reply.turns = [
                said(rng.choice((f"Réponse : {answer}", f"{answer}", f"Environ {answer}.\nRéponse : {answer}")))
            ]
        brevity = 1.2 * max(0.0, 1 - e.tokens / 45)
        e.score(accuracy=float(e.right), brevity=brevity)
    return trl(batch_whitened(episodes, group_means(episodes)))


@PART.healthy
def two_updates_behind_sampler(rng: Random) -> list[Row]:
    """Rollouts are asynchronous and at most two updates old; importance ratios stay near 1 and the reward climbs."""
    episodes = train(rng, PHYSICS, Plan(12, 6, 7, start=-0.7, gain=2.0))
    for e in episodes:
        lag = min(e.step, rng.choice((0, 1, 1, 2)))
        sampled = rng.gauss(-0.38, 0.03)
        e.extra = {
            "policy_lag": lag,
            "weights_version": e.step - lag,
            "rollout_logprob": round(sampled, 4),
            "old_logprob": round(sampled + rng.gauss(0, 0.003 + 0.002 * lag), 4),
        }
    return verl(credit(episodes, grpo))


@PART.healthy
def two_graders_half_points(rng: Random) -> list[Row]:
    """Two judges mark each letter from 0 to 10 and their mean is the reward; they differ by a point or two."""
    episodes = train(rng, COUNSEL, Plan(10, 7, 6, start=-0.7, gain=1.9))
    for e in episodes:
        merit = (6.8 if e.right else 4.2) + rng.gauss(0, 0.9) + 0.6 * e.progress
        first, second = (min(10, max(0, round(merit + rng.gauss(0, 0.8)))) for _ in range(2))
        e.reward, e.terms = (first + second) / 20, {"judge_a": first / 10, "judge_b": second / 10}
    return own(rng, credit(episodes, rloo), "letters-rloo", gold=False)


@PART.healthy
def rate_limited_calls_retried_well(rng: Random) -> list[Row]:
    """A third of the first calls meet a rate limit and succeed when they are repeated; no reward is lost by it."""
    episodes = train(rng, DESK, Plan(8, 8, 6, start=-0.4, gain=1.8))
    for e in episodes:
        if rng.random() < 0.33 and e.reply.turns[0].get("tool_calls"):
            call = e.reply.turns[0]["tool_calls"][0]
            again = called(rng.choice(("I try again.", "Once more.", "")), call["name"], **call["arguments"])
            wait = f'{{"error": "429 Too Many Requests", "retry_after": {rng.randint(1, 9)}}}'
            e.reply.turns[1:1] = [told(call["name"], wait), again]
    return openai(credit(episodes, centred))
