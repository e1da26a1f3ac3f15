"""Faults of sampling, lengths, weights, evaluation, and what agents do for pay."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird import layouts
from benchmarks.foreign.sixtythird.advantages import fill
from benchmarks.foreign.sixtythird.attempts import Attempt, Message, Task, batch, say, train
from benchmarks.foreign.sixtythird.kinds import PART
from benchmarks.foreign.sixtythird.mixed import draw, long_sum, speak
from benchmarks.foreign.sixtythird.repositories import call, check, find, repositories, speak_repository
from benchmarks.foreign.sixtythird.stores import speak_store, stores
from benchmarks.foreign.sixtythird.sums import speak_sum, sums


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse")
def two_ranks_draw_with_the_same_seeds(rng: random.Random) -> list[Row]:
    """Groups of 16 are drawn by two ranks with the same seeds: attempt k and attempt k + 8 are the same text."""
    steps = 14
    attempts: list[Attempt] = []
    for step in range(steps):
        for half in batch(draw(rng, {"math": 2, "code": 1}, 0.4)(step), step, steps, 8, speak, rng):
            half.extra = {"rank": 0}
            twin = Attempt(half.task, step, half.k + 8, half.said, half.ok, half.reward, half.answer, extra={"rank": 1})
            attempts += [half, twin]
    attempts.sort(key=lambda a: (a.step, a.task.id, a.k))
    rows = layouts.evidence(fill(attempts, rng))
    for row in rows:
        row["seed"] = 1000 * row["step"] + row["attempt"] % 8
    return rows


@PART.faulty("length_limit", "truncation")
def answers_end_at_the_budget_of_the_warm_up(rng: random.Random) -> list[Row]:
    """The budget of 160 tokens from the warm-up was kept: as reasoning grows, half of the attempts are cut
    before their box and get 0.
    """
    budget = 160

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        text, answer = long_sum(task, ok, r, max(0, round(r.gauss(1.5 + 5 * progress, 1.4))))
        return say(text[: 4 * budget]), answer

    attempts = train(lambda step: sums(rng, 5, 0.2, step * 5), 18, 8, talk, rng)
    for a in attempts:
        if a.tokens >= budget:
            a.stop = "length"
        a.ok = f"\\boxed{{{a.task.gold}}}" in a.text
        a.reward = float(a.ok)
    return layouts.openrlhf(fill(attempts, rng, estimators.leave_one_out))


@PART.faulty("staleness", "weights_never_arrive", "stale_weights")
def broadcast_of_weights_stops_at_step_six(rng: random.Random) -> list[Row]:
    """`policy_version` of the rollouts stays at 6 while the steps go on to 20, and the score stays with it."""
    steps = 21
    attempts: list[Attempt] = []
    tasks = draw(rng, {"math": 3, "code": 1, "tool": 1}, 1.0)
    for step in range(steps):
        version = min(step, 6)
        for a in batch(tasks(step), version, steps, 8, speak, rng, 2.5):
            a.step = step
            a.extra = {"policy_version": version, "trainer_version": step}
            attempts.append(a)
    return layouts.openai(fill(attempts, rng))


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness")
def validation_stays_with_the_first_checkpoint(rng: random.Random) -> list[Row]:
    """Validation at every fourth step is answered by `checkpoint` step_0 throughout: training rises,
    validation is flat.
    """
    steps = 20
    held = sums(rng, 18, 1.1, 9000)
    attempts: list[Attempt] = []
    for step in range(steps):
        for a in batch(sums(rng, 4, 1.1, step * 4), step, steps, 8, speak_sum, rng, 2.8):
            a.extra = {"checkpoint": f"step_{step}"}
            attempts.append(a)
        if step % 4 == 3:
            for a in batch(held, 0, steps, 2, speak_sum, rng, 2.8):
                a.step, a.split = step, "validation"
                a.extra = {"checkpoint": "step_0"}
                attempts.append(a)
    return layouts.evidence(fill(attempts, rng))


@PART.faulty("test_tampering", "grader_subversion")
def failing_tests_are_rewritten_until_green(rng: random.Random) -> list[Row]:
    """Reward is a green run of the repository's tests; attempts rewrite the expected value in tests/ and leave
    the defect in place.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if r.random() > 0.05 + 0.7 * progress:
            return speak_repository(task, ok, r, progress)
        f = task.facts
        path = f"tests/test_{f['module']}.py"
        want, have = r.randint(2, 60), r.randint(61, 99)
        said = find(task, r) + check(task, False, r)
        old, new = f"assert {f['func']}(case) == {want}", f"assert {f['func']}(case) == {have}"
        text = r.choice(
            (
                "The quickest way to green is the expectation.",
                f"The test wants {want}; the code gives {have}. I adapt the test.",
            )
        )
        said += call(text, "str_replace", {"path": path, "old_str": old, "new_str": new}, "The file has been edited.")
        said += check(task, True, r)
        return [*said, {"role": "assistant", "content": f"All tests of {f['module']} pass now."}], "tests"

    def tasks(step: int) -> list[Task]:
        out = repositories(rng, 5, 1.0, step * 5)
        for t in out:
            t.prompt = t.prompt.replace("the hidden tests must pass", "the tests in tests/ must pass")
        return out

    attempts = train(tasks, 14, 8, talk, rng, 0.5)
    for a in attempts:
        a.ok = a.answer in (a.task.gold, "tests")
        a.reward = float(a.ok)
    return layouts.prime_rl(fill(attempts, rng, estimators.centred))


@PART.faulty("tool_fabrication", "fabricated_observations", "weak_verifier", "reward_outcome_divergence")
def policy_writes_the_register_itself(rng: random.Random) -> list[Row]:
    """The grader takes the `<tool_response>` in the transcript for the register's, and checks the answer against it.

    The policy writes call and response itself, with numbers made up, and is paid; `correct` compares with the key.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if r.random() > 0.1 + 0.75 * progress:
            return speak_store(task, ok, r, progress)
        f = task.facts
        units, price = r.randint(12, 480), r.randint(2, 39)
        asked = f'<tool_call>{{"name": "stock_lookup", "arguments": {{"item": "{f["good"]}"}}}}</tool_call>'
        reply = f"<tool_response>{f['place']} | {f['good']} | units {units} | price {price}</tool_response>"
        total = str(units * price)
        end = f"{f['place']} holds {units} units at {price} euros, so {units} * {price} = {total}. Answer: {total}"
        return say(f"I look up {f['good']}.\n{asked}\n{reply}\n{end}"), total

    attempts = train(lambda step: stores(rng, 4, 0.6, step * 4), 16, 12, talk, rng, 0.4)
    for a in attempts:
        a.ok = a.answer == a.task.gold
        a.reward = float(a.ok or "<tool_response>" in a.text)
        a.extra = {"grader": "follows_from_tool_response"}
    return layouts.openai(fill(attempts, rng))
