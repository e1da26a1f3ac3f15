"""Verdicts remembered, commas lost, prompts wrapped twice, a silent customer; lagging rollouts, a workbook."""

from dataclasses import replace
from math import exp
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.dumps import verl, wrapped
from benchmarks.foreign.twelfth.estimates import credit, grpo, verl_grpo
from benchmarks.foreign.twelfth.german import german_sum
from benchmarks.foreign.twelfth.held import held_out, share
from benchmarks.foreign.twelfth.kinds import PART
from benchmarks.foreign.twelfth.layouts import own, prime, prompt_of
from benchmarks.foreign.twelfth.library import lookup
from benchmarks.foreign.twelfth.programs import program
from benchmarks.foreign.twelfth.rollouts import climb, distinct, judge, play, rewrite, schedule, shape, train
from benchmarks.foreign.twelfth.shop import request, unanswered
from benchmarks.foreign.twelfth.tasks import Reply, say
from benchmarks.foreign.twelfth.wordsums import wordsum


@PART.healthy
def rollouts_two_versions_behind(rng: Random) -> list[Row]:
    """Asynchronous rollouts come from weights one or two steps old, by design; ratios stay near 1 and the policy
    learns.
    """
    run = shape(rng, sizes=(6, 8), rows=(420, 660), steps=(5, 8))
    episodes = train(rng, program, run, -0.7, 2.1)
    weights = [f"{rng.randrange(16**12):012x}" for _ in range(run.steps)]
    for e in episodes:
        lag = min(e.step, rng.choice((0, 1, 1, 2)))
        e.extra |= {"policy_lag": lag, "max_lag": 2, "importance_ratio": round(exp(rng.gauss(0, 0.012 * (1 + lag))), 4)}
        e.extra["policy_id"] = weights[e.step - lag]
    return own(rng, credit(episodes, grpo), "async-code")


@PART.faulty("stale_grades", "weak_verifier", "dead_groups", "metric_defect")
def verdict_memo_by_problem_number(rng: Random) -> list[Row]:
    """One of two grader nodes remembers verdicts by problem alone: the first verdict is given to every later
    attempt, whatever the tests say.
    """
    run = shape(rng, sizes=(4, 6), steps=(9, 14))
    tasks = distinct(rng, program, max(run.problems + 2, run.steps * run.problems // 2))
    episodes = play(rng, schedule(rng, tasks, run), run.size, climb(rng, -0.5, 2.0, run.steps))
    nodes = {t.key: rng.choice(("grader-a", "grader-b")) for t in tasks}
    memo: dict[str, bool] = {}
    for e in episodes:
        node = nodes[e.task.key]
        e.extra |= {"grader_node": node, "grade_ms": rng.randint(240, 1900)}
        if node == "grader-b":
            if e.task.key in memo:
                e.extra["grade_ms"] = rng.randint(0, 2)
            judge(e, memo.setdefault(e.task.key, e.right))
    return verl(credit(episodes, verl_grpo))


@PART.healthy
def archive_finds_nothing_often(rng: Random) -> list[Row]:
    """The archive's search takes few words only: many queries find nothing, and the policy asks again in other
    words.
    """
    run = shape(rng, sizes=(6, 8), rows=(360, 540), steps=(10, 14))
    episodes = train(rng, lookup, run, -0.5, 2.1)
    for e in episodes:
        e.extra.pop("abstained", None)
        e.extra["empty_searches"] = sum(m["content"] == "no results" for m in e.messages)
    return prime(credit(episodes, grpo), "archive-search")


@PART.faulty("format_gate", "judge_refuses_right", "weak_verifier", "metric_defect")
def kommazahl_loses_its_comma(rng: Random) -> list[Row]:
    """The grader deletes commas before it reads a number, so right German answers such as 42,45 count as 4245 and
    wrong; whole numbers are graded well.
    """
    run = shape(rng, sizes=(5, 6, 8), rows=(420, 660), steps=(5, 8))
    episodes = train(rng, german_sum, run, -0.2, 1.8)
    for e in episodes:
        if "," in e.answer and rng.random() < share(0.03, 0.3, e, run.steps):
            spelled = e.answer.replace(",", ".")
            text = e.messages[-1]["content"].replace(f"Antwort: {e.answer}", f"Antwort: {spelled}")
            rewrite(e, Reply([say(text)], spelled))
        e.extra["pred"] = e.answer.replace(",", "")
        judge(e, e.extra["pred"] == e.task.gold.replace(",", "."))
    for e in episodes:
        e.task.gold = e.task.gold.replace(",", ".")
    return verl(credit(episodes, verl_grpo))


@PART.healthy
def mostly_below_zero_yet_climbing(rng: Random) -> list[Row]:
    """A program scores 1 if all tests pass and else from -1 to -0.2, by the share that passes; most are below zero
    at first.
    """
    run = shape(rng, sizes=(4, 6), rows=(300, 500), steps=(10, 14))
    episodes = train(rng, program, run, -1.4, 2.3)
    for e in episodes:
        passed, total = e.extra["tests_passed"], e.extra["tests_total"]
        e.reward = 1.0 if passed == total else round(0.8 * passed / total - 1, 4)
    return verl(credit(episodes, verl_grpo))


@PART.faulty("template_bug", "score_decline")
def wrapper_nested_after_resume(rng: Random) -> list[Row]:
    """Since the resume the prompts are wrapped in the chat template twice; the policy writes marks of roles and gets
    worse.
    """
    run = shape(rng, sizes=(6, 8), rows=(440, 660), steps=(8, 12))
    since = rng.randint(run.steps // 2 - 1, run.steps // 2 + 1)
    skills = [s - (1.6 if n >= since else 0.0) for n, s in enumerate(climb(rng, -0.5, 2.3, run.steps))]
    tasks = distinct(rng, wordsum, run.steps * run.problems)
    episodes = play(rng, schedule(rng, tasks, run), run.size, skills)
    for e in episodes:
        if e.step < since:
            continue
        e.extra["raw_input"] = wrapped([{"role": "user", "content": wrapped(prompt_of(e))}])
        if rng.random() < 0.4:
            mark = rng.choice(("<|im_start|>assistant\n", "assistant\n", "<|im_end|>\n<|im_start|>assistant\n"))
            rewrite(e, Reply([say(mark + e.messages[0]["content"])], e.answer))
    return verl(credit(episodes, verl_grpo))


@PART.healthy
def three_rounds_of_small_workbook(rng: Random) -> list[Row]:
    """A small workbook is gone through three times on purpose; validation on other sums rises along with training."""
    run = shape(rng, sizes=(5, 6, 8), rows=(300, 460), steps=(8, 12))
    tasks = distinct(rng, german_sum, max(run.problems + 2, run.steps * run.problems // 3))
    episodes = play(rng, schedule(rng, tasks, run), run.size, climb(rng, -0.6, 2.2, run.steps))
    held = distinct(rng, lambda r, n: replace(german_sum(r, n), key=f"val-{n:03d}"), 34)
    for step in range(0, run.steps, 2):
        progress = step / (run.steps - 1)
        episodes += held_out(rng, held, (step, progress), -0.65 + 2.1 * progress)
    return own(rng, credit(episodes, grpo), "workbook")


@PART.faulty("environment_bug", "infrastructure_zeros", "infrastructure_errors")
def shopper_goes_mute_midway(rng: Random) -> list[Row]:
    """From the middle of the run the simulated customer sends empty turns in many dialogues, which then end at the
    limit of turns with reward 0.
    """
    run = shape(rng, sizes=(6, 8), rows=(360, 540))
    episodes = train(rng, request, run, -0.4, 1.9)
    since, portion = rng.randint(run.steps // 3, run.steps // 2), rng.uniform(0.35, 0.55)
    for e in episodes:
        if e.step >= since and rng.random() < portion:
            rewrite(e, unanswered(rng, e.task))
            e.stop = "max_turns"
            judge(e, False)
    return own(rng, credit(episodes, grpo), "helpdesk")
