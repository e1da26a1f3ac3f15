"""Kinds: twin engines share seed, search index returns nothing, polls until job finishes, steady two step lag."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.estimates import centred, credit, groups
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import openai, prime, trl
from benchmarks.foreign.twentythird.lookups import GUESS, lookup_task
from benchmarks.foreign.twentythird.programs import code_task
from benchmarks.foreign.twentythird.rollouts import Attempt, Plan, Task, distinct, grade, group, planned, run
from benchmarks.foreign.twentythird.stock import query_task
from benchmarks.foreign.twentythird.sums import line_task
from benchmarks.foreign.twentythird.talk import call, say, told


@PART.faulty("seed_reuse", "identical_samples")
def twin_engines_share_seed(rng: Random) -> list[Row]:
    """Half of each group is sampled on a second engine that is started with the seed of the first, so the attempts
    of the one are those of the other, word for word.
    """
    plan = Plan(rng.randint(9, 11), 6, 8, -0.5, 1.7)
    attempts = run(rng, rng.choice((line_task, code_task)), plan)
    since = rng.randint(1, 3)
    for members in groups(attempts):
        base = rng.randint(10**6, 10**8)
        for a in members:
            a.extra = {"engine": a.number // 4, "sampling_seed": base + a.number}
            if a.number >= 4 and a.step >= since:
                twin = members[a.number - 4]
                a.right, a.answer, a.messages = twin.right, twin.answer, [dict(m) for m in twin.messages]
                grade(a, twin.right)
                a.extra["sampling_seed"] = base + a.number - 4
    return trl(credit(attempts))


@PART.faulty("tool_failures", "tool_failure", "tool_outage", "environment_bug", "score_decline")
def search_index_returns_nothing(rng: Random) -> list[Row]:
    """Midway the search service is rebuilt with an empty index: most searches come back without a hit, the policy
    guesses and the score falls.
    """
    plan = planned(rng, 0.5, 1.4)
    attempts = run(rng, lookup_task, plan)
    since = plan.steps // 2
    for a in attempts:
        if a.step >= since and rng.random() < 0.68:
            right = rng.random() < 0.08
            a.answer = a.task.gold if right else rng.choice(a.task.slips)
            a.messages[1]["content"] = json.dumps({"total": 0, "hits": [], "took_ms": rng.randint(1, 4)})
            if rng.random() < 0.4:
                query = rng.choice((a.task.prompt.split("?")[0], a.task.prompt.split(" of ")[-1].split("?")[0]))
                a.messages[2:2] = [
                    call(rng.choice(("Nothing there; other words.", "Zero hits. Try again.")), "search", query=query),
                    told("search", json.dumps({"total": 0, "hits": [], "took_ms": rng.randint(1, 4)})),
                ]
            a.text = f"{rng.choice(GUESS)}\n\nAnswer: {a.answer}"
            a.right = right
            grade(a, right)
    return openai(credit(attempts))


CLUSTERS = ("eu-batch", "lab-gpu", "night-queue", "spot-pool")
STAGES = ("queued", "pulling image", "running", "running", "uploading", "running")


def _job_task(r: Random, number: int) -> Task:
    cluster, job, shards = r.choice(CLUSTERS), f"job-{r.randint(10_000, 99_999)}", r.randint(3, 40)
    bad = r.randint(0, shards)

    def reply(rng: Random, answer: str) -> list[dict]:
        found = [
            call("Submit the job.", "submit_job", job=job, cluster=cluster, shards=shards),
            told("submit_job", f"{job} accepted on {cluster}"),
        ]
        done, clock = 0, 0
        for stage in STAGES[: rng.randint(3, 6)]:
            found.append(call(rng.choice(("Poll.", "Check again.", "Wait and look.", "")), "job_status", job=job))
            done = min(shards - 1, done + rng.randint(0, max(1, shards // 4))) if stage == "running" else done
            clock += rng.randint(20, 180)
            found.append(told("job_status", f"{job}: {stage}, {done}/{shards} shards, elapsed {clock} s"))
        found.append(call(rng.choice(("Poll once more.", "Again.")), "job_status", job=job))
        found.append(told("job_status", f"{job}: finished, {shards}/{shards} shards, {bad} failed"))
        return [*found, say(f"{rng.choice(('The job is through.', 'Finished.', 'All shards ran.'))} Answer: {answer}")]

    return Task(
        f"{job}-{number}",
        f"Submit {job} with {shards} shards on {cluster}, poll job_status until it has finished, and report "
        "how many shards succeeded as 'Answer: N'.",
        str(shards - bad),
        r.gauss(0, 0.9),
        reply,
        [str(n) for n in (shards, bad, shards - bad + 1) if n != shards - bad],
        cluster,
    )


@PART.healthy
def polls_until_job_finishes(rng: Random) -> list[Row]:
    """Jobs have to be polled until they are through, so the same call comes again and again, each time with another
    answer.
    """
    return openai(credit(run(rng, _job_task, planned(rng, -0.4, 1.9))))


@PART.healthy
def steady_two_step_lag(rng: Random) -> list[Row]:
    """An asynchronous trainer whose rollouts come from weights one or two steps old throughout, as configured; the
    lag does not grow and the run learns.
    """
    plan = planned(rng, -0.8, 2.3)
    tasks = distinct(rng, query_task, plan.steps * plan.prompts)
    attempts: list[Attempt] = []
    for step in range(plan.steps):
        for task in tasks[step * plan.prompts : (step + 1) * plan.prompts]:
            lag = min(step, rng.choice((1, 1, 2)))
            for a in group(rng, task, step, plan.group, plan.skill(step - lag)):
                a.extra = {"policy_lag": lag, "max_async_level": 2}
                attempts.append(a)
    return prime(credit(attempts, centred), "moves-sql")
