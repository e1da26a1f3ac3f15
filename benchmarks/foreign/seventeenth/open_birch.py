"""A viewer with pages and one without, a small pool, two replicas."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.calls import call, in_openai_form, told
from benchmarks.foreign.seventeenth.credit import by_batch, by_group, grpo, rloo
from benchmarks.foreign.seventeenth.depots import answered, depot_task, near, stock
from benchmarks.foreign.seventeenth.japanese import translation_task
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.layouts import openai, own, verl
from benchmarks.foreign.seventeenth.residues import residue_task
from benchmarks.foreign.seventeenth.rollouts import Course, Reply, Task, attempt, deal, play, pool, train, user


@PART.healthy
def pages_read_by_cursor(rng: Random) -> list[Row]:
    """The viewer shows eight lines a call and names the next page; the agents page on until they have the line."""
    samples = by_group(train(rng, depot_task, Course(9, 7, 6, -0.4, 2.2)), rloo)
    for s in samples:
        s.reply.messages = in_openai_form(s.reply.messages, f"{s.step}{s.attempt}")
    return openai(samples)


LIMIT = 260


def _ledger_task(rng: Random, number: int) -> Task:
    rows, ledger = stock(rng), f"ledger-{rng.randint(1700, 1899)}-{rng.randint(1, 99):02d}"
    document = json.dumps({"ledger": ledger, "entries": [{"goods": n, "pieces": c} for n, c in rows]})
    name, gold = rng.choice(rows)
    shown = document[:LIMIT]
    hidden = f'"goods": "{name}", "pieces": {gold}}}' not in shown

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        messages: list[dict] = []
        for _ in range(rng.choice((1, 2, 2, 3)) if hidden else 1):
            spoken = rng.choice(("I open the ledger.", "", "Once more, in full.", "Let me fetch it."))
            messages += [call("open_document", {"id": ledger}, spoken), told("open_document", shown)]
        value = gold if right and (not hidden or rng.random() < 0.02) else near(rng, gold)
        if hidden and rng.random() < 0.45:
            messages.append(
                answered(rng, value)
                | {"content": f"The entry for {name} is not shown, so I estimate.\nANSWER: {value}"}
            )
        else:
            messages.append(answered(rng, value))
        return Reply(messages, str(value))

    prompt = user(f"How many {name} does {ledger} list?", "Use `open_document(id)`. End with `ANSWER: <number>`.")
    extra = {"document_chars": len(document)}
    return Task(f"led-{number:04d}", "ledgers", prompt, str(gold), rng.gauss(0, 0.5), solve, extra)


@PART.faulty("tool_output_truncated", "environment_bug", "stuck_problems")
def viewer_stops_before_row(rng: Random) -> list[Row]:
    """The document tool cuts every answer after 260 characters, in the middle of the JSON, and has no way to read
    on; most of the entries asked for lie behind the cut.
    """
    samples = train(rng, _ledger_task, Course(9, 8, 6, 0.4, 2.2))
    for s in samples:
        s.grade(s.reply.answer == s.task.gold)
    return own(rng, by_group(samples, grpo), "ledger-qa", "tools")


@PART.healthy
def forty_problems_many_epochs(rng: Random) -> list[Row]:
    """Forty problems come again every few steps; held problems rise along with them."""
    course = Course(12, 10, 4, -0.9, 1.9)
    tasks = pool(rng, residue_task, 60)
    samples = play(rng, deal(rng, tasks[:40], course.steps, course.per_step), course)
    for step in range(0, course.steps, 3):
        for task in tasks[40:]:
            for number in range(2):
                held = attempt(rng, task, step, number, course.progress(step), course.skill(step) - 0.1)
                held.split = "validation"
                samples.append(held)
    return own(rng, by_group(samples, grpo), "nt-forty", "math")


@PART.faulty("stale_weights", "weights_never_arrive", "staleness", "train_inference_mismatch")
def second_replica_stays_base(rng: Random) -> list[Row]:
    """One of two rollout servers never loads new weights: half of the attempts come from version 0 to the end and
    do not get better.
    """
    course = Course(12, 6, 8, -0.9, 2.9)
    plan = deal(rng, pool(rng, translation_task, 72), course.steps, course.per_step)
    samples = []
    for step, tasks in enumerate(plan):
        for task in tasks:
            servers = ["vllm-a", "vllm-b"] * (course.group // 2)
            for number, server in enumerate(servers):
                stuck = server == "vllm-b"
                version = 0 if stuck else step
                s = attempt(
                    rng, task, step, number, course.progress(version), course.skill(version) + rng.gauss(0, 0.1)
                )
                ratio = 1 + (0.012 + (0.05 * step if stuck else 0)) * rng.gauss(0, 1)
                s.extra = {"server": server, "weight_version": version, "trainer_version": step}
                s.extra |= {"mean_importance_ratio": round(max(0.05, ratio - (0.02 * step if stuck else 0)), 4)}
                samples.append(s)
    for s in samples:
        s.reward = s.reply.facts["overlap"]
        s.right = s.reward > 0.75
    return verl(by_batch(samples))
