"""Sound runs that look odd: the data."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import archive, estimates, rows, sums
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Plan, Problem, says, train, train_on


@PART.healthy
def harder_as_it_learns(rng: Random) -> list[Row]:
    """A curriculum: problems get longer whenever the policy is ready, so the solve rate stays near a half and texts
    grow.
    """
    plan = Plan(steps=16, prompts=5, attempts=6, start=-1.2, end=1.9)
    levels = [2 + step // 3 for step in range(plan.steps)]
    problems = [
        [sums.draw_sum(rng, step * plan.prompts + k, level) for k in range(plan.prompts)]
        for step, level in enumerate(levels)
    ]
    attempts = train_on(rng, plan, problems, sums.solve_sum)
    for one in attempts:
        one.columns = {"extra": {"family": f"level-{levels[one.step]}"}}
    return [rows.own(one, "math", {"accuracy": one.reward}) for one in estimates.by_group(attempts)]


_BUDGET_TOKENS = 210


def _work(rng: Random, problem: Problem, is_right: bool, num_checks: int) -> str:
    parts = []
    for place in range(num_checks):
        work = sums.sum_text(rng, problem, is_right).replace("\\boxed{", "").replace("}", "")
        lead = rng.choice(("Let me check it again.", "Once more, slowly.", "A second look:")) if place else "Draft:"
        parts.append(f"{lead}\n{work}")
    return "\n\n".join([*parts, sums.sum_text(rng, problem, is_right)])


@PART.healthy
def long_work_sometimes_cut(rng: Random) -> list[Row]:
    """Long workings with checks; about one in six is cut by the budget at first, and fewer as the policy learns to be
    brief.
    """
    attempts = train(rng, Plan(steps=13, prompts=5, attempts=6), sums.draw_sum, sums.solve_sum)
    for one in attempts:
        num_checks = rng.choice((1, 2, 2, 3, 4, 5)) if rng.random() > one.step / 16 else rng.choice((1, 1, 2, 3))
        one.said = [says(_work(rng, one.problem, one.is_right, num_checks))]
        is_cut = one.num_tokens > _BUDGET_TOKENS
        if is_cut:
            one.said = [says(one.text[: _BUDGET_TOKENS * 37 // 10 - 8])]
            one.is_right, one.reward = False, 0.0
        one.columns = {"finish_reason": "length" if is_cut else "stop", "completion_tokens": one.num_tokens}
        one.columns |= {"is_correct": one.is_right}
    return [rows.chat(one) for one in estimates.by_group(attempts)]


@PART.healthy
def second_look_at_the_same_data(rng: Random) -> list[Row]:
    """A small set of problems is gone through twice, in another order; held problems are others, and get better as
    well.
    """
    plan = Plan(steps=12, prompts=6, attempts=5)
    problems = [archive.draw_question(rng, k) for k in range(36)]
    order = [*problems, *rng.sample(problems, len(problems))]
    batches = [order[k : k + plan.prompts] for k in range(0, len(order), plan.prompts)]
    attempts = train_on(rng, plan, batches, archive.search_archive)
    for one in attempts:
        one.columns = {"split": "train", "epoch": one.step // 6}
    others = Plan(steps=12, prompts=5, attempts=2)
    held = train(rng, others, lambda r, k: archive.draw_question(r, 700 + k), archive.search_archive)
    for one in held:
        one.columns = {"split": "validation"}
    return [rows.chat(one) | {"is_correct": one.is_right} for one in [*estimates.by_group(attempts), *held]]
