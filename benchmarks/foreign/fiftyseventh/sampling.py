"""Faults of sampling and lengths."""

import random

from benchmarks.foreign.estimators import grpo
from benchmarks.foreign.fiftyseventh.advantages import put
from benchmarks.foreign.fiftyseventh.endings import boxed
from benchmarks.foreign.fiftyseventh.kinds import PART
from benchmarks.foreign.fiftyseventh.layouts import Row, ours, verl
from benchmarks.foreign.fiftyseventh.policy import Plan, attempts
from benchmarks.foreign.fiftyseventh.proofs import draw_goal
from benchmarks.foreign.fiftyseventh.sums import draw_sum


@PART.faulty("seed_reuse", "identical_samples", "dead_groups", "entropy_collapse")
def every_request_carries_the_same_seed(rng: random.Random) -> list[Row]:
    """The sampler's seed is set a request, so the attempts of a group are word for word the same, but for a few
    that batching changed.
    """
    rows, first = [], {}
    for draw in attempts(rng, Plan(steps=12, problems=10, group=8, start=-0.1, rate=0.02), draw_sum):
        if draw.group in first and rng.random() < 0.93:
            draw.text, number = first[draw.group]
        else:
            number = boxed(draw, rng)
            first.setdefault(draw.group, (draw.text, number))
        draw.reward = float(number == draw.task.answer)
        draw.beside = {"acc": draw.reward, "uid": draw.group, "sampling_seed": 42, "temperature": 1.0}
        rows.append(verl(draw))
    return rows


@PART.faulty("length_limit", "truncation")
def proofs_end_at_the_token_budget(rng: random.Random) -> list[Row]:
    """The budget of 180 tokens cuts ever more proofs before their end as plans grow; they get 0, and the score
    falls from midway.
    """
    draws = list(attempts(rng, Plan(steps=12, problems=8, group=8, start=0.5, rate=0.1), draw_goal))
    for draw in draws:
        text = draw.task.solve(rng, draw.right, more=max(0, round(rng.gauss(0.5 + 0.42 * draw.step, 1.6))))
        draw.text = text[: round(180 * 3.9)]
        cut = len(draw.text) < len(text)
        draw.right = draw.right and not cut
        draw.stop = "max_tokens" if cut else "stop"
        draw.reward = float(draw.right)
        draw.beside = {"format_ok": not cut, "max_tokens": 180}
    return [ours(d, "lean") for d in put(draws, grpo)]
