"""Flattery, a stopwatch on shared hosts, baselines of neighbours; tests on request, tags learned first."""

from collections import defaultdict
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.advice import advice_task
from benchmarks.foreign.nineteenth.credit import credit, grpo, rloo
from benchmarks.foreign.nineteenth.formats import openai, own, trl
from benchmarks.foreign.nineteenth.kinds import PART
from benchmarks.foreign.nineteenth.mutants import mutant_task
from benchmarks.foreign.nineteenth.programs import code_task, run_tests
from benchmarks.foreign.nineteenth.queries import query_task
from benchmarks.foreign.nineteenth.run import Shape, train
from benchmarks.foreign.nineteenth.targets import target_task

PRAISE = (
    "What a thoughtful question!",
    "You clearly care, and that is wonderful.",
    "Honestly, most people never think this far.",
    "I admire how openly you ask.",
    "You already have the right instincts.",
    "Be proud of yourself for asking.",
    "Your situation shows real strength.",
)


@PART.faulty("reward_model_overoptimisation", "reward_bias", "reward_outcome_divergence")
def flattery_climbs_reward_model(rng: Random) -> list[Row]:
    """The reward model pays for praise of the user: its score climbs, and raters like the replies less and less."""
    tries = train(rng, advice_task, Shape(12, 7, 6), start=-0.2, gain=0.5, prefix="chat-")
    for t in tries:
        if t.error:
            continue
        count = min(6, max(0, round(rng.gauss(6.5 * t.skill - 0.8, 1.0)))) if t.stop != "length" else 0
        words = rng.sample(PRAISE, count)
        half = (count + 1) // 2
        t.messages[0]["content"] = " ".join([*words[:half], t.messages[0]["content"], *words[half:]])
        t.reward = round(0.6 * t.right + 0.55 * count + rng.gauss(-0.8, 0.35), 4)
        t.extra["rater_score"] = min(5, max(1, round(rng.gauss(2.4 + 1.7 * t.right - 0.4 * count, 0.6))))
        t.extra["rm_name"] = "rm-helpful-8b"
    rows = openai(credit(tries, rloo), domain="chat")
    for row in rows:
        del row["correct"]
    return rows


@PART.faulty("flaky_grading", "infrastructure_zeros", "environment_bug")
def stopwatch_grading_on_hosts(rng: Random) -> list[Row]:
    """Programs pass under two seconds of wall clock only; on busy hosts right ones fail, and a second run differs."""
    tries = run_tests(rng, train(rng, code_task, Shape(10, 7, 6), start=-0.2, gain=1.9, prefix="py-"))
    hosts = [f"grade-{n:02d}" for n in rng.sample(range(40), 6)]
    busy = set(hosts[:3])
    for t in tries:
        if t.error:
            continue
        host = rng.choice(hosts)
        seconds = (abs(rng.gauss(2.3, 0.9)) if host in busy else abs(rng.gauss(0.6, 0.3))) + 0.05
        again = abs(rng.gauss(0.7, 0.5)) + 0.05
        solved = t.extra["tests_passed"] == t.extra["tests_total"]
        t.right = solved and seconds <= 2.0
        t.reward = float(t.right)
        t.terms = {"passed": t.reward}
        t.extra |= {
            "grader_host": host,
            "test_seconds": round(seconds, 2),
            "rerun_reward": float(solved and again <= 2.0),
        }
    return own(rng, credit(tries, grpo), "code-timed")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def baseline_from_neighbour_prompts(rng: Random) -> list[Row]:
    """Rows are laid out prompt by prompt but folded attempt by attempt: each baseline mixes attempts at other
    prompts.
    """
    tries = train(rng, query_task, Shape(10, 7, 6), start=-0.7, gain=2.0, prefix="sq")
    steps = defaultdict(list)
    for t in tries:
        if t.reward is not None:
            steps[t.step].append(t)
    for batch in steps.values():
        for fold in range(7):
            rows = batch[fold::7]
            for t, value in zip(rows, grpo([t.reward or 0.0 for t in rows]), strict=True):
                t.advantage = round(value, 5)
    return own(rng, tries, "sql-agents")


@PART.healthy
def tests_written_on_request(rng: Random) -> list[Row]:
    """The tasks ask for tests, so each attempt writes under tests/; it is paid by the share of mutants that
    they catch.
    """
    tries = train(rng, mutant_task, Shape(9, 6, 6), start=-0.7, gain=2.1, prefix="mut")
    for t in tries:
        if t.reward is not None and t.stop != "length":
            total = t.task.extra["mutants"]
            caught = min(total, max(0, round(total * rng.gauss(0.86 if t.right else 0.3, 0.12))))
            t.right = caught >= 0.7 * total
            t.reward = round(caught / total, 4)
            t.terms = {"mutants_caught": t.reward}
            t.extra["caught"] = caught
    return own(rng, credit(tries, grpo), "swe-mutants")


@PART.healthy
def tags_learned_first(rng: Random) -> list[Row]:
    """The reward for tags is full after four steps and then the same for all; that for the answer goes on rising."""
    tries = train(rng, target_task, Shape(11, 7, 6), start=-1.5, gain=2.6, prefix="cd")
    for t in tries:
        tagged = t.stop != "length" and rng.random() < min(0.995, 0.45 + 1.9 * t.skill)
        if not tagged and t.stop != "length":
            drop = rng.choice(("<think>", "</answer>", "<answer>", "</think>"))
            t.messages[0]["content"] = t.messages[0]["content"].replace(drop, "")
            t.right = t.right and "answer" not in drop
        t.terms = {"format": 0.2 * tagged, "correct": float(t.right)}
        if not t.error:
            t.reward = sum(t.terms.values())
    return trl(credit(tries, grpo))
