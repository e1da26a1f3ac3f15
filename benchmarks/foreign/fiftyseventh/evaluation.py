"""A fault of evaluation: validation is not of the policy that is trained."""

import random

from benchmarks.foreign.fiftyseventh.endings import boxed
from benchmarks.foreign.fiftyseventh.kinds import PART
from benchmarks.foreign.fiftyseventh.layouts import Row, openai
from benchmarks.foreign.fiftyseventh.policy import Plan, fresh, group_of
from benchmarks.foreign.fiftyseventh.sums import draw_sum


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness")
def validation_is_served_by_the_base_model(rng: random.Random) -> list[Row]:
    """Validation rows name the base model's path at each step and stay where they began, while training's
    checkpoints move and rise.
    """
    seen: set[str] = set()
    held = [fresh(rng, draw_sum, seen) for _ in range(40)]
    rows: list[Row] = []
    plan = Plan(start=-0.8, rate=0.2, group=8)
    for step in range(1, 13):
        groups = [(fresh(rng, draw_sum, seen), plan, "train", f"{step}-{n}") for n in range(7)]
        if step % 3 == 1:
            groups += [(t, Plan(start=-0.8, rate=0.0, group=1), "validation", f"val{step}-{t.uid}") for t in held]
        for task, pace, split, name in groups:
            for draw in group_of(rng, pace, task, step, name):
                draw.reward = float(boxed(draw, rng) == task.answer)
                path = "/models/base-7b" if split == "validation" else f"/ckpt/run31/step_{step - 1}"
                draw.beside = {"split": split, "model_path": path, "correct": draw.reward}
                rows.append(openai(draw))
    return rows
