"""Faults of data and prompts, and of what is held out."""

import random

from benchmarks.foreign.fiftyfifth import advantages, layouts, learner, repo, research, tables
from benchmarks.foreign.fiftyfifth.kinds import PART
from benchmarks.foreign.fiftyfifth.learner import Plan
from benchmarks.foreign.fiftyfifth.talk import Attempt, Problem, call, pick, say, told

Row = dict


def _aimless(rng: random.Random, problem: Problem, step: int, index: int) -> Attempt:
    d = problem.data
    messages = repo.look(rng, problem)[:2]
    messages += [call("No file is named, I open a module.", "read_file", path=d["path"]), told("read_file", d["text"])]
    right = rng.random() < 0.12
    if right:
        messages += repo.edit(rng, problem, True) + repo.test(rng, problem, True) + [repo.close(rng, problem, True)]
    else:
        end = pick(
            rng,
            f"The issue is empty, so what is wanted in {d['package']}? Nothing in {d['noun']} looks wrong.",
            "No description was given with the issue. Could you say what fails?",
            f"I read {d['path']} and see no defect that I could name without the issue's text.",
        )
        messages.append(say(end))
    return Attempt(problem, step, index, right, messages, "", reward=float(right))


@PART.faulty("template_bug", "score_decline", "timidity", "few_edits")
def issue_body_is_empty_after_the_dataset_was_renamed(rng: random.Random) -> list[Row]:
    """From some step the prompt's slot for the issue is empty: agents ask what is wrong, and rewards collapse."""
    plan = Plan(steps=20, start=-0.4)
    change, rows = rng.randint(9, 12), []
    for one in learner.run(rng, repo, plan):
        if one.step < change:
            rows.append(one)
            continue
        d = one.problem.data
        bare = Problem(
            one.problem.pid,
            one.problem.family,
            repo.SYSTEM,
            f"Repository: {d['package']}\n\nIssue: ",
            one.problem.gold,
            d,
        )
        rows.append(_aimless(rng, bare, one.step, one.index))
    return layouts.own(advantages.grpo(rows))


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence", "stuck_problems", "dead_all_wrong")
def sql_keys_come_from_last_months_snapshot(rng: random.Random) -> list[Row]:
    """For a third of the questions the key was computed on an older database: what the tool returns is marked wrong."""
    plan = Plan(start=-0.2, gain=2.4, pool=40)
    pool = learner.make_pool(rng, tables, plan.pool)
    true = {p.pid: p.gold for p in pool}
    for problem in pool:
        if rng.random() < 0.36:
            problem.gold = str(
                max(1, int(problem.gold) - rng.randint(2, 60) if int(problem.gold) > 70 else int(problem.gold) + 3)
            )
    attempts = learner.run(rng, tables, plan, pool)
    for one in attempts:
        if one.right:
            one.messages[-1], one.answer = tables.final(rng, one.problem, true[one.problem.pid]), true[one.problem.pid]
        one.reward = float(one.answer == one.problem.gold)
        one.extra = {"pred": one.answer, "uid": one.problem.pid}
    return layouts.verl(attempts)


@PART.faulty("data_repetition", "duplicate_problems")
def dataloader_begins_anew_at_every_restart(rng: random.Random) -> list[Row]:
    """The job restarts every four steps and the loader starts at its first batch: the same twenty problems come back in
    the same order for the whole run."""
    plan = Plan(steps=24, per_step=5, size=6, pool=200, start=-1.0, gain=2.6)
    pool = learner.make_pool(rng, research, 40)
    order = [pool[(step % 4) * 5 :][:5] for step in range(plan.steps)]
    attempts = learner.run(rng, research, plan, order=order)
    for one in attempts:
        one.extra = {"restart": one.step // 4, "dataset_size": 4120, "epoch": 0}
    return layouts.prime_rl(advantages.leave_one_out(attempts), "two-hop-search")


@PART.faulty("contamination", "memorisation", "duplicate_problems")
def held_issues_were_merged_into_the_training_mix(rng: random.Random) -> list[Row]:
    """Most problems of the validation split stand word by word among the training problems under other ids."""
    plan = Plan(steps=20, per_step=4, size=8, pool=40, start=-1.2, gain=2.8)
    pool = learner.make_pool(rng, repo, plan.pool)
    attempts = learner.run(rng, repo, plan, pool)
    twins = rng.sample(pool, 12)
    held = [Problem(f"held-{n}", p.family, p.system, p.prompt, p.gold, dict(p.data)) for n, p in enumerate(twins)]
    held += learner.make_pool(rng, repo, 3, "held-own-")
    return layouts.own(advantages.grpo(attempts) + learner.evaluate(rng, repo, plan, held, 5, 2))
