"""Faults of environments and tools."""

import random

from benchmarks.foreign.fortyninth.advantages import fill
from benchmarks.foreign.fortyninth.archive import concluded, record_of, searches, years
from benchmarks.foreign.fortyninth.attempts import Attempt, Task, mixed, of_groups, paid, roll, say, told
from benchmarks.foreign.fortyninth.batch import play_any, with_tools
from benchmarks.foreign.fortyninth.desk import amount_of, looks_up, orders
from benchmarks.foreign.fortyninth.kinds import PART
from benchmarks.foreign.fortyninth.layouts import chat_lines, ours, prime
from benchmarks.foreign.fortyninth.programs import programs
from benchmarks.foreign.fortyninth.sums import sums


def _refused(rng: random.Random, task: Task, before: int) -> list[dict]:
    """An episode in which the order was refunded by another one."""
    d, amount = task.data, amount_of(rng, task, rng.random() < 0.6)
    record = d["record"][:-1] + f', "status": "refunded", "refunded_amount": {before}}}'
    error = f'{{"error": "order {d["oid"]} was already refunded ({before})"}}'
    call = ("refund", {"order_id": d["oid"], "amount": amount})
    end = rng.choice(
        [
            f"It seems that order {d['oid']} has been refunded already, so I cannot do it again.\nREFUND: 0",
            f"Our records show that {before} cents went back to you before; nothing more is due.\nREFUND: 0",
            f"I tried to refund the {d['good']}, but the system says it is done.\nREFUND: 0",
        ]
    )
    head = looks_up(rng, task, record)
    if rng.random() < 0.6:
        head += [say("I try the refund all the same.", call), told("refund", error, False)]
    return [*head, say(end)]


@PART.faulty("leftover_state", "environment_not_reset", "infrastructure_zeros")
def one_order_database_serves_all_attempts_of_a_group(rng: random.Random) -> list[dict]:
    """The desk's database is not reset between attempts of a group.

    Those that come after a refund find the order refunded already, can do nothing and get 0.
    """
    attempts = roll(rng, mixed([(orders, 4), (sums, 2), (years, 1)]), play_any, 14, 6, 8)
    for group in of_groups(attempts):
        if group[0].task.domain != "desk":
            continue
        first = group[0].messages[2]["tool_calls"][0]["arguments"]["amount"]
        for a in group[1:]:
            if rng.random() < min(0.9, 0.3 + 0.12 * a.place):
                a.messages, a.right = _refused(rng, a.task, first), False
                paid(a, 0.0)
    return [prime(a, rollout_index=a.place) for a in fill(attempts)]


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures")
def search_service_is_throttled_from_the_middle_of_the_run(rng: random.Random) -> list[dict]:
    """From half of the run on, most searches answer 429; the attempts end without a record and are paid 0."""

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        if task.domain != "search" or t < 0.5 or rng.random() < 0.3:
            return play_any(rng, task, right, t)
        messages: list[dict] = []
        for i in range(rng.randint(1, 3)):
            wait = f"HTTP 429: too many requests for tenant rl-mix, retry after {rng.randint(5, 60)} s"
            messages += searches(rng, task, wait, False, i > 0)
        if rng.random() < 0.7:
            last = say(f"The archive cannot be reached for {task.data['place']} at the moment.\nAnswer: unknown")
        else:
            last = concluded(rng, task, task.data["year"] + rng.choice([-31, -14, -7, 9, 22]))
        return paid(Attempt(task, [*messages, last], False), 0.0)

    attempts = roll(rng, mixed([(years, 3), (sums, 1), (programs, 1)]), play, 16, 6, 8, 0.0)
    return [ours(a) for a in fill(attempts)]


@PART.faulty("tool_output_truncated")
def answers_of_the_archive_are_cut_before_the_date(rng: random.Random) -> list[dict]:
    """A wrapper shared by all teams cuts the answers of tools at 200 signs, before the year that is asked for.

    The policy takes the year that it can see, in which work was begun, or gives up.
    """

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        if task.domain != "search":
            return play_any(rng, task, right, t)
        d, messages = task.data, []
        for i in range(rng.randint(1, 3)):
            record = record_of(rng, task)
            cut = f"{record[:200]}... [truncated, {len(record) - 200} more characters]"
            messages += searches(rng, task, cut, True, i > 0)
        right = rng.random() < 0.06
        year = d["year"] if right else rng.choice([d["begun"], d["begun"], d["begun"], "unknown", d["begun"] + 7])
        right = str(year) == task.gold
        return paid(Attempt(task, [*messages, concluded(rng, task, year)], right), float(right))

    attempts = roll(rng, mixed([(years, 3), (with_tools, 1), (sums, 2)]), play, 14, 6, 8)
    return [chat_lines(a, problem_id=a.task.uid, correct=a.reward) for a in fill(attempts, "centred")]
