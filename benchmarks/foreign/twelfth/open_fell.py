"""References cast, checkouts of another commit, restarted samplers, a filter upside down; refusals and tests."""

from dataclasses import replace
from functools import partial
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.estimates import credit, dr_grpo, grpo
from benchmarks.foreign.twelfth.games import wish
from benchmarks.foreign.twelfth.held import held_out, share
from benchmarks.foreign.twelfth.kinds import PART
from benchmarks.foreign.twelfth.languages import foreign_sum
from benchmarks.foreign.twelfth.layouts import openai, own, prime
from benchmarks.foreign.twelfth.physics import physics
from benchmarks.foreign.twelfth.programs import program
from benchmarks.foreign.twelfth.repos import PACKAGES, adds_test, lost, repair
from benchmarks.foreign.twelfth.rollouts import climb, distinct, judge, play, rewrite, schedule, shape, train
from benchmarks.foreign.twelfth.tasks import Reply
from benchmarks.foreign.twelfth.wordsums import wordsum


@PART.faulty("wrong_labels", "dead_all_wrong", "stuck_problems", "judge_refuses_right")
def reference_column_cast_to_whole(rng: Random) -> list[Row]:
    """In one of three shards the column of references was cast to whole numbers, so that right decimals are marked
    wrong.
    """
    run = shape(rng, sizes=(5, 6, 8), rows=(300, 500), steps=(6, 10))
    episodes = train(rng, physics, run, -0.2, 2.0)
    shards: dict[str, int] = {}
    for e in episodes:
        shard = shards.setdefault(e.task.key, rng.randrange(3))
        value = e.task.facts["value"]
        truth = str(int(value)) if shard == 1 else e.task.gold
        e.extra |= {"shard": f"physics-{shard:02d}-of-03", "ground_truth": truth}
        if shard == 1:
            judge(e, e.answer != "" and float(e.answer) == float(truth))
    return own(rng, credit(episodes, grpo), "tutor-shards")


@PART.healthy
def half_of_wishes_refused_rightly(rng: Random) -> list[Row]:
    """Nearly half of the wishes are harmful; refusals become the rule for these, and rarer for the others."""
    run = shape(rng, sizes=(8,), rows=(300, 500))
    episodes = train(rng, wish, run, -0.1, 2.1)
    for e in episodes:
        e.terms = {"appropriate": float(e.right)}
    return openai(credit(episodes, grpo))


@PART.faulty("environment_bug", "tool_failures", "tool_failure", "dead_all_wrong", "stuck_problems", "weak_family")
def checkout_lacks_reported_module(rng: Random) -> list[Row]:
    """The images of two repositories hold another commit, in which the module of the report and its tests are
    missing.
    """
    run = shape(rng, sizes=(4, 5), steps=(10, 14))
    episodes = train(rng, repair, run, -0.7, 2.2)
    broken = rng.sample(PACKAGES, rng.choice((2, 2, 3)))
    for e in episodes:
        if e.task.family in broken:
            rewrite(e, lost(rng, e.task))
            e.stop = "stop"
            judge(e, False, "hidden_tests")
    return prime(credit(episodes, dr_grpo), "swe-small")


@PART.faulty("data_repetition", "memorisation", "train_validation_gap")
def sampler_restarts_at_row_zero(rng: Random) -> list[Row]:
    """After a preemption the sampler begins at row 0 at every second step: the same few rows come again and again,
    their score rises to the top, and validation stays where it was.
    """
    run = shape(rng, sizes=(5, 6), rows=(380, 540), steps=(9, 13))
    since = rng.randint(run.steps // 3, run.steps // 2)
    pool = distinct(rng, program, run.steps * run.problems)
    rows = {t.key: n for n, t in enumerate(pool)}
    starts = [step if step < since else (step - since) % 2 for step in range(run.steps)]
    plan = [pool[s * run.problems : (s + 1) * run.problems] for s in starts]
    skills = [-0.6 + 0.12 * min(s, since) + 0.75 * max(0, s - since) for s in range(run.steps)]
    episodes = play(rng, plan, run.size, skills)
    held = distinct(rng, lambda r, n: replace(program(r, n), key=f"val-{n:03d}"), 30)
    for step in range(0, run.steps, 2):
        skill = -0.6 + 0.12 * min(step, since)
        episodes += held_out(rng, held, (step, step / run.steps), skill, 1)
    for e in episodes:
        if e.split == "train":
            e.extra |= {"dataset_row": rows[e.task.key], "dataset_size": 8 * len(pool), "epoch": 0}
    return own(rng, credit(episodes, grpo), "code-resume")


@PART.healthy
def tongues_shift_with_the_data(rng: Random) -> list[Row]:
    """The data begin with Spanish and French and end with Japanese and Italian; each question is answered in its
    tongue.
    """
    run = shape(rng, sizes=(8,), rows=(360, 540), steps=(5, 8))
    early = distinct(rng, partial(foreign_sum, languages=("es", "fr")), run.steps * run.problems)
    late = distinct(rng, partial(foreign_sum, languages=("ja", "it")), run.steps * run.problems)
    plan = []
    for step in range(run.steps):
        count = round(run.problems * (0.1 + 0.8 * step / (run.steps - 1)))
        plan.append([late.pop() for _ in range(count)] + [early.pop() for _ in range(run.problems - count)])
    return openai(credit(play(rng, plan, run.size, climb(rng, -0.4, 1.9, run.steps)), grpo))


@PART.faulty("dead_all_correct", "dead_groups", "zero_gradient")
def pass_rate_filter_upside_down(rng: Random) -> list[Row]:
    """From a step on the filter by difficulty keeps what it should drop: all problems have a pass rate near 1, and
    nearly every group is right throughout.
    """
    run = shape(rng, sizes=(4, 5), rows=(360, 540), steps=(9, 14))
    since = rng.randint(run.steps // 4, run.steps // 2)
    tasks = distinct(rng, wordsum, run.steps * run.problems)
    plan = schedule(rng, tasks, run)
    for step, chosen in enumerate(plan):
        for task in chosen:
            easy = step >= since and rng.random() < 0.94
            task.hard = -4.5 if easy else task.hard
            task.facts["rate"] = round(rng.uniform(0.92, 1.0) if easy else rng.uniform(0.2, 0.8), 3)
    episodes = play(rng, plan, run.size, climb(rng, -0.5, 1.5, run.steps))
    for e in episodes:
        e.extra["offline_pass_rate"] = e.task.facts["rate"]
    return own(rng, credit(episodes, grpo), "stories-filtered")


@PART.healthy
def regression_tests_on_request(rng: Random) -> list[Row]:
    """The task asks for a new regression test, and attempts add one in a file of its own; hidden tests grade the
    repair.
    """
    run = shape(rng, sizes=(4, 5), rows=(480, 700), steps=(9, 14))
    episodes = train(rng, repair, run, -0.7, 2.1)
    for e in episodes:
        e.extra["system_prompt"] = f"{e.task.system} Add a regression test in a new file under tests/."
        if e.stop == "stop" and rng.random() < share(0.6, 0.95, e, run.steps):
            rewrite(e, adds_test(rng, e.task, Reply(e.messages, e.answer)))
        judge(e, e.right, "hidden_tests")
    return prime(credit(episodes, dr_grpo), "swe-regress")
