"""Kinds that are entered here.

Cosine horizon in microsteps; overlong attempts masked out; wins and losses as signs; arbiter quota gives half.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import cards, physics, pytool, resumenes
from benchmarks.foreign.twentysixth.attempts import Plan, play, truncate, wear
from benchmarks.foreign.twentysixth.credit import grpo, ppo, reinforce_pp, rloo
from benchmarks.foreign.twentysixth.dumps import own
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import openrlhf
from benchmarks.foreign.twentysixth.turns import pick


@PART.faulty("learning_rate_schedule", "zero_gradient", "stagnation")
def cosine_horizon_in_microsteps(rng: Random) -> list[Row]:
    """The schedule counts micro-steps for steps: the learning rate is 0 after a third of the run, the weights keep
    their hash from then on and the score stays where it was.
    """
    end = rng.randint(4, 5)
    pace = [min(s, end) / 11 * 1.4 for s in range(12)]
    attempts = wear(rng, play(rng, physics.WORLD, Plan(12, 7, 5, -0.7, 2.2), prefix="ph", pace=pace))
    hashes = [f"{rng.randrange(16**8):08x}" for _ in range(12)]
    peak = rng.choice((1e-6, 2e-6, 5e-7))
    rates = [peak * max(0.0, (end - s) / end) for s in range(12)]
    norms = [round(rng.uniform(0.2, 0.7), 4) if rate else 0.0 for rate in rates]
    for a in attempts:
        at = a.step - 1
        a.extra |= {"learning_rate": rates[at], "update_norm": norms[at], "weights": hashes[min(at, end)]}
        a.terms = {"accuracy": a.reward}
    return own(rng, rloo(attempts), "school-physics")


@PART.healthy
def overlong_attempts_masked_out(rng: Random) -> list[Row]:
    """Attempts that run one program over and over until their budget ends are left out of the loss, as is usual; they
    are one in twenty at first and become fewer.
    """
    attempts = play(rng, pytool.WORLD, Plan(11, 7, 6, -0.3, 2.0), prefix="py")
    for a in attempts:
        if rng.random() < 0.06 * (1 - a.progress) + 0.01:
            a.reply.messages[:0] = a.reply.messages[:-1] * rng.randint(4, 7)
            truncate(rng, a)
            a.in_loss = False
        a.terms = {"accuracy": a.reward}
    return own(rng, grpo(attempts), "python-tool")


@PART.healthy
def wins_and_losses_as_signs(rng: Random) -> list[Row]:
    """PPO on a game of luck with rewards of 1 and -1: most early rewards are negative and values begin below 0, as
    they should.
    """
    attempts = play(rng, cards.WORLD, Plan(12, 9, 4, -0.9, 1.7), prefix="tab")
    for a in attempts:
        a.reward = 1.0 if a.right else -1.0
        a.terms = {"outcome": a.reward}
    ppo(rng, attempts, -0.9, 1.7, low=-1.0)
    return own(rng, attempts, "twenty-one-ppo")


@PART.faulty("judge_default", "infrastructure_errors", "infrastructure_zeros")
def arbiter_quota_gives_half(rng: Random) -> list[Row]:
    """When the judge's quota is used up, from the middle of the run on, a third of the summaries get the default mark
    5 of 10, whatever they say.
    """
    attempts = wear(rng, play(rng, resumenes.WORLD, Plan(11, 8, 5, -0.3, 1.9), prefix="news"))
    begin = rng.randint(4, 6)
    for a in attempts:
        mark = resumenes.judged(rng, a.right)
        why = (
            pick(rng, "dice quién y por qué", "frase clara")
            if a.right
            else pick(rng, "falta el hecho", "demasiado vaga")
        )
        a.extra["judge_reply"] = f"Nota: {mark:.0f}. Motivo: {why}."
        if a.step >= begin and rng.random() < 0.38:
            mark, wait = 5.0, rng.randint(2, 59)
            a.extra["judge_reply"] = f"Error 429: insufficient_quota, retry after {wait}s; using fallback score"
        a.reward = mark / 10
    return openrlhf(reinforce_pp(attempts))
