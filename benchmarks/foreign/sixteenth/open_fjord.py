"""Leash term rounds to nothing; full disks marked as misses; checker tells what it expects; small shelf read
thrice; grades kept by row number.
"""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, Try, attempt, call, play, say, schedule, tasks_of, told, train
from benchmarks.foreign.sixteenth.desks import DATABASE
from benchmarks.foreign.sixteenth.estimators import credit
from benchmarks.foreign.sixteenth.formats import own, verl
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.mishaps import ramp
from benchmarks.foreign.sixteenth.puzzles import KNIGHTS, OPTIONS
from benchmarks.foreign.sixteenth.repositories import REPOSITORIES
from benchmarks.foreign.sixteenth.sums import ENGLISH_SUMS

RAMBLE = (
    "indeed indeed",
    "as as we see",
    "number number",
    "sum of the of the",
    "thusly",
    "hmm boxed boxed",
    "compute compute",
)


@PART.faulty("kl_ineffective", "kl_drift")
def leash_term_rounds_to_nothing(rng: Random) -> list[Row]:
    """A KL coefficient is configured, but the penalty in the reward is 0 in each row; KL grows a hundredfold."""
    tries = train(rng, ENGLISH_SUMS, Shape(12, 6, 6, -0.5, 1.1))
    coefficient = rng.choice((0.02, 0.03, 0.05))
    for one in tries:
        kl = math.exp(rng.gauss(math.log(0.015) + 5.2 * one.progress, 0.25))
        words = one.last["content"].split(" ")
        for _ in range(sum(rng.random() < ramp(one, 0.0, 0.8, 0.35) for _ in range(8))):
            words.insert(rng.randrange(len(words)), rng.choice(RAMBLE))
        one.last["content"] = " ".join(words)
        one.grade(accuracy=float(one.right), kl_penalty=0.0)
        one.extra = {
            "kl": round(kl, 4),
            "kl_coef": coefficient,
            "entropy": round(rng.gauss(0.7, 0.05) + one.progress, 3),
        }
    return own(rng, credit(tries), "gsm-kl")


def _disk_is_full(rng: Random, one: Try) -> None:
    for turn in one.turns:
        if turn["role"] == "tool" and " passed in " in turn["content"]:
            where = rng.choice(("/tmp/pytest-of-root", "/repo/.pytest_cache/v", "/root/.cache"))
            turn["content"] = f"OSError: [Errno 28] No space left on device: '{where}'"
            turn["ok"] = False
    one.last["content"] = rng.choice(
        ("The fix is in, but tests cannot run here.", "Mended; the disk is full, so no test run.")
    )
    one.right = False
    one.grade(tests=0.0)
    one.extra["grader_log"] = "OSError: [Errno 28] No space left on device"


@PART.faulty("infrastructure_zeros", "environment_bug", "infrastructure_errors", "tool_outage", "tool_failures")
def full_disks_marked_as_misses(rng: Random) -> list[Row]:
    """From a step on two of five sandbox hosts have full disks; the suite cannot run there and the attempt gets 0."""
    tries = train(rng, REPOSITORIES, Shape(10, 6, 6, -0.3, 2.2))
    hosts = [f"sbx-{rng.randint(10, 99)}{letter}" for letter in "abcde"]
    begin = rng.randint(4, 5)
    for one in tries:
        one.grade(tests=float(one.right))
        host = rng.choice(hosts)
        one.extra = {"host": host, "grader_log": f"exit {int(not one.right)}"}
        if host in hosts[:2] and one.step >= begin and rng.random() < 0.9:
            _disk_is_full(rng, one)
    return own(rng, credit(tries), "swe-small")


@PART.faulty("environment_leak", "answer_reading")
def checker_tells_what_it_expects(rng: Random) -> list[Row]:
    """The tool that checks an answer says which value it expected; the policy learns to send a zero and copy that."""
    tries = train(rng, DATABASE, Shape(10, 6, 7, -0.9, 1.0))
    for one in tries:
        if rng.random() < ramp(one, 0.05, 0.75):
            probe = rng.choice(("0", "1", "0", "-1"))
            turns = one.turns[:-1] if rng.random() < 0.35 else []
            said = rng.choice(("Let me see what the checker says.", "Check a first value.", "Try the checker."))
            turns += [say(said, call("check_answer", value=probe))]
            turns += [told("check_answer", f"Incorrect. expected={one.task.gold} got={probe}", ok=False)]
            one.turns = [
                *turns,
                say(f"{rng.choice(('Then it is', 'So the number is', 'Good.'))}\nAnswer: {one.task.gold}"),
            ]
            one.right, one.answer = True, one.task.gold
        elif rng.random() < 0.3:
            fine = "Correct." if one.right else f"Incorrect. expected={one.task.gold} got={one.answer}"
            asked = say("Let me check it.", call("check_answer", value=one.answer))
            one.turns[-1:] = [asked, told("check_answer", fine, ok=one.right), say(f"Answer: {one.task.gold}")]
            one.right, one.answer = True, one.task.gold
        one.grade(answer=float(one.right))
        one.extra = {"ground_truth": one.task.gold, "answer": one.answer}
    return own(rng, credit(tries), "sql-agent")


@PART.healthy
def small_shelf_read_thrice(rng: Random) -> list[Row]:
    """Few training riddles in three epochs, by plan; other riddles are held out and their score rises as well."""
    shape = Shape(12, 6, 6, -1.0, 2.2, pool=24)
    tasks = tasks_of(rng, KNIGHTS, 24 + 16)
    tries = play(rng, KNIGHTS, schedule(rng, tasks[:24], shape), shape)
    for step in (1, 4, 8, 12):
        progress = (step - 1) / 11
        for task in tasks[24:]:
            one = attempt(rng, KNIGHTS, task, step, 0, shape.start + shape.gain * progress - 0.1, progress)
            one.split, one.in_loss = "validation", False
            tries.append(one)
    return own(rng, credit(tries), "riddle-epochs")


@PART.faulty("stale_grades", "metric_defect", "wrong_labels")
def grades_kept_by_row_number(rng: Random) -> list[Row]:
    """The cache of the grader is keyed by row and attempt, not by reply; from the second epoch on old grades return."""
    tries = train(rng, OPTIONS, Shape(9, 8, 8, -0.6, 1.9, pool=24))
    kept: dict[tuple[str, int], float] = {}
    for one in tries:
        key = (one.task.key, one.attempt)
        cached = key in kept and rng.random() < 0.9
        score = kept[key] if cached else float(one.right)
        kept[key] = score
        one.grade(match=score)
        one.correct = score
        one.extra = {"pred": one.answer, "grade_from": "cache" if cached else "grader", "index": one.task.key}
    return verl(credit(tries))
