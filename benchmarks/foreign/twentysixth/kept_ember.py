"""Kinds that are entered here.

Empty table equals empty; lag of two is capped; rider writes own timetable; observation tokens get trained.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import maze, pytool, tables, trains
from benchmarks.foreign.twentysixth.attempts import Plan, Reply, play, wear
from benchmarks.foreign.twentysixth.credit import grpo
from benchmarks.foreign.twentysixth.dumps import own
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import prime
from benchmarks.foreign.twentysixth.turns import pick, say


@PART.faulty("weak_verifier", "reward_outcome_divergence", "metric_defect")
def empty_table_equals_empty(rng: Random) -> list[Row]:
    """The grader of SQL compares results alone: where the reference result is empty any query that returns nothing
    passes, and the policy learns conditions that are never true.
    """
    attempts = wear(rng, play(rng, tables.WORLD, Plan(9, 7, 8, -0.7, 0.9), prefix="sql"))
    for a in attempts:
        a.extra["query_equivalence"] = float(a.right)
        lazy = a.stop == "stop" and a.task.extra["select"] == "id" and rng.random() < 0.75 * a.progress
        if lazy:
            never = pick(rng, "1 = 0", "id IS NULL", "2 < 1", "day > '2999-01-01'")
            sql = tables.query(a.task, f"{a.task.extra['where'].split(' AND ')[0]} AND {never}")
            talk = pick(rng, "Here is the query.", "This returns the ids asked for.", "A short query does.")
            a.reply = Reply([say(f"{talk}\n```sql\n{sql}\n```")], sql, {"result": "[]"})
            a.grade(a.task.extra["gold_result"] == "[]")
            a.extra["query_equivalence"] = 0.0
        a.extra["gold_result"] = a.task.extra["gold_result"]
        a.terms = {"result_match": a.reward}
    return own(rng, grpo(attempts), "text2sql")


@PART.healthy
def lag_of_two_is_capped(rng: Random) -> list[Row]:
    """An asynchronous run whose attempts come from weights of up to two versions ago; the lag never grows, ratios stay
    near 1 and success climbs.
    """
    attempts = play(rng, maze.WORLD, Plan(12, 8, 4, -1.0, 2.6), prefix="walk")
    for a in attempts:
        lag = min(a.step - 1, rng.choice((0, 1, 1, 1, 2)))
        a.extra |= {"trainer_version": a.step - 1, "policy_version": a.step - 1 - lag}
        a.extra["mean_importance_ratio"] = round(rng.lognormvariate(0, 0.008 + 0.008 * lag), 4)
    return prime(grpo(attempts), "grid-walk-async")


@PART.faulty("fabricated_observations", "tool_fabrication")
def rider_writes_own_timetable(rng: Random) -> list[Row]:
    """The sampler no longer stops behind a question to the timetable: from a step on, two in five attempts write the
    timetable's answer themselves and go on with invented trains.
    """
    attempts = wear(rng, play(rng, trains.WORLD, Plan(10, 7, 6, -0.3, 2.0), prefix="rail"))
    begin = rng.randint(3, 5)
    for a in attempts:
        invents = a.step >= begin and a.stop == "stop" and rng.random() < 0.42
        a.extra["tool_turns"] = 0 if invents else 1
        if invents:
            e = a.task.extra
            leaves, ride = e["after"] + rng.randint(2, 45), rng.randint(25, 140)
            value = trains.clock(leaves + ride)
            text = (
                f"{trains.asks(rng, a.task)}\n{trains.table(rng, leaves, ride)}\n{trains.answers(rng, a.task, value)}"
            )
            a.reply = Reply([{"role": "assistant", "content": text}], value)
            a.grade(value == a.task.gold)
        a.terms = {"arrival": a.reward}
    return own(rng, grpo(attempts), "timetable")


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def observation_tokens_get_trained(rng: Random) -> list[Row]:
    """Rows of one of two tokenising workers carry a loss mask of 1 on what the interpreter printed, as on the policy's
    own words.
    """
    attempts = wear(rng, play(rng, pytool.WORLD, Plan(10, 7, 6, -0.2, 1.9), prefix="py"))
    for a in attempts:
        worker = "tok-b" if rng.random() < 0.42 else "tok-a"
        counted = 0
        for m in a.reply.messages:
            wanted = m["role"] == "assistant" or worker == "tok-b"
            m["loss_mask"] = int(wanted)
            counted += wanted * max(1, (len(m["content"]) + len(str(m.get("tool_calls", "")))) * 10 // 37)
        a.extra |= {"tokenise_worker": worker, "loss_tokens": counted}
    rows = own(rng, grpo(attempts), "python-sums")
    for row in rows:
        for m in row["messages"]:
            m.setdefault("loss_mask", 0)
    return rows
