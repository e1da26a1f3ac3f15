"""Faults of data and prompts."""

import random
from dataclasses import replace

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fortysixth import layouts, ledgers, sums
from benchmarks.foreign.fortysixth.kinds import PART
from benchmarks.foreign.fortysixth.policy import Attempt, Problem, advise, roll


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence", "stuck_problems")
def keys_slip_one_row_below_a_dropped_line(rng: random.Random) -> list[Row]:
    """The answer file lost a line: all problems below it hold the key of their neighbour.

    Attempts at them agree on the right number and are paid nothing from the first step to the last.
    """
    problems = sums.problems(rng, 48, (2, 4), "gsm")
    cut = rng.randint(24, 30)
    keys = {p.id: problems[min(i + 1, 47)].gold if i >= cut else p.gold for i, p in enumerate(problems)}
    attempts = roll(rng, problems, sums.solver(), steps=14, per_step=8, size=8, skills=(-0.2, 1.3))
    for a in attempts:
        a.problem = replace(a.problem, gold=keys[a.problem.id])
        a.reward = float(a.answer == a.problem.gold)
        a.extra = {"data_source": "wordsums", "index": int(a.problem.id[-4:])}
    return layouts.rows(attempts, layouts.verl)


@PART.faulty("data_repetition", "duplicate_problems", "memorisation")
def loader_begins_anew_at_every_resume(rng: random.Random) -> list[Row]:
    """The job is resumed every three steps, and the loader starts over at its first problem each time.

    The same eighteen problems of a large set come again in the same order within an epoch that never ends.
    """
    problems = sums.problems(rng, 18, (2, 5), "train")
    per, resumes = 6, 5

    def choose(step: int) -> list[Problem]:
        place = (step - 1) % 3 * per
        return problems[place : place + per]

    write = sums.solver("<answer>{m}</answer>")
    attempts = roll(rng, problems, write, steps=3 * resumes, size=8, skills=(-0.6, 2.2), choose=choose)
    for a in attempts:
        a.extra = {"epoch": 0, "dataset_size": 7400, "resumed_from": (a.step - 1) // 3 * 3}
    return layouts.rows(advise(rng, attempts, grpo), layouts.own("math"))


@PART.faulty("truncation", "length_limit", "template_bug")
def long_tables_push_the_question_out(rng: random.Random) -> list[Row]:
    """Prompts are cut at the right to a fixed length: behind long tables the question is gone.

    Attempts at them guess what may be asked; they are hardly ever right, while short tables are learned.
    """
    limit = 520
    problems = [replace(p, text=p.text[:limit]) for p in ledgers.problems(rng, 60)]

    def write(draw: random.Random, p: Problem, right: bool) -> Attempt:
        return ledgers.read(draw, p, right) if p.text.endswith("}.") else ledgers.guess(draw, p, p.text)

    attempts = roll(rng, problems, write, steps=12, per_step=8, size=6, skills=(-0.6, 1.0))
    for a in attempts:
        a.terms = {"accuracy_reward": a.reward}
        a.extra = {"solution": a.problem.gold}
    return layouts.rows(advise(rng, attempts, centred), layouts.trl)
