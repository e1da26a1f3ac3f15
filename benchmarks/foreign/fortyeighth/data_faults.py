"""Faults of data, prompts and curricula."""

import random

from benchmarks.foreign.fortyeighth import advantages, countdown, katas, layouts, lookups, sums
from benchmarks.foreign.fortyeighth.attempts import Learner, Plan, Task, Try, order, pay, pay_right, play
from benchmarks.foreign.fortyeighth.kinds import PART
from benchmarks.foreign.fortyeighth.layouts import Row


@PART.faulty("wrong_labels", "stuck_problems", "dead_all_wrong")
def gold_answers_slid_by_one_after_filtering(rng: random.Random) -> list[Row]:
    """Long prompts were filtered out of one list and not the other: behind them each gold answer is the next problem's.

    Sound solutions of two fifths of the problems end in another number than gts and score 0.
    """
    pool = sums.pool(rng, 40)
    cut = rng.randint(22, 26)
    golds = [task.gold for task in pool]
    shown = {
        task.id: golds[place + (place >= cut)] if place + 1 < len(pool) else golds[0] for place, task in enumerate(pool)
    }
    tries = play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng, 0.2, 1.6), sums.answering("hash"))
    pay(tries, match=lambda one: float(one.answer == shown[one.task.id]))
    return layouts.verl(tries, gts=lambda one: shown[one.task.id], pred=lambda one: one.answer)


PASSAGE = "Use the context to answer. Give a short answer in <answer> tags.\n\nContext: {context}\n\nQuestion: "
LOST = [
    "The context seems to be empty, so I have to guess about the {work} of {town}.",
    "There is no passage that mentions {town}. Going by what I know of such works, I would say the following.",
    "I only see a placeholder instead of a text. My best guess for {town}:",
]


@PART.faulty("template_bug", "weak_family", "dead_all_wrong", "stuck_problems")
def context_placeholder_never_filled(rng: random.Random) -> list[Row]:
    """Prompts of one of two sources still hold the words {context}; the policy can only guess there, and earns 0."""
    pool = lookups.pool(rng, 48)
    empty = {task.id for task in pool if rng.random() < 0.5}
    for task in pool:
        texts = "\n".join(lookups.passages(rng, task, False, True)[:1] + lookups.passages(rng, task, True, True)[:1])
        task.prompt = (PASSAGE if task.id in empty else PASSAGE.replace("{context}", texts)) + task.prompt

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        right = task.id not in empty and rng.random() < chance
        text, said = lookups.conclude(rng, task, right)
        lead = text.split("\n")[0]
        if task.id in empty:
            lead = rng.choice(LOST).format(**task.data)
        return Try(task, f"{lead}\n<answer>{said}</answer>", said == task.gold, said)

    tries = pay_right(play(rng, order(rng, pool, Plan(18, 4)), 8, Learner(rng, 0.1, 1.8), answer))
    advantages.grpo(tries)
    source = {task.id: "wiki_v2" if task.id in empty else "wiki_v1" for task in pool}
    return layouts.trl(tries, source=lambda one: source[one.task.id], ground_truth=lambda one: one.task.gold)


@PART.faulty("contamination", "memorisation")
def validation_katas_also_in_training_pool(rng: random.Random) -> list[Row]:
    """The validation split was drawn before the pool was merged: most held katas are trained on, word by word."""
    pool = katas.pool(rng)
    shared, clean = pool[:11], pool[-2:]
    held = [Task(f"val-{place:02d}", t.prompt, t.gold, t.family, t.data) for place, t in enumerate(shared + clean)]
    learner = Learner(rng, -0.6, 2.8, 0.8)
    tries = play(rng, order(rng, pool[:26], Plan(18, 4)), 6, learner, katas.answering)
    known = {task.id for task in held[: len(shared)]}

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        lift = 0.12 * step if task.id in known else 0.0
        return katas.answering(rng, task, min(0.96, chance + lift), step)

    checks = play(rng, [held] * 5, 2, Learner(rng, -0.6, 0.9, 0.8), answer, "validation")
    for one in checks:
        one.step *= 4
    pay(tries + checks, tests=lambda one: float(one.right))
    return layouts.ours(sorted(advantages.grpo(tries) + checks, key=lambda one: one.step), "code")


@PART.faulty("data_repetition", "duplicate_problems", "dead_all_correct")
def loader_starts_over_at_each_resume(rng: random.Random) -> list[Row]:
    """The job is preempted every four steps and its loader begins again: the first 16 problems of 400 come over
    and over.

    The epoch stays 0, the rest is never seen, and groups of the known problems end all correct.
    """
    seen = sums.pool(rng, 16)
    place = {task.id: number for number, task in enumerate(seen)}
    batches = [seen[4 * (step % 4) : 4 * (step % 4) + 4] for step in range(24)]
    tries = pay_right(play(rng, batches, 8, Learner(rng, -0.6, 4.6, 0.9), sums.answering("box")))
    return layouts.openrlhf(
        tries,
        epoch=lambda one: 0,
        dataset_size=lambda one: 400,
        dataset_index=lambda one: place[one.task.id],
        resumed_from=lambda one: one.step - one.step % 4,
    )


@PART.faulty("dead_all_wrong", "dead_groups", "score_decline", "zero_gradient")
def curriculum_jumps_to_six_numbers(rng: random.Random) -> list[Row]:
    """The curriculum goes by steps, not by success: from the second third on, puzzles of six numbers are all wrong."""
    easy, middle, hard = (countdown.pool(rng, 24, size) for size in (3, 4, 6))
    plan = order(rng, easy, Plan(6, 4)) + order(rng, middle, Plan(3, 4)) + order(rng, hard, Plan(13, 4))
    learner = Learner(rng, 0.5, 1.2, 0.7)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        chance = {"3": chance, "4": chance * 0.7, "6": 0.012}[task.family[0]]
        return countdown.solve(rng, task, rng.random() < chance)

    tries = advantages.centred(pay_right(play(rng, plan, 8, learner, answer)))
    return layouts.prime_rl(tries, "countdown", level=lambda one: int(one.task.family[0]))
