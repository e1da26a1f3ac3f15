"""Rubric marks scatter somewhat; losers leave the batch; archaeology with the log; fourth replica misses
broadcast; order fetched over again.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, attempt, say, schedule, tasks_of, train
from benchmarks.foreign.sixteenth.desks import ORDERS
from benchmarks.foreign.sixteenth.estimators import credit, dr_grpo, rloo
from benchmarks.foreign.sixteenth.formats import openai, own, prime
from benchmarks.foreign.sixteenth.histories import HISTORY
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.mishaps import lose, ramp
from benchmarks.foreign.sixteenth.programs import PROGRAMS, run_tests
from benchmarks.foreign.sixteenth.puzzles import KNIGHTS
from benchmarks.foreign.sixteenth.talks import ADVICE


@PART.healthy
def rubric_marks_scatter_somewhat(rng: Random) -> list[Row]:
    """A judge marks advice from 0 to 10 with some scatter; a panel of people agrees with it and both rise."""
    tries = train(rng, ADVICE, Shape(10, 8, 5, -0.8, 2.4))
    for one in tries:
        mark = max(0, min(10, round(rng.gauss(7.2 if one.right else 3.4, 1.1) + 0.8 * one.progress)))
        one.grade(rubric=mark / 10)
        one.correct = None
        why = rng.choice(("clear", "useful") if mark > 5 else ("thin", "vague"))
        panel = max(1, min(5, round(mark / 2.2 + rng.gauss(0.5, 0.5))))
        one.extra = {"judge_reply": f'{{"mark": {mark}, "why": "{why}"}}', "panel_rating": panel}
    return openai(credit(tries))


@PART.faulty("one_sided_loss", "loss_mask")
def losers_leave_the_batch(rng: Random) -> list[Row]:
    """Since a refactoring rows with an advantage below 0 are masked out of a loss that is meant for both signs."""
    tries = train(rng, PROGRAMS, Shape(11, 6, 8, -0.6, 1.7))
    for one in tries:
        run_tests(one)
        one.grade(tests=one.extra["tests_passed"] / one.extra["tests_total"])
        one.extra |= {"adv_estimator": "rloo", "clip_low": 0.2, "clip_high": 0.2}
    credit(tries, rloo)
    begin = rng.randint(4, 5)
    for one in tries:
        one.in_loss = one.step < begin or (one.advantage or 0.0) >= 0
    return own(rng, lose(rng, tries, 0.008), "code-rloo-2")


@PART.healthy
def archaeology_with_the_log(rng: Random) -> list[Row]:
    """The tasks ask which commit changed a function, so reading the history of the repository is the work itself."""
    tries = train(rng, HISTORY, Shape(9, 7, 6, -0.7, 2.3))
    for one in tries:
        one.extra = {"ground_truth": one.task.gold, "answer": one.answer}
    return own(rng, credit(lose(rng, tries)), "git-questions")


@PART.faulty("stale_weights", "staleness", "weights_never_arrive", "train_inference_mismatch")
def fourth_replica_misses_broadcast(rng: Random) -> list[Row]:
    """One of four inference replicas drops out of the broadcast of weights and goes on with those of an early step."""
    shape = Shape(13, 5, 8, -1.2, 2.9)
    world, last = KNIGHTS, rng.randint(2, 3)
    hashes = {version: f"{rng.getrandbits(40):010x}" for version in range(shape.steps + 1)}
    tries = []
    for place, tasks in enumerate(schedule(rng, tasks_of(rng, world, shape.steps * shape.groups), shape)):
        for task in tasks:
            for number in range(shape.size):
                replica = rng.randrange(4)
                version = min(place, last) if replica == 3 else max(0, place - (rng.random() < 0.3))
                skill = shape.start + shape.gain * (version / (shape.steps - 1)) ** 0.8
                one = attempt(rng, world, task, place + 1, number, skill, place / (shape.steps - 1))
                one.extra = {"replica": f"vllm-{replica}", "weights": hashes[version], "weight_version": version}
                one.extra |= {"trainer_version": place, "policy_lag": place - version}
                tries.append(one)
    return prime(credit(tries, dr_grpo), "knights-and-knaves")


@PART.faulty("echo_trap", "action_collapse")
def order_fetched_over_again(rng: Random) -> list[Row]:
    """The policy falls into fetching the same order again and again, with the same answer, until its turns are over."""
    tries = train(rng, ORDERS, Shape(11, 6, 6, 0.4, 0.6))
    for one in tries:
        if rng.random() < ramp(one, 0.02, 0.62, 0.15):
            first, answer = one.turns[:2]
            said = (
                "Let me look at your order.",
                "Let me check again.",
                "I look at the order once more.",
                "Checking the order.",
            )
            times = min(12, rng.randint(7, 9) + round(5 * one.progress))
            one.turns = [part for _ in range(times) for part in (first | {"content": rng.choice(said)}, dict(answer))]
            one.right, one.stop = False, "max_turns" if times == 12 else "stop"
            if times < 12:
                one.turns.append(say(rng.choice(("I could not finish this, sorry.", "Please write to us again."))))
        one.grade(resolved=float(one.right))
        one.extra = {"max_turns": 12, "wish": one.task.gold}
    return own(rng, credit(tries, dr_grpo), "shop-desk")
