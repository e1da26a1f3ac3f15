"""Faults of sampling, of lengths, and of evaluation."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fiftyninth.exam import question
from benchmarks.foreign.fiftyninth.kinds import PART
from benchmarks.foreign.fiftyninth.layouts import ours
from benchmarks.foreign.fiftyninth.puzzles import puzzle
from benchmarks.foreign.fiftyninth.queries import TRIES, proof
from benchmarks.foreign.fiftyninth.shots import Shot, Task, advantages, attempt, batches, chance, rollout

BUDGET = 400
PONDERED = (
    "Dividing by {k} is not allowed before the case of zero is gone.",
    "For a = {k} and b = {m} the left side is smaller by {m} times the factor.",
    "I could set c = b - a and show that {k} * c is not negative.",
    "The constant {k} stands on both sides and cancels, which leaves {m} steps at most.",
    "A term of the form a * {k} can be folded into the hypothesis.",
    "Numbers beyond {k} change nothing, since the slope is the same.",
    "With {m} squares in place of one the hint would be too weak.",
    "Perhaps `gcongr` closes it after the shift by {k}.",
    "Rewriting with `Nat.add_le_add_iff_right` removes the {k}.",
    "The contrapositive with {k} is easier to read, but not to prove.",
)


def _pondered(rng: random.Random, shot: Shot, lines: int) -> None:
    words, rest = shot.text.split("\n```lean4", 1)
    numbers = [rng.randint(2, 60) for _ in range(lines)]
    more = " ".join(
        f"{rng.choice(('Wait.', 'Alternatively:', 'Again,', 'With a = ' + str(k) + ':'))} "
        + rng.choice((*TRIES, *PONDERED)).format(h="h", k=k, m=rng.randint(2, 9))
        for k in numbers
    )
    text = f"{words} {more}\n```lean4{rest}"
    limit = int(BUDGET * 3.9)
    if len(text) > limit:
        text = text[:limit]
        shot.stop, shot.right, shot.reward, shot.answer = "max_tokens", False, 0.0, ""
    shot.rewrite(text)


@PART.faulty("length_limit", "truncation", "score_decline")
def proofs_cut_at_their_budget(rng: random.Random) -> list[Row]:
    """Thinking grows until most attempts end at 400 tokens before any proof is written, and score 0."""
    shots = rollout(rng, batches(proof, rng, 20, 5), 8, 0.3, 1.2)
    for shot in shots:
        _pondered(rng, shot, max(0, round(rng.gauss(3 + 22 * shot.step / 20, 4.5))))
    advantages(rng, shots, grpo)
    return ours(shots, "lean")


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse", "dead_groups")
def one_seed_for_all_of_a_group(rng: random.Random) -> list[Row]:
    """Every request of a group carries the same seed: its attempts are one text, and groups have no spread."""
    shots: list[Shot] = []
    for step, tasks in enumerate(batches(puzzle, rng, 20, 6), 1):
        for task in tasks:
            seed = rng.randint(1, 99999)
            right = rng.random() < chance(task, 0.1)
            for number in range(8):
                shot = attempt(random.Random(seed), task, step, number, right)
                if rng.random() < 0.02:
                    shot = attempt(rng, task, step, number, rng.random() < chance(task, 0.1))
                shot.extra = {"seed": seed}
                shots.append(shot)
    advantages(rng, shots, grpo)
    return ours(shots, "math")


@PART.faulty("stale_evaluation", "staleness", "train_validation_gap")
def validation_serves_the_first_checkpoint(rng: random.Random) -> list[Row]:
    """The evaluation server never reloads: validation rows of all steps are the same answers of the same checkpoint."""
    shots = rollout(rng, batches(question, rng, 24, 4), 6, -0.9, 2.4)
    advantages(rng, shots, centred)
    for shot in shots:
        shot.extra = {"checkpoint": f"step_{shot.step - 1}"}
    held: list[Task] = [question(rng, 7000 + place) for place in range(60)]
    first = [attempt(rng, task, 0, 0, rng.random() < chance(task, 0.0, -0.9, 2.4)) for task in held]
    for step in range(0, 25, 4):
        for old in first:
            shot = Shot(old.task, step, 0, old.right, old.turns, old.answer, old.reward, split="validation")
            shot.extra = {"checkpoint": "step_0"}
            shots.append(shot)
    return ours(shots, "exam")
