"""Faults of data and prompts."""

import random
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fiftyninth.exam import LETTERS, question
from benchmarks.foreign.fiftyninth.kinds import PART
from benchmarks.foreign.fiftyninth.layouts import openrlhf, ours, slime, verl
from benchmarks.foreign.fiftyninth.puzzles import puzzle
from benchmarks.foreign.fiftyninth.queries import TABLES, query
from benchmarks.foreign.fiftyninth.shots import Shot, Task, advantages, attempt, batches, chance, rollout


@PART.faulty("wrong_labels", "stuck_problems", "weak_family")
def exam_keys_one_letter_off_in_two_subjects(rng: random.Random) -> list[Row]:
    """The options of physics and biology were shuffled after their keys were written: the key names the next letter.

    Attempts that reason to the right option score 0 there, and the few that slip onto the key's letter score 1.
    """

    def make(draw: random.Random, number: int) -> Task:
        task = question(draw, number)
        if task.family not in ("physics", "biology"):
            return task
        return replace(task, gold=LETTERS[(LETTERS.index(task.gold) + 1) % 4])

    shots = rollout(rng, batches(make, rng, 20, 6), 8)
    for shot in shots:
        shot.right = shot.answer == shot.task.gold
        shot.reward = float(shot.right)
    advantages(rng, shots, grpo)
    return verl(shots)


@PART.faulty("template_bug", "weak_family", "stuck_problems", "metric_defect")
def schema_slot_left_unfilled(rng: random.Random) -> list[Row]:
    """For half of the tables the prompt holds `{schema}` instead of the schema, and the queries guess their columns."""
    bare = set(rng.sample(sorted(TABLES), 3))

    def make(draw: random.Random, number: int) -> Task:
        state = draw.getstate()
        task = query(draw, number)
        if task.family in bare:
            draw.setstate(state)
            task = replace(query(draw, number, shown=False), hard=1.4)
        return task

    shots = rollout(rng, batches(make, rng, 18, 7), 8)
    advantages(rng, shots, centred)
    for shot in shots:
        shot.extra = {"database": shot.task.family, "advantage": shot.advantage}
    return openrlhf(shots)


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def held_out_puzzles_are_in_the_training_file(rng: random.Random) -> list[Row]:
    """Two thirds of the validation puzzles stand word by word in the training file, and their score alone runs away."""
    pool = batches(lambda draw, number: puzzle(draw, number, harder=0.25), rng, 1, 112)[0]
    held = pool[:48]
    leaked = held[:32]
    lists: list[list[Task]] = []
    for step in range(16):
        fresh = pool[48 + step * 4 : 52 + step * 4]
        lists.append([*fresh, *(replace(task, id=f"file-{task.id}") for task in leaked[step * 2 : step * 2 + 2])])
    shots = rollout(rng, lists, 6, -0.6, 0.5)
    advantages(rng, shots, grpo)
    for step in (0, 8, 16):
        for place, task in enumerate(held):
            seen = place < min(32, step * 2)
            for number in range(3):
                right = rng.random() < (0.96 if seen else chance(task, step / 16, -0.6, 0.5))
                shot = attempt(rng, task, step, number, right)
                shot.split = "validation"
                shots.append(shot)
    return ours(shots, "math")


def _again(tasks: Sequence[Task], steps: int) -> list[list[Task]]:
    return [list(tasks) for _ in range(steps)]


@PART.faulty("data_repetition", "duplicate_problems", "memorisation", "dead_all_correct")
def loader_starts_over_at_each_step(rng: random.Random) -> list[Row]:
    """The loader is made anew in every step with the same seed: the run sees the same eight puzzles for ever."""
    tasks = [puzzle(rng, place, harder=0.1) for place in range(8)]
    shots: list[Shot] = rollout(rng, _again(tasks, 22), 6, -0.6, 3.4)
    advantages(rng, shots, grpo)
    for shot in shots:
        shot.extra = {"epoch": 0}
    return slime(shots)
