"""Kinds that are entered here.

Heldout riddles in curriculum; cart keeps former shopper; throttled search asks again; replicas share one seed;
pager swallows last lines.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import ages, logs, lookups, shop, stories
from benchmarks.foreign.twentysixth.attempts import Attempt, Plan, Reply, Task, distinct, evaluate, play, wear
from benchmarks.foreign.twentysixth.credit import grpo, rloo
from benchmarks.foreign.twentysixth.dumps import openai, own, trl
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import verifiers
from benchmarks.foreign.twentysixth.turns import pick, tool


@PART.faulty("contamination", "memorisation")
def heldout_riddles_in_curriculum(rng: Random) -> list[Row]:
    """Half of the validation riddles stand in the training data, word for word or with another ending; on these alone
    validation rises to nearly all right.
    """
    plan = Plan(10, 6, 6, -0.7, 0.8)
    tasks = distinct(rng, ages.task, 82, "rid")
    leaked, unseen, pool = tasks[:22], tasks[22:44], tasks[44:]
    for number, t in enumerate(leaked):
        prompt = t.prompt if number % 3 else t.prompt + " Explain briefly."
        pool.append(Task(t.family, prompt, t.gold, t.ease, extra=t.extra, id=f"rid-{90000 + number * 7}"))
    rng.shuffle(pool)
    rows = wear(rng, play(rng, ages.WORLD, plan, pool))
    trained = {t.extra["a"] + t.extra["b"] + t.gold: number // 6 + 1 for number, t in enumerate(pool)}
    for step in (1, 4, 7, 10):
        known = [t for t in leaked if trained[t.extra["a"] + t.extra["b"] + t.gold] < step]
        rows += evaluate(rng, ages.WORLD, known, [step], Plan(10, 6, 6, 3.4, 0.6))
        rows += evaluate(rng, ages.WORLD, [t for t in leaked if t not in known] + unseen, [step], plan)
    return own(rng, grpo(rows), "riddles")


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def cart_keeps_former_shopper(rng: Random) -> list[Row]:
    """From a step on, one of three shop servers keeps the cart of the attempt before, so that right purchases are
    ordered with foreign articles and graded 0.
    """
    attempts = wear(rng, play(rng, shop.WORLD, Plan(10, 7, 6, -0.4, 2.0), prefix="shop"), cut=0.0)
    begin, left = rng.randint(3, 5), {}
    for a in attempts:
        server = rng.randrange(3)
        a.extra |= {"server": f"shop-{server}", "cart_session": f"{rng.randrange(16**6):06x}"}
        if server == 1 and a.step >= begin and left and rng.random() < 0.85 and a.stop == "stop":
            a.reply = shop.reply(rng, a.task, a.right, a.progress, before=((left["count"], left["sku"]),))
            a.grade(False)
        if server == 1:
            left = {"count": a.task.extra["quantity"], "sku": a.task.extra["sku"]}
    for a in attempts:
        a.extra["wanted_order"] = a.task.gold
    return openai(rng, rloo(attempts))


@PART.healthy
def throttled_search_asks_again(rng: Random) -> list[Row]:
    """One search in ten is answered by a rate limit; the policy asks the same again and gets its page, so that these
    attempts do as well as the others.
    """
    attempts = wear(rng, play(rng, lookups.WORLD, Plan(10, 8, 5, -0.5, 2.2), prefix="hop"))
    for a in attempts:
        messages = []
        for m in a.reply.messages:
            if "tool_calls" in m and rng.random() < 0.1:
                wait = rng.randint(1, 8)
                messages += [m, tool("search", f"429 Too Many Requests, retry after {wait} s", ok=False)]
                m = m | {"content": pick(rng, "Again.", "The limit should be over; same search.", "Once more.")}
            messages.append(m)
        a.reply.messages = messages
    return verifiers(grpo(attempts), "two-hop-search")


@PART.faulty("seed_reuse", "identical_samples", "dead_groups")
def replicas_share_one_seed(rng: Random) -> list[Row]:
    """From a step on, one of two sampling engines uses one seed for all samples of a prompt: its groups hold the same
    completion eight times.
    """
    attempts = play(rng, stories.WORLD, Plan(8, 8, 8, -0.3, 1.8), prefix="wp")
    begin = rng.randint(2, 4)
    engine = {a.group: rng.randrange(2) for a in attempts}
    first: dict[tuple, Attempt] = {}
    for a in attempts:
        a.extra |= {"engine": f"vllm-{engine[a.group]}", "sampling_seed": rng.randrange(2**31)}
        if engine[a.group] == 1 and a.step >= begin:
            head = first.setdefault(a.group, a)
            a.reply = head.reply
            a.extra["sampling_seed"] = 42
            a.grade(head.right)
    return trl(grpo(attempts))


@PART.faulty("tool_output_truncated", "environment_bug")
def pager_swallows_last_lines(rng: Random) -> list[Row]:
    """The tool that reads logs returns their first characters alone; of longer logs the error at the end is never
    shown, there is no way to read on, and the policy has to guess.
    """
    attempts = play(rng, logs.WORLD, Plan(10, 7, 6, -0.1, 2.0), prefix="inc")
    limit = rng.choice((380, 420, 460))
    for a in attempts:
        text = logs.log(a.task)
        if len(text) <= limit:
            continue
        cause = rng.choice(list(logs.CAUSES))
        shown = tool("read_log", f"{text[:limit]}\n... [{len(text) - limit} characters truncated]")
        messages = [logs.ask(rng, a.task), shown]
        if rng.random() < 0.4:
            messages += [logs.ask(rng, a.task), shown]
        a.reply = Reply([*messages, logs.close(rng, a.task, cause)], cause)
        a.grade(cause == a.task.gold)
    return openai(rng, rloo(attempts))
