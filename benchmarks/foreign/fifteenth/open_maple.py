"""English where asked for, sign lost before compare, latency bonus becomes signal, values run from returns, lag of
two updates.
"""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import mazes, programs, spanish, sums
from benchmarks.foreign.fifteenth.core import Reply, Task, World, distinct, draw_plan, play, schedule
from benchmarks.foreign.fifteenth.estimates import grpo, mishaps
from benchmarks.foreign.fifteenth.grading import settle, turning_point
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import own


@PART.healthy
def english_where_asked_for(rng: Random) -> list[Row]:
    """Spanish prompts of which more and more ask for English, as the data are ordered: replies follow suit."""
    plan = draw_plan(rng)
    plain = World("cuentas", spanish.make, spanish.solve, "Eres un tutor. Responde en el idioma que se pida.")
    steps = schedule(rng, distinct(rng, plain, plan.steps * plan.groups), plan)
    for number, batch in enumerate(steps):
        for task in batch:
            task.extra["lang"] = "en" if rng.random() < 0.1 + 0.7 * number / plan.steps else "es"
            english = ["Responde en inglés.", "Contesta en inglés, por favor."]
            asks = english if task.extra["lang"] == "en" else ["Gracias.", ""]
            task.prompt = f"{task.prompt} {rng.choice(asks)}".strip()

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        return spanish.said(rng, task, right, task.extra["lang"])

    world = replace(plain, act=act)
    return own(rng, grpo(mishaps(rng, play(rng, world, plan, steps))), world)


@PART.faulty("weak_verifier", "metric_defect", "reward_outcome_divergence")
def sign_lost_before_compare(rng: Random) -> list[Row]:
    """The grader compares absolute values, so answers with the wrong sign are paid, and the policy grows careless of
    signs.
    """
    plan = draw_plan(rng)

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        slips = task.family in ("signed", "sequences", "motion") and rng.random() < 0.22 + 0.12 * (level - plan.start)
        if not slips:
            return sums.solve(rng, task, right, level)
        return sums.written(rng, task, str(-int(task.gold)), level)

    def make(rng: Random) -> Task:
        task = sums.make(rng, ("signed", "sequences", "motion", "rates"))
        task.extra["ground_truth"] = task.gold
        return task

    world = World("wordmath", make, act, sums.SUMS.system)
    episodes = settle(play(rng, world, plan))
    for e in episodes:
        e.right = abs(int(e.reply.answer)) == abs(int(e.task.gold))
        e.reward, e.terms = float(e.right), {"math_verify": float(e.right)}
    return own(rng, grpo(mishaps(rng, episodes)), world)


@PART.faulty("phantom_advantage", "low_reward_spread")
def latency_bonus_becomes_signal(rng: Random) -> list[Row]:
    """A bonus of a few thousandths for speed is all that differs in most groups, and division by the deviation makes
    full-size advantages of it.
    """
    plan = draw_plan(rng, start=1.5, gain=2.0, size=6)
    episodes = play(rng, programs.PROGRAMS, plan)
    for e in episodes:
        speed = round(0.004 / (1 + e.seconds), 6)
        e.reward, e.terms = round(float(e.right) + speed, 6), {"tests": float(e.right), "speed": speed}
    return own(rng, grpo(mishaps(rng, episodes)), programs.PROGRAMS)


@PART.faulty("critic_divergence")
def values_run_from_returns(rng: Random) -> list[Row]:
    """The critic's values leave the range of returns and run off upwards, so advantages of won games are negative."""
    plan = draw_plan(rng, gain=0.8)
    since = turning_point(rng, plan, 0.25, 0.4)
    episodes = settle(play(rng, mazes.MAZES, plan))
    for e in episodes:
        age = e.step - plan.first - since
        value = rng.gauss(0.25 + 0.35 * e.right, 0.12)
        if age >= 0:
            value += 0.5 * 1.75 ** min(age, 7) * rng.lognormvariate(0, 0.2)
        gap = e.reward - value
        e.advantage = round(gap, 5)
        e.extra |= {"value": round(value, 4), "return": e.reward, "value_loss": round(gap * gap, 4), "gamma": 1.0}
    return own(rng, episodes, mazes.MAZES, adv_estimator="gae")


@PART.healthy
def lag_of_two_updates(rng: Random) -> list[Row]:
    """Asynchronous training: attempts are up to two updates old, and ratios of trainer to sampler stay close to 1."""
    plan = draw_plan(rng, first=0)
    episodes = play(rng, sums.SUMS, plan)
    for e in episodes:
        lag = min(e.step, rng.choice([0, 1, 1, 1, 2]))
        ratio = round(rng.gauss(1.0, 0.006 + 0.008 * lag), 4)
        e.extra |= {"policy_lag": lag, "weights_step": e.step - lag, "mean_ratio": ratio}
    return own(rng, grpo(mishaps(rng, episodes)), sums.SUMS, max_lag=2)
