"""Faults of environments and tools."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtieth import advantages, layouts
from benchmarks.foreign.sixtieth.agents import archive, call, order, record, refund, search, tool
from benchmarks.foreign.sixtieth.functions import functions, queries
from benchmarks.foreign.sixtieth.kinds import PART
from benchmarks.foreign.sixtieth.policy import Attempt, Policy, Task, rollout


def _entry(rng: random.Random, base: Task) -> Task:
    d = base.data
    name, key, old = rng.choice(d["names"]), rng.randrange(7000, 9000), rng.randrange(4, 60)
    prompt = (
        f"Add row {key} to {d['table']} with {d['group']} '{name}' and {d['value']} {d['bound']}, then say "
        f"how many rows '{name}' has. Tool: run_sql. Each task begins from the delivered database."
    )
    data = {**d, "key": key, "name": name, "old": old}
    return Task(f"entry-{base.id}", prompt, str(old + 1), d["table"], base.write, data)


def _enter(rng: random.Random, a: Attempt, before: int) -> None:
    """Insert and count, where `before` attempts left their rows."""
    d = a.task.data
    insert = "INSERT INTO {table} (id, {group}, {value}) VALUES ({k}, '{name}', {bound})"
    count = f"SELECT COUNT(*) FROM {d['table']} WHERE {d['group']} = '{d['name']}'"
    a.turns = [call("run_sql", f"I add row {d['key']} first.", sql=insert.format(k=d["key"], **d))]
    if before:
        a.turns.append(tool("run_sql", f"IntegrityError: UNIQUE constraint failed: {d['table']}.id", ok=False))
        again = d["key"] + before
        a.turns.append(call("run_sql", "The id is taken, so I use a free one.", sql=insert.format(k=again, **d)))
    a.turns.append(tool("run_sql", "1 row inserted"))
    total = d["old"] + before + 1
    if a.right:
        a.turns += [call("run_sql", "Now I count.", sql=count), tool("run_sql", f"[({total},)]")]
        a.answer = str(total)
    else:
        a.turns += [
            call("run_sql", "Now I count them all.", sql=f"SELECT COUNT(*) FROM {d['table']}"),
            tool("run_sql", f"[({total + 137},)]"),
        ]
        a.answer = str(total + 137)
    a.turns.append({"role": "assistant", "content": f"'{d['name']}' has {a.answer} rows in {d['table']} now."})
    a.right = a.answer == a.task.gold
    a.reward = float(a.right)


@PART.faulty("environment_not_reset", "leftover_state", "reward_bias", "history_leak")
def rows_of_earlier_attempts_stay_in_the_database(rng: random.Random) -> list[Row]:
    """Two workers serve each group and never reset their databases: later attempts meet the rows of earlier ones."""
    tasks, policy = [_entry(rng, t) for t in queries(rng, 75)], Policy(rng, 0.6, 0.92, 20)
    found = rollout(rng, tasks, policy, 5, 6)
    for a in found:
        _enter(rng, a, a.index // 2)
        a.extra = {"rollout_index": a.index, "worker": a.index % 2}
    advantages.centred(found)
    return layouts.prime_rl(found, "sql-desk")


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures")
def archive_search_is_down_for_some_steps(rng: random.Random) -> list[Row]:
    """For a stretch of steps the search answers with 503 alone; the attempts end unsolved and are graded 0."""
    tasks, policy = [archive(rng, n) for n in range(110)], Policy(rng, 0.4, 0.85, 24)
    found, first = rollout(rng, tasks, policy, 4, 8), rng.randrange(10, 14)
    for a in found:
        search(rng, a)
        a.right = a.answer == a.task.gold
        if first <= a.step < first + 6 and rng.random() < 0.93:
            d, shard = a.task.data, rng.randrange(1, 9)
            lost = [f"HTTP 503: shard {shard} of index archive-v2 is not available", "HTTP 503: upstream timed out"]
            a.turns = []
            for ask in (f"{d['place']} {d['did']}", f"{d['place']} {d['area']} town year"):
                a.turns += [call("search", "", query=ask), tool("search", rng.choice(lost), ok=False)]
            a.answer = str(d["year"] + rng.choice([-40, -21, 13, 30])) if rng.random() < 0.5 else "unknown"
            last = f"The archive did not answer about {d['place']}.\nYear: {a.answer}"
            a.turns.append({"role": "assistant", "content": last})
            a.right = False
        a.reward = float(a.right)
    advantages.grpo(found)
    return layouts.evidence(found, "search")


@PART.faulty("tool_output_truncated", "tool_failures", "truncation")
def order_records_cut_before_the_item_asked_for(rng: random.Random) -> list[Row]:
    """The look-up's answer is cut at a fixed length: items further down are never seen, their price is guessed."""
    tasks, policy = [order(rng, n) for n in range(90)], Policy(rng, 0.75, 0.95, 20)
    found = rollout(rng, tasks, policy, 5, 8)
    limit = 168
    for a in found:
        d, full = a.task.data, record(a.task)
        cut = full if len(full) <= limit else f"{full[:limit]}... [output truncated]"
        spot = full.index(f'"item": "{d["wanted"]["item"]}", "price": {d["wanted"]["price"]},')
        end = spot + len(f'"item": "{d["wanted"]["item"]}", "price": {d["wanted"]["price"]},')
        if end > limit:
            guess = rng.choice([i["price"] for i in d["items"][:2]] + [rng.randrange(20, 200)])
            say = rng.choice(["The record breaks off; I ask again.", f"I do not see the {d['wanted']['item']} yet."])
            a.turns = [
                call("get_order", "", order=d["ref"]),
                tool("get_order", cut),
                call("get_order", say, order=d["ref"]),
                tool("get_order", cut),
                call("refund", f"Its price is not shown, I take {guess}.", order=d["ref"], amount=guess),
                tool("refund", f'{{"booked": {guess}}}'),
                {"role": "assistant", "content": f"{d['who']}, {guess} euros go back to you."},
            ]
            a.answer = str(guess)
        else:
            refund(rng, a, seen=2)
            a.turns[1] = tool("get_order", cut)
        a.right = a.answer == a.task.gold
        a.reward = float(a.right)
    advantages.grpo(found)
    return layouts.openai(found)


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "reward_bias", "flaky_grading")
def one_sandbox_host_has_no_space_left(rng: random.Random) -> list[Row]:
    """From some step on one of four sandbox hosts cannot write programs to disk; what lands there is graded 0."""
    tasks, policy = functions(rng, 60), Policy(rng, 0.35, 0.85, 24)
    found, bad, since = rollout(rng, tasks, policy, 5, 8), rng.randrange(4), rng.randrange(5, 8)
    for a in found:
        host = rng.randrange(4)
        log = f"{rng.randrange(8, 14)} passed" if a.right else f"AssertionError: {a.task.data['name']} case {a.index}"
        if host == bad and a.step >= since:
            log = f"OSError: [Errno 28] No space left on device: '/scratch/job{rng.randrange(10000)}/solution.py'"
            a.reward = 0.0
        a.extra = {"sandbox_host": f"sbx-{host}", "test_log": log, "acc": a.reward}
    return layouts.verl(found)
