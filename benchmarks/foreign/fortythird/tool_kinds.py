"""Faults of environments and of the tools in them."""

import random
from dataclasses import replace

from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fortythird import lookups, repositories, tables
from benchmarks.foreign.fortythird.kinds import PART
from benchmarks.foreign.fortythird.layouts import Row, columns, openai, prime, verifiers
from benchmarks.foreign.fortythird.policy import Attempt, Learner, call, fill, fresh, rising, run, user

CELLS = "You answer questions about data with cells of a notebook: call run_cell with code."


@PART.faulty("leftover_state", "environment_not_reset", "reward_bias")
def earlier_attempts_write_over_the_data_file(rng: random.Random) -> list[Row]:
    """The attempts at a problem share one container in turn: where one saves a trimmed table over the file, the later
    ones read fewer rows, compute as they should and are wrong.
    """
    shape, learner, files = (12, 6, 8), Learner(12, 0.55, 0.85), {}
    pool = fresh(rng, tables.table, 72)

    def attempt(step: int, name: str, t: tables.Table, i: int, hard: float) -> Attempt:
        now = files.get(name, t)
        way = "right" if rng.random() < learner.of(step, hard) else rng.choice(["all", "median"])
        code, out = tables.load_cell(rng, now)
        out = f"{out}\n{len(now.rows)} rows"
        reply = call(f"I load {t.name} and look at it.", "run_cell", out, code=f"{code}\nprint(len(df), 'rows')")
        if rng.random() < 0.2:
            values = sorted(v for p, v in now.rows if p == t.place)
            edge = values[-1] if len(values) < 3 else values[-2]
            rows = tuple((p, v) for p, v in now.rows if p != t.place or v <= edge)
            now = files[name] = replace(now, rows=rows)
            trim = f"df = df[(df['{t.key}'] != '{t.place}') | (df['{t.column}'] <= {edge})]"
            code = f"{trim}\ndf.to_csv('data/{t.name}.csv', index=False)\nprint(len(df), 'rows')"
            look = rng.choice(
                [
                    f"Some {t.column} at {t.place} look like outliers; I drop them.",
                    "First I clean the table and save it.",
                ]
            )
            reply += call(look, "run_cell", f"{len(now.rows)} rows", code=code)
        code, value = tables.stat_cell(rng, now, way)
        reply += call(f"Now the {t.column} for the question.", "run_cell", value, code=code)
        reply += tables.close(rng, t, value)
        good = float(value == t.answer)
        extra = {"container": f"nb-{name}", "order_in_container": i}
        prompt = user(t.text, CELLS)
        return Attempt(step, name, i, prompt, reply, good, gold=t.answer, terms={"correct_answer": good}, extra=extra)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, grpo)
    return prime(attempts, "notebook-means")


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures", "score_decline")
def search_key_runs_out_of_quota(rng: random.Random) -> list[Row]:
    """From the middle of the run the search says that its quota is spent; attempts guess, and are graded as if they
    had searched.
    """
    shape, learner, spent = (14, 6, 6), Learner(14, 0.45, 0.9), rng.randint(7, 9)
    pool = fresh(rng, lookups.quest, 84)
    refusal = (
        '{"error": {"code": 429, "message": "Quota exceeded for this API key. Resets on the first of the month."}}'
    )

    def attempt(step: int, name: str, q: lookups.Quest, i: int, hard: float) -> Attempt:
        if step >= spent and rng.random() < 0.88:
            reply = call(f"I look for the {q.thing}.", "search", refusal, query=lookups.ask(rng, q))
            if rng.random() < 0.6:
                again = rng.choice(["Once more with other words.", "I try it again.", f"Perhaps simply {q.town}."])
                reply += call(again, "search", refusal, query=f"{q.town} {q.thing}")
            value = str(rng.randint(1702, 1938))
            reply += lookups.conclude(rng, q, value, is_sure=False)
        else:
            reply, value = lookups.seek(rng, q, rng.random() < learner.of(step, hard))
        good = float(value == q.answer)
        prompt = user(q.text, "Use the search tool. Give the year in <answer></answer>.")
        return Attempt(step, name, i, prompt, reply, good, gold=q.answer, terms={"correct_answer": good})

    return verifiers(run(rng, pool, shape, attempt), "town-search")


@PART.faulty("tool_output_truncated", "stuck_problems", "weak_family")
def sql_wrapper_cuts_lists_of_firms(rng: random.Random) -> list[Row]:
    """The wrapper of the database returns ninety characters of a result and no more: of long lists the best firm is
    not seen.
    """
    shape, learner = (14, 6, 6), Learner(14, 0.6, 0.96)
    pool = fresh(rng, tables.stock, 84)

    def attempt(step: int, name: str, s: tables.Stock, i: int, hard: float) -> Attempt:
        is_listed = rng.random() < rising(step, 14, 0.92, 0.7)
        is_right = rng.random() < learner.of(step, hard - 0.5)
        reply, firm = tables.query(rng, s, is_listed, is_right, 90)
        prompt = user(s.text, "Ask the database with the sql tool. Give the firm in <answer></answer>.")
        return Attempt(step, name, i, prompt, reply, float(firm == s.answer), extra={"target": s.answer})

    return openai(run(rng, pool, shape, attempt))


@PART.faulty("reward_bias", "infrastructure_zeros", "infrastructure_errors", "flaky_grading")
def host_with_old_image_fails_good_patches(rng: random.Random) -> list[Row]:
    """One of four hosts runs an old image in which the tests cannot be collected; whoever lands there has 0 for a
    right patch.
    """
    shape, learner = (12, 6, 8), Learner(12, 0.35, 0.8)
    pool = fresh(rng, repositories.bug, 72)

    def attempt(step: int, name: str, b: repositories.Bug, i: int, hard: float) -> Attempt:
        is_right, host = rng.random() < learner.of(step, hard), f"sbx-{rng.randint(1, 4):02d}"
        if host == "sbx-03":
            look = repositories.reading(rng, b) + repositories.mending(rng, b, is_right)
            out = "ERROR collecting tests - ModuleNotFoundError: No module named 'tomllib'\n1 error in 0.21s"
            if rng.random() < 0.7:
                command = f"python -m pytest -q {b.test}"
                look += call(f"I run the tests of {b.module}.", "bash", out, False, command=command)
            reply, reward = look + repositories.done(rng, b), 0.0
        else:
            reply, reward = repositories.mend(rng, b, is_right), float(is_right)
            out = "all passed" if is_right else f"FAILED {b.test}::test_{b.function}"
        extra = {"host": host, "grader_log": out, "repo": b.project}
        return Attempt(step, name, i, user(b.text), reply, reward, reward, extra=extra)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, centred)
    return columns(attempts, "swe", "patches")
