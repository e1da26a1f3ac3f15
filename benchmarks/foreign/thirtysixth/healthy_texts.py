"""Healthy runs whose texts, answers or logprobs look odd at first sight."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
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
from benchmarks.foreign.thirtysixth.kinds import PART
from benchmarks.foreign.thirtysixth.knaves import argue_island, draw_island
from benchmarks.foreign.thirtysixth.lessons import draw_lesson, teach
from benchmarks.foreign.thirtysixth.reading import draw_harbour, read_answer
from benchmarks.foreign.thirtysixth.science import draw_ledger, reason
from benchmarks.foreign.thirtysixth.tables import draw_table, execute, write_query
from benchmarks.foreign.thirtysixth.tongues import draw_notice, draw_sign, overlap, translate


@PART.healthy
def station_signs_have_one_usual_wording(rng: random.Random) -> list[Row]:
    """Attempts at signs of two words agree letter for letter, as there is one usual wording; longer notices still
    differ.
    """
    problems = [draw_sign(i) for i in range(16)] + distinct(rng, draw_notice, 64)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text = translate(rng, problem, chance(problem, step, 10, 0.55, 0.25))
        score = round(overlap(text, problem.gold), 4)
        terms = {"chrf_reward": score}
        return Attempt([user(problem.prompt), reply(text)], score, None, terms, {"reference": problem.gold})

    return layouts.trl(credit(rng, train(rng, problems, 10, 8, 8, solve), grpo))


@PART.healthy
def tutor_writes_the_words_that_are_taught(rng: random.Random) -> list[Row]:
    """English replies hold words and lines in Greek letters: these are the lesson, and the prompt asks for them."""
    problems = distinct(rng, draw_lesson, 80)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        right = rng.random() < chance(problem, step, 12, 0.4, 0.4)
        ok = float(right)
        return Attempt([user(problem.prompt), reply(teach(rng, problem, right))], ok, ok)

    return layouts.openai(credit(rng, train(rng, problems, 12, 8, 6, solve), centred))


@PART.healthy
def islanders_are_answered_by_yes_or_no(rng: random.Random) -> list[Row]:
    """The whole log has two answers, and attempts at a riddle mostly agree: nothing else can be said to such
    questions.
    """
    problems = distinct(rng, draw_island, 90)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, answer = argue_island(rng, problem, rng.random() < chance(problem, step, 8, 0.55, 0.2))
        ok = float(answer == problem.gold)
        return Attempt([user(problem.prompt), reply(text)], ok, ok, extra={"answer": answer})

    return layouts.inspect(train(rng, problems, 8, 30, 3, solve))


@PART.healthy
def held_out_tables_are_asked_in_the_same_words(rng: random.Random) -> list[Row]:
    """Validation questions are worded like those of training, but are asked of other tables with other values."""
    problems = distinct(rng, lambda r, i: draw_table(r, i, ("parcels", "repairs", "loans")), 70)
    held = distinct(rng, lambda r, i: draw_table(r, i, ("harvests", "flights")), 30, 500)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text = write_query(
            rng, problem, rng.random() < chance(problem, step, 12, 0.3, 0.35 if problem in held else 0.4)
        )
        query = text.split("```sql\n")[1].split(";")[0]
        ok = float(execute(problem.data, query) == problem.gold)
        return Attempt([user(problem.prompt), reply(text)], ok, ok, {"exact": ok})

    attempts = train(rng, problems, 12, 7, 6, solve)
    for step in range(0, 12, 3):
        for problem in held:
            attempts += attempt_group(rng, problem, step, 2, solve, "validation")
    return layouts.ours(credit(rng, attempts, grpo), "sql")


@PART.healthy
def engine_differs_by_a_rounding(rng: random.Random) -> list[Row]:
    """Logprobs of engine and trainer are never equal, and single tokens part: rounding in bfloat16, steady over the
    run.
    """
    problems = distinct(rng, draw_ledger, 60)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        text, value = reason(rng, problem, rng.random() < chance(problem, step, 10, 0.4, 0.35))
        ok = float(value == problem.data["value"])
        attempt = Attempt([user(problem.prompt), reply(f"{text}\nAnswer: {value}")], ok, ok)
        engine = [round(-rng.expovariate(2.8), 4) for _ in range(attempt.tokens)]
        trainer = [round(min(-1e-4, p + rng.gauss(0, 0.2 if rng.random() < 0.003 else 0.008)), 4) for p in engine]
        attempt.extra = {"rollout_log_probs": engine, "log_probs": trainer, "acc": ok}
        return attempt

    return layouts.slime(train(rng, problems, 10, 6, 6, solve))


@PART.healthy
def rollouts_trail_by_one_or_two_versions(rng: random.Random) -> list[Row]:
    """Behind the first step no rollout is of the newest weights: the asynchronous run lets them trail by two at
    most, and they never do by more.
    """
    problems = distinct(rng, draw_harbour, 80)
    for p in problems:
        p.prompt = f"{p.data['passage']}\n\n{p.prompt} Answer from the text."

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        lag = min(step, rng.choice((1, 1, 1, 2)))
        right = rng.random() < chance(problem, step - lag, 14, 0.35, 0.45)
        ok = float(right)
        extra = {"param_version": step - lag, "trainer_version": step, "staleness": lag, "staleness_threshold": 2}
        return Attempt([user(problem.prompt), reply(read_answer(rng, problem, right))], ok, ok, extra=extra)

    return layouts.verl(train(rng, problems, 14, 8, 6, solve))
