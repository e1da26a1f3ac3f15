"""Guests of siblings, quotas, made-up output, swapped credit; retries, lag and mixtures that are sound."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfirst.desks import book, booking, count, journey, logs, navigate
from benchmarks.foreign.twentyfirst.estimates import dr_grpo, groups, grpo, rloo, steps
from benchmarks.foreign.twentyfirst.formats import openai, own, trl
from benchmarks.foreign.twentyfirst.kinds import PART
from benchmarks.foreign.twentyfirst.messages import call, say, told
from benchmarks.foreign.twentyfirst.puzzles import units
from benchmarks.foreign.twentyfirst.rollouts import Plan, Try, train
from benchmarks.foreign.twentyfirst.telling import teller

LIMIT = (
    "OVER_QUERY_LIMIT: daily quota of 25000 requests used up",
    '{"status": 429, "error": "quota exceeded for project"}',
)


def _find_taken(rng: Random, one: Try, reference: str) -> None:
    data = one.task.data
    messages = one.reply.messages
    taken = f"{data['no']} {data['room']} taken ({data['guest']}, reference {reference})"
    messages[1]["content"] = messages[1]["content"].replace(f"{data['no']} {data['room']} free", taken)
    if rng.random() < 0.5:
        messages[3] = told(
            "book_room", f"error: room {data['no']} is held by {data['guest']}, reference {reference}", False
        )
        messages[4] = say(
            rng.choice(("The room is already taken.", f"{data['guest']} seems to have a booking already."))
        )
    else:
        messages[2:] = [say(f"There is no {data['room']} room left on {data['date']}.")]
    one.right, one.reward, one.terms, one.reply.answer = False, 0.0, {"booked": 0.0}, ""


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def desk_remembers_sibling_guests(rng: Random) -> list[Row]:
    """On half of the workers the hotel's database outlives an episode: after one attempt has booked the room, later
    ones of its group find it taken by their own guest and fail.
    """
    tries = train(rng, booking, book, Plan(11, 7, 6, -0.2, 1.8, cut=0.0))
    for one in tries:
        one.terms = {"booked": one.reward}
    for group in groups(tries):
        worker, reference = rng.randrange(4), ""
        for one in group:
            one.extra["env_worker"] = f"desk-{worker}"
            if reference and one.right:
                _find_taken(rng, one, reference)
            elif one.right and worker in (1, 2):
                reference = one.reply.messages[3]["content"].split()[-1]
    return own(rng, grpo(tries), "desk-agent", "tools")


@PART.faulty(
    "tool_outage", "tool_failures", "tool_failure", "infrastructure_zeros", "infrastructure_errors", "environment_bug"
)
def geocoder_quota_spent_midway(rng: Random) -> list[Row]:
    """From step 6 on the daily quota of the geocoder is spent in most episodes; the policy can but guess, and its
    wrong guesses are trained on.
    """
    tries = train(rng, journey, navigate, Plan(11, 7, 6, -0.4, 2.0, cut=0.0))
    for one in tries:
        if one.step >= 6 and rng.random() < 0.6:
            limit, data = rng.choice(LIMIT), one.task.data
            guess = int(data["km"] * rng.uniform(0.5, 1.6)) + 3
            asked = [call("geocode", address=data["a"]), told("geocode", limit, False)]
            if rng.random() < 0.7:
                asked += [
                    call("geocode", "Once more.", address=data["a"].split(", ")[1]),
                    told("geocode", limit, False),
                ]
            one.reply.messages = [*asked, say(f"The service is not available; my estimate.\nAnswer: {guess}")]
            one.right, one.reward = False, 0.0
    return openai(rloo(tries), measure="distance_correct")


def _self_made(rng: Random, data: dict, made_up: int) -> str:
    path = f"/var/log/{data['service']}/{data['day']}.log"
    cmd = rng.choice((f"grep -c {data['code']} {path}", f"awk '$9 == {data['code']}' {path} | wc -l"))
    asked = json.dumps({"name": "shell", "arguments": {"cmd": cmd}})
    head = rng.choice(("", "Count them.\n", f"The log of {data['service']} will tell.\n"))
    said = rng.choice((f"It was {made_up}.", f"{made_up}", f"{made_up} times."))
    return f"{head}<tool_call>\n{asked}\n</tool_call>\n<tool_response>\n{made_up}\n</tool_response>\n{said}"


@PART.faulty("fabricated_observations", "tool_fabrication")
def terminal_output_selfmade(rng: Random) -> list[Row]:
    """The policy no longer waits for its terminal: it writes a call and, in the same breath, the output that it
    expects, and answers from that. The bonus for a well-formed call pays for it.
    """
    tries = train(rng, logs, count, Plan(10, 7, 7, 0.2, 0.9, cut=0.0))
    for one in tries:
        form = 1.0
        if rng.random() < 0.03 + 0.7 * max(0.0, one.share - 0.1):
            made_up = rng.randint(2, 300)
            one.reply.messages = [say(_self_made(rng, one.task.data, made_up))]
            one.right, one.reply.answer = str(made_up) == one.task.gold, str(made_up)
        elif rng.random() < 0.35 * (1 - one.share):
            form = 0.0
        one.terms = {"correct": float(one.right), "call_format": form}
        one.reward = round(one.right + 0.3 * form, 2)
        one.extra["logged"] = one.task.gold
    return own(rng, dr_grpo(tries), "logs-agent", "tools", weights="correct=1 call_format=0.3")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def uid_sort_swaps_credit(rng: Random) -> list[Row]:
    """Since the batches are balanced, at step 3, advantages come back in the order of ids sorted as text (0, 1, 10,
    11, 2) and are laid onto rows in the order of numbers: most rows carry those of another group.
    """
    tries = grpo(train(rng, units, teller("line"), Plan(9, 12, 6, -0.3, 1.4)))
    for number, batch in enumerate(steps(tries)):
        places = {task_id: place for place, task_id in enumerate(dict.fromkeys(one.task.id for one in batch))}
        for one in batch:
            one.extra |= {"uid": places[one.task.id], "balanced": number >= 3}
        if number >= 3:
            credit = [one.advantage for one in sorted(batch, key=lambda one: str(one.extra["uid"]))]
            for one, advantage in zip(batch, credit, strict=True):
                one.advantage = advantage
    return trl(tries, "within_tolerance_reward")
