"""Healthy runs whose system does on purpose what looks like a fault elsewhere."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fiftyninth.agents import parcel, result
from benchmarks.foreign.fiftyninth.exam import question
from benchmarks.foreign.fiftyninth.kinds import PART
from benchmarks.foreign.fiftyninth.layouts import openai, openrlhf, prime, slime, verl
from benchmarks.foreign.fiftyninth.puzzles import puzzle
from benchmarks.foreign.fiftyninth.queries import query
from benchmarks.foreign.fiftyninth.shots import Task, Turns, advantages, batches, rollout


@PART.healthy
def checks_grow_and_help(rng: random.Random) -> list[Row]:
    """Answers grow by half over the run: the policy learns to put its result back into the text, which finds slips.

    Nothing pays for length, and nothing is cut.
    """
    shots = rollout(rng, batches(puzzle, rng, 20, 6), 8, -0.4, 1.8)
    for shot in shots:
        if rng.random() > 0.1 + 0.7 * shot.step / 20:
            continue
        words, last = shot.text.rsplit("\n", 1)
        first = shot.task.prompt.split(". ")[0]
        verdict = "that agrees" if shot.right else "I see nothing against it"
        shot.rewrite(
            f"{words} {rng.choice(('Check:', 'To be sure,', 'Once more:'))} the text says '{first}'; with "
            f"{shot.answer} {verdict}.\n{last}"
        )
    advantages(rng, shots, grpo)
    return verl(shots)


@PART.healthy
def rate_limits_that_are_waited_out(rng: random.Random) -> list[Row]:
    """A quarter of first calls is answered 429, as the API documents; the agent calls again and loses nothing by it."""
    shots = rollout(rng, batches(parcel, rng, 18, 5), 8)
    for shot in shots:
        turns: Turns = []
        for turn in shot.turns:
            if turn.get("tool_calls") and rng.random() < 0.25:
                name = turn["tool_calls"][0]["name"]
                turns += [
                    turn,
                    result(name, "429 Too Many Requests: retry after 1 s", False),
                    {**turn, "content": rng.choice(("A limit of the API; again.", "I wait and repeat the call."))},
                ]
            else:
                turns.append(turn)
        shot.turns = turns
    advantages(rng, shots, leave_one_out)
    return openai(shots)


@PART.healthy
def small_set_for_four_epochs(rng: random.Random) -> list[Row]:
    """Each of 48 SQL questions comes once in each of four epochs, as planned; none is learned by heart."""
    tasks: list[Task] = [query(rng, place) for place in range(48)]
    lists: list[list[Task]] = []
    for _ in range(4):
        order = rng.sample(tasks, len(tasks))
        lists += [order[begin : begin + 8] for begin in range(0, 48, 8)]
    shots = rollout(rng, lists, 6, -0.5, 0.7)
    advantages(rng, shots, grpo)
    for shot in shots:
        shot.extra = {"epoch": (shot.step - 1) // 6}
    return slime(shots)


@PART.healthy
def batch_baseline_pays_whole_groups(rng: random.Random) -> list[Row]:
    """Groups that are all right have advantages above 0: REINFORCE++ takes the whole batch for its baseline."""
    shots = rollout(rng, batches(question, rng, 20, 12), 4, -0.2, 1.7)
    advantages(rng, shots, whole_batch)
    for shot in shots:
        shot.extra = {"advantage": shot.advantage, "advantage_estimator": "reinforce"}
    return openrlhf(shots)


@PART.healthy
def rollouts_lag_by_a_step_or_two(rng: random.Random) -> list[Row]:
    """Rollouts are one or two versions old, as in asynchronous training; versions follow, and ratios stay near 1."""
    shots = rollout(rng, batches(puzzle, rng, 20, 6), 8)
    advantages(rng, shots, centred)
    for shot in shots:
        lag = 1 if rng.random() < 0.7 else 2
        sampled = -abs(rng.gauss(0.31, 0.05))
        shot.extra = {
            "policy_version": max(0, shot.step - 1 - lag),
            "inference_mean_logprob": round(sampled, 4),
            "trainer_mean_logprob": round(sampled + rng.gauss(0, 0.003), 4),
        }
    return prime(shots, "puzzles-async")
