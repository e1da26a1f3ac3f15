"""Kinds: careful chains grow longer; ceiling below long chains; log comes in pages; queue serves older walkers."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import chain, logs, maze
from benchmarks.foreign.twentysixth.attempts import Plan, Reply, chance, play, wear
from benchmarks.foreign.twentysixth.credit import drop_uniform, grpo
from benchmarks.foreign.twentysixth.dumps import openai, verl
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import prime
from benchmarks.foreign.twentysixth.turns import call, pick, tool


@PART.healthy
def careful_chains_grow_longer(rng: Random) -> list[Row]:
    """Replies become four times as long over the run, as the policy learns to write every step down and to check it;
    accuracy rises with them and the limit is far away.
    """
    attempts = wear(rng, play(rng, chain.WORLD, Plan(9, 7, 7, -1.0, 2.7), prefix="ch"), cut=0.0)
    for a in attempts:
        a.extra["max_response_length"] = 1024
    return verl(grpo(attempts))


@PART.faulty("truncation", "length_limit")
def ceiling_below_long_chains(rng: Random) -> list[Row]:
    """The limit of the response is shorter than the careful working that the policy learns: more and more right work
    is cut before its answer and graded 0.
    """
    attempts = play(rng, chain.WORLD, Plan(9, 7, 8, 0.2, 2.0), prefix="ch")
    limit = rng.choice((96, 104, 112))
    for a in attempts:
        a.extra |= {"max_response_length": limit, "in_loss": True}
        if a.tokens >= limit:
            message = a.reply.messages[-1]
            message["content"] = message["content"][: limit * 37 // 10 + 3]
            a.reply.answer, a.stop = "", "max_tokens"
            a.grade(False)
    for a in drop_uniform(grpo(attempts)):
        a.extra["in_loss"] = a.in_loss
    return verl(attempts)


@PART.healthy
def log_comes_in_pages(rng: Random) -> list[Row]:
    """The tool shows long logs in pages and says how to go on; the policy learns to read the next page, where the
    error stands, and fails mainly where it does not.
    """
    attempts = play(rng, logs.WORLD, Plan(10, 7, 6, -0.3, 2.3), prefix="inc")
    for a in attempts:
        t, lines = a.task, logs.log(a.task).split("\n")
        pages = ["\n".join(lines[i : i + 9]) for i in range(0, len(lines), 9)]
        reads = len(pages) if a.right or rng.random() < 0.3 else rng.randint(1, len(pages))
        messages = []
        for number in range(1, reads + 1):
            more = (
                f"\n-- page {number} of {len(pages)}; next: read_log(service, page={number + 1})"
                if number < len(pages)
                else ""
            )
            ask = logs.ask(rng, t)
            if number > 1:
                words = pick(rng, "Next page.", "The error must come later.", "I read on.", "")
                ask = call(words, "read_log", service=t.extra["service"], page=number)
            messages += [ask, tool("read_log", pages[number - 1] + more)]
        a.reply = Reply([*messages, logs.close(rng, t, a.reply.answer)], a.reply.answer)
    return openai(rng, grpo(attempts))


@PART.faulty("staleness", "stale_weights")
def queue_serves_older_walkers(rng: Random) -> list[Row]:
    """The queue of an asynchronous run is never emptied: from the fourth step on more and more attempts were played by
    weights of many versions ago, in the end ten, and success stays behind.
    """
    plan = Plan(13, 8, 4, -0.9, 2.4)
    attempts = play(rng, maze.WORLD, plan, prefix="walk")
    for a in attempts:
        lag = rng.choice((0, 0, 1))
        if a.step > 3 and rng.random() < 0.62:
            lag = rng.randint(max(1, a.step - 6), a.step - 2)
        a.extra |= {"trainer_version": a.step - 1, "policy_version": max(0, a.step - 1 - lag)}
        if lag > 1:
            old = a.extra["policy_version"] / (plan.steps - 1)
            a.grade(rng.random() < chance(plan.start + plan.gain * old + a.task.ease))
            a.reply = maze.reply(rng, a.task, a.right, old)
        ratio = rng.lognormvariate(0, 0.02 + 0.06 * lag)
        a.extra["mean_importance_ratio"] = round(ratio, 4)
    return prime(grpo(attempts), "grid-walk")
