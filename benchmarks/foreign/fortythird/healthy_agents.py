"""Healthy runs of agents that look odd."""

import random
from dataclasses import replace

from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fortythird import guesses, lookups, repositories, tables
from benchmarks.foreign.fortythird.kinds import PART
from benchmarks.foreign.fortythird.layouts import Row, columns, openai, verifiers
from benchmarks.foreign.fortythird.policy import Attempt, Learner, call, fill, fresh, rising, run, said, user


@PART.healthy
def search_times_out_and_is_asked_again(rng: random.Random) -> list[Row]:
    """One search in six times out. Fine: attempts ask again and are answered, and their rewards are those of the
    others.
    """
    shape, learner = (14, 6, 6), Learner(14, 0.42, 0.88)
    pool = fresh(rng, lookups.quest, 84)

    def attempt(step: int, name: str, q: lookups.Quest, i: int, hard: float) -> Attempt:
        reply, value = lookups.seek(rng, q, rng.random() < learner.of(step, hard))
        if rng.random() < 0.17:
            lost = "504 upstream timed out after 10 s; try again"
            first = rng.choice(["I search for it.", f"Let me look {q.town} up.", f"First the {q.thing}."])
            reply[0] = {
                **reply[0],
                "content": rng.choice(["That timed out; again.", "Once more.", "I repeat the search."]),
            }
            reply = call(first, "search", lost, False, **reply[0]["tool_calls"][0]["arguments"]) + reply
        good = float(value == q.answer)
        prompt = user(q.text, "Use the search tool. Give the year in <answer></answer>.")
        return Attempt(step, name, i, prompt, reply, good, gold=q.answer, terms={"correct_answer": good})

    return verifiers(run(rng, pool, shape, attempt), "town-search")


@PART.healthy
def issues_ask_for_a_regression_test(rng: random.Random) -> list[Row]:
    """Attempts write into files of tests. Fine: each issue asks for a test of the bug; none is removed, and others
    grade.
    """
    shape, learner = (12, 6, 6), Learner(12, 0.35, 0.82)
    more = " Add a regression test for it beside the existing tests."
    pool = fresh(rng, lambda r: repositories.bug(r, more), 72)

    def attempt(step: int, name: str, b: repositories.Bug, i: int, hard: float) -> Attempt:
        is_right = rng.random() < learner.of(step, hard)
        reply = repositories.reading(rng, b) + repositories.mending(rng, b, is_right)
        if rng.random() < 0.9:
            case = rng.choice(["regression", "reported_case", "issue_example", "edge"])
            code = f"\n\ndef test_{b.function}_{case}():\n    assert {repositories.CASES[b.module]}\n"
            out = f"appended 4 lines to {b.test}"
            why = rng.choice(["Now the test that was asked for.", "I add a test of the reported case.", "And a test."])
            reply += call(why, "append_file", out, path=b.test, text=code)
        reply += repositories.testing(rng, b, is_right) + repositories.done(rng, b)
        extra = {"graded_by": "held-out suite", "repo": b.project}
        return Attempt(step, name, i, user(b.text), reply, float(is_right), float(is_right), extra=extra)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, grpo)
    return columns(attempts, "swe", "regressions")


@PART.healthy
def archaeology_tasks_are_about_the_history(rng: random.Random) -> list[Row]:
    """Every attempt reads the repository's history. Fine: the task is to name the commit that changed a function."""
    learner, asked = Learner(12, 0.4, 0.88), []
    for b in fresh(rng, repositories.bug, 72):
        lead = "Which is the commit that" if len(b.project) % 2 else "I need the commit that"
        text = f"{lead} last changed `{b.function}` in {b.path}. Give its hash in <answer></answer>."
        asked.append(replace(b, text=text))
    logs = {b.text: [repositories.sha(rng) for _ in range(rng.randint(4, 6))] for b in asked}
    notes = ("tidy imports", "handle edge case", "rename arguments", "speed up", "add types", "first version")

    def attempt(step: int, name: str, b: repositories.Bug, i: int, hard: float) -> Attempt:
        shas = logs[b.text]
        is_right, is_file = rng.random() < learner.of(step, hard), False
        if is_right:
            pick = shas[1]
        else:
            is_file = rng.random() < 0.7
            pick = shas[0] if is_file else shas[2]
        lines = [f"{s} {b.module}: {note}" for s, note in zip(shas, notes, strict=False)]
        shown = "\n".join(lines if is_file else lines[1:])
        command = f"git log --oneline -- {b.path}" if is_file else f"git log -s --oneline -L :{b.function}:{b.path}"
        look = rng.choice(
            [f"The log of {b.function} will tell.", f"I ask git about {b.path}.", "Let me read the history."]
        )
        reply = call(look, "bash", shown, True, command=command)
        if rng.random() < 0.5:
            change = f"-    {b.before}\n+    {b.fixed}" if is_right else "-import os, sys\n+import os"
            out = f"commit {pick}\n{change}"
            reply += call(f"I look at {pick}.", "bash", out, command=f"git show {pick} -- {b.path}")
        end = rng.choice(
            [f"{b.function} was last touched there.", f"That is the change of {b.function}.", "This one it is."]
        )
        reply += said(f"{end}\n<answer>{pick}</answer>")
        return Attempt(step, name, i, user(b.text), reply, float(is_right), extra={"target": shas[1]})

    return openai(run(rng, asked, (len(asked) // 6, 6, 6), attempt))


@PART.healthy
def lost_sandboxes_are_left_out(rng: random.Random) -> list[Row]:
    """Six rows in a hundred are errors of the machine. Fine: they have no reward and no advantage; baselines are of
    the rest.
    """
    shape, learner = (13, 6, 8), Learner(13, 0.42, 0.88)
    pool = fresh(rng, tables.stock, 78)

    def attempt(step: int, name: str, s: tables.Stock, i: int, hard: float) -> Attempt:
        is_listed = rng.random() < rising(step, 13, 0.6, 0.3)
        reply, firm = tables.query(rng, s, is_listed, rng.random() < learner.of(step, hard))
        prompt = user(s.text, "Ask the database with the sql tool. Give the firm in <answer></answer>.")
        if rng.random() < 0.06:
            what = rng.choice(["SandboxLost", "SandboxLost", "DatabaseStartTimeout"])
            a = Attempt(step, name, i, prompt, reply[:1], None, None, stop="error", error=what)
            a.in_loss = False
            return a
        good = float(firm == s.answer)
        return Attempt(step, name, i, prompt, reply, good, good, answer=firm)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, centred)
    return columns(attempts, "data_analysis", "stock")


@PART.healthy
def every_game_opens_with_fifty(rng: random.Random) -> list[Row]:
    """All attempts make the same first move. Fine: 50 halves the range of every game; what follows differs, and
    wins rise.
    """
    shape, learner = (14, 5, 8), Learner(14, 0.35, 0.92)
    pool = fresh(rng, lambda r: guesses.game(r, (100, 100)), 70)

    def attempt(step: int, name: str, g: guesses.Game, i: int, hard: float) -> Attempt:
        reply, won = guesses.play(rng, g, learner.of(step, 0.4 * hard), is_middle_first=True)
        terms = {"won": float(won), "num_guesses": float(sum(m["role"] == "assistant" for m in reply))}
        return Attempt(step, name, i, user(g.text), reply, float(won), gold=g.answer, terms=terms)

    return verifiers(run(rng, pool, shape, attempt), "guess-number")
