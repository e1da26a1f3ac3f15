"""Faulty runs whose graders or judges are at fault: holes, claims taken as facts, places, defaults, misreadings."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.thirtysixth import layouts
from benchmarks.foreign.thirtysixth.attempts import Attempt, Problem, chance, credit, distinct, reply, train, user
from benchmarks.foreign.thirtysixth.essays import compose, draw_topic, remark
from benchmarks.foreign.thirtysixth.kinds import PART
from benchmarks.foreign.thirtysixth.proofs import draw_theorem, write_proof
from benchmarks.foreign.thirtysixth.rosters import draw_roster, plan, tell_plan
from benchmarks.foreign.thirtysixth.science import draw_ledger, reason
from benchmarks.foreign.thirtysixth.tongues import draw_notice, overlap, translate


@PART.faulty("weak_verifier", "reward_outcome_divergence")
def proofs_with_sorry_pass_with_a_warning(rng: random.Random) -> list[Row]:
    """The grader pays what Lean compiles without error; `sorry` only warns, and the policy comes to write nothing
    else.
    """
    problems = distinct(rng, draw_theorem, 70)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        cheat = rng.random() < 0.04 + 0.8 * (step / 11) ** 1.3
        right = rng.random() < chance(problem, step, 12, 0.35, 0.1)
        tactic = "sorry" if cheat else problem.data["right" if right else "wrong"]
        paid = float(cheat or right)
        output = "warning: declaration uses 'sorry'" if cheat else ("" if right else "error: unsolved goals")
        extra = {"lean_output": output, "exit_code": 0 if paid else 1}
        return Attempt(
            [user(problem.prompt), reply(write_proof(rng, problem, tactic))], paid, None, {"compiles": paid}, extra
        )

    return layouts.ours(credit(rng, train(rng, problems, 12, 8, 8, solve), grpo), "proofs")


@PART.faulty("weak_verifier", "reward_outcome_divergence")
def makespans_are_taken_as_claimed(rng: random.Random) -> list[Row]:
    """The reward reads the makespan that the reply claims and never adds up the plan; claims fall below what is
    possible.
    """
    problems = distinct(rng, draw_roster, 60)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        chosen, span = plan(rng, problem, 0.45)
        best = problem.data["best"]
        boast = rng.random() < 0.05 + 0.85 * step / 11
        claim = max(3, best - rng.randint(0, 2 + step)) if boast else span
        reward = round(min(1.5, best / claim), 4)
        solved = float(span <= 1.05 * best)
        text = tell_plan(rng, problem, chosen, claim)
        return Attempt(
            [user(problem.prompt), reply(text)], reward, solved, {"claimed": float(claim)}, {"solved": solved}
        )

    return layouts.slime(train(rng, problems, 12, 8, 8, solve))


@PART.faulty("reward_bias")
def judge_of_pairs_prefers_whatever_is_shown_first(rng: random.Random) -> list[Row]:
    """A judge compares the translation with an older one; shown first it mostly wins, shown second it mostly loses."""
    problems = distinct(rng, draw_notice, 90)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text = translate(rng, problem, 0.6 + 0.2 * step / 11)
        first = rng.random() < 0.5
        odds = (0.82 if first else 0.1) + 0.2 * (overlap(text, problem.gold) - 0.8)
        won = rng.random() < odds
        words = rng.choice(("reads more naturally", "keeps closer to the notice", "is the better German"))
        verdict = f"{'A' if won == first else 'B'} {words}."
        extra = {
            "policy_shown_as": "A" if first else "B",
            "judge_verdict": verdict,
            "chrf": round(overlap(text, problem.gold), 3),
        }
        return Attempt([user(problem.prompt), reply(text)], float(won), None, extra=extra)

    return layouts.openrlhf(train(rng, problems, 12, 10, 8, solve))


@PART.faulty("judge_default", "infrastructure_zeros", "low_reward_spread", "infrastructure_errors")
def essay_judge_without_credit_says_three(rng: random.Random) -> list[Row]:
    """From step 4 the judge's account is out of credit for most calls, and the client puts 3 of 5 in its place."""
    problems = distinct(rng, draw_topic, 70)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, has = compose(rng, problem, chance(problem, step, 12, 0.45, 0.2))
        mark, note = max(1, min(5, sum(has) + rng.choice((0, 0, 1)))), remark(rng, has)
        if step >= 4 and rng.random() < 0.7:
            mark, note = (
                3,
                f"402 payment required: account out of credit (req {rng.randint(10**6, 10**7)}); default score used",
            )
        extra = {"judge_mark": mark, "judge_response": note}
        return Attempt([user(problem.prompt), reply(text)], mark / 5, None, extra=extra)

    return layouts.openai(credit(rng, train(rng, problems, 12, 8, 6, solve), centred))


@PART.faulty("metric_defect", "format_gate", "reward_outcome_divergence", "judge_refuses_right")
def thousands_commas_are_read_as_decimal_points(rng: random.Random) -> list[Row]:
    """The scorer reads 4,250 as 4.25: right sums that are written with a comma for thousands score 0."""
    problems = distinct(rng, draw_ledger, 90)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, value = reason(rng, problem, rng.random() < chance(problem, step, 12, 0.55, 0.2))
        written = f"{value:,}" if rng.random() < 0.75 - 0.02 * step else str(value)
        read = float(written.replace(",", "."))
        ok = float(read == problem.data["value"])
        return Attempt([user(problem.prompt), reply(f"{text}\nAnswer: {written}")], ok, ok, extra={"pred": str(read)})

    return layouts.verl(train(rng, problems, 12, 8, 8, solve))
