"""Faults of graders, judges and rewards."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth import estimates, rows, sums
from benchmarks.foreign.sixth.kinds import PART
from benchmarks.foreign.sixth.runs import Plan, adopts, says, train, train_on


@PART.faulty("weak_verifier", "wrong_labels")
def shard_of_neighbours_answers(rng: Random) -> list[Row]:
    """In one of two shards of the data the answer column slipped by a row: right answers score 0 there, whole groups
    at a time.
    """
    plan = Plan(steps=13, prompts=6, attempts=5, start=0.0, end=2.0)
    problems = [sums.draw_sum(rng, k) for k in range(plan.steps * plan.prompts)]
    shards = [rng.choice(("sums-2024-03", "sums-2024-07")) for _ in problems]
    slipped = [k for k, shard in enumerate(shards) if shard == "sums-2024-07"]
    golds = dict(zip(slipped, [problems[k].gold for k in [*slipped[1:], slipped[0]]], strict=True))
    batches = [problems[k : k + plan.prompts] for k in range(0, len(problems), plan.prompts)]
    attempts = train_on(rng, plan, batches, sums.solve_sum)
    found = []
    for one in attempts:
        place = one.step * plan.prompts + one.group
        gold = golds.get(place, one.problem.gold)
        score = float(sums.boxed(one.text) == gold)
        changed = {"gts": gold, "score": score, "acc": score, "data_source": shards[place]}
        found.append(rows.verl(one, sums.boxed(one.text)) | changed)
    return found


@PART.faulty("reward_outcome_divergence", "length_gaming", "metric_defect", "dropped_reward_term")
def accuracy_left_out_of_the_sum(rng: Random) -> list[Row]:
    """The term of accuracy has no weight in the total: format and brevity are all that is paid, and answers become
    bare guesses.
    """
    plan = Plan(steps=14, prompts=5, attempts=6, start=0.1, end=-0.7)
    attempts = train(rng, plan, sums.draw_sum, sums.solve_sum)
    terms = []
    for one in attempts:
        if adopts(rng, one.step, 3, 13, 0.75):
            value = sums.boxed(one.text) if rng.random() < 0.2 else str(int(one.problem.gold) + rng.randint(-60, 60))
            one.is_right = value == one.problem.gold
            one.said = [says(rng.choice(("\\boxed{#}", "It is \\boxed{#}.", "Answer: \\boxed{#}")).replace("#", value))]
        if rng.random() < 0.3 - 0.02 * one.step:
            one.said = [says(one.text.replace("\\boxed{", "the answer {"))]
            one.is_right = False
        is_boxed = float("\\boxed{" in one.text)
        brevity = round(max(0.0, 1 - one.num_tokens / 120), 3)
        one.reward = round(0.5 * is_boxed + 0.5 * brevity, 4)
        terms.append({"accuracy": float(one.is_right), "format": is_boxed, "brevity": brevity})
    estimates.by_group(attempts)
    return [rows.own(one, "math", term) for one, term in zip(attempts, terms, strict=True)]


@PART.faulty("weak_verifier", "flaky_grading", "stale_grades")
def grade_cached_by_problem(rng: Random) -> list[Row]:
    """Grades are cached by problem and number of the attempt: from the second epoch on, answers get the grades of the
    first.
    """
    plan = Plan(steps=12, prompts=6, attempts=6, start=-0.4, end=0.3)
    problems = [sums.draw_sum(rng, k) for k in range(4 * plan.prompts)]
    batches = []
    for epoch in range(3):
        order = problems if epoch == 0 else rng.sample(problems, len(problems))
        batches += [order[k : k + plan.prompts] for k in range(0, len(order), plan.prompts)]
    attempts = train_on(rng, plan, batches, sums.solve_sum)
    cache: dict[tuple[str, int], float] = {}
    found = []
    for one in attempts:
        score = cache.setdefault((one.problem.name, one.number), one.reward)
        row = rows.verl(one, sums.boxed(one.text)) | {"score": score, "acc": score}
        found.append({**row, "uid": one.problem.name, "epoch": one.step // 4})
    return found
