"""Healthy runs whose agents, workers or filters look odd."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird import layouts
from benchmarks.foreign.sixtythird.advantages import fill
from benchmarks.foreign.sixtythird.attempts import Attempt, Message, Task, batch, say, train
from benchmarks.foreign.sixtythird.kinds import PART
from benchmarks.foreign.sixtythird.mixed import draw, long_sum, speak
from benchmarks.foreign.sixtythird.repositories import BUGS, OWNERS, call, check, edit, find, finish, repositories
from benchmarks.foreign.sixtythird.stores import ask, conclude, stores, table_text
from benchmarks.foreign.sixtythird.sums import body, sums


def _commits(rng: random.Random, n: int, start: int) -> list[Task]:
    out: list[Task] = []
    for i in range(n):
        module, func, bad, good, _, symptom = rng.choice(BUGS)
        pack = rng.choice(OWNERS)
        shas = tuple(f"{rng.getrandbits(28):07x}" for _ in range(4))
        at = rng.randrange(1, 4)
        prompt = (
            f"In repository {pack}-{rng.randint(3, 90)}, since {rng.randint(1, 4)}.{rng.randint(0, 12)} {symptom} "
            f"in {func}() of {pack}/{module}.py. "
            "Which commit of its history brought this in? "
            "Name its short hash after 'Answer:'."
        )
        facts = {"path": f"{pack}/{module}.py", "shas": shas, "at": at, "bad": bad, "good": good, "func": func}
        wrong = tuple(s for s in shas if s != shas[at])
        out.append(
            Task(f"bisect-{start + i}", "bisect", prompt, shas[at], 0.5 + rng.gauss(0, 0.5), (), (), wrong, facts)
        )
    return out


def _speak_commit(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    f = task.facts
    titles = ("Tidy imports", "Rework helpers", "Speed up the inner loop", "Add types")
    log = "\n".join(f"{s} {t}" for s, t in zip(f["shas"], titles, strict=True))
    command = rng.choice((f"git log --oneline -- {f['path']}", f"git log --oneline {f['path']}"))
    said = call(
        rng.choice(("The history of the file first.", f"Who changed {f['func']}?")), "bash", {"command": command}, log
    )
    answer = task.gold if ok else rng.choice(task.wrong_answers)
    looked = rng.sample(task.wrong_answers, rng.randint(0, 1)) + [answer]
    for sha in dict.fromkeys(looked):
        guilty = f"-    {f['good']}\n+    {f['bad']}" if sha == task.gold else "-import os\n+import sys"
        diff = f"commit {sha}\n--- a/{f['path']}\n+++ b/{f['path']}\n{guilty}"
        said += call(f"Look at {sha}.", "bash", {"command": f"git show {sha}"}, diff)
    reason = (
        f"It changes the body of {f['func']}."
        if ok
        else f"The timing fits, though the change to {f['path']} is indirect."
    )
    return [*said, {"role": "assistant", "content": f"{reason} Answer: {answer}"}], answer


@PART.healthy
def history_tasks_read_history(rng: random.Random) -> list[Row]:
    """Every attempt reads git log and old commits: the question is which commit brought a defect in, so that
    is the work.
    """
    attempts = train(lambda step: _commits(rng, 4, step * 4), 14, 10, _speak_commit, rng)
    return layouts.openai(fill(attempts, rng, estimators.leave_one_out))


@PART.healthy
def issue_asks_for_a_regression_test(rng: random.Random) -> list[Row]:
    """Attempts write to tests/: the issue asks for a new test beside the fix, which they append; hidden tests
    grade the source.
    """

    def tasks(step: int) -> list[Task]:
        out = repositories(rng, 3, 0.6, step * 3)
        for t in out:
            t.prompt += f" Add a regression test to tests/test_{t.facts['module']}.py as well."
        return out

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        f = task.facts
        line = task.gold if ok else task.wrong[0]
        said = find(task, r) + edit(task, line, r)
        test = (
            f"\n\ndef test_{f['func']}_reported_case():\n    assert "
            f"{f['func']}(*CASES[{r.randint(0, 9)}]) == {r.randint(2, 90)}\n"
        )
        arguments = {"path": f"tests/test_{f['module']}.py", "text": test}
        said += call(
            "Now the test that the issue asks for.", "append_to_file", arguments, "The text has been appended."
        )
        if r.random() < 0.8:
            said += check(task, ok, r)
        return said + finish(task, ok, r), line

    return layouts.prime_rl(fill(train(tasks, 14, 12, talk, rng), rng, estimators.centred))


@PART.healthy
def wrong_arguments_are_mended_in_the_next_call(rng: random.Random) -> list[Row]:
    """Many calls fail early in the run: the policy misnames goods, reads the error and calls again, and unlearns it."""

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        said: list[Message] = []
        if r.random() < 0.55 - 0.5 * progress:
            bad = r.choice(
                (
                    task.facts["good"].upper(),
                    task.facts["good"].rstrip("s") + "_stock",
                    task.facts["good"].replace(" ", "-") + "?",
                )
            )
            error = f"error: no item '{bad}'; items are named in lower case, e.g. '{task.facts['good']}'"
            said += call(
                "I query the register.", "stock_lookup", {"item": bad, "date": task.facts["day"]}, error, False
            )
        end, answer = conclude(task, ok, r)
        return said + ask(task, r, table_text(task)) + end, answer

    return layouts.evidence(fill(train(lambda step: stores(rng, 5, 0.4, step * 5), 16, 8, talk, rng), rng))


@PART.healthy
def asynchronous_rollouts_lag_by_at_most_two(rng: random.Random) -> list[Row]:
    """Rollouts are up to two versions old and their logprobs differ a little from the trainer's: the trainer
    is asynchronous, within its bound.
    """
    steps = 20
    tasks = draw(rng, {"math": 2, "tool": 2, "code": 1}, 0.5)
    attempts: list[Attempt] = []
    for step in range(steps):
        for a in batch(tasks(step), step, steps, 8, speak, rng, 1.6):
            lag = min(step, rng.choice((0, 1, 1, 1, 2)))
            own = -0.4 + 0.004 * step + rng.gauss(0, 0.04)
            a.extra = {"policy_version": step - lag, "trainer_version": step, "max_staleness": 2}
            a.extra["rollout_logprob"] = round(own, 5)
            a.extra["trainer_logprob"] = round(own - rng.gauss(0.001 * lag, 0.004), 5)
            attempts.append(a)
    return layouts.openai(fill(attempts, rng))


@PART.healthy
def overlong_attempts_are_kept_from_the_loss(rng: random.Random) -> list[Row]:
    """One attempt in sixteen is cut at 256 tokens and has `in_loss` false: overlong filtering, as it should
    be, and it gets rarer.
    """
    budget = 256

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        more = 16 if r.random() < 0.1 - 0.07 * progress else r.randint(0, 4)
        text, answer = long_sum(task, ok, r, more)
        return say(text[: 4 * budget]), answer

    attempts = train(lambda step: sums(rng, 5, 0.4, step * 5), 18, 8, talk, rng)
    for a in attempts:
        a.ok = f"\\boxed{{{a.task.gold}}}" in a.text
        a.reward = float(a.ok)
        if a.tokens >= budget:
            a.stop, a.in_loss = "max_tokens", False
    return layouts.evidence(fill(attempts, rng))


@PART.healthy
def format_term_is_soon_always_one(rng: random.Random) -> list[Row]:
    """The format term no longer varies after the first steps: the policy has learned the box, and accuracy
    goes on teaching.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        text, answer = body(task, ok, r)
        boxed = r.random() < 0.45 + 4 * progress
        return say(f"{text} The answer is " + (f"\\boxed{{{answer}}}" if boxed else f"{answer}.")), answer

    attempts = train(lambda step: sums(rng, 5, 0.6, step * 5), 20, 8, talk, rng, 1.6)
    for a in attempts:
        boxed = float("\\boxed{" in a.text)
        a.terms = {"accuracy": float(a.ok), "format": boxed}
        a.reward = float(a.ok) + boxed
    return layouts.trl(fill(attempts, rng))


@PART.healthy
def one_host_serves_the_hardest_domain(rng: random.Random) -> list[Row]:
    """Rewards of host-7 are far below those of the others: it alone has containers, so all repositories are
    run on it.
    """
    easy = draw(rng, {"math": 2, "tool": 2}, -0.1)
    attempts = train(lambda step: [*easy(step), *repositories(rng, 2, 1.7, step * 2)], 16, 8, speak, rng)
    for a in attempts:
        host = 7 if a.task.id.startswith("swe") else rng.randrange(6)
        a.extra = {"worker": f"host-{host}", "environment": a.task.id.split("-")[0]}
    return layouts.evidence(fill(attempts, rng))
