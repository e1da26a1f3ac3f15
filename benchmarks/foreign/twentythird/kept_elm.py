"""Kinds of this part.

Single word ticket routing, timing jitter becomes signal, database replies in loss, node disk fills up, leave one out
unscaled.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.estimates import credit, leave_one_out
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import openai, openrlhf, own, prime
from benchmarks.foreign.twentythird.lookups import lookup_task
from benchmarks.foreign.twentythird.programs import code_task
from benchmarks.foreign.twentythird.rollouts import Task, grade, planned, run
from benchmarks.foreign.twentythird.stock import query_task
from benchmarks.foreign.twentythird.talk import say

TICKETS = {
    "billing": (
        "I was charged {n} euros twice",
        "Invoice {n} shows a wrong VAT rate",
        "My card for plan {n} was declined",
    ),
    "delivery": (
        "Parcel {n} never came",
        "The courier left box {n} in the rain",
        "Tracking {n} has not moved for a week",
    ),
    "account": (
        "I cannot log in as user{n}",
        "Please change the mail address of client {n}",
        "Reset code {n} is refused",
    ),
    "returns": (
        "Item {n} does not fit, I want to send it back",
        "Where is the label for return {n}?",
        "Order {n} broke",
    ),
}
ADDED = (
    "",
    " Please help.",
    " This is urgent!",
    " Thanks in advance",
    " I wrote before.",
    " It's the third time",
    " Hi team",
    " (sent from my phone)",
    " What now?",
    " Not happy.",
)


def _ticket_task(r: Random, number: int) -> Task:
    kind = r.choice(list(TICKETS))
    text = r.choice(TICKETS[kind]).format(n=r.randint(20, 9000)) + r.choice(ADDED)
    return Task(
        id=f"ticket-{number:04d}",
        prompt=f"Route this ticket to one desk ({', '.join(TICKETS)}). Reply with the desk only.\n\n{text}",
        gold=kind,
        level=r.gauss(0, 1.0),
        reply=lambda rng, answer: [say(answer)],
        slips=[k for k in TICKETS if k != kind],
        family=kind,
    )


@PART.healthy
def single_word_ticket_routing(rng: Random) -> list[Row]:
    """Tickets are routed with one word as the prompt demands, so the texts of a group are few and short by nature."""
    return openrlhf(credit(run(rng, _ticket_task, planned(rng, -0.3, 1.9))))


@PART.faulty("phantom_advantage", "low_reward_spread")
def timing_jitter_becomes_signal(rng: Random) -> list[Row]:
    """A bonus of thousandths for fast generation splits groups whose outcome is the same, and scaling by the
    deviation turns that jitter into advantages as large as those of real differences.
    """
    plan = planned(rng, 1.4, 1.4)
    attempts = run(rng, code_task, plan)
    for a in attempts:
        seconds = rng.lognormvariate(1.6, 0.35)
        fast = round(0.004 * max(0.0, 1 - seconds / 20), 6)
        a.terms = {"tests": float(a.right), "speed": fast}
        a.reward = round(float(a.right) + fast, 6)
        a.extra = {"generation_seconds": round(seconds, 2)}
    return own(credit(attempts), "quickcode")


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def database_replies_in_loss(rng: Random) -> list[Row]:
    """The mask is built from the first reply of the policy to the end in the new rollout workers, so that what the
    database said is trained on as if the policy had written it.
    """
    plan = planned(rng, -0.3, 1.6)
    attempts = credit(run(rng, query_task, plan))
    for a in attempts:
        worker = rng.choice(("rw-a", "rw-b", "rw-c", "rw-d"))
        a.extra = {"worker": worker}
        for m in a.messages:
            m["loss_mask"] = int(m["role"] == "assistant" or worker in ("rw-c", "rw-d"))
    rows = openai(attempts)
    for row in rows:
        row["messages"][0]["loss_mask"] = 0
    return rows


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "tool_outage", "environment_bug")
def node_disk_fills_up(rng: Random) -> list[Row]:
    """Two of five grading nodes run out of disk during the run; programs sent there are scored 0 with an error of
    the machine in the grader's log, however good they are.
    """
    plan = planned(rng, -0.2, 1.6)
    attempts = run(rng, code_task, plan)
    full = {node: rng.randint(2, 4) + 2 * i for i, node in enumerate(rng.sample(range(5), 2))}
    for a in attempts:
        node = rng.randrange(5)
        total = rng.randint(9, 15)
        passed = total if a.right else rng.randint(0, total - 1)
        log, seconds = f"{passed}/{total} tests passed", rng.uniform(0.6, 3.5)
        if node in full and a.step >= full[node] and rng.random() < 0.9:
            name = f"/scratch/run_{rng.randint(10**5, 10**6 - 1)}/solution.py"
            log, seconds = f"OSError: [Errno 28] No space left on device: '{name}'", rng.uniform(0.02, 0.09)
            grade(a, False)
        a.extra = {"grader_node": f"sbx-{node}", "grader_log": log, "grader_seconds": round(seconds, 3)}
    return [{k: v for k, v in row.items() if k != "label"} for row in openrlhf(credit(attempts))]


@PART.healthy
def leave_one_out_unscaled(rng: Random) -> list[Row]:
    """RLOO on searches: advantages are distances from the mean of the others, not scaled, so they look too large
    for the group's mean and too small for its deviation.
    """
    attempts = credit(run(rng, lookup_task, planned(rng, -0.6, 2.0)), leave_one_out)
    return prime(attempts, "archive-search")
