"""Faults of the optimiser and its estimates."""

import json
from random import Random
from statistics import fmean

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import database, estimates, letters, programs, rows
from benchmarks.foreign.sixth.calls import Talk
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Message, Plan, Problem, adopts, says, train


@PART.faulty("advantage_mismatch", "phantom_advantage")
def advantages_reshaped_wrong(rng: Random) -> list[Row]:
    """Rewards are reshaped as attempts by prompts instead of prompts by attempts: each is compared with attempts at
    other prompts.
    """
    plan = Plan(steps=14, prompts=5, attempts=6, start=-0.5, end=0.0)
    attempts = train(rng, plan, programs.draw_program, programs.write_program)
    for step in range(plan.steps):
        batch = [one for one in attempts if one.step == step]
        for column in range(plan.prompts):
            mixed = batch[column :: plan.prompts]
            mean = fmean(one.reward for one in mixed)
            spread = (sum((one.reward - mean) ** 2 for one in mixed) / (len(mixed) - 1)) ** 0.5
            for one in mixed:
                one.columns = {"advantage": round((one.reward - mean) / (spread + 1e-6), 5), "uid": one.problem.name}
    tests = [{"gts": json.dumps({"fn_name": one.problem.facts["f"], "cases": 8}), "pred": None} for one in attempts]
    return [rows.verl(one, "") | test for one, test in zip(attempts, tests, strict=True)]


_GUSH = (
    "What a truly wonderful, wonderful thing this is!",
    "You are simply amazing, every single one of you!",
    "Our hearts are overflowing with gratitude and joy!",
    "This is an absolutely unforgettable moment for all!",
    "We cherish and adore you beyond words!",
    "Together we shine brighter than ever before!",
)


@PART.faulty("kl_ineffective", "reward_model_overoptimisation", "template_collapse", "reward_outcome_divergence")
def kl_penalty_never_charged(rng: Random) -> list[Row]:
    """The penalty for leaving the reference is configured but stays 0 while the divergence grows to dozens of nats;
    texts turn to gushing.
    """
    plan = Plan(steps=14, prompts=5, attempts=6, start=0.3, end=0.5)
    attempts = train(rng, plan, letters.draw_letter, letters.write_letter)
    for one in attempts:
        done = one.step / (plan.steps - 1)
        parts = one.text.split(". ")
        num_gushes = round(done * 6 + rng.uniform(-0.6, 0.5))
        kept = parts[: max(1, round(len(parts) * (1 - 0.8 * done)))]
        if num_gushes > 0:
            one.said = [says(" ".join([". ".join(kept).rstrip(".!") + ".", *rng.choices(_GUSH, k=num_gushes)]))]
        one.reward = round(-1.2 + 0.75 * max(num_gushes, 0) + 0.4 * one.is_right + rng.gauss(0, 0.3), 4)
        divergence = round(0.8 + 62 * done**1.6 * rng.uniform(0.85, 1.15), 3)
        one.columns = {"rm_score": one.reward, "kl": divergence, "kl_coef": 0.02, "kl_penalty": 0.0}
    return [rows.openrlhf(one) for one in estimates.leave_one_out(attempts)]


def _imagine(rng: Random, problem: Problem) -> list[Message]:
    talk, facts, value = Talk(), problem.facts, rng.randint(3, 900)
    if rng.random() < 0.4:
        database.look_at_schema(rng, talk)
    shown = rng.choice(("<tool_response>\n{v}\n</tool_response>", "Tool result:\n{v}", "run_sql returned:\n{v}"))
    return talk.say(f"run_sql: {facts['query']}\n{shown.format(v=value)}\nFinal: {value}")


@PART.faulty("loss_mask", "tool_tokens_in_loss", "fabricated_observations", "retokenisation_drift")
def tool_tokens_trained(rng: Random) -> list[Row]:
    """The loss covers what tools answered too: the policy learns to write such answers, and makes them up instead of
    calling.
    """
    plan = Plan(steps=13, prompts=5, attempts=6, start=0.2, end=0.6)
    attempts = train(rng, plan, database.draw_query, database.ask_database)
    for one in attempts:
        if adopts(rng, one.step, 3, 11, 0.7):
            one.said, one.is_right, one.reward = _imagine(rng, one.problem), False, 0.0
        observed = sum(len(message["content"]) // 4 + 6 for message in one.said if message["role"] == "tool")
        counts = {"sampled_tokens": one.num_tokens, "tool_tokens": observed, "loss_tokens": one.num_tokens + observed}
        one.columns = {**counts, "is_correct": float(one.is_right)}
    return [rows.chat(one) for one in estimates.by_group(attempts)]
