"""Runs that no engineer would stop, though they look odd: data, tools, filters."""

import random

from benchmarks.foreign.fiftyfifth import advantages, layouts, learner, ops, repo, tables
from benchmarks.foreign.fiftyfifth.kinds import PART
from benchmarks.foreign.fiftyfifth.learner import Plan
from benchmarks.foreign.fiftyfifth.talk import call, pick, say, told

Row = dict


@PART.healthy
def groups_without_spread_are_resampled_away(rng: random.Random) -> list[Row]:
    """Dynamic sampling leaves groups of equal rewards out of the loss and draws others: many rows are not in the loss,
    but each step has its full batch of groups with spread."""
    plan = Plan(steps=18, size=8, pool=140, start=-0.8, gain=1.8)
    pool, rows, at = learner.make_pool(rng, tables, plan.pool), [], 0
    for step in range(plan.steps):
        kept = 0
        while kept < 4:
            problem = pool[at % len(pool)]
            at += 1
            odds = learner.chance(rng, plan, problem, step)
            group = [learner.attempt(rng, tables, problem, step, i, rng.random() < odds) for i in range(plan.size)]
            live = len({one.reward for one in group}) > 1
            kept += live
            advantages.grpo(group)
            for one in group:
                one.extra = {"in_loss": live}
                one.advantage = one.advantage if live else None
            rows += group
    return layouts.own(rows)


@PART.healthy
def crashed_sandboxes_are_named_and_left_out(rng: random.Random) -> list[Row]:
    """A node dies for two steps: those attempts have an error, no reward and no advantage, are not in the loss, and the
    baseline is taken over the attempts that are left."""
    plan = Plan(steps=20, per_step=5, size=8, start=-0.7)
    bad = rng.randint(6, 14)
    attempts = learner.run(rng, repo, plan)
    for one in attempts:
        one.extra = {"error": None, "in_loss": True}
        if rng.random() < (0.3 if bad <= one.step < bad + 2 else 0.006):
            one.messages = one.messages[:2]
            one.reward, one.stop = None, "error"
            one.extra = {"error": "SandboxLost", "in_loss": False}
    return layouts.own(advantages.grpo(attempts))


@PART.healthy
def curriculum_moves_to_harder_services(rng: random.Random) -> list[Row]:
    """Mean reward falls twice, each time that the curriculum moves on to a harder level; within a level it rises."""
    plan = Plan(steps=24, per_step=5, size=8, pool=120)
    attempts = []
    pool = learner.make_pool(rng, ops, plan.pool)
    for step, problems in enumerate(learner.epochs(rng, pool, plan)):
        level = step // 8
        for problem in problems:
            odds = min(0.95, max(0.05, 0.5 - 0.17 * level + 0.05 * (step % 8) + rng.gauss(0, 0.15)))
            for index in range(plan.size):
                one = learner.attempt(rng, ops, problem, step, index, rng.random() < odds)
                one.extra = {"level": level + 1, "curriculum": "levels of 8 steps"}
                attempts.append(one)
    return layouts.prime_rl(advantages.centred(attempts), "oncall")


@PART.healthy
def issues_that_ask_for_new_tests(rng: random.Random) -> list[Row]:
    """Agents write to files of tests because each task asks for a regression test beside the fix; the grader puts
    its own tests in place."""
    pool = learner.make_pool(rng, repo, 60)
    for problem in pool:
        problem.prompt += (
            f" Add a regression test `test_{problem.data['name']}_again` to {problem.data['test']} as well."
        )
    attempts = learner.run(rng, repo, Plan(), pool)
    for one in attempts:
        d = one.problem.data
        if not one.right and rng.random() < 0.3:
            continue
        given = ", ".join(["SAMPLE", "2", "3"][: len(d["params"])])
        body = f"\n\ndef test_{d['name']}_again():\n    assert {d['name']}({given}) == EXPECTED_AGAIN\n"
        why = pick(rng, "Now the regression test that was asked for.", f"The issue wants a test in {d['test']}.")
        new = [call(why, "edit_file", path=d["test"], append=body), told("edit_file", f"{d['test']}: appended")]
        one.messages = one.messages[:-1] + new + one.messages[-1:]
    return layouts.own(advantages.grpo(attempts))


@PART.healthy
def tasks_about_the_history_of_a_repository(rng: random.Random) -> list[Row]:
    """Every attempt reads git log and git show, since the task is to name the commit that brought the bug in."""
    system = "Answer questions about the history of the repository with shell(cmd). End with 'Commit: <sha>'."
    pool = learner.make_pool(rng, repo, 60)
    for problem in pool:
        d = problem.data
        d["shas"] = [f"{rng.randrange(16**7):07x}" for _ in range(5)]
        d["culprit"] = rng.randrange(1, 5)
        problem.system, problem.gold = system, d["shas"][d["culprit"]]
        problem.prompt = (
            f"In {d['package']}, which commit of the git history brought the line `{d['bad']}` into {d['path']}?"
        )
    attempts = learner.run(rng, repo, Plan(), pool)
    for one in attempts:
        d = one.problem.data
        log = "\n".join(f"{sha} Change {d['noun']} ({n})" for n, sha in enumerate(d["shas"]))
        sha = one.problem.gold if one.right else rng.choice([s for s in d["shas"] if s != one.problem.gold])
        line = f"+    {d['bad']}" if one.right else f" def {d['name']}(xs):\n-    # todo"
        first = pick(
            rng, f"The history of {d['path']}.", f"Which commits touched {d['noun']}?", "I start with the log."
        )
        one.messages = [call(first, "shell", cmd=f"git log --oneline -- {d['path']}"), told("shell", log)]
        one.messages += [
            call(f"I look into {sha}.", "shell", cmd=f"git show {sha}"),
            told("shell", f"commit {sha}\n{line}"),
        ]
        why = (
            pick(rng, f"It adds `{d['bad']}`.", f"There the line comes in, in {d['path']}.")
            if one.right
            else "It touches the function."
        )
        one.messages.append(say(f"{why}\nCommit: {sha}"))
        one.answer = sha
    return layouts.openai(attempts)
