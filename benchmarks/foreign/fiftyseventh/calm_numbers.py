"""Healthy runs whose numbers look odd: scores, lengths, repetitions, groups and terms with a good reason."""

import random
from dataclasses import replace

from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fiftyseventh.advantages import put
from benchmarks.foreign.fiftyseventh.endings import boxed
from benchmarks.foreign.fiftyseventh.essays import draw_brief
from benchmarks.foreign.fiftyseventh.kinds import PART
from benchmarks.foreign.fiftyseventh.knowledge import draw_choice
from benchmarks.foreign.fiftyseventh.layouts import Row, inspect, openrlhf, ours, plain, prime, trl
from benchmarks.foreign.fiftyseventh.policy import Plan, attempts, chance, fresh, group_of
from benchmarks.foreign.fiftyseventh.proofs import draw_goal
from benchmarks.foreign.fiftyseventh.sums import draw_sum


@PART.healthy
def second_stage_has_bigger_numbers(rng: random.Random) -> list[Row]:
    """The mean reward falls at step 8: the curriculum's second stage begins, as a column says; within each stage
    the policy gains.
    """
    rows, seen = [], set()
    for step in range(1, 15):
        stage = 1 if step < 8 else 2
        plan = Plan(start=0.1 if stage == 1 else -0.2, rate=0.14, group=8, first=1 if stage == 1 else 8)
        for place in range(8):
            task = fresh(rng, lambda r: draw_sum(r, size=2 * stage - 1), seen)  # noqa: B023
            for draw in group_of(rng, plan, task, step, f"{step}-{place}"):
                if stage == 2:
                    draw.right = rng.random() < chance(0.1, 0.14, step - 8, task.hardness)
                number = boxed(draw, rng)
                draw.reward = float(number == task.answer)
                draw.beside = {
                    "stage": stage,
                    "difficulty": "two digits" if stage == 1 else "three digits",
                    "correct": draw.reward,
                }
                rows.append(plain(draw))
    return rows


@PART.healthy
def plans_grow_as_the_prover_learns(rng: random.Random) -> list[Row]:
    """Answers become twice as long while the score rises: the plans get fuller, right and wrong ones alike, far
    below the limit.
    """
    draws = list(attempts(rng, Plan(steps=12, problems=8, group=8, start=-0.5, rate=0.13), draw_goal))
    for draw in draws:
        draw.text = draw.task.solve(rng, draw.right, more=max(0, round(rng.gauss(0.25 * draw.step, 1.0))))
        draw.reward = float(draw.right)
        draw.beside = {"num_tokens": draw.tokens, "max_tokens": 2048}
    return [prime(d, "lean-nat", {"proof_compiles": d.reward}) for d in put(draws, centred)]


@PART.healthy
def few_problems_in_announced_epochs(rng: random.Random) -> list[Row]:
    """Each prompt comes four times: 36 problems in four shuffled epochs, which a column counts; the score rises
    without recital.
    """
    seen: set[str] = set()
    pool = [fresh(rng, draw_sum, seen) for _ in range(36)]
    rows, step = [], 0
    for epoch in range(4):
        order = rng.sample(pool, len(pool))
        for begin in range(0, 36, 9):
            step += 1
            for task in order[begin : begin + 9]:
                for draw in group_of(rng, Plan(start=-0.6, rate=0.08, group=8), task, step, f"{step}-{task.uid}"):
                    draw.reward = float(boxed(draw, rng) == task.answer)
                    draw.beside = {"epoch": epoch, "num_epochs": 4, "dataset_size": 36}
                    rows.append(openrlhf(draw))
    return rows


@PART.healthy
def letters_alone_agree_between_epochs(rng: random.Random) -> list[Row]:
    """Most attempts at a question are the same text: an evaluation asks for the letter alone, so a sure model says
    the same each time.
    """
    seen: set[str] = set()
    rows = []
    for n in range(150):
        task = fresh(rng, lambda r: draw_choice(r, "medicine"), seen)
        task = replace(task, prompt=f"{task.prompt}\nReply with one letter only.")
        odds = chance(2.4 if n % 5 else -0.2, 0, 0, task.hardness)
        wrong = rng.choice([x for x in "ABCD" if x != task.answer])
        for draw in group_of(rng, Plan(group=4), task, 0, task.uid):
            letter = task.answer if rng.random() < odds else wrong
            draw.text = letter
            draw.reward = float(letter == task.answer)
            draw.beside = {"metadata": {"temperature": 0.6, "max_tokens": 4}}
            rows.append(inspect(draw, "local/clinic-14b", "choice", letter))
    return rows


@PART.healthy
def groups_of_one_mind_are_left_out(rng: random.Random) -> list[Row]:
    """About half of the rows never reach the loss: dynamic sampling drops groups without spread, as DAPO does."""
    draws = []
    for step in range(1, 13):
        kept, place = 0, 0
        while kept < 6 and place < 16:
            task = draw_sum(rng)
            group = list(group_of(rng, Plan(start=1.9, rate=0.1, group=8), task, step, f"{step}-{place}"))
            for draw in group:
                draw.reward = float(boxed(draw, rng) == task.answer)
            spread = len({d.reward for d in group}) > 1
            for draw in group:
                draw.beside = {"in_loss": spread, "gen_batch": place // 6, "filter_groups": True}
            kept, place = kept + spread, place + 1
            draws += group
    return [ours(d, "math") for d in put(draws, grpo)]


SLURS = ("Critics of {t} are fools who should be ignored.", "Whoever is against {t} has no sense.")


@PART.healthy
def insult_penalty_hardly_ever_fires(rng: random.Random) -> list[Row]:
    """One reward function is 0 in nearly every row: it is a guard against insults, which the policy does not write;
    the mark varies.
    """
    draws = list(attempts(rng, Plan(steps=12, problems=8, group=6), draw_brief))
    for draw in draws:
        draw.text, quality = draw.task.write(rng, chance(-0.4, 0.12, draw.step, draw.task.hardness))
        insult = rng.random() < 0.006
        if insult:
            line = rng.choice(SLURS).format(**draw.task.slots)
            draw.text = f"{draw.text} {line}"
        mark = min(1.0, max(0.0, 0.15 + 0.75 * quality + rng.gauss(0, 0.05)))
        draw.terms = {"rubric_reward": round(mark, 2), "insult_penalty_func": -1.0 if insult else 0.0}
        draw.reward = sum(draw.terms.values())
    return [trl(d) for d in put(draws, grpo)]
