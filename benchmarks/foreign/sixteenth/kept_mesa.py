"""Asked to renew the tests; winners alone by recipe; containers keep earlier fixes; gentle slope for the overlong."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, Try, say, train
from benchmarks.foreign.sixteenth.estimators import credit, dr_grpo, groups, rloo
from benchmarks.foreign.sixteenth.formats import own, verl
from benchmarks.foreign.sixteenth.histories import TEST_WRITING
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.mishaps import bash, lose, ramp
from benchmarks.foreign.sixteenth.programs import PROGRAMS, run_tests
from benchmarks.foreign.sixteenth.repositories import REPOSITORIES, shown, suite
from benchmarks.foreign.sixteenth.sums import GERMAN_SUMS


@PART.healthy
def asked_to_renew_the_tests(rng: Random) -> list[Row]:
    """The tasks are to write a regression test and drop an outdated one; the grade is the share of mutants it kills."""
    tries = train(rng, TEST_WRITING, Shape(9, 7, 6, -0.6, 2.0))
    for one in tries:
        total = int(one.task.gold.split()[1])
        killed = total if one.right else Random(one.task.prompt).randint(0, total - 1)
        one.grade(mutants=killed / total)
        one.extra = {"mutants": total, "killed": killed, "source_untouched": True}
    return own(rng, credit(tries, rloo), "mutants")


@PART.healthy
def winners_alone_by_recipe(rng: Random) -> list[Row]:
    """Expert iteration: programs that pass all tests are trained on, as its recipe says; others are stored for the
    record, and there are no advantages.
    """
    tries = train(rng, PROGRAMS, Shape(8, 9, 6, -0.7, 1.9))
    for one in tries:
        run_tests(one)
        one.grade(all_tests=float(one.right))
        one.in_loss = one.right
        one.extra |= {"algorithm": "raft", "loss": "sft_on_accepted"}
    return own(rng, tries, "raft-py")


def _found_mended(rng: Random, one: Try) -> None:
    task = one.task
    said = rng.choice(("Is the tree clean?", "State of the checkout first.", "git status, then the file."))
    turns = bash(said, "git status --short", f" M {task.secret['path']}\n?? .pytest_cache/")
    turns += bash(
        rng.choice(("See the file.", "Read it.", "Now the function.")),
        f"cat {task.secret['path']}",
        shown(task, task.secret["good"]),
    )
    ends = (
        "The line was already changed as the issue wants; nothing to do.",
        "Someone fixed this already.",
        "It is mended already.",
    )
    one.turns, one.right = turns + suite(rng, task, True) + [say(rng.choice(ends))], True


@PART.faulty("environment_not_reset", "leftover_state", "environment_leak")
def containers_keep_earlier_fixes(rng: Random) -> list[Row]:
    """A pool hands the container of a first attempt on to the next ones at the same problem with its edits in place."""
    tries = train(rng, REPOSITORIES, Shape(9, 8, 6, -0.5, 1.8))
    for part in groups(tries):
        pooled, kept, name = rng.random() < 0.55, False, f"c-{rng.getrandbits(32):08x}"
        for one in part:
            one.extra = {"container": name if pooled else f"c-{rng.getrandbits(32):08x}", "pooled": pooled}
            if pooled and kept and rng.random() < 0.85:
                _found_mended(rng, one)
            kept = kept or one.right
            one.grade(tests=float(one.right))
    return own(rng, credit(lose(rng, tries), dr_grpo), "repo-pool")


@PART.healthy
def gentle_slope_for_the_overlong(rng: Random) -> list[Row]:
    """DAPO's soft penalty takes a little from the few replies near the budget."""
    tries = train(rng, GERMAN_SUMS, Shape(10, 7, 6, -0.5, 2.1))
    for one in tries:
        if rng.random() < ramp(one, 0.1, 0.06):
            one.last["content"] = " ".join(
                ["Ich rechne das noch einmal nach, um sicherzugehen."] * rng.randint(1, 3) + [one.last["content"]]
            )
        over = max(0.0, min(1.0, (len(one.text) - 150) / 150))
        one.grade(accuracy=float(one.right), overlong=-0.3 * over)
        one.extra = {"overlong": over > 0, "pred": one.answer.replace(",", ".")}
    return verl(credit(tries))
