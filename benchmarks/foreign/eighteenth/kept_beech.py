"""RLOO on shares of tests, a second epoch, tests to write, a harder validation."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.chores import tests_of
from benchmarks.foreign.eighteenth.credits import credit, leave_one_out
from benchmarks.foreign.eighteenth.dumps import openai, own, prime, verl
from benchmarks.foreign.eighteenth.functions import function_of
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import attempt, climb, distinct, pages, play, run
from benchmarks.foreign.eighteenth.sums import committee, fences, sum_of


@PART.healthy
def baseline_of_the_others(rng: Random) -> list[Row]:
    """RLOO without any division by the spread, on the share of hidden tests passed: advantages are small and of
    uneven size.
    """
    episodes = run(rng, function_of, 11, 6, 7, "rl")
    for e in episodes:
        total = 8 + len(e.task.prompt) % 7
        passed = total if e.right else 0 if e.stop == "length" else rng.randrange(total)
        e.reward = round(passed / total, 4)
        e.terms = {"tests_passed": float(passed), "tests_total": float(total)}
    return prime(credit(episodes, leave_one_out), "functions")


@PART.healthy
def second_epoch_same_order(rng: Random) -> list[Row]:
    """The data set is passed through twice in the same order, with fresh attempts the second time."""
    tasks = distinct(rng, lambda r: sum_of(r, "hash"), 42, "tr")
    batches = pages(tasks, 6)
    episodes = play(rng, batches + batches, rng.choice((4, 5, 6)), climb(rng, -0.6, 1.9, 12))
    for e in episodes:
        e.extra["epoch"] = e.step // 6
    return verl(credit(episodes))


@PART.healthy
def writing_tests_is_asked(rng: Random) -> list[Row]:
    """The task is to write tests, so every attempt writes test files; they are graded by the mutants that they find."""
    episodes = run(rng, tests_of, 9, 6, 6, "mut")
    for e in episodes:
        killed = 0 if e.stop == "length" else e.reply.extra["mutants_killed"]
        e.extra = {"mutants_killed": killed, "mutants": e.reply.extra["mutants"]}
        e.reward = round(killed / e.extra["mutants"], 4)
        e.right = e.reward >= 0.75
    return openai(credit(episodes))


@PART.healthy
def harder_sealed_validation(rng: Random) -> list[Row]:
    """Validation holds the two hardest families alone by design: it lies well below training and rises with it."""
    steps = 10
    skills = climb(rng, -0.4, 2.0, steps)
    train = distinct(rng, lambda r: sum_of(r, "boxed"), steps * 6, "tr")
    held = distinct(rng, lambda r: sum_of(r, "boxed", (fences, committee)), 24, "va")
    for task in held:
        task.level += 0.8
    episodes = credit(play(rng, pages(train, steps), 7, skills))
    for step in range(0, steps, 3):
        shown = [attempt(rng, task, step, n, skills[step]) for task in held for n in range(2)]
        episodes += [replace(e, split="validation", in_loss=False) for e in shown]
    return own(rng, episodes, "sealed")
