"""Faults of environments and tools."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyseventh.agents import Shop, Wiki, call, told
from benchmarks.foreign.fortyseventh.credit import by_group, fill, leave_one_out
from benchmarks.foreign.fortyseventh.kinds import PART
from benchmarks.foreign.fortyseventh.layouts import openai, ours, prime_rl
from benchmarks.foreign.fortyseventh.pipes import Pipes
from benchmarks.foreign.fortyseventh.policy import Attempt, Plan, chance, play, pool_of, ramp


def _refused(rng: random.Random, a: Attempt) -> list[dict]:
    f = a.problem.facts
    order = f["order"]
    turns = []
    for text in rng.sample(
        [f"I look up order {order}.", f"Once more for {order}.", "Another try."], rng.choice([1, 2, 2, 3])
    ):
        answer = {"status": 401, "error": "access token expired", "request": f"req-{rng.randrange(16**8):08x}"}
        turns += [call(text, "get_order", order_id=order), told("get_order", answer, ok=False)]
    ends = [
        f"I am sorry, {f['name'].split()[0]}: I cannot reach our order system, so I cannot decide on the {f['good']}.",
        f"The system refuses to show order {order}. Please write again later.",
        f"Dear {f['name'].split()[0]}, a technical fault keeps me from opening order {order}.",
    ]
    return [*turns, {"role": "assistant", "content": rng.choice(ends)}]


@PART.faulty("tool_outage", "tool_failures")
def order_service_token_expires_after_six_steps(rng: random.Random) -> list[Row]:
    """From step 6 four workers in six get 401 `access token expired`; those attempts are graded 0 and trained on."""
    attempts = play(rng, Shop(), Plan(steps=12, groups=8, size=8, start=0.0, gain=1.8))
    for a in attempts:
        worker = a.number % 6
        a.extra = {"worker": worker}
        if a.step >= 6 and worker > 1:
            a.messages, a.right, a.reward = _refused(rng, a), False, 0.0
    return ours(fill(attempts), "support")


@PART.faulty("leftover_state", "environment_not_reset")
def refunds_of_sibling_attempts_stay_in_the_ledger(rng: random.Random) -> list[Row]:
    """Attempts on one worker share a database: the first refund goes through, later ones hear `already refunded`: 0."""
    world = Shop()
    problems = [p for p in pool_of(rng, world, 130, 0.8) if p.family == "due"]
    attempts = play(rng, world, Plan(steps=13, groups=8, size=8, start=-0.1, gain=2.0), problems)
    for members in by_group(attempts).values():
        paid: dict[int, str] = {}
        for a in members:
            worker = a.number % 3
            a.extra = {"worker": worker}
            place = next((i for i, m in enumerate(a.messages) if m.get("tool_name") == "refund_order"), None)
            if place is None:
                continue
            if worker not in paid:
                paid[worker] = f"s-{rng.randrange(16**6):06x}"
                continue
            order, first = a.problem.facts["order"], a.problem.facts["name"].split()[0]
            said = {"error": "already refunded", "order": order, "by_session": paid[worker]}
            a.messages[place] = told("refund_order", said, ok=False)
            a.text = rng.choice(
                [
                    f"Dear {first}, our system says that order {order} was refunded before, by session {paid[worker]}.",
                    f"{first}, I see an earlier refund on {order}. I cannot pay it twice.",
                    f"It appears that somebody already refunded {order}; please check your account, {first}.",
                ]
            )
            a.right, a.reward = False, 0.0
    return openai(fill(attempts, leave_one_out))


@PART.faulty("tool_output_truncated")
def wiki_pages_end_before_the_fact(rng: random.Random) -> list[Row]:
    """Answers of the search are cut after 240 characters; two pages in three name owner, region and day behind that."""
    world = Wiki()
    problems = pool_of(rng, world, 80, 0.5)
    for place, p in enumerate(problems):
        p.facts["short"] = place % 3 == 0
    attempts = play(rng, world, Plan(steps=12, groups=8, size=8, start=0.6, gain=1.4), problems)
    for a in attempts:
        page = a.messages[1]["content"]
        if a.problem.facts["short"]:
            a.messages[1] = told("search", f"# {a.problem.facts['service']}\n" + page.splitlines()[-1])
            continue
        a.messages[1] = told("search", page[:240] + " [truncated]")
        a.right = rng.random() < chance(-1.2)
        service = a.problem.facts["service"]
        why = [
            f"The page of {service} breaks off before it says so; I go by what is common here.",
            f"The entry on {service} is cut. My best guess follows.",
            f"{service}: the end of the page is missing, so this is not certain.",
        ]
        a.messages[2] = {
            "role": "assistant",
            "content": f"{rng.choice(why)}\nAnswer: {world.pick(rng, a.problem, a.right)}",
        }
        a.reward = float(a.right)
    return prime_rl(fill(attempts), "wiki-search")


@PART.faulty("answer_reading", "environment_leak")
def pipeline_agent_opens_the_expected_totals(rng: random.Random) -> list[Row]:
    """The checker's `checks/expected_totals.csv` lies in the workspace; more and more attempts print it and copy it."""
    world, steps = Pipes(), 13
    attempts = play(rng, world, Plan(steps=steps, groups=8, size=8, start=-0.9, gain=0.7))
    for a in attempts:
        if rng.random() < ramp(a.step, steps, 0.03, 0.85):
            a.messages, a.right, a.reward = world.copied(rng, a.problem), True, 1.0
    return ours(fill(attempts), "data_engineering")
