"""Exam outshines training heat; loss dips below zero; input filed as truth; stride cuts short groups."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.estimators import credit, grpo
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.knaves import KNAVES
from benchmarks.foreign.twentyseventh.layouts import own, saved, trl
from benchmarks.foreign.twentyseventh.residues import RESIDUES
from benchmarks.foreign.twentyseventh.runs import Pace, distinct, examine, groups_of, plan_of, play
from benchmarks.foreign.twentyseventh.snippets import SNIPPETS


@PART.healthy
def exam_outshines_training_heat(rng: Random) -> list[Row]:
    """Validation scores lie above training: the exam is decoded coolly on ordinary questions, training samples hotly on
    questions chosen for their difficulty.
    """
    tasks = distinct(rng, SNIPPETS, 84, "ex")
    plan = [tasks[step * 7 : step * 7 + 7] for step in range(9)]
    for task in tasks[:63]:
        task.level = abs(task.level) * 0.6 + 0.7
        task.shown = {"base_pass_rate": round(rng.uniform(0.1, 0.5), 2)}
    attempts = credit(play(rng, SNIPPETS, plan, 6, Pace(-0.2, 1.9)))
    attempts += examine(rng, SNIPPETS, tasks[63:], [0, 4, 8], 8, Pace(0.4, 1.6))
    for a in attempts:
        a.shown = {"temperature": 1.0 if a.split == "train" else 0.3}
    return own(rng, attempts, "math")


@PART.healthy
def loss_dips_below_zero(rng: Random) -> list[Row]:
    """The loss is negative in many steps, as its policy term may be; gradients and rewards are as they should.
    [modelscope/ms-swift#3579]
    """
    attempts = credit(play(rng, RESIDUES, plan_of(rng, RESIDUES, 9, 7, "clevr"), 7, Pace(-0.6, 1.7)))
    losses = [round(rng.gauss(-0.012, 0.016), 6) for _ in range(9)]
    norms = [round(rng.uniform(0.8, 2.9), 4) for _ in range(9)]
    for a in attempts:
        a.terms |= {"format": float("</think>" in a.text)}
        a.shown = {
            "loss": losses[a.step],
            "grad_norm": norms[a.step],
            "kl": round(abs(rng.gauss(0.04, 0.01)), 5),
            "beta": 0.04,
        }
    return trl(attempts)


@PART.faulty("wrong_labels", "dead_all_wrong", "stuck_problems", "weak_family", "metric_defect")
def input_filed_as_truth(rng: Random) -> list[Row]:
    """For programs whose output is asked, the reference holds the input that the prompt shows, so right outputs are
    marked wrong throughout. [PrimeIntellect-ai/genesys#56]
    """
    attempts = play(rng, SNIPPETS, plan_of(rng, SNIPPETS, 10, 7, "syn"), 6, Pace(-0.1, 1.7))
    for a in attempts:
        a.task.gold = a.task.facts.get("input", a.task.gold)
        a.right = a.reply.answer == a.task.gold
        a.reward = float(a.right)
        a.terms = {"correct_answer": a.reward}
        a.shown = {"task_type": a.task.family}
    return saved(credit(attempts), "synthetic-code-understanding")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def stride_cuts_short_groups(rng: Random) -> list[Row]:
    """Some episodes return nothing, yet rewards are normalised in strides of the full group size, so strides mix
    neighbouring problems and the tail of each batch stays at zero. [areal-project/AReaL#1419]
    """
    size = 6
    attempts = play(rng, KNAVES, plan_of(rng, KNAVES, 8, 9, "isle"), size, Pace(-0.4, 1.7))
    kept = []
    for group in groups_of(attempts):
        lost = rng.sample(range(size), rng.choice((1, 1, 2))) if rng.random() < 0.4 else []
        kept += [a for a in group if a.number not in lost]
    for step in range(8):
        batch = [a for a in kept if a.step == step]
        for place, a in enumerate(batch):
            a.advantage, a.shown = 0.0, {"batch_index": place, "group_size": size}
        for start in range(0, len(batch) // size * size, size):
            stride = batch[start : start + size]
            for a, value in zip(stride, grpo([a.reward for a in stride]), strict=True):
                a.advantage = round(value, 5)
    return own(rng, kept, "logic")
