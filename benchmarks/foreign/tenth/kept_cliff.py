"""Exam problems in training, an old grader, fewer turns, dots read rightly, a batch's mean, and longer thought."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth import layouts
from benchmarks.foreign.tenth.bare_layouts import openrlhf
from benchmarks.foreign.tenth.baselines import credit, credit_by_batch, grpo, leave_one_out
from benchmarks.foreign.tenth.contest import CONTEST
from benchmarks.foreign.tenth.core import Task, by_step, climb, cut_some, deal, mark, play
from benchmarks.foreign.tenth.kinds import PART
from benchmarks.foreign.tenth.repairs import repair_task
from benchmarks.foreign.tenth.sums import BOXED, ENGLISH, SPANISH, dotted, sum_maker, work
from benchmarks.foreign.tenth.sums_abroad import SPANISH_PROBLEMS
from benchmarks.foreign.tenth.sums_english import WORD_PROBLEMS


@PART.faulty("contamination", "memorisation", "duplicate_problems")
def exam_sheet_in_training_pool(rng: Random) -> list[Row]:
    """A second source that joins the training at step 5 holds half of the validation problems under other ids; only
    these are suddenly solved in validation.
    """
    make = sum_maker(CONTEST, BOXED, "Answer in \\boxed{}.")
    tasks = deal(rng, make, 48 + 24, "x")
    pool, exam = tasks[:48], tasks[48:]
    leaked = exam[:12]
    plan, skill = by_step(pool, 12), climb(rng, -0.9, 1.2, 12)
    for step in range(4, 12):
        for place, task in enumerate(rng.sample(leaked, 3)):
            name = f"web{step:02d}{place}"
            lead = rng.choice(("Problem: ", "", "Q. "))
            plan[step].append(
                Task(name, lead + task.prompt, task.gold, task.answer, "web", task.level - 0.5 * (step - 3))
            )
    attempts = play(rng, plan, 5, skill)
    for step in (3, 6, 9, 12):
        for task in leaked:
            task.level -= 1.3 if step > 5 else 0.0
        attempts += play(rng, [exam], 2, [skill[step - 1]], "validation", step)
    return layouts.own(rng, credit(mark(attempts), grpo), "contest-web", "math")


@PART.faulty("flaky_grading", "weak_verifier", "judge_refuses_right")
def one_grader_image_older(rng: Random) -> list[Row]:
    """A third of the answers go to a grader of an older image that fails about half of the right ones: within a group
    the same answer is right here and wrong there.
    """
    tasks = deal(rng, sum_maker(CONTEST, BOXED, "Final answer in \\boxed{}."), 66, "o")
    attempts = cut_some(rng, play(rng, by_step(tasks, 11), 6, climb(rng, 0.1, 1.7, 11)), 0.01)
    for a in attempts:
        is_old = rng.random() < 0.34
        a.extra = {
            "grader_image": "verify:1.3.2" if is_old else "verify:1.6.0",
            "extracted": a.reply.answer,
            "ground_truth": a.task.gold,
        }
        a.right = a.right and not (is_old and rng.random() < 0.52)
    return layouts.openai(rng, credit(mark(attempts), grpo))


@PART.faulty("length_limit", "truncation")
def turn_allowance_cut_short(rng: Random) -> list[Row]:
    """The run is resumed at step 6 with an allowance of five turns where it had twelve: many repairs are cut off before
    they are handed in, and the score falls.
    """
    tasks = deal(rng, repair_task, 66, "r")
    attempts = play(rng, by_step(tasks, 11), 6, climb(rng, -0.5, 2.0, 11))
    for a in attempts:
        limit = 5 if a.step >= 6 else 12
        a.extra = {"max_turns": limit}
        if sum(t["role"] == "assistant" for t in a.reply.turns) > limit:
            a.reply.turns, a.right = a.reply.turns[: 2 * limit], False
            a.is_cut, a.stop = True, "max_turns"
    return layouts.own(rng, credit(mark(attempts, "hidden_tests"), grpo), "repair-resumed", "swe")


@PART.healthy
def spanish_dots_read_rightly(rng: Random) -> list[Row]:
    """Answers in Spanish write 1.250 where the key says 1250, and the grader knows that both are one number."""
    tasks = deal(rng, sum_maker(SPANISH_PROBLEMS, SPANISH, show=dotted), 70, "e")
    attempts = cut_some(rng, play(rng, by_step(tasks, 10), 6, climb(rng, -0.3, 1.9, 10)), 0.02)
    return layouts.verl(rng, credit(mark(attempts), grpo))


@PART.healthy
def whole_batch_as_baseline(rng: Random) -> list[Row]:
    """REINFORCE++ takes the mean of the batch and not of the group, so groups of one reward have advantages too."""
    tasks = deal(rng, sum_maker(CONTEST, BOXED, "Box your answer."), 80, "p")
    attempts = credit_by_batch(mark(cut_some(rng, play(rng, by_step(tasks, 10), 5, climb(rng, -0.6, 1.9, 10)), 0.02)))
    return layouts.trl(rng, attempts, adv_estimator="reinforce_plus_plus", norm="batch")


@PART.healthy
def thought_lengthens_with_skill(rng: Random) -> list[Row]:
    """Replies grow by almost a half as the policy learns to work a problem twice; accuracy grows with them, and
    nothing is paid for length.
    """
    tasks = deal(rng, sum_maker(WORD_PROBLEMS, ENGLISH), 72, "t")
    attempts = play(rng, by_step(tasks, 12), 6, climb(rng, -0.9, 2.4, 12))
    turns = ("Let me do it once more another way.", "I go over it again.", "To be sure, a second pass:", "Recomputing.")
    for a in attempts:
        if rng.random() < 0.07 * a.step:
            draft, _ = work(rng, a.task.world, a.right or rng.random() < 0.5)
            text = "\n".join([*draft, "", rng.choice(turns), "", a.written])
            a.reply.turns = [{"role": "assistant", "content": text}]
    return openrlhf(credit(mark(cut_some(rng, attempts, 0.02)), leave_one_out))
