"""Values of a critic beside the attempts of PPO."""

from random import Random
from statistics import fmean, pstdev

from benchmarks.foreign.seventeenth.rollouts import Sample


def by_critic(samples: list[Sample], values: list[float]) -> list[Sample]:
    """Advantages of PPO: return minus value, whitened over each step."""
    for s, value in zip(samples, values, strict=True):
        s.extra |= {"value": round(value, 4), "return": s.reward}
    for step in {s.step: None for s in samples}:
        batch = [s for s in samples if s.step == step]
        raw = [s.reward - s.extra["value"] for s in batch]
        middle, spread = fmean(raw), pstdev(raw) + 1e-8
        for s, r in zip(batch, raw, strict=True):
            s.advantage = round((r - middle) / spread, 5)
    for step in {s.step: None for s in samples}:
        batch = [s for s in samples if s.step == step]
        loss = fmean((s.reward - s.extra["value"]) ** 2 for s in batch)
        for s in batch:
            s.extra["value_loss"] = round(loss, 5)
    return samples


def pay_the_way(samples: list[Sample]) -> None:
    """Reward of a lake: one at the goal, else a share of the way."""
    for s in samples:
        facts = s.reply.facts
        s.right = facts["reached"]
        way = 0.3 * min(1.0, facts["walked"] / (2 * facts["size"] - 2))
        s.reward = 1.0 if s.right else round(way, 4)
        s.terms = {"goal": float(s.right), "way": 0.0 if s.right else s.reward}


def lagging_values(rng: Random, samples: list[Sample]) -> list[float]:
    """A critic that learns each task's chances with a delay of a step or two."""
    means: dict[int, float] = {}
    for s in samples:
        means.setdefault(s.step, fmean(o.reward for o in samples if o.step == s.step))
    known, estimate = {}, 0.1
    for step in sorted(means):
        known[step] = estimate
        estimate += 0.5 * (means[step] - estimate)
    return [known[s.step] - 0.1 * s.task.hardness + rng.gauss(0, 0.06) for s in samples]
