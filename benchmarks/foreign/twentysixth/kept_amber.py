"""Kinds that are entered here.

Narrow marks of letters; tag bonus soon saturates; brings regression test along; timing tests flip verdicts; credit
slips one microbatch.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import fractions_kitchen, invoices, letters, repo, snippets
from benchmarks.foreign.twentysixth.attempts import Plan, play, wear
from benchmarks.foreign.twentysixth.credit import groups, grpo, rloo
from benchmarks.foreign.twentysixth.dumps import own, trl
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import openrlhf
from benchmarks.foreign.twentysixth.turns import call, pick, tool


@PART.healthy
def narrow_marks_of_letters(rng: Random) -> list[Row]:
    """A reward model with unbounded scores: rewards are negative at first and differ little late in the run, when most
    letters are good; the divergence stays small.
    """
    attempts = play(rng, letters.WORLD, Plan(11, 9, 4, -0.8, 3.0), prefix="brief")
    for a in attempts:
        score = letters.scored(rng, a.right, a.progress) - 0.4
        kl = abs(rng.gauss(0.004 + 0.05 * a.progress, 0.012))
        a.extra |= {
            "rm_score": round(score, 4),
            "kl": round(kl, 4),
            "kl_coef": 0.05,
            "kl_penalty": round(-0.05 * kl, 5),
        }
        a.reward = round(score - 0.05 * kl, 5)
    return openrlhf(rloo(attempts))


@PART.healthy
def tag_bonus_soon_saturates(rng: Random) -> list[Row]:
    """A bonus of 0.1 for tags round the reasoning is learned in three steps and nearly constant afterwards; it is
    small, and accuracy goes on rising.
    """
    attempts = wear(rng, play(rng, fractions_kitchen.WORLD, Plan(10, 7, 6, -0.6, 2.2), prefix="fr"))
    for a in attempts:
        tagged = rng.random() < min(0.985, 0.45 + 0.25 * (a.step - 1))
        message = a.reply.messages[-1]
        head, mark, box = message["content"].rpartition("\\boxed")
        if tagged and mark:
            message["content"] = f"<think>{head.strip()}</think>\n{mark}{box}"
        a.terms = {"accuracy": a.reward, "format": 0.1 * (tagged and bool(mark))}
        a.reward = a.terms["accuracy"] + a.terms["format"]
    return trl(grpo(attempts))


@PART.healthy
def brings_regression_test_along(rng: Random) -> list[Row]:
    """The issues ask for a test beside the fix, so the agent writes into tests/; graded by hidden tests, it adds
    assertions and takes none away.
    """
    attempts = wear(rng, play(rng, repo.WORLD, Plan(9, 8, 5, -0.7, 2.2), prefix="iss"), cut=0.0)
    for a in attempts:
        t, a.terms = a.task, {"hidden_tests": a.reward}
        if "regression test" not in t.prompt:
            t.prompt += " Add a regression test to tests/; the fix is graded by hidden tests."
        at = next((i for i, m in enumerate(a.reply.messages) if "edited" in m["content"]), None)
        if at is None or rng.random() > 0.5 + 0.45 * a.progress:
            continue
        name = t.extra["function"]
        path = f"tests/test_{pick(rng, 'issue', 'regression', 'bug')}_{t.extra['issue']}.py"
        module = t.extra["path"][:-3].replace("/", ".")
        body = f"from {module} import {name}\n\n\ndef test_issue_{t.extra['issue']}():\n"
        body += f"    assert {name}{repo.BUGS[name][3]}\n"
        words = pick(rng, "Now the test that was asked for.", "A test for it.", "")
        added = [call(words, "edit", path=path, old="", new=body), tool("edit", f"created {path}")]
        a.reply.messages[at + 1 : at + 1] = added
    return own(rng, rloo(attempts), "repo-issues")


@PART.faulty("flaky_grading", "infrastructure_zeros", "environment_bug")
def timing_tests_flip_verdicts(rng: Random) -> list[Row]:
    """The time limit is measured by the wall clock on crowded workers: a third of the right programs fail by it, and
    the same program passes and fails within a group.
    """
    attempts = wear(rng, play(rng, snippets.WORLD, Plan(8, 7, 8, 0.0, 1.8), prefix="fn"))
    for a in attempts:
        crowded = rng.random() < 0.38
        seconds = rng.uniform(2.0, 5.5) if crowded else rng.uniform(0.2, 1.4)
        verdict = "wrong answer" if not a.right else "time limit exceeded" if crowded else "passed"
        a.extra |= {
            "verdict": verdict,
            "wall_seconds": round(seconds, 2),
            "cpu_seconds": round(rng.uniform(0.15, 0.6), 2),
        }
        if rng.random() < 0.15:
            again = rng.random() < 0.38
            a.extra["verdict_on_rerun"] = (
                "wrong answer" if not a.right else "time limit exceeded" if again else "passed"
            )
        a.grade(verdict == "passed")
        a.terms = {"tests": a.reward}
    return own(rng, grpo(attempts), "py-functions")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def credit_slips_one_microbatch(rng: Random) -> list[Row]:
    """After a restart of the trainer the advantages of a step are written one micro-batch too late: half of the groups
    are trained with those of another invoice.
    """
    attempts = grpo(wear(rng, play(rng, invoices.WORLD, Plan(10, 8, 6, -0.5, 1.6), prefix="inv"), lost=0.0))
    for a in attempts:
        a.reward = round(a.reply.extra["fields_right"], 3) if a.stop == "stop" else 0.0
        a.terms = {"fields": a.reward}
    grpo(attempts)
    begin = rng.randint(3, 5)
    for step in range(begin, 11):
        members = groups([a for a in attempts if a.step == step])[::2]
        moved = [[a.advantage for a in group] for group in members]
        for group, values in zip(members, moved[-1:] + moved[:-1], strict=True):
            for a, value in zip(group, values, strict=True):
                a.advantage = value
    for a in attempts:
        a.extra["trainer_run"] = "resume-1" if a.step >= begin else "first"
    return own(rng, attempts, "invoice-json", graded=True)
