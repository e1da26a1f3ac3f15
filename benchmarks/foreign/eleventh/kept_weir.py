"""A node without news, a forum in the index, apostrophes in calls, labels in another zone; twins and mixed groups."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eleventh.baskets import BASKETS
from benchmarks.foreign.eleventh.credit import grpo, rloo
from benchmarks.foreign.eleventh.dumps import openai, own, prime_rl, verl
from benchmarks.foreign.eleventh.evaluation import held
from benchmarks.foreign.eleventh.kinds import PART
from benchmarks.foreign.eleventh.lookup import LOOKUP, aside
from benchmarks.foreign.eleventh.meetings import MEETINGS, OFFSETS, clock
from benchmarks.foreign.eleventh.runs import (
    Reply,
    Shape,
    Task,
    attempt,
    call,
    fresh_plan,
    groups_of,
    make_tasks,
    play,
    say,
    told,
    train,
)
from benchmarks.foreign.eleventh.sums import SUMS


@PART.faulty("stale_weights", "staleness", "weights_never_arrive")
def node_four_misses_broadcast(rng: Random) -> list[Row]:
    """One of the inference nodes does not get the weights any more after the first steps: its rows keep an old version
    and its share of right answers stays flat while the others climb.
    """
    steps, start, gain = rng.randint(10, 13), -1.0, 3.0
    episodes = train(rng, SUMS, Shape(steps, 7, 6), start=start, gain=gain, prefix="n")
    nodes, lost_at = [f"gpu-{rng.randint(100, 999)}" for _ in range(4)], rng.randint(1, 2)
    bad = rng.choice(nodes)
    for e in episodes:
        node = rng.choice(nodes)
        version = min(e.step, lost_at) if node == bad else e.step
        if node == bad and e.step > lost_at:
            fresh = attempt(rng, SUMS, e.task, (e.step, e.attempt, lost_at / steps), start + gain * lost_at / steps)
            e.reply, e.right, e.reward, e.terms = fresh.reply, fresh.right, fresh.reward, fresh.terms
        e.extra = {"rollout_node": node, "weights_version": version, "policy_lag": e.step - version}
    return own(rng, grpo(episodes), "cluster-b", logprobs=True)


def _forum(rng: Random, task: Task) -> Reply:
    question = task.prompt.split(": ", 1)[1]
    user = f"{rng.choice(['kestrel', 'marlowe', 'rune', 'sable', 'tamsin'])}{rng.randint(10, 99)}"
    thread = f"[quizforum thread {rng.randint(200, 9000)}] Q: {question} A: {task.gold} ({user})"
    lines = [thread, f"[{task.facts['place']}] {aside(rng)}"]
    rng.shuffle(lines)
    query = question if rng.random() < 0.6 else f"{task.facts['place']} {task.facts['kind']} quiz answer"
    turns = [call(rng.choice(["", "Let me search."]), "search", query=query), told("search", "\n".join(lines))]
    source = rng.choice(["The thread gives it.", "Somebody answered that already.", ""])
    return Reply([*turns, say(f"{source} Final answer: {task.gold}".strip())], task.gold)


@PART.faulty("environment_leak", "answer_reading", "contamination")
def forum_thread_in_index(rng: Random) -> list[Row]:
    """The index of the search tool holds a forum in which the very questions stand with their answers; the policy
    learns to paste the question into the search.
    """
    episodes = train(rng, LOOKUP, Shape(rng.randint(9, 12), 5, 8), start=-0.9, gain=1.0, prefix="f")
    for e in episodes:
        if rng.random() < 0.12 + 0.5 * e.t:
            e.reply = _forum(rng, e.task)
            e.right, e.reward, e.terms = True, 1.0, {"correct": 1.0}
    return openai(rloo(episodes))


def _refused(rng: Random, turns: list[dict]) -> None:
    for i, m in enumerate(turns):
        arguments = m["tool_calls"][0]["arguments"] if m.get("tool_calls") else {}
        if "'" in arguments.get("note", ""):
            at = arguments["note"].index("'") + rng.randint(38, 52)
            where = f"line 1 column {at} (char {at - 1})"
            text = f"ToolCallParseError: could not decode arguments: Expecting ',' delimiter: {where}"
            turns[i + 1] = told("add_item", text, ok=False)
        if m.get("tool_calls") and m["tool_calls"][0]["name"] == "checkout":
            arguments["total"] = 0
            turns[i + 1] = told("checkout", json.dumps({"error": "basket is empty"}), ok=False)
            turns[i + 2 :] = [
                say(rng.choice(["I could not place the order.", "The items were not accepted, I am sorry."]))
            ]
            return


@PART.faulty("tool_failure", "tool_failures", "environment_bug", "template_bug")
def apostrophes_break_call_parser(rng: Random) -> list[Row]:
    """The parser of calls turns single quotes into double ones before it decodes: each call whose note holds a name
    like O'Neill fails, and these orders are never placed.
    """
    episodes = train(rng, BASKETS, Shape(rng.randint(8, 11), 9, 4), start=0.2, gain=1.8, prefix="gift")
    for e in episodes:
        if "'" in e.task.facts["who"] and e.reply.stop == "stop":
            _refused(rng, e.reply.turns)
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
            e.reply.answer = "0"
    return prime_rl(rng, grpo(episodes), "shop-tools")


@PART.faulty("wrong_labels", "stuck_problems", "dead_all_wrong", "judge_refuses_right")
def utc_labels_for_meetings(rng: Random) -> list[Row]:
    """One shard of a calendar set was labelled in UTC though its questions ask for local time: replies that convert
    rightly are marked wrong there, by just the offset of the city.
    """
    shape = Shape(rng.randint(9, 12), 7, 6)
    tasks = make_tasks(rng, MEETINGS, shape.steps * shape.groups // 2, "cal")
    for task in tasks:
        task.extra = {"shard": f"calendar-{rng.randint(0, 2)}"}
    episodes = play(rng, MEETINGS, fresh_plan(rng, tasks, shape), shape.size, 0.0, 2.0)
    for task in tasks:
        if task.extra["shard"] == "calendar-1" and task.facts["form"] == "local":
            task.gold = clock(task.facts["minutes"] - 60 * OFFSETS[task.facts["there"]])
    for e in episodes:
        e.right = e.reply.answer == e.task.gold
        e.reward, e.terms = float(e.right), {"correct": float(e.right)}
    return verl(grpo(episodes))


@PART.healthy
def parametric_twin_holdout(rng: Random) -> list[Row]:
    """Held problems share the stories of the training problems but have numbers of their own; both scores climb."""
    steps = rng.randint(9, 12)
    episodes = train(rng, SUMS, Shape(steps, 7, 5), start=-0.6, gain=2.2, prefix="tw")
    exam = make_tasks(rng, SUMS, rng.randint(24, 32), "dev")
    return own(rng, [*grpo(episodes), *held(rng, SUMS, exam, steps, 2, (-0.6, 1.5))], "twins", logprobs=True)


@PART.healthy
def only_mixed_groups_kept(rng: Random) -> list[Row]:
    """Dynamic sampling: groups of one reward are dropped before they are written, so no group is all right or all
    wrong and the mean reward moves less than that of the held problems.
    """
    steps, keep = rng.randint(9, 12), rng.randint(6, 8)
    tasks = make_tasks(rng, SUMS, steps * keep * 2, "dyn")
    episodes = play(rng, SUMS, fresh_plan(rng, tasks, Shape(steps, keep * 2, 6)), 6, -0.7, 2.2)
    kept, counts = [], [0] * steps
    for group in groups_of(episodes):
        if len({e.reward for e in group}) > 1 and counts[group[0].step] < keep:
            counts[group[0].step] += 1
            kept += group
    exam = make_tasks(rng, SUMS, 24, "dev")
    return own(rng, [*grpo(kept), *held(rng, SUMS, exam, steps, 3, (-0.7, 1.4))], "dapo-dyn")
