"""Faults of data, prompts and evaluation."""

import random

from benchmarks.foreign.sixtyfourth import layouts
from benchmarks.foreign.sixtyfourth.advantages import assign, centred, leave_one_out
from benchmarks.foreign.sixtyfourth.kinds import PART
from benchmarks.foreign.sixtyfourth.numbers import word_problems
from benchmarks.foreign.sixtyfourth.policy import Attempt, Message, Problem, campaign, group_of, said
from benchmarks.foreign.sixtyfourth.programs import code_problems

Row = layouts.Row


@PART.faulty("wrong_labels", "stuck_problems", "reward_outcome_divergence", "weak_family")
def answer_column_slid_down_by_a_row_in_a_shard(rng: random.Random) -> list[Row]:
    """In a third of the problems `gts` is the answer of the next problem: worked answers that agree are paid 0."""
    attempts = campaign(rng, word_problems(rng, 120), 15, 6)
    problems = list({a.problem.pid: a.problem for a in attempts}.values())
    shard = problems[2::3]
    slid = {one.pid: after.gold for one, after in zip(shard, [*shard[1:], shard[0]], strict=True)}
    rows = []
    for a in attempts:
        key = slid.get(a.problem.pid, a.problem.gold)
        a.reward = float(a.answer == key)
        rows.append({**layouts.verl(a), "gts": key, "acc": a.reward, "index": a.problem.pid})
    return rows


@PART.faulty("data_repetition", "duplicate_problems")
def loader_begins_anew_after_each_resume(rng: random.Random) -> list[Row]:
    """The loader forgets its place at each resume: every four steps the same 24 prompts come again in the same
    order.
    """
    problems = word_problems(rng, 24)
    attempts: list[Attempt] = []
    for step in range(24):
        for problem in problems[step % 4 * 6 : step % 4 * 6 + 6]:
            attempts += group_of(rng, problem, step, 6, -0.6 + step * 0.11)
    rows = []
    for a in assign(attempts, centred):
        row = layouts.prime_rl(a, "word-problems")
        info = {"family": a.problem.family, "resumed_from": f"ckpt-{a.step // 4 * 4}", "dataset_size": 4800}
        rows.append({**row, "info": info})
    return rows


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def held_problems_sit_in_the_training_mix(rng: random.Random) -> list[Row]:
    """Four in five validation prompts stand word by word among the training prompts, under other ids."""
    problems = word_problems(rng, 90)
    attempts = assign(campaign(rng, problems, 15, 6))
    rows = [layouts.evotrainer(a) for a in attempts]
    seen = {problem.pid: place // 6 for place, problem in enumerate(problems)}
    held = rng.sample(problems, 24)
    held += [p for p in word_problems(rng, 6) if p.prompt not in {q.prompt for q in problems}]
    for step in (4, 9, 14):
        for place, problem in enumerate(held):
            twin = Problem(f"held-{place}", problem.prompt, problem.gold, problem.write, problem.family)
            lift = 1.8 if place < 24 and seen[problem.pid] <= step else 0.0
            rows += [
                layouts.evotrainer(a, split="validation")
                for a in group_of(rng, twin, step, 2, -0.4 + step * 0.1 + lift)
            ]
    return rows


@PART.faulty("template_bug", "metric_defect", "stuck_problems", "weak_family")
def price_list_never_reaches_the_prompt(rng: random.Random) -> list[Row]:
    """Prompts of one source hold the unfilled slot `{price_list}`: the policy guesses prices and hardly ever is
    right.
    """
    goods = ["flour", "oats", "lentils", "barley", "raisins", "honey", "salt", "tea", "yeast", "rye"]
    towns = ["Selby", "Toft", "Urk", "Vale", "Wick", "Yarm", "Zell", "Orm", "Pell", "Quarr"]

    def listed(number: int) -> Problem:
        good, town, many, price = goods[number % 10], towns[number // 10], rng.randint(3, 30), rng.randint(2, 40)

        def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
            guess = price if rng.random() < 0.03 else rng.choice([p for p in range(2, 41) if p != price])
            lead = rng.choice(["The list gives no figure that I can see", "No price is shown", "I see no list here"])
            how = rng.choice(["a usual price may be", "I assume", "it could be about", "let me suppose"])
            text = f"{lead}, so for {good} {how} {guess} coins a sack. {many} sacks then cost {guess * many} coins."
            return [said(f"{text} Answer: {guess * many}")], str(guess * many)

        prompt = f"Prices in {town}:\n{{price_list}}\nWhat do {many} sacks of {good} cost? End with 'Answer:'."
        return Problem(f"list-{number}", prompt, str(price * many), write, "price_list")

    problems = [*word_problems(rng, 80), *[listed(number) for number in rng.sample(range(100), 40)]]
    rng.shuffle(problems)
    attempts = campaign(rng, problems, 15, 8)
    for a in attempts:
        a.right = a.answer == a.problem.gold
        a.reward = float(a.right)
    return [layouts.evotrainer(a) for a in assign(attempts)]


@PART.faulty("stale_evaluation", "train_validation_gap", "stale_weights", "metric_defect")
def evaluator_keeps_loading_the_first_checkpoint(rng: random.Random) -> list[Row]:
    """Every evaluation loads step_0: its greedy answers are word by word the same at all steps while training
    climbs.
    """
    attempts = assign(campaign(rng, word_problems(rng, 120), 20, 5, -1.0, 3.0), leave_one_out)
    rows = [{**layouts.evotrainer(a), "checkpoint": f"step_{a.step}"} for a in attempts]
    held = [group_of(rng, p, 0, 1, -1.0)[0] for p in word_problems(rng, 45)]
    for step in range(0, 20, 4):
        for a in held:
            a.extra = {"decoding": "greedy"}
            row = layouts.evotrainer(a, split="validation") | {"step": step, "checkpoint": "step_0"}
            row |= {"problem_id": "v" + a.problem.pid, "group_id": f"v{step}-{a.problem.pid}"}
            rows.append(row | {"trajectory_id": f"validation-{step}-{a.problem.pid}"})
    return rows


@PART.faulty("dead_all_correct", "dead_groups", "batch_decline", "low_reward_spread")
def pool_was_filtered_with_a_weaker_model(rng: random.Random) -> list[Row]:
    """The problems were picked for another, weaker model: nearly every group is right throughout and teaches
    nothing.
    """
    attempts = campaign(rng, code_problems(rng, 120), 15, 8, 3.9, 1.2)
    return [{**layouts.trl(a, "tests_passed_reward"), "problem_id": a.problem.pid} for a in assign(attempts)]
