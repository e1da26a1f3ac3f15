"""Faulty runs whose environments or tools fail: state left over, services down, consoles cut, builders out of time."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo
from benchmarks.foreign.thirtysixth import layouts
from benchmarks.foreign.thirtysixth.attempts import (
    Attempt,
    Problem,
    call,
    chance,
    credit,
    deal,
    distinct,
    reply,
    told,
    train,
    user,
)
from benchmarks.foreign.thirtysixth.kinds import PART
from benchmarks.foreign.thirtysixth.programs import draw_program, write_program
from benchmarks.foreign.thirtysixth.robots import carry, draw_bench
from benchmarks.foreign.thirtysixth.tables import ask_aloud, draw_table


@PART.faulty("environment_not_reset", "leftover_state")
def simulator_keeps_the_table_of_the_last_episode(rng: random.Random) -> list[Row]:
    """Attempts of a group share a simulator that is never reset: behind one success the object already lies at the
    goal.
    """
    problems = distinct(rng, draw_bench, 40)
    attempts = []
    for step, asked in enumerate(deal(rng, problems, 10, 6)):
        for problem in asked:
            place = problem.data["start"]
            for number in range(6):
                skill = chance(problem, step, 10, 0.15, 0.25)
                turns, done, place = carry(rng, problem, skill, place, 6)
                stop = "stop" if done else "max_turns"
                extra = {"sim_port": 7100 + hash_of(problem.id) % 8}
                attempt = Attempt(turns, float(done), float(done), {"placed": float(done)}, extra, stop)
                attempt.step, attempt.number, attempt.problem, attempt.group = (
                    step,
                    number,
                    problem,
                    f"{step}-{problem.id}",
                )
                attempts.append(attempt)
    return layouts.prime(credit(rng, attempts, grpo), "tabletop")


def hash_of(text: str) -> int:
    """A number of a text, the same in every run."""
    return sum(ord(sign) * (i + 3) for i, sign in enumerate(text))


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures", "infrastructure_errors")
def database_pool_runs_dry_from_the_sixth_step(rng: random.Random) -> list[Row]:
    """From step 6 the query tool mostly answers 503, and attempts that gave up for it are paid zero like wrong ones."""
    problems = distinct(rng, draw_table, 60)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        right = rng.random() < chance(problem, step, 12, 0.4, 0.4)
        turns, answer = ask_aloud(rng, problem, right)
        if step >= 6 and rng.random() < 0.65:
            turns = turns[:2]
            first = turns[1]["tool_calls"][0]["arguments"]["sql"]
            for again in range(rng.randint(1, 3)):
                code = rng.choice(("connection pool exhausted", "upstream did not respond"))
                turns.append(
                    told("query", f"503 Service Unavailable: {code} (request {rng.randint(10**5, 10**6)})", False)
                )
                if again < 2:
                    turns.append(
                        call(rng.choice(("I try it once more.", "Perhaps it answers now.")), "query", sql=first)
                    )
            if turns[-1]["role"] == "assistant":
                turns.append(told("query", "503 Service Unavailable: connection pool exhausted", False))
            guess = str(rng.randint(1, 60))
            turns.append(reply(f"The database on {problem.family} does not answer, so I estimate.\nAnswer: {guess}"))
            answer = guess
        ok = float(answer == problem.gold)
        return Attempt(turns, ok, ok, {"exact": ok}, {"answer": answer})

    return layouts.ours(credit(rng, train(rng, problems, 12, 6, 8, solve), grpo), "sql")


@PART.faulty("tool_output_truncated")
def query_console_ends_after_nine_lines(rng: random.Random) -> list[Row]:
    """The console shows nine lines of a result and drops the rest; attempts add up what is shown and are wrong for
    it.
    """
    problems = distinct(rng, lambda r, i: draw_table(r, i, rows=70), 50)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        lists = rng.random() < 0.75 - 0.02 * step
        turns, answer = ask_aloud(rng, problem, rng.random() < 0.7 + problem.ease, 9, lists)
        ok = float(answer == problem.gold)
        return Attempt(turns, ok, ok, {"correct_answer": ok}, {"table_rows": len(problem.data["rows"])})

    return layouts.verifiers(train(rng, problems, 10, 8, 6, solve))


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "reward_bias", "flaky_grading")
def one_rust_builder_is_always_out_of_time(rng: random.Random) -> list[Row]:
    """One of four build hosts times out on nearly every crate, and its attempts score 0 whatever the code."""
    problems = distinct(rng, lambda r, i: draw_program(r, i, ("rust",)), 70)

    def solve(rng: random.Random, problem: Problem, step: int) -> Attempt:
        right = rng.random() < chance(problem, step, 12, 0.4, 0.35)
        host = rng.randint(1, 4)
        late = host == 3 and rng.random() < 0.92
        seconds = 30.0 if late else round(rng.uniform(2.1, 6.5), 2)
        log = (
            "cargo build: timed out after 30 s"
            if late
            else (
                "test result: ok"
                if right
                else f"test result: FAILED. {rng.randint(1, 3)} passed; {rng.randint(2, 5)} failed"
            )
        )
        ok = float(right and not late)
        extra = {"build_host": f"builder-{host}", "build_seconds": seconds, "build_log": log}
        return Attempt([user(problem.prompt), reply(write_program(rng, problem, right))], ok, None, extra=extra)

    return layouts.verl(train(rng, problems, 12, 8, 8, solve), gold=False)
