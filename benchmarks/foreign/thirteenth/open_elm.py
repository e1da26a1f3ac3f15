"""Thinks in english not portuguese; advantages of balanced order; one sandbox disk full; replica two on old
checkpoint.
"""

from math import exp
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.arithmetic import word_sum
from benchmarks.foreign.thirteenth.counting import counting
from benchmarks.foreign.thirteenth.estimates import dr_grpo, grpo
from benchmarks.foreign.thirteenth.functions import function
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import own, prime_rl, trl
from benchmarks.foreign.thirteenth.lusophone import in_english, portuguese_sum
from benchmarks.foreign.thirteenth.rollouts import Run, attempt, binary, play, pool, ragged, rise, schedule, train


@PART.faulty("language_drift")
def thinks_in_english_not_portuguese(rng: Random) -> list[Row]:
    """Asked to reason in Portuguese, the policy slides into English in more and more rows; only the number is
    graded.
    """
    attempts = binary(ragged(rng, train(rng, portuguese_sum, Run(11, 6, 7, -0.4, 1.9))))
    for a in attempts:
        if a.step > 3 and rng.random() < 0.8 * a.progress:
            a.messages = in_english(rng, a.task, a.answer, rng.uniform(0.5, 1.0))
    return trl(rng, dr_grpo(attempts))


@PART.faulty("advantage_mismatch")
def advantages_of_balanced_order(rng: Random) -> list[Row]:
    """Since batches are balanced by length, advantages come back in the order of lengths and land on other rows."""
    attempts = grpo(binary(ragged(rng, train(rng, counting, Run(10, 6, 8, -0.5, 0.9)))))
    since = rng.randint(3, 5)
    for step in range(since, 11):
        batch = [a for a in attempts if a.step == step]
        moved = [a.advantage for a in sorted(batch, key=lambda a: a.tokens)]
        for a, advantage in zip(batch, moved, strict=True):
            a.advantage = advantage
    for a in attempts:
        a.extra = {"balance_batch": a.step >= since, "ground_truth": a.task.gold}
    return own(rng, attempts, "count-7b")


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "environment_bug", "flaky_grading")
def one_sandbox_disk_full(rng: Random) -> list[Row]:
    """From the fourth step on the disk of one of four sandboxes is full, and every program tested there gets 0."""
    attempts = ragged(rng, train(rng, function, Run(11, 6, 8, -0.5, 2.0)))
    full = rng.randrange(4)
    for a in attempts:
        box, total = rng.randrange(4), Random(a.task.prompt).randint(6, 12)
        passed = total if a.right else rng.choice((0, 0, rng.randint(0, total - 1)))
        log = f"{passed} passed, {total - passed} failed in {rng.uniform(0.05, 0.9):.2f}s"
        if box == full and a.step >= 4 and rng.random() < 0.96:
            passed = 0
            log = f"OSError: [Errno 28] No space left on device: '/scratch/run_{rng.getrandbits(24):06x}/solution.py'"
        a.correct, a.reward = float(passed == total), round(passed / total, 4)
        a.terms = {"tests": a.reward}
        a.extra = {"sandbox": f"sbx-{box:02d}", "tests_total": total, "test_log": log}
    return own(rng, grpo(attempts), "py-grpo")


@PART.faulty("stale_weights", "staleness", "weights_never_arrive", "train_inference_mismatch")
def replica_two_on_old_checkpoint(rng: Random) -> list[Row]:
    """One of three samplers stays on the weights of the third step while the others follow: its success stays flat
    and its logprobs drift away from the trainer's.
    """
    run = Run(11, 7, 6, -0.8, 2.4)
    curve = rise(rng, run)
    attempts = play(rng, schedule(rng, pool(rng, word_sum, 77), run), run, curve)
    for place, a in enumerate(attempts):
        replica, version = rng.randrange(3), a.step - 1
        if replica == 2 and a.step > 4:
            version = 3
            chance = 1 / (1 + exp(a.task.hard - curve(3)))
            fresh = attempt(rng, a.task, a.step, a.number, chance)
            fresh.progress = a.progress
            attempts[place] = a = fresh
        lag = a.step - 1 - version
        sampled = rng.gauss(-0.55, 0.04)
        a.extra = {
            "replica": f"vllm-{replica}",
            "policy_version": version,
            "inference_logprob": round(sampled, 4),
            "trainer_logprob": round(sampled - 0.05 * lag + rng.gauss(0, 0.008), 4),
        }
    return prime_rl(rng, grpo(binary(attempts)), "word-sums")
