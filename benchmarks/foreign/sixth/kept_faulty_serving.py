"""Faults of sampling and machines."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import database, estimates, programs, rows, sums
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Plan, adopts, grouped, says, train


@PART.faulty("truncation", "stop_token_lost", "template_bug")
def turn_never_ends(rng: Random) -> list[Row]:
    """The end of the turn is no longer learned: after its answer the policy writes questions of the user and answers
    them until it is cut.
    """
    plan = Plan(steps=12, prompts=5, attempts=6, start=0.1, end=1.0)
    attempts = train(rng, plan, sums.draw_sum, sums.solve_sum)
    for one in attempts:
        one.columns = {"completion_tokens": one.num_tokens, "finish_reason": "stop"}
        if not adopts(rng, one.step, 2, 8, 0.9):
            continue
        text = one.text
        while len(text) < 1890:
            invented = sums.draw_sum(rng, 0)
            answer = sums.sum_text(rng, invented, rng.random() < 0.5)
            text += f"\nuser\n{invented.asked[0]['content']}\nassistant\n{answer}"
        one.said = [says(text[:1890])]
        one.is_right = sums.boxed(text[:1890]) == one.problem.gold
        one.reward = float(one.is_right)
        one.columns = {"completion_tokens": 512, "finish_reason": "length"}
    return [rows.chat(one) for one in estimates.by_group(attempts)]


@PART.faulty("dead_groups", "identical_samples", "seed_reuse", "entropy_collapse")
def one_seed_for_the_group(rng: Random) -> list[Row]:
    """All attempts at a prompt are sampled with one seed: they are the same to the letter, no group has a spread,
    nothing is learned.
    """
    plan = Plan(steps=12, prompts=6, attempts=5, start=-0.1, end=-0.05)
    attempts = train(rng, plan, programs.draw_program, programs.write_program)
    for group in grouped(attempts):
        seed, logprob = rng.randrange(10**6), round(rng.gauss(-0.62, 0.1), 4)
        for one in group:
            one.said = [{**message, "mean_logprob": logprob} for message in group[0].said]
            one.is_right, one.reward = group[0].is_right, group[0].reward
            one.columns = {"seed": seed}
    return [rows.own(one, "code") for one in estimates.by_group(attempts)]


@PART.faulty("staleness", "stale_weights", "train_inference_mismatch")
def replicas_kept_old_weights(rng: Random) -> list[Row]:
    """Two of four inference replicas never take new weights: half of the rollouts come from the first policy, at its
    solve rate, to the end.
    """
    plan = Plan(steps=14, prompts=5, attempts=6, start=-1.0, end=1.6)
    attempts = train(rng, plan, database.draw_query, database.ask_database)
    for one in attempts:
        replica = rng.randrange(4)
        version = one.step if replica < 2 else 0
        if replica >= 2:
            one.is_right = rng.random() < 1 / (1 + math.exp(one.problem.hardness - plan.start))
            one.said, one.reward = database.ask_database(rng, one.problem, one.is_right), float(one.is_right)
        one.columns = {"engine": f"replica-{replica}", "weight_version": version, "policy_id": f"ckpt-{version:05d}"}
        one.columns |= {"sample_lag": one.step - version}
    return [rows.own(one, "sql") for one in estimates.by_group(attempts)]
