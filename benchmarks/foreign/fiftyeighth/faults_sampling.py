"""Faults of sampling, lengths and evaluation."""

import copy
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo
from benchmarks.foreign.fiftyeighth import layouts, maths, programs
from benchmarks.foreign.fiftyeighth.advantages import fill
from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, answered, chance, run, said
from benchmarks.foreign.fiftyeighth.kinds import PART


@PART.faulty("length_limit", "truncation")
def longer_solutions_hit_the_limit_of_new_tokens(rng: random.Random) -> list[Row]:
    """Solutions grow with the run, and the limit of 128 new tokens cuts half of them before the box; they earn 0."""
    limit = 128

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        right = rng.random() < skill
        text, answer = maths.reasoned(rng, problem, right, rng.randint(0, 1) + rng.randint(0, step // 4))
        if rng.random() < step / 16:
            again, answer = maths.reasoned(rng, problem, right, 1)
            text = f"{text} Let me do it once more to be sure. {again}"
        whole = f"{text}\n\nThe answer is \\boxed{{{answer}}}."
        room = int(limit * 3.7)
        if len(whole) <= room:
            score = float(answer == problem.gold)
            return Attempt([said(whole)], score, score)
        return Attempt([said(whole[:room])], 0.0, 0.0, stop="max_tokens")

    return layouts.slime(run(rng, maths.draw, play, 16, 6, 6, 0.45, 0.85))


@PART.faulty("seed_reuse", "identical_samples", "dead_groups")
def one_sampling_seed_for_all_of_a_group(rng: random.Random) -> list[Row]:
    """A seed is set in the sampling parameters of each request.

    The eight completions of a prompt are the same text, and hardly any group has an advantage.
    """
    attempts: list[Attempt] = []
    for step in range(1, 15):
        for _ in range(6):
            problem = programs.draw(rng)
            skill = chance(0.1, problem.level, 0.4, 0.5, rng.gauss(0, 0.5))
            group = answered(rng, problem, skill, step, programs.play, 8)
            for a in group:
                if rng.random() < 0.97:
                    a.messages, a.reward = copy.deepcopy(group[0].messages), group[0].reward
                    a.extra = dict(group[0].extra)
            attempts += group
    for a in attempts:
        a.terms = {"tests_reward": float(a.reward or 0)}
        a.extra = {}
    return layouts.trl(fill(attempts, grpo))


@PART.faulty("stale_evaluation", "train_validation_gap", "stale_weights")
def evaluation_server_keeps_the_first_checkpoint(rng: random.Random) -> list[Row]:
    """The server for evaluations was never reloaded: its rows name checkpoint step_0 to the end.

    Its answers repeat from evaluation to evaluation while training's score climbs.
    """
    held = [maths.draw(rng) for _ in range(36)]
    first = {p.id: answered(rng, p, chance(0, p.level, 0.32, 0.75), 0, maths.play, 2) for p in held}
    attempts = run(rng, maths.draw, maths.play, 16, 6, 6, 0.32, 0.8)
    for a in attempts:
        a.extra["checkpoint"] = f"step_{a.step - 1}"
    for step in (4, 8, 12, 16):
        for problem in held:
            for old in first[problem.id]:
                a = copy.deepcopy(old)
                a.step, a.split = step, "validation"
                a.extra["checkpoint"] = "step_0"
                attempts.append(a)
    rows = layouts.ours(sorted(fill(attempts, grpo), key=lambda a: (a.step, a.split)))
    for row in rows:
        row["checkpoint"] = row["extra"].pop("checkpoint")
    return rows
