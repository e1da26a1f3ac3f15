"""Faults of data and prompts, and of what held problems show."""

import random

from benchmarks.foreign.fiftythird import exams, language
from benchmarks.foreign.fiftythird.advantages import grpo
from benchmarks.foreign.fiftythird.kinds import PART
from benchmarks.foreign.fiftythird.layouts import Row, harness, nemo, openrlhf
from benchmarks.foreign.fiftythird.policy import Run, Task, attempts, play


@PART.faulty("wrong_labels", "judge_refuses_right", "weak_family", "dead_all_wrong")
def statistics_key_is_one_row_off(rng: random.Random) -> list[Row]:
    """The key of the statistics questions is shifted by one row: the label is the answer of another question.

    Attempts that agree on the right number are paid 0 there, in all groups of that subject.
    """
    last = [str(rng.randint(20, 90))]
    labels: dict[str, str] = {}

    def make(draw: random.Random, number: int) -> Task:
        task = exams.free(draw, number, level=-0.4)
        labels[task.pid] = task.gold
        if task.family == "statistics":
            labels[task.pid], last[0] = last[0], task.gold
        return task

    draws = play(rng, make, Run(steps=15, groups=6, size=8))
    for draw in draws:
        draw.reward = float(draw.answer == labels[draw.task.pid])
    return [
        openrlhf(
            draw,
            label=labels[draw.task.pid],
            problem_id=draw.task.pid,
            family=draw.task.family,
            response_length=draw.tokens,
            advantage=draw.advantage,
        )
        for draw in grpo(draws)
    ]


@PART.faulty("template_bug", "weak_family")
def puzzles_lose_their_clues_in_the_template(rng: random.Random) -> list[Row]:
    """A field of a third of the puzzles has another name in the file, so the prompt says "Clues:" and nothing behind.

    Attempts say that clues are missing and guess one of four things; these puzzles are never learned.
    """

    def make(draw: random.Random, number: int) -> Task:
        return exams.puzzle(draw, number, clueless=draw.random() < 0.36)

    draws = play(rng, make, Run(steps=14, groups=6, size=6, start=-0.3))
    for draw in draws:
        if not draw.task.prompt.split("Clues:")[1].split("\n")[0].strip():
            draw.right = rng.random() < 0.25
            draw.text, draw.answer = draw.task.write(rng, draw.right)
            draw.reward = float(draw.right)
    return [nemo(draw, ground_truth=draw.task.gold, advantages=draw.advantage) for draw in grpo(draws)]


@PART.faulty("contamination", "memorisation")
def held_questions_stand_in_the_training_file(rng: random.Random) -> list[Row]:
    """The training file was built from all questions, those of the validation split too, word by word.

    Held questions are trained on in most steps; validation rises to nearly 1 while fresh questions stay at about half.
    """
    held = [exams.free(rng, 900 + number) for number in range(14)]
    rows: list[Row] = []
    fresh_run = Run(steps=15, size=8, start=-0.6, gain=0.9)
    known_run = Run(steps=15, size=8, start=-0.5, gain=4.4)
    number = 0
    for step in range(15):
        draws = []
        for task in rng.sample(held, 3):
            draws += attempts(rng, task, step, known_run)
        for _ in range(3):
            draws += attempts(rng, exams.free(rng, number), step, fresh_run)
            number += 1
        rows += [harness(draw, correct=draw.reward, in_loss=True, domain="math") for draw in grpo(draws)]
        if step % 3 == 2:
            for task in held:
                for draw in attempts(rng, task, step, Run(steps=15, size=2, start=-0.5, gain=4.4), "val-"):
                    rows.append(harness(draw, split="validation", correct=draw.reward, domain="math"))
    return rows


@PART.faulty("staleness", "weights_never_arrive", "stale_weights", "zero_gradient")
def translations_come_from_the_first_weights(rng: random.Random) -> list[Row]:
    """The broadcast of weights to the sampling servers fails silently: every rollout names policy version 0.

    The trainer's step goes on; quality of translations does not move over the whole run.
    """
    draws = play(rng, language.translation, Run(steps=20, groups=5, size=8, start=-0.1, gain=0.0))
    rows = []
    for draw in grpo(draws):
        step = draw.step
        rows.append(
            openrlhf(
                draw,
                reference=draw.task.gold,
                problem_id=draw.task.pid,
                advantage=draw.advantage,
                policy_version=0,
                trainer_version=step,
                grad_norm=round(0.21 + 0.04 * ((step * 7) % 5), 3),
                policy_lag=step,
            )
        )
    return rows


@PART.faulty("stale_evaluation", "stale_weights", "train_validation_gap")
def validation_serves_the_checkpoint_of_the_start(rng: random.Random) -> list[Row]:
    """The evaluator's server loads the checkpoint once, at the start, and is asked greedily for all later steps.

    Validation rows have the same texts and score at every step, and name step 0's checkpoint; training rises.
    """
    run = Run(steps=16, groups=5, size=8, start=-0.9, gain=2.6)
    rows = [
        harness(draw, correct=draw.reward, checkpoint=f"ckpt-{draw.step}", domain="exam")
        for draw in grpo(play(rng, exams.choice, run))
    ]
    held = [exams.choice(rng, 700 + number) for number in range(24)]
    frozen = [attempts(rng, task, 0, Run(size=1, start=-0.9), "val-")[0] for task in held]
    for step in range(0, 16, 3):
        for draw in frozen:
            more = {"step": step, "split": "validation", "correct": draw.reward, "checkpoint": "ckpt-0"}
            ids = {"trajectory_id": f"val{step}-{draw.task.pid}", "group_id": f"val{step}-{draw.task.pid}"}
            rows.append(harness(draw, domain="exam", decoding="greedy", **more, **ids))
    return rows
