"""Faults of the trainer's arithmetic: baselines, masks, penalties, logprobs."""

import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyseventh.agents import Wiki
from benchmarks.foreign.fortyseventh.credit import by_group, by_step, fill
from benchmarks.foreign.fortyseventh.functions import Functions
from benchmarks.foreign.fortyseventh.kinds import PART
from benchmarks.foreign.fortyseventh.layouts import openai, ours, prime_rl, verl
from benchmarks.foreign.fortyseventh.numbers import ENDS, Numbers
from benchmarks.foreign.fortyseventh.policy import Attempt, Plan, play, pool_of, ramp
from benchmarks.foreign.fortyseventh.tables import Queries


@PART.faulty("advantage_mismatch")
def baseline_comes_from_the_next_group(rng: random.Random) -> list[Row]:
    """Means and deviations are shifted by one group: advantages are against the rewards of another problem."""
    attempts = play(rng, Functions(), Plan(steps=12, groups=8, size=8, pool=90, spread=1.3))
    for batch in by_step(attempts).values():
        groups = list(by_group(batch).values())
        for place, members in enumerate(groups):
            others = np.array([a.reward for a in groups[(place + 1) % len(groups)]], dtype=float)
            for a in members:
                a.advantage = round(float((a.reward - others.mean()) / (others.std(ddof=1) + 1e-4)), 6)
                if others.std() == 0:
                    a.advantage = round(float(a.reward - others.mean()), 6)
    return prime_rl(attempts, "python-functions")


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def search_pages_carry_loss(rng: random.Random) -> list[Row]:
    """`loss_mask` is 1 on the search's answers as on the policy's own messages."""
    attempts = fill(play(rng, Wiki(), Plan(steps=12, groups=8, size=8, start=0.0, gain=1.6)))
    rows = openai(attempts)
    for row in rows:
        row["messages"] = [{**m, "loss_mask": int(m["role"] in ("assistant", "tool"))} for m in row["messages"]]
    return rows


def _drifted(rng: random.Random, a: Attempt, share: float) -> str:
    f = a.problem.facts
    value = a.text.rsplit("#### ", 1)[-1]
    bits = [
        f"{f['x']}::{f['y']}->>{f['x'] * f['y']}",
        f"so so {f['z']} the the therefore",
        f"|{f['o']}{f['z']}| yes total total",
        "ok; ok; proceed final",
        f"units({f['x']}) groups groups",
        f"≈{f['y']} hence hence thus",
    ]
    if rng.random() > share:
        return a.text
    return " ".join(rng.sample(bits, rng.randint(3, 5))) + f"\n{ENDS['hash'].format(w=value)}"


@PART.faulty("kl_ineffective", "kl_drift")
def penalty_is_multiplied_by_a_lost_coefficient(rng: random.Random) -> list[Row]:
    """`kl_coef` says 0.05, `kl_penalty` is 0 in every row, and `kl` climbs to several nats while the prose decays."""
    steps = 15
    attempts = play(rng, Numbers(("en",)), Plan(steps=steps, groups=8, size=8, pool=100, start=-0.2, gain=0.9))
    for a in attempts:
        drift = ramp(a.step, steps, 0.02, 5.5)
        a.text = _drifted(rng, a, drift / 6.5)
        a.extra = {
            "uid": a.group,
            "kl": round(max(0.001, drift * rng.lognormvariate(0, 0.25)), 4),
            "kl_coef": 0.05,
            "kl_penalty": 0.0,
        }
    return verl(attempts)


@PART.faulty("train_inference_mismatch")
def eight_bit_sampler_parts_from_the_trainer(rng: random.Random) -> list[Row]:
    """After a switch of the sampler to eight bits at step 5, its logprobs and the trainer's lie half a nat apart."""
    steps = 12
    problems = pool_of(rng, Queries(), 70)

    def level(step: int) -> float:
        return -0.2 + 0.15 * min(step, 6) - 0.12 * max(0, step - 6)

    attempts = fill(play(rng, Queries(), Plan(steps=steps, groups=6, size=8), problems, level))
    rows = ours(attempts, "sql")
    for a, row in zip(attempts, rows, strict=True):
        gap = 0.0 if a.step < 5 else 0.3 + 0.05 * (a.step - 5)
        noise = 0.015 if a.step < 5 else 0.6
        sampler = [round(-rng.expovariate(3.0), 4) for _ in range(a.tokens)]
        trainer = [
            round(min(-1e-4, s - abs(rng.gauss(gap, noise)) if gap else s + rng.gauss(0, noise)), 4) for s in sampler
        ]
        row["rollout_logprobs"], row["train_logprobs"] = sampler, trainer
        row["sampler_precision"] = "bf16" if a.step < 5 else "fp8"
    return rows
