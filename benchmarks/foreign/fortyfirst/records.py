"""Runs whose records look odd: evaluations, merges, resumed runs."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.fortyfirst.kinds import PART
from benchmarks.foreign.fortyfirst.layouts import inspect, ours, prime
from benchmarks.foreign.fortyfirst.policy import Attempt, Message, Problem, advance, chance, fresh, pay, says, train
from benchmarks.foreign.fortyfirst.tasks import committees, tanks
from benchmarks.foreign.fortyfirst.words import closing, opening, slip, so


@PART.healthy
def greedy_epochs_repeat_word_for_word(rng: random.Random) -> list[Row]:
    """Four epochs of an evaluation have the same texts: it was run at temperature 0, to test the server for noise."""
    out, seen = [], set()
    for i in range(130):
        problem = fresh(rng, committees, i, seen)
        right = rng.random() < chance(0.4, problem.hard)
        messages = problem.write(rng, right, 1.0)
        for number in range(4):
            extra = {"temperature": 0.0, "seed": 11 + number}
            out.append(Attempt(0, problem, f"q{i}", number, right, messages, split="test", extra=extra))
    return inspect(out)


def _olympiad(rng: random.Random, i: int) -> Problem:
    base, power, m = rng.randint(3, 97), rng.randint(40, 9000), rng.choice((101, 103, 107, 113, 131, 1009))
    gold = pow(base, power, m)
    prompt = f"Find the remainder of {base}^{power} on division by {m}, without a machine. End with 'Remainder: r'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        squares = [(2**k, pow(base, 2**k, m)) for k in range(1, power.bit_length())]
        shown = squares if rng.random() < 0.5 else squares[:4]
        text = ", ".join(f"{base}^{e} = {v}" for e, v in shown)
        bits = " + ".join(str(2**k) for k in range(power.bit_length()) if power >> k & 1)
        end = gold if right else (slip(rng, gold) + m) % m
        end = (end + 1) % m if end == gold and not right else end
        middle = (
            f"Squaring again and again modulo {m}: {text}. As {power} = {bits}, {so(rng).lower()} I multiply these."
        )
        return says(f"{opening(rng)} {middle} {closing(rng)}\nRemainder: {end}")

    return Problem(f"power-{i}", prompt, str(gold), rng.gauss(2.6, 1.2), write)


@PART.healthy
def hard_exam_is_passed_by_one_in_eight(rng: random.Random) -> list[Row]:
    """Most problems are failed by all attempts: an evaluation alone, on an exam made to be hard."""
    out = []
    for i in range(70):
        problem = _olympiad(rng, i)
        for number in range(8):
            right = rng.random() < chance(0.0, problem.hard)
            messages = problem.write(rng, right, 1.0)
            out.append(Attempt(0, problem, f"q{i}", number, right, messages, split="test"))
    return prime(pay(out, correct_answer=lambda a: float(a.right)), "power-exam")


@PART.healthy
def two_seeds_of_a_run_are_merged_with_their_names(rng: random.Random) -> list[Row]:
    """Every problem comes twice within a step, by two policies: two seeds on the same order of data, merged."""
    seed, out = rng.getrandbits(40), []
    for run in ("seed7", "seed8"):
        data = random.Random(seed)
        problems = [tanks(data, i, 3) for i in range(20 * 3)]
        bonus = rng.gauss(0, 0.15)
        for step in range(20):
            t = step / 19
            for k, problem in enumerate(problems[step * 3 : step * 3 + 3]):
                for number in range(6):
                    right = rng.random() < chance(-0.9 + 2.3 * t + bonus, problem.hard)
                    text = problem.write(rng, right, t)
                    group = f"{run}-s{step}-g{k}"
                    out.append(Attempt(step, problem, group, number, right, text, t, extra={"run": run}))
    out.sort(key=lambda a: a.step)
    return ours(advance(rng, pay(out), grpo), "math", "merged")


@PART.healthy
def resumed_run_walks_three_steps_again(rng: random.Random) -> list[Row]:
    """Steps 12 to 14 come twice, on the same problems: the node was preempted and the run resumed at its checkpoint."""
    out = train(rng, committees, 20, 4, 7)
    for a in out:
        a.extra = {"run": "a" if a.step < 15 else "b"}
    again = []
    for a in out:
        if 12 <= a.step <= 14:
            right = rng.random() < chance(-0.9 + 2.5 * a.progress, a.problem.hard)
            text = a.problem.write(rng, right, a.progress)
            again.append(Attempt(a.step, a.problem, a.group + "-b", a.number, right, text, extra={"run": "b"}))
    before = [a for a in out if a.step < 15]
    rows = before + again + [a for a in out if a.step >= 15]
    return ours(advance(rng, pay(rows), leave_one_out), "math", "resumed")
