"""Slot of passage left empty; schedule ended at resume; brevity bonus when right."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.arithmetic import word_sum
from benchmarks.foreign.thirteenth.estimates import grpo
from benchmarks.foreign.thirteenth.invoices import invoice
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import openai, own, verl
from benchmarks.foreign.thirteenth.lesetext import passage_question, prompt_of
from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Run, Task, binary, play, pool, ragged, rise, schedule, train


@PART.faulty("template_bug", "dead_all_wrong", "stuck_problems", "weak_family", "dead_groups")
def slot_of_passage_left_empty(rng: Random) -> list[Row]:
    """Prompts of one source keep the slot of their template, `{passage}`, where the text should stand."""

    def make(rng: Random, index: int) -> Task:
        task = passage_question(rng, index)
        if task.family == "heimatblatt":
            task.prompt = prompt_of("{passage}", task.extra["question"])
            task.hard += 4.5
            task.wrong = lambda rng: rng.choice(("keine Angabe", "Der Text fehlt.", str(rng.randint(1700, 1890))))
        return task

    return verl(rng, grpo(binary(train(rng, make, Run(10, 8, 5, -0.2, 2.0, 4, 4)))))


@PART.faulty("learning_rate_schedule", "zero_gradient", "stagnation")
def schedule_ended_at_resume(rng: Random) -> list[Row]:
    """Resumed after the fourth step, the schedule counts itself as over: the learning rate is 0 and nothing is
    learnt.
    """
    run = Run(12, 6, 6, -0.7, 2.6)
    curve = rise(rng, run)
    attempts = play(rng, schedule(rng, pool(rng, invoice, 72), run), run, lambda n: curve(min(n, 3)))
    norms = [round(rng.uniform(0.3, 0.9), 4) for _ in range(13)]
    for a in binary(attempts):
        rate = 0.0 if a.step > 4 else round(2e-6 * (1 - (a.step - 1) / 40), 10)
        a.extra = {"learning_rate": rate, "grad_norm": norms[a.step], "resumed": a.step > 4}
    return openai(rng, grpo(attempts), task="invoice-json")


@PART.healthy
def brevity_bonus_when_right(rng: Random) -> list[Row]:
    """Right answers earn a little more when they are short, wrong ones nothing: replies shrink and accuracy rises."""
    attempts = ragged(rng, train(rng, word_sum, Run(10, 7, 6, -0.4, 2.0, 0)))
    for a in attempts:
        lines = a.messages[0]["content"].split("\n")
        while len(lines) > 3 and rng.random() < 0.7 * a.progress:
            lines.pop(rng.randrange(len(lines) - 2))
        a.messages = [said("\n".join(lines))]
        bonus = round(0.2 * max(0.0, 1 - a.tokens / 90), 4) if a.right else 0.0
        a.correct, a.terms = float(a.right), {"correct": float(a.right), "brevity": bonus}
        a.reward = float(a.right) + bonus
    return own(rng, grpo(attempts), "brief-sums")
