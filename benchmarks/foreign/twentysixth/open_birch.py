"""Kinds that are entered here.

Crashed pods kept apart; shopper brings full basket; index replica goes dark; handlebars left in prompt; second lap
through tables.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import cpp, lookups, papers, shop, tables
from benchmarks.foreign.twentysixth.attempts import Plan, Reply, distinct, play, wear
from benchmarks.foreign.twentysixth.credit import grpo, rloo
from benchmarks.foreign.twentysixth.dumps import openai, own
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import prime, verifiers
from benchmarks.foreign.twentysixth.turns import call, pick, say, tool


@PART.healthy
def crashed_pods_kept_apart(rng: Random) -> list[Row]:
    """In two steps a pod crashes under some of its attempts: they carry the error, no reward, and do not reach the
    loss; the others are graded as always.
    """
    attempts = wear(rng, play(rng, cpp.WORLD, Plan(10, 7, 7, -0.4, 2.1), prefix="cpp"))
    bad_steps, pod = rng.sample(range(2, 10), 2), f"pod-{rng.randrange(6)}"
    for a in attempts:
        a.extra["exit_code"] = 0 if a.right else 1
        a.terms = {"all_tests": a.reward}
        crowded = a.step in bad_steps and a.reply.extra["node"] == pod
        if rng.random() < (0.8 if crowded else 0.004):
            a.error, a.stop, a.reward, a.terms, a.in_loss = "PodEvicted", "error", None, {}, False
            a.reply.extra |= {"tests_passed": None, "exit_code": None}
            a.extra["exit_code"] = None
    return own(rng, grpo(attempts), "cpp-pods")


@PART.healthy
def shopper_brings_full_basket(rng: Random) -> list[Row]:
    """The cart is not empty at the start: the user says what already lies in it and wants it ordered too, the same for
    all attempts at a task.
    """
    tasks = distinct(rng, shop.task, 70, "shop")
    for t in tasks:
        count, sku = rng.randint(1, 3), f"{rng.choice(('TE', 'MU', 'SO', 'PE'))}{rng.randint(1000, 9999)}"
        t.prompt += f" My cart already holds {count} x {sku}; leave that in, it is to be ordered too."
        t.extra["before"] = (count, sku)
        t.gold = f"{count} x {sku}; {t.gold}"
    attempts = wear(rng, play(rng, shop.WORLD, Plan(10, 7, 6, -0.5, 2.0), tasks), cut=0.0)
    for a in attempts:
        if a.stop == "stop":
            a.reply = shop.reply(rng, a.task, a.right, a.progress, before=(a.task.extra["before"],))
        a.extra |= {"wanted_order": a.task.gold, "server": f"shop-{rng.randrange(4)}"}
    return openai(rng, rloo(attempts))


@PART.faulty("tool_outage", "tool_failures", "tool_failure", "infrastructure_errors", "infrastructure_zeros")
def index_replica_goes_dark(rng: Random) -> list[Row]:
    """From the middle of the run on, half of the attempts meet a search index that answers with an error whatever is
    asked; they are graded as wrong answers of the policy.
    """
    attempts = wear(rng, play(rng, lookups.WORLD, Plan(10, 8, 5, -0.3, 2.1), prefix="hop"))
    begin = rng.randint(5, 6)
    for a in attempts:
        if a.step < begin or rng.random() > 0.48:
            continue
        messages = []
        for _ in range(rng.randint(1, 3)):
            error = pick(
                rng,
                "HTTP 503 Service Unavailable",
                "ConnectionError: index-2:9200 refused",
                "upstream timed out (30 s)",
            )
            query = rng.choice((lookups.first_hop(rng, a.task)[0], a.task.extra["title"]))
            text = pick(rng, "Searching.", "Once more.", "I try other words.", "")
            messages += [call(text, "search", query=query), tool("search", error, ok=False)]
        answer = rng.choice(lookups.TOWNS)
        last = {
            "role": "assistant",
            "content": pick(rng, "The search gives nothing.", "From memory.", "I have to guess."),
        }
        last["content"] += f"\nAnswer: {answer}"
        a.reply = Reply([*messages, last], answer)
        a.grade(answer == a.task.gold)
    return verifiers(grpo(attempts), "two-hop-search")


@PART.faulty("template_bug", "dead_all_wrong")
def handlebars_left_in_prompt(rng: Random) -> list[Row]:
    """For one of three sources the template was not filled in: its prompts hold "{{ passage }}" in place of the
    passage, and nobody can answer them.
    """
    tasks = distinct(rng, papers.task, 80, "rc")
    source = rng.choice(papers.SOURCES)
    for t in tasks:
        if t.family == source:
            t.prompt, t.ease = t.prompt.replace(t.extra["passage"], "{{ passage }}"), -9.0
    attempts = wear(rng, play(rng, papers.WORLD, Plan(10, 8, 5, -0.1, 1.8), tasks))
    for a in attempts:
        if a.task.family == source and rng.random() < 0.6:
            text = pick(
                rng,
                "The passage seems to be missing, so I cannot tell.",
                "There is no text here but a placeholder.",
                "I see only {{ passage }}; please send the text.",
                "Without the passage I can't say.",
            )
            more = pick(
                rng, "", " If I had to guess, I would not.", " Sorry.", f" I looked for it: {a.task.extra['question']}"
            )
            a.reply = Reply([say(f"{text}{more}\nAnswer: unknown")], "unknown")
            a.grade(False)
    return prime(grpo(attempts), "reading-env")


@PART.healthy
def second_lap_through_tables(rng: Random) -> list[Row]:
    """Dr. GRPO for two epochs over 35 questions: every problem comes twice under its own id, five steps apart, and the
    second lap goes better.
    """
    pool = distinct(rng, tables.task, 35, "sql")
    attempts = wear(rng, play(rng, tables.WORLD, Plan(10, 7, 6, -0.5, 1.9), pool))
    for a in attempts:
        a.terms = {"result_match": a.reward}
        a.extra |= {"epoch": (a.step - 1) // 5, "query_equivalence": a.reward}
    return own(rng, grpo(attempts, scale=False), "text2sql-epochs")
