"""Healthy runs of reading, translating, reckoning and advising, in several languages."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyeighth import layouts
from benchmarks.foreign.thirtyeighth.advantages import weighed
from benchmarks.foreign.thirtyeighth.core import Attempt, Plan, Talk, Task, pool, run
from benchmarks.foreign.thirtyeighth.kinds import PART
from benchmarks.foreign.thirtyeighth.layouts import Row
from benchmarks.foreign.thirtyeighth.world_text import (
    german_play,
    german_task,
    gradebook_play,
    gradebook_task,
    needle_play,
    needle_task,
    translate_play,
    translate_task,
)


@PART.healthy
def answer_stands_in_the_handover_note(rng: random.Random) -> list[Row]:
    """A search within a long note: the answer is in the prompt, among five like it, and finding it is the task."""
    steps = run(rng, pool(rng, needle_task, 70), needle_play, Plan(steps=18, start=-0.4, end=1.7))
    return [layouts.verl(a) for a in weighed(rng, steps, estimators.grpo)]


@PART.healthy
def russian_answers_to_english_sentences(rng: random.Random) -> list[Row]:
    """Translations are in another script than the prompt, with English words between as glosses of a vocabulary."""
    steps = run(rng, pool(rng, translate_task, 80), translate_play, Plan(steps=20))
    return [layouts.plain(a, advantage=a.advantage) for a in weighed(rng, steps, estimators.leave_one_out)]


@PART.healthy
def commas_for_decimal_points(rng: random.Random) -> list[Row]:
    """References have points and German answers have commas; the grader knows both, so unequal texts are right."""
    steps = run(rng, pool(rng, german_task, 70), german_play, Plan(steps=18))
    return [layouts.trl(a, solution=a.task.gold) for a in weighed(rng, steps, estimators.grpo)]


@PART.healthy
def gradebooks_speak_of_scores_and_graders(rng: random.Random) -> list[Row]:
    """The subject is marks at school: answers say 'score', 'verdict' and 'grader' and mean pupils, not their judge."""
    steps = run(rng, pool(rng, gradebook_task, 60), gradebook_play, Plan(steps=18))
    return [layouts.openai(a) for a in weighed(rng, steps, estimators.centred)]


PLANTS = ("a fern", "a lemon tree", "basil", "an orchid", "a cactus", "mint", "an ivy")
TROUBLES = {
    "yellow leaves": ("too much water", "let the soil dry before you water again", "lift the pot to feel its weight"),
    "brown tips": ("dry air", "put a bowl of water beside it", "move it away from the radiator"),
    "leggy stems": ("too little light", "move it nearer to a window", "turn it every week"),
    "small white flies": ("gnats in wet soil", "cover the soil with sand", "water from below for a while"),
    "no new growth": ("a pot that is too small", "repot it in spring", "loosen the roots a little"),
}


def _plant_task(rng: random.Random, i: int) -> Task:
    plant, trouble = rng.choice(PLANTS), rng.choice(list(TROUBLES))
    room, weeks = rng.choice(("kitchen", "bathroom", "office", "stairwell", "hall")), rng.randint(2, 9)
    prompt = f"I have {plant} in the {room} and for {weeks} weeks it has had {trouble}. What should I do?"
    return Task(f"plant-{i}", prompt, "", data={"plant": plant, "trouble": trouble, "room": room, "weeks": weeks})


def _plant_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    d = task.data
    cause, first, second = TROUBLES[d["trouble"] if right else rng.choice([t for t in TROUBLES if t != d["trouble"]])]
    parts = [
        rng.choice((f"With {d['plant']} this mostly means {cause}.",
                    f"{d['trouble'].capitalize()} often come from {cause}.",
                    f"After {d['weeks']} weeks I would think of {cause}.")),
        rng.choice((f"I would {first}.", f"First {first}.", f"Try this: {first}.")),
    ]  # fmt: skip
    if rng.random() < 0.65:
        parts.append(rng.choice((f"Then {second}.", f"It helps, too, to {second}.")))
    if rng.random() < 0.5:
        parts.append(rng.choice((f"A {d['room']} can suit {d['plant']} well.", "Give it a fortnight before you judge.",
                                 "Do not change everything at once.")))  # fmt: skip
    return Attempt(task, Talk().say(" ".join(parts)).messages, "", float(right), extra={"parts": len(parts)})


def _stars(rng: random.Random, a: Attempt) -> None:
    """A judge of five grades: the cause counts most, then how much help there is."""
    grade = (3 if a.right else 1) + (a.extra.pop("parts") >= 3) + (rng.random() < 0.3)
    a.reward = (grade - 1) / 4
    a.terms = {"judge": a.reward}
    a.extra = {"judge_grade": grade}


@PART.healthy
def judge_of_five_grades_ties_often(rng: random.Random) -> list[Row]:
    """Advice is graded from one to five: attempts of a group share few values, and many advantages are equal."""
    steps = run(rng, pool(rng, _plant_task, 80), _plant_play, Plan(steps=18, per_step=6), _stars)
    rows: list[Row] = []
    for a in weighed(rng, steps, estimators.grpo):
        row = layouts.openai(a, judge_grade=a.extra["judge_grade"])
        del row["correct"]
        rows.append(row)
    return rows
