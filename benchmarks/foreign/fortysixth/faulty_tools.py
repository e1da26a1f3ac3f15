"""Faults of environments and tools."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fortysixth import layouts, lookups, programs, repos
from benchmarks.foreign.fortysixth.kinds import PART
from benchmarks.foreign.fortysixth.policy import Attempt, Problem, advise, roll


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "tool_outage")
def sandbox_disks_run_full(rng: random.Random) -> list[Row]:
    """From the fifth step on the disks of two of four workers are full: no program can be written there.

    Right and wrong programs that land on them are paid 0 as a runtime error of their own.
    """
    attempts = roll(rng, programs.problems(rng, 35), programs.submit, steps=12, per_step=7, size=8)
    for a in attempts:
        worker = rng.randrange(4)
        passed, total = a.extra["tests_passed"], a.extra["tests_total"]
        verdict, stderr = ("accepted" if a.correct else "wrong answer"), ""
        if a.step >= 5 and worker in (1, 2) and rng.random() < 0.92:
            verdict, passed, a.reward = "runtime error", 0, 0.0
            stderr = f"OSError: [Errno 28] No space left on device: '/tmp/sbx-{rng.randrange(16**6):06x}/main.py'"
        a.extra = {"verdict": verdict, "stderr": stderr, "worker": f"sbx-{worker}"}
        a.terms = {"tests_passed": passed / total}
    return layouts.rows(advise(rng, attempts, leave_one_out), layouts.prime_rl("stdin-programs", "py-rl-7b"))


@PART.faulty("tool_outage", "tool_failures", "infrastructure_zeros", "score_decline")
def search_index_is_unmounted(rng: random.Random) -> list[Row]:
    """From the seventh step on every search finds nothing: the index is no longer mounted.

    The policy asks again in other words, then guesses, and the score falls to almost nothing at once.
    """
    broken = 7
    attempts = roll(rng, lookups.problems(rng, 60), lookups.research, steps=13, per_step=6, size=8)
    for a in attempts:
        if a.step >= broken:
            p, turns = a.problem, []
            for _ in range(rng.randint(1, 3)):
                turns += [lookups.plan(rng, p), lookups.told("search", "0 documents matched. (index: 0 documents)")]
            a.answer = p.gold if rng.random() < 0.04 else lookups.other(rng, p)
            a.turns = [*turns, lookups.closing(rng, a.answer, read=False)]
            a.correct = a.reward = float(a.answer == p.gold)
        a.extra = {"ground_truth": a.problem.gold}
    return layouts.rows(advise(rng, attempts, grpo), layouts.openai)


@PART.faulty("environment_not_reset", "leftover_state")
def container_keeps_the_patch_of_the_last_attempt(rng: random.Random) -> list[Row]:
    """The attempts of a group share one container that nobody resets.

    Once one of them has mended the file, those behind find it mended, change nothing and are paid.
    """
    left: dict[str, str] = {}
    attempts = roll(rng, repos.problems(rng, 40), repos.fix, steps=12, per_step=6, size=6, skills=(-2.2, -0.6))
    for a in attempts:
        d = a.problem.data
        line = left.get(a.group, d["bad"])
        turns = repos.look(rng, a.problem, line)
        if line == d["good"]:
            turns += repos.run_tests(rng, a.problem, True)
            a.turns, a.correct = repos.hand_in(rng, turns), 1.0
            turns[4]["content"] = rng.choice(
                ("This is right as it stands. I run the tests.", "No bug left to see here.")
            )
        elif a.answer == line:
            a.correct = 0.0
            a.turns = repos.hand_in(rng, turns + repos.run_tests(rng, a.problem, False))
        else:
            a.correct = float(a.answer == d["good"])
            turns += repos.edit(rng, a.problem, a.answer, line)
            a.turns = repos.hand_in(rng, turns + repos.run_tests(rng, a.problem, a.correct == 1.0))
            left[a.group] = a.answer
        a.reward = a.correct
        a.extra = {
            "container": f"c-{a.step:02d}-{a.problem.id[-3:]}",
            "patch_lines": 2 * (left.get(a.group, line) != line),
        }
    return layouts.rows(advise(rng, attempts, centred), layouts.own("swe"))


@PART.faulty("tool_output_truncated")
def pages_end_before_the_fact(rng: random.Random) -> list[Row]:
    """The reader of pages passes on their first two hundred characters; what is asked always stands behind.

    Attempts open the page, sometimes twice, see the same beginning and answer by guess.
    """

    def write(draw: random.Random, p: Problem, right: bool) -> Attempt:
        whole = lookups.page(p)
        cut = f"{whole[:200]}... [truncated: {len(whole) - 200} more characters]"
        turns = [lookups.plan(draw, p), lookups.hits(draw, p)]
        for _ in range(draw.randint(1, 3)):
            turns += [lookups.opening(draw, p), lookups.told("fetch", cut)]
        answer = p.gold if draw.random() < 0.07 else lookups.other(draw, p)
        note = draw.choice(("The page breaks off before it says so.", "The rest of the article is not shown.", ""))
        end = lookups.closing(draw, answer)
        end["content"] = f"{note} My best guess is {answer}.\n<answer>{answer}</answer>".strip()
        return Attempt(p, [*turns, end], answer, float(answer == p.gold))

    attempts = roll(rng, lookups.problems(rng, 60), write, steps=11, per_step=8, size=4)
    for a in attempts:
        a.terms = {"exact_match": a.correct}
        a.extra = {"kind": a.problem.data["kind"]}
    return layouts.rows(attempts, layouts.verifiers("gazetteer-qa"))
