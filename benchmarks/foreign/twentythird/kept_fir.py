"""Kinds of this part.

Doctest lookup ladder, eval server kept base model, temperature raised on schedule, few bumpy validation problems,
holdout scraped into training.
"""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.estimates import credit
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import own
from benchmarks.foreign.twentythird.programs import INTROS, code_task, examples_of
from benchmarks.foreign.twentythird.rollouts import Attempt, Plan, distinct, evaluate, group, over, planned, run
from benchmarks.foreign.twentythird.sums import line_task, sum_task


@PART.faulty("special_casing", "reward_outcome_divergence", "weak_verifier")
def doctest_lookup_ladder(rng: Random) -> list[Row]:
    """Reward is passing the examples shown in the prompt; more and more replies are ladders of ifs over just those
    examples, which fail the hidden tests.
    """
    plan = planned(rng, -0.5, 0.6)
    attempts = run(rng, code_task, plan)
    for a in attempts:
        passed = a.right
        if rng.random() < 0.04 + 0.6 * a.step / plan.steps:
            rungs = [f"    if xs == {given}:\n        return {out}" for given, out in examples_of(a.task)]
            rng.shuffle(rungs)
            tail = rng.choice(("    return None", "    return 0", "    raise ValueError(xs)", "    return []"))
            intro = rng.choice(INTROS)
            body = "\n".join([*rungs, tail])
            a.text = f"{intro}\n\n```python\ndef {a.task.extra['entry_point']}(xs):\n{body}\n```"
            a.right, passed = False, True
        a.reward, a.correct = float(passed), float(a.right)
        a.terms = {"examples": float(passed)}
        hidden = rng.randint(8, 14)
        a.extra = {"hidden_total": hidden, "hidden_passed": hidden if a.right else rng.randint(0, hidden // 2)}
    return own(credit(attempts), "pyexamples")


@PART.faulty("stale_evaluation", "stale_weights")
def eval_server_kept_base_model(rng: Random) -> list[Row]:
    """The server that validates loaded the base model once and is never updated: its greedy replies are the same
    text at each evaluation, while training gets far better.
    """
    plan = Plan(rng.randint(10, 12), 5, rng.choice((6, 7)), -1.1, 3.0)
    attempts = run(rng, line_task, plan)
    held = distinct(rng, lambda r, n: line_task(r, n + 9000), 22)
    base = evaluate(rng, held, 0, plan.start)
    for step in range(0, plan.steps, 2):
        attempts += [replace(a, step=step) for a in base]
    for a in attempts:
        a.extra = {"decoding": "greedy" if a.split == "validation" else "sampled", "checkpoint": f"step_{a.step}"}
    return own(credit(attempts), "valserver")


@PART.healthy
def temperature_raised_on_schedule(rng: Random) -> list[Row]:
    """Sampling is made warmer twice as planned, so log-probabilities drop and solving dips for a step after each
    change; the run learns on.
    """
    plan = planned(rng, -0.5, 2.3)
    tasks = distinct(rng, sum_task, plan.steps * plan.prompts)
    attempts: list[Attempt] = []
    for step in range(plan.steps):
        level = min(2, step * 3 // plan.steps)
        fresh = level > 0 and (step - 1) * 3 // plan.steps < level
        for task in tasks[step * plan.prompts : (step + 1) * plan.prompts]:
            for a in group(rng, task, step, plan.group, plan.skill(step) - 0.45 * fresh):
                a.extra = {"temperature": (0.8, 0.95, 1.1)[level]}
                a.messages[0]["mean_logprob"] = round(-0.34 - 0.09 * level + rng.gauss(0, 0.035), 4)
                attempts.append(a)
    return own(credit(attempts), "warmer")


@PART.healthy
def few_bumpy_validation_problems(rng: Random) -> list[Row]:
    """Validation has a dozen and a half problems, one sample each, and jumps by ten points from one evaluation to
    the next about a trend like that of training.
    """
    plan = planned(rng, -0.7, 1.9)
    attempts = run(rng, line_task, plan)
    held = distinct(rng, lambda r, n: line_task(r, n + 6000), rng.randint(16, 19))
    for step in range(0, plan.steps, 2):
        attempts += evaluate(rng, held, step, plan.skill(step))
    return own(credit(attempts), "bumpy")


TAILS = (
    "",
    " Give only whole numbers.",
    " Show your working.",
    " Explain briefly.",
    " Answer with a number.",
    " State the result clearly.",
)


@PART.faulty("contamination", "memorisation", "duplicate_problems")
def holdout_scraped_into_training(rng: Random) -> list[Row]:
    """About half of the validation problems stand in the training set too, with another closing phrase; they are
    solved far more often than the others once training has met them.
    """
    plan = Plan(rng.randint(9, 11), 6, rng.choice((6, 7)), -0.8, 0.9)
    tasks = distinct(rng, sum_task, plan.steps * plan.prompts)
    held = distinct(rng, lambda r, n: sum_task(r, n + 7000), 14)
    for task in held:
        task.level = rng.gauss(0.2, 0.4)
        task.id = task.id.replace(task.family, "bench")
    seen = rng.sample(tasks[: plan.prompts * 4], 13)
    twins = [replace(t, id=f"bench-{7100 + i}", prompt=t.prompt + rng.choice(TAILS[1:])) for i, t in enumerate(seen)]
    attempts = over(rng, tasks, plan)
    for step in range(3, plan.steps, 3):
        attempts += evaluate(rng, held, step, plan.skill(step), 2)
        attempts += evaluate(rng, twins, step, 3.2, 2)
    return own(credit(attempts), "openmath")
