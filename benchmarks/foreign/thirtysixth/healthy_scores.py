"""Healthy runs whose rewards, advantages or schedules look odd at first sight."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out, whole_batch
from benchmarks.foreign.thirtysixth import layouts
from benchmarks.foreign.thirtysixth.attempts import (
    Attempt,
    Problem,
    attempt_group,
    chance,
    credit,
    distinct,
    reply,
    train,
    user,
)
from benchmarks.foreign.thirtysixth.essays import compose, draw_topic, remark
from benchmarks.foreign.thirtysixth.kinds import PART
from benchmarks.foreign.thirtysixth.programs import draw_program, write_program
from benchmarks.foreign.thirtysixth.proofs import draw_theorem, write_proof
from benchmarks.foreign.thirtysixth.rosters import draw_roster, plan, tell_plan
from benchmarks.foreign.thirtysixth.science import draw_science, reason
from benchmarks.foreign.thirtysixth.tables import draw_table, execute, write_query


def _prove(rng: random.Random, problem: Problem, right: bool) -> Attempt:
    tactic = problem.data["right" if right else "wrong"]
    extra = {"lean_output": "" if right else f"error: {tactic.split()[0]} failed"}
    ok = float(right)
    turns = [user(problem.prompt), reply(write_proof(rng, problem, tactic))]
    return Attempt(turns, ok, ok, {"proved": ok}, extra)


def _sheet(parts: list[Problem], number: int) -> Problem:
    """A sheet of theorems, all to be proved in one reply."""
    listing = "\n".join(f"{i + 1}. {p.data['statement']}" for i, p in enumerate(parts))
    prompt = f"Prove all of these in Lean 4 with Mathlib, each in a lean block of its own.\n\n{listing}"
    return Problem(f"sheet-{number:04d}", prompt, "", f"level {len(parts)}", 0.0, {"parts": parts})


@PART.healthy
def sheets_of_theorems_grow_by_plan(rng: random.Random) -> list[Row]:
    """The score sinks and replies grow: the level, which is the number of theorems on a sheet, rises with the step as
    declared, and at equal level more is proved.
    """
    drawn = distinct(rng, draw_theorem, 420)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        parts = problem.data["parts"]
        rights = [rng.random() < min(0.96, 0.74 + p.ease / 2 + 0.014 * step) for p in parts]
        text = "\n\n".join(
            write_proof(rng, p, p.data["right" if right else "wrong"]) for p, right in zip(parts, rights, strict=True)
        )
        ok = float(all(rights))
        extra = {"level": len(parts), "closed": sum(rights)}
        return Attempt([user(problem.prompt), reply(text)], ok, ok, {"all_proved": ok}, extra)

    attempts = []
    for step in range(12):
        for i in range(8):
            level = max(1, min(6, 1 + round(step * 0.42 + rng.uniform(-0.8, 0.8))))
            parts, drawn = drawn[:level], drawn[level:]
            attempts += attempt_group(rng, _sheet(parts, step * 8 + i), step, 6, solve)
    return layouts.ours(credit(rng, attempts, grpo), "proofs")


@PART.healthy
def rosters_differ_in_the_second_decimal(rng: random.Random) -> list[Row]:
    """Rewards lie mostly between 0.8 and 1 and hardly differ: any plan is nearly even. It learns."""
    problems = distinct(rng, draw_roster, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        chosen, span = plan(rng, problem, chance(problem, step, 14, 0.15, 0.65))
        reward = round(problem.data["best"] / span, 4)
        return Attempt(
            [user(problem.prompt), reply(tell_plan(rng, problem, chosen, span))],
            reward,
            None,
            {"makespan": float(span)},
        )

    return layouts.slime(train(rng, problems, 14, 7, 8, solve))


@PART.healthy
def one_attempt_each_against_the_batch(rng: random.Random) -> list[Row]:
    """Every group has one attempt, and equal rewards have advantages: REINFORCE++ standardises over the whole batch."""
    problems = distinct(rng, draw_program, 240)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        right = rng.random() < chance(problem, step, 15, 0.35, 0.4)
        ok = float(right)
        return Attempt([user(problem.prompt), reply(write_program(rng, problem, right))], ok, ok, {"tests": ok})

    return layouts.ours(credit(rng, train(rng, problems, 15, 48, 1, solve), whole_batch), "code")


@PART.healthy
def critic_tells_equal_rewards_apart(rng: random.Random) -> list[Row]:
    """PPO: attempts with one reward have unlike advantages, for each stands against its own value, which is in the
    row.
    """
    problems = distinct(rng, draw_science, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        odds = chance(problem, step, 12, 0.35, 0.4)
        text, value = reason(rng, problem, rng.random() < odds)
        ok = float(value == problem.data["value"])
        guess = 0.5 + (odds - 0.5) * min(1.0, 0.3 + 0.08 * step) + rng.gauss(0, 0.08)
        extra = {"value": round(guess, 4), "return": ok, "answer": str(value)}
        return Attempt([user(problem.prompt), reply(f"{text}\nAnswer: {value}")], ok, ok, extra=extra)

    attempts = train(rng, problems, 12, 8, 4, solve)
    for step in range(12):
        batch = [a for a in attempts if a.step == step]
        raw = [a.reward - a.extra["value"] for a in batch]
        mean = sum(raw) / len(raw)
        spread = (sum((r - mean) ** 2 for r in raw) / len(raw)) ** 0.5
        for attempt, r in zip(batch, raw, strict=True):
            attempt.advantage = round((r - mean) / (spread + 1e-8), 6)
    return layouts.openai(attempts)


@PART.healthy
def weight_of_the_fence_is_annealed(rng: random.Random) -> list[Row]:
    """The total falls while queries get better: the weight of the format term goes from 1 to 0 as declared in each
    row.
    """
    problems = distinct(rng, draw_table, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text = write_query(rng, problem, rng.random() < chance(problem, step, 12, 0.3, 0.3))
        query = text.split("```sql\n")[1].split(";")[0]
        acc = float(execute(problem.data, query) == problem.gold)
        fenced = float(rng.random() < 0.8 + 0.015 * step)
        if not fenced:
            text = text.replace("```sql\n", "").replace("\n```", "")
        weight = round(max(0.0, 1 - step / 9), 4)
        extra = {"format": fenced, "format_coef": weight}
        return Attempt([user(problem.prompt), reply(text)], round(acc + weight * fenced, 4), acc, extra=extra)

    return layouts.verl(train(rng, problems, 12, 8, 6, solve))


@PART.healthy
def most_essays_are_worth_a_three(rng: random.Random) -> list[Row]:
    """Three of five is given to more than half of the essays: they are average, and the judge's remarks speak of
    each.
    """
    problems = distinct(rng, draw_topic, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, has = compose(rng, problem, chance(problem, step, 12, 0.4, 0.35))
        mark = {0: 1, 1: 2, 2: 3, 3: 3, 4: 4, 5: 5}[sum(has)]
        mark = 3 if mark in {2, 4} and rng.random() < 0.3 else mark
        topic = problem.data["topic"]
        extra = {"judge_response": f"On {topic}: {remark(rng, has)} Mark: {mark}", "judge_mark": mark}
        return Attempt([user(problem.prompt), reply(text)], mark / 5, None, extra=extra)

    return layouts.nemo_rl(train(rng, problems, 12, 8, 6, solve))


@PART.healthy
def inequalities_open_late(rng: random.Random) -> list[Row]:
    """The family of squares is hardly proved for six steps, then solved by a few and learned like the others."""
    problems = distinct(rng, draw_theorem, 60)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        odds = chance(problem, step, 14, 0.35, 0.4)
        if problem.family == "squares":
            odds = min(odds, 0.02 + 0.1 * max(0, step - 5))
        return _prove(rng, problem, rng.random() < odds)

    return layouts.ours(credit(rng, train(rng, problems, 14, 10, 6, solve), leave_one_out), "proofs")
