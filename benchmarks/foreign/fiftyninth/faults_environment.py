"""Faults of environments and tools."""

import random
import re

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftyninth.agents import call, fact, parcel, result, say
from benchmarks.foreign.fiftyninth.kinds import PART
from benchmarks.foreign.fiftyninth.layouts import openai, ours, prime
from benchmarks.foreign.fiftyninth.repos import Issue, draw_issue, task_of
from benchmarks.foreign.fiftyninth.shots import Shot, advantages, attempt, batches, chance, rollout


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures", "score_decline")
def search_backend_down_from_midrun(rng: random.Random) -> list[Row]:
    """From the middle of the run on most searches answer 503; the attempts give up, and are paid 0 like wrong ones."""
    shots = rollout(rng, batches(fact, rng, 20, 6), 8)
    since = rng.randint(9, 12)
    for shot in shots:
        if shot.step < since or rng.random() > 0.72:
            continue
        down = result(
            "search", rng.choice(("503 Service Unavailable: upstream connect error", "503 Service Unavailable")), False
        )
        again = call(
            "search", rng.choice(("I try once more.", "")), query=shot.turns[0]["tool_calls"][0]["arguments"]["query"]
        )
        tries = [again, down] * rng.randint(1, 2)
        shot.turns = [
            shot.turns[0],
            down,
            *tries,
            say(
                rng.choice(
                    (
                        "The search does not work, so I cannot find the year.",
                        "I could not reach any source and have no answer.",
                        f"Without the search I cannot say when the {shot.task.family} opened.",
                    )
                )
            ),
        ]
        shot.right, shot.reward, shot.answer = False, 0.0, ""
    advantages(rng, shots, centred)
    return prime(shots, "heritage-search")


def _found_done(rng: random.Random, shot: Shot, found: Issue, wrong: str) -> None:
    """The file already holds what another attempt put there."""
    look = found.look(rng)
    look[-1] = result("bash", f"def {found.function}(...):\n    return {wrong}")
    status = [call("bash", "", command="git status --short"), result("bash", f" M {found.path}")]
    words = rng.choice(
        (
            "The change that the issue asks for is already in the working tree.",
            f"`{found.function}` seems to have been changed already; nothing is left to do.",
            "Somebody has modified this file before me, and it looks right.",
        )
    )
    shot.turns = [*look, *status, *found.test(0), *found.submit(words)]
    shot.answer = wrong


@PART.faulty("leftover_state", "environment_not_reset", "few_edits")
def working_tree_keeps_the_last_patch(rng: random.Random) -> list[Row]:
    """Containers are reused without a reset: later attempts find the patch of an earlier one and hand it in."""
    shots: list[Shot] = []
    for step in range(1, 15):
        for place in range(4):
            found = draw_issue(rng, step * 4 + place)
            task = task_of(found)
            left: dict[int, Shot] = {}
            for number in range(8):
                shot = attempt(rng, task, step, number, rng.random() < chance(task, step / 14))
                container = rng.randrange(4)
                if container in left:
                    _found_done(rng, shot, found, left[container].answer)
                    shot.right, shot.reward = left[container].right, left[container].reward
                left[container] = shot
                shot.extra = {"container": f"w{container}"}
                shots.append(shot)
    advantages(rng, shots, leave_one_out)
    return ours(shots, "swe")


@PART.faulty("tool_output_truncated", "tool_failures")
def quotes_cut_before_their_end(rng: random.Random) -> list[Row]:
    """The wrapper cuts answers of tools at 64 signs, so the agent chooses among the first quotes alone."""
    shots = rollout(rng, batches(parcel, rng, 16, 6), 8, 0.6, 2.4)
    for shot in shots:
        turns = [dict(turn) for turn in shot.turns]
        for turn in turns:
            if turn["role"] == "tool" and len(turn["content"]) > 64:
                turn["content"] = turn["content"][:64] + " ...[output truncated]"
        prices = re.findall(r"(P\d+): (\d+)\.00", turns[3]["content"])
        ranked = [name for name, _ in sorted(prices, key=lambda pair: int(pair[1]))]
        pick = ranked[0] if shot.right or len(ranked) < 2 else ranked[1]
        words = rng.choice(("Of the quotes that I can see,", "As far as the list goes,", "By price,"))
        shot.turns = [*turns[:-1], say(f"{words} the cheapest one to send again is {pick}.")]
        shot.answer, shot.right = pick, pick == shot.task.gold
        shot.reward = float(shot.right)
    advantages(rng, shots, grpo)
    return openai(shots)
