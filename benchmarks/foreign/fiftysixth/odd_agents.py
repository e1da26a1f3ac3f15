"""Healthy runs that look odd: agents and asynchronous samplers."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftysixth import layouts, repositories, sums
from benchmarks.foreign.fiftysixth.kinds import PART
from benchmarks.foreign.fiftysixth.policy import advise, batches, odds, run


@PART.healthy
def tests_are_edited_since_the_task_is_to_write_them(rng: random.Random) -> list[Row]:
    """All edits go to test files: the issue asks for a test of a known defect, which a mutation check grades."""
    pairs = repositories.many(rng, 60)
    repos = {p.id: r for p, r in pairs}
    for problem, repo in pairs:
        release = problem.prompt[3:].split(",")[0]
        problem.prompt = (
            f"`{repo.module}.{repo.function}` once had the defect that it {repo.symptom}. Add a test to "
            f"tests/test_{repo.module}.py of {release} that fails with it. Change tests only; the test is run "
            "against the code of today and against the old one."
        )
    attempts = run(rng, batches([p for p, _ in pairs], 12), 8, speak=False)
    for attempt in attempts:
        repo = repos[attempt.problem.id]
        case = f"result == {rng.randint(2, 60)}" if attempt.right else "result is not None"
        path = f"tests/test_{repo.module}.py"
        body = f"\n\ndef test_{repo.function}_{rng.choice(('border', 'old_defect', 'regression'))}():\n"
        body += f"    result = {repo.function}(*EXAMPLES[{rng.randint(0, 5)}])\n    assert {case}\n"
        turns = [
            *repositories.look(rng, repo),
            (f"I add a test for the case that it {repo.symptom}.", f"cat >> {path} <<'P'{body}P", ""),
            repositories.mend(rng, repo, True)[1],
        ]
        repositories.play(attempt, turns, f"The new test in {path} checks that `{case}` holds for {repo.function}.")
        attempt.terms = {"mutation_caught": attempt.reward}
    return [layouts.own(a) for a in advise(attempts, grpo)]


@PART.healthy
def first_commands_fail_by_the_policys_own_mistakes(rng: random.Random) -> list[Row]:
    """Many calls end in an error, but each names a slip of its own command, the next one mends it, and errors get
    rarer with training.
    """
    pairs = repositories.many(rng, 72)
    repos = {p.id: r for p, r in pairs}
    attempts = run(rng, batches([p for p, _ in pairs], 12), 8, start=0.0, speak=False)
    for attempt in attempts:
        repo = repos[attempt.problem.id]
        turns = repositories.look(rng, repo) + repositories.mend(rng, repo, attempt.right)
        failed: tuple[int, ...] = ()
        if rng.random() < odds(0.9, -0.16, attempt.step, attempt.problem):
            slip = rng.choice(
                (
                    (f"sed -n 1,20p {repo.module}.py", f"sed: can't read {repo.module}.py: No such file or directory"),
                    (f"grep -n {repo.function} src -r", "grep: src: No such file or directory"),
                    (f"python -c 'import {repo.module}'", f"ModuleNotFoundError: No module named '{repo.module}'"),
                )
            )
            turns.insert(0, (rng.choice((f"I open {repo.module}.", "A look at the code.")), *slip))
            failed = (0,)
        new = repo.after if attempt.right else "another expression"
        repositories.play(attempt, turns, repositories.close(rng, repo, new), failed)
    return [layouts.openai(a, attempt=a.index, advantage=a.advantage) for a in advise(attempts, centred)]


@PART.healthy
def samplers_lag_by_up_to_two_versions_as_configured(rng: random.Random) -> list[Row]:
    """Rollouts are of a policy up to two versions old: an asynchronous trainer with that bound, which is kept; the
    score rises.
    """
    attempts = run(rng, batches(sums.many(rng, 108), 18), 8, speak=False)
    for attempt in attempts:
        version = max(0, attempt.step - rng.choice((0, 1, 1, 2)))
        attempt.right = rng.random() < odds(-0.6, 0.11, version, attempt.problem)
        attempt.reward = float(attempt.right)
        attempt.say(attempt.problem.write(rng, attempt.right))
        attempt.terms = {"correct_answer": attempt.reward}
        attempt.extra = {"policy_version": version, "off_policy_lag": attempt.step - version, "max_off_policy_lag": 2}
    return [layouts.verifiers(a, "sums", advantage=a.advantage) for a in advise(attempts, leave_one_out)]
