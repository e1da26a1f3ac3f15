"""Bonus piles up by attempt, grades come one late, rightmost column refused, stop string lost midrun."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import lookups, mazes, passages, programs
from benchmarks.foreign.fifteenth.core import Reply, Task, World, distinct, draw_plan, play, schedule
from benchmarks.foreign.fifteenth.estimates import groups_of, grpo, mishaps
from benchmarks.foreign.fifteenth.grading import settle, turning_point
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import own, prime_rl, verl


@PART.faulty("reward_bias", "metric_defect", "reward_outcome_divergence")
def bonus_piles_up_by_attempt(rng: Random) -> list[Row]:
    """The bonus for a docstring adds up over the attempts of a group instead of starting anew, so later attempts are
    paid more for the same.
    """
    plan = draw_plan(rng, size=rng.choice([6, 8]))
    episodes = play(rng, programs.PROGRAMS, plan)
    for group in groups_of(episodes):
        total = 0.0
        for e in group:
            has = rng.random() < 0.6
            if has:
                e.last["content"] = e.last["content"].replace("):\n", f'):\n    """{e.task.family.title()}."""\n', 1)
            total += 0.15 * has
            e.terms = {"tests": float(e.right), "docstring": round(total, 2)}
            e.reward = round(sum(e.terms.values()), 2)
    return own(rng, grpo(mishaps(rng, episodes)), programs.PROGRAMS)


@PART.faulty("stale_grades", "metric_defect", "flaky_grading", "reward_outcome_divergence")
def grades_come_one_late(rng: Random) -> list[Row]:
    """From one step on the queue of the grader runs one behind: each attempt carries the grade of the one before."""
    plan = draw_plan(rng)
    late = turning_point(rng, plan, 0.25, 0.45)
    stuck = plan.start + plan.gain * late / plan.steps
    episodes = play(rng, passages.PASSAGES, plan, levels=lambda task, n, a, level: min(level, stuck))
    grades = [e.right for e in episodes]
    for number, e in enumerate(episodes):
        if e.step - plan.first >= late:
            e.right = grades[number - 1]
            e.reward, e.terms = float(e.right), {"correct": float(e.right)}
        e.extra["grader_latency_ms"] = round(rng.lognormvariate(4.4, 0.4))
    return verl(grpo(episodes), passages.PASSAGES)


@PART.faulty("environment_bug", "stuck_problems", "dead_all_wrong", "weak_family")
def rightmost_column_refused(rng: Random) -> list[Row]:
    """The grid refuses moves into its last column, which the prompt counts as part of it; keys and doors there are
    out of reach.
    """
    plan = draw_plan(rng, start=-0.2, gain=2.4)

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        return mazes.solve(rng, task, right, level, shut=task.work["wide"] - 1)

    world = World("keygrid", mazes.make, act)
    return own(rng, grpo(mishaps(rng, settle(play(rng, world, plan)))), world)


@PART.faulty("fabricated_observations", "tool_fabrication", "template_bug")
def stop_string_lost_midrun(rng: Random) -> list[Row]:
    """From one step on generation no longer stops after a call: the policy writes the tool's answer itself."""
    plan = draw_plan(rng)
    lost = turning_point(rng, plan)
    steps = schedule(rng, distinct(rng, lookups.LOOKUPS, plan.steps * plan.groups), plan)
    for number, tasks in enumerate(steps):
        for task in tasks:
            task.work["lost"] = number >= lost

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        if not task.work["lost"] or rng.random() < 0.4:
            return lookups.solve(rng, task, right, level)
        name = task.gold if rng.random() < 0.04 else rng.choice(task.work["others"])
        fact = task.work["fact"].replace(task.gold, name)
        call = json.dumps({"name": "search", "arguments": {"query": lookups.query(rng, task)}})
        seen = lookups.page(rng, task, False) + f"\n[5] {fact}"
        end = lookups.closing(rng, name)["content"]
        text = f"<tool_call>\n{call}\n</tool_call>\n<tool_response>\n{seen}\n</tool_response>\n{end}"
        return Reply([{"role": "assistant", "content": text}], name)

    world = World("townsearch", lookups.make, act, lookups.LOOKUPS.system)
    episodes = grpo(settle(play(rng, world, plan, steps)))
    for e in episodes:
        e.extra["num_tools_executed"] = sum(m["role"] == "tool" for m in e.reply.messages)
    return prime_rl(rng, mishaps(rng, episodes, cut=0.0), world)
