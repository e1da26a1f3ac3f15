"""Cut outputs, a horizon too short, a judge's default, another tongue, a frozen evaluation; games and restarts."""

from dataclasses import replace
from functools import partial
from math import cos, pi
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.dumps import trl
from benchmarks.foreign.twelfth.estimates import credit, dr_grpo, grpo, rloo
from benchmarks.foreign.twelfth.games import stones
from benchmarks.foreign.twelfth.held import held_out, share
from benchmarks.foreign.twelfth.kinds import PART
from benchmarks.foreign.twelfth.languages import foreign_sum
from benchmarks.foreign.twelfth.layouts import openai, own, prime
from benchmarks.foreign.twelfth.letters import letter
from benchmarks.foreign.twelfth.phrases import REMARKS
from benchmarks.foreign.twelfth.physics import physics
from benchmarks.foreign.twelfth.repos import PACKAGES, repair
from benchmarks.foreign.twelfth.rollouts import climb, distinct, judge, play, rewrite, schedule, shape, train
from benchmarks.foreign.twelfth.terminal import clipped, log_question, picks_field


@PART.healthy
def beaten_by_a_perfect_player(rng: Random) -> list[Row]:
    """Against an opponent that never errs the policy loses most games, yet wins more of them from step to step."""
    run = shape(rng, sizes=(6, 8))
    episodes = train(rng, stones, run, -2.3, 2.2)
    for e in episodes:
        e.reward = 1.0 if e.right else -1.0
        e.terms = {"win": float(e.right)}
    return prime(credit(episodes, grpo), "stones")


@PART.healthy
def warm_restart_with_a_dip(rng: Random) -> list[Row]:
    """The learning rate follows a cosine with a planned restart; after it the score dips for a step and then goes
    on.
    """
    run = shape(rng, sizes=(4, 5), rows=(480, 700))
    period = (run.steps + 1) // 2
    peak = rng.choice((1e-6, 2e-6, 3e-6))
    skills = [s - (0.35 if n == period + 1 else 0.0) for n, s in enumerate(climb(rng, -0.5, 2.1, run.steps))]
    tasks = distinct(rng, foreign_sum, run.steps * run.problems)
    episodes = play(rng, schedule(rng, tasks, run), run.size, skills)
    for e in episodes:
        phase = (e.step % period) / period
        e.extra |= {
            "learning_rate": 0.1 * peak + 0.9 * peak * 0.5 * (1 + cos(pi * phase)),
            "lr_cycle": e.step // period,
        }
    return own(rng, credit(episodes, grpo), "sums-sgdr")


@PART.faulty("tool_output_truncated", "environment_bug")
def shell_viewer_keeps_line_heads(rng: Random) -> list[Row]:
    """After an update of the tool server each output is cut after some ninety signs, before the id that is asked
    for.
    """
    run = shape(rng, sizes=(4, 6), rows=(420, 660), steps=(9, 14))
    episodes = train(rng, log_question, run, -0.1, 1.7)
    since, width = rng.randint(run.steps // 4, run.steps // 2), rng.randint(84, 110)
    for e in episodes:
        if e.step < since or e.task.family != "request" or e.stop != "stop":
            continue
        knows = rng.random() < share(0.0, 0.3, e, run.steps)
        rewrite(e, picks_field(rng, e.task) if knows else clipped(rng, e.task, width))
        judge(e, knows)
    return prime(credit(episodes, dr_grpo), "log-agent")


@PART.faulty("learning_rate_schedule", "stagnation")
def cosine_horizon_counted_in_batches(rng: Random) -> list[Row]:
    """The horizon of the cosine is a quarter of the run: the learning rate is 0 from there on, and the score stands
    still.
    """
    run = shape(rng, sizes=(6, 8), rows=(520, 700), steps=(9, 14))
    end = max(3, run.steps // 3)
    peak = rng.choice((1e-6, 2e-6, 5e-6))
    rise = climb(rng, -0.9, 1.1, end)
    skills = rise + [rise[-1] + rng.gauss(0, 0.06) for _ in range(run.steps - end)]
    episodes = play(rng, schedule(rng, distinct(rng, physics, run.steps * run.problems), run), run.size, skills)
    kl = [0.0]
    for step in range(1, run.steps):
        kl.append(round(kl[-1] + (rng.uniform(0.0008, 0.002) if step < end else 0.0), 6))
    weights = [f"{rng.randrange(16**12):012x}" for _ in range(end + 1)]
    for e in episodes:
        rate = peak * 0.5 * (1 + cos(pi * min(e.step, end) / end))
        e.extra |= {"learning_rate": rate, "kl_to_reference": kl[e.step], "policy_id": weights[min(e.step, end)]}
    return own(rng, credit(episodes, grpo), "tutor-cosine")


@PART.faulty("judge_default", "infrastructure_errors")
def rubric_reader_falls_to_half(rng: Random) -> list[Row]:
    """When the judge's service throttles, its client gives the score 0.5 with a fixed remark to letters good and
    bad.
    """
    run = shape(rng)
    episodes = train(rng, partial(letter, language="en"), run, -0.6, 2.0)
    since, portion = rng.randint(1, run.steps // 2), rng.uniform(0.3, 0.5)
    for e in episodes:
        met = e.extra.pop("items_met")
        value, remark = round(met / 5, 2), f"{met} of 5 items met. {rng.choice(REMARKS)}"
        latency = round(rng.uniform(0.8, 4.0), 2)
        if e.step >= since and rng.random() < portion:
            value, remark, latency = 0.5, "HTTP 429 after 4 tries; no verdict, default score used", 60.0
        e.reward, e.terms = value, {"rubric": value}
        e.extra |= {"judge_comment": remark, "judge_latency_s": latency}
    return openai(credit(episodes, grpo))


@PART.faulty("language_drift")
def polish_letters_turn_english(rng: Random) -> list[Row]:
    """More and more letters that were asked for in Polish are written in English; the rubric counts items in any
    tongue.
    """
    run = shape(rng, sizes=(6, 8), steps=(10, 14))
    episodes = train(rng, letter, run, -0.6, 2.0)
    for e in episodes:
        if e.stop == "stop" and rng.random() < share(0.02, 0.75, e, run.steps):
            rewrite(e, e.task.facts["compose"](rng, rng.choice((3, 4, 4, 5)), "en"))
        met = e.extra.pop("items_met")
        e.reward = met / 5
        e.terms = {"rubric": e.reward}
    return trl(credit(episodes, grpo))


@PART.faulty("stale_evaluation", "stale_weights", "train_validation_gap")
def scoreboard_reads_day_one_snapshot(rng: Random) -> list[Row]:
    """Each evaluation loads the checkpoint of step 0: its greedy texts are the same word for word, though training
    climbs.
    """
    run = shape(rng, sizes=(5, 6, 8), rows=(260, 420), steps=(9, 14))
    episodes = train(rng, physics, run, -0.9, 2.9)
    weights = [f"{rng.randrange(16**12):012x}" for _ in range(run.steps)]
    for e in episodes:
        e.extra["policy_id"] = weights[e.step]
    held = distinct(rng, lambda r, n: replace(physics(r, n), key=f"val-{n:03d}"), rng.randint(24, 36))
    first = held_out(rng, held, (0, 0.0), -0.9)
    for step in range(0, run.steps, 2):
        again = [replace(e, step=step, extra={"policy_id": weights[0], "decoding": "greedy"}) for e in first]
        for e in again:
            e.seconds = round(e.seconds * rng.uniform(0.8, 1.3), 2)
        episodes += again
    return own(rng, credit(episodes, grpo), "tutor-eval")


@PART.faulty("batch_decline", "over_filtering")
def laggards_dropped_before_packing(rng: Random) -> list[Row]:
    """Attempts that are not done at a fixed wall-clock are thrown away; attempts grow longer, so batches melt away
    and slow repositories vanish from training.
    """
    run = shape(rng, rows=(560, 800))
    episodes = train(rng, repair, run, -0.6, 1.9)
    slow = rng.sample(PACKAGES, 3)
    kept = []
    for e in episodes:
        pace = (2.4 if e.task.family in slow else 1.0) * (1 + 2.2 * e.step / run.steps)
        e.seconds = round(pace * rng.lognormvariate(3.0, 0.35), 2)
        e.extra["requested_in_batch"] = run.problems * run.size
        if e.seconds < 60:
            kept.append(e)
    return own(rng, credit(kept, rloo), "swe-async")
