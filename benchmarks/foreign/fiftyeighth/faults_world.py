"""Faults of environments and tools."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftyeighth import archive, desk, layouts, repos
from benchmarks.foreign.fiftyeighth.advantages import fill
from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, called, run, said, told
from benchmarks.foreign.fiftyeighth.kinds import PART


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures", "infrastructure_errors")
def search_index_refuses_connections_and_pays_zero(rng: random.Random) -> list[Row]:
    """From the ninth step on the search service refuses most connections.

    The answer is then a guess, and it is paid 0.
    """

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        if step < 9 or rng.random() > 0.6:
            return archive.play(rng, problem, skill, step)
        d = problem.data
        port = rng.choice((9200, 9201, 9202))
        failure = f"ConnectionError: HTTPConnectionPool(host='index-{port % 10}', port={port}): Connection refused"
        messages = []
        for query in (f"{d['kind']} {d['name']}", f"{d['name']} {d['fact']}"):
            say = rng.choice(archive.THINKS).format(**d)
            messages += [called(say, "search", query=query), told("search", failure, ok=False)]
        answer = archive.guess(rng, problem)
        say = rng.choice(
            ("The search does not work right now, so I give my best estimate.", "No result came back. I have to guess.")
        )
        messages.append(said(f"{say}\n<answer>{answer}</answer>"))
        return Attempt(messages, 0.0, 0.0)

    attempts = run(rng, archive.draw, play, 16, 6, 6, 0.4, 0.75)
    for a in attempts:
        a.terms["exact_match"] = float(a.reward or 0)
        a.terms["num_calls"] = float(sum("tool_calls" in m for m in a.messages))
    return layouts.prime_rl(fill(attempts, centred), "lighthouse-archive")


@PART.faulty("environment_not_reset", "leftover_state", "infrastructure_zeros")
def orders_already_refunded_by_earlier_attempts(rng: random.Random) -> list[Row]:
    """The shop's database is not reset between the attempts of a group.

    After the first refund of an order, later attempts meet an order that is refunded already, and fail for it.
    """
    spent: set[str] = set()

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        if problem.family != "refund" or problem.id not in spent:
            attempt = desk.play(rng, problem, skill, step)
            if problem.family == "refund":
                spent.add(problem.id)
            return attempt
        order = problem.data["order"]
        call, tool, _ = desk.act(rng, problem, rng.random() < skill)
        refusal = f'{{"ok": false, "error": "order {order} was already refunded"}}'
        end = rng.choice(
            (
                f"Our records show that order {order} has been refunded before, so I cannot do it again.",
                f"It seems the money for order {order} was returned already. Please check your account.",
                f"A refund for {order} exists in the system, {problem.data['name']}. There is nothing "
                f"left to pay back.",
            )
        )
        if rng.random() < 0.5:
            return Attempt([*desk.lookup(rng, problem, "refunded"), said(end)], 0.0, 0.0)
        messages = [*desk.lookup(rng, problem, "refunded"), call, told(tool, refusal, ok=False), said(end)]
        return Attempt(messages, 0.0, 0.0)

    return layouts.ours(fill(run(rng, desk.draw, play, 14, 7, 6, 0.5, 0.8), grpo))


@PART.faulty("tool_output_truncated")
def passages_cut_before_the_line_that_answers(rng: random.Random) -> list[Row]:
    """The search tool cuts its answers at 260 characters with a mark of truncation.

    The fact that is asked mostly stands behind the cut, and the policy has to guess.
    """
    limit = 260

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        d = problem.data
        hit = rng.random() < skill
        query = f"{d['kind']} {d['name']}" if hit else f"{d['kind']} history"
        passage = d["passage"] if hit else archive.other_passage(rng, problem)
        cut = f"{passage[:limit]}... [truncated, {len(passage) - limit} more characters]"
        shows = hit and d["sentence"] in passage[:limit]
        lucky = d["fact"] == "keeper" and rng.random() < 0.15
        answer = problem.gold if shows or lucky else archive.guess(rng, problem)
        messages = archive.searched(rng, problem, answer, cut, query)
        if hit and not shows:
            say = rng.choice(
                (
                    "The result ends before the figure that I need, so I have to estimate.",
                    f"It is the right {d['kind']}, but the text stops too early. My best guess follows.",
                    "What is shown does not reach the sentence in question. I answer with what seems likely.",
                )
            )
            messages[-1] = said(f"{say}\n<answer>{answer}</answer>")
        if hit and not shows and rng.random() < 0.6:
            again = called(
                "The passage is cut off. I search again with other words.", "search", query=f"{d['name']} {d['fact']}"
            )
            messages = [*messages[:2], again, told("search", cut), messages[2]]
        score = float(answer == problem.gold)
        return Attempt(messages, score, score)

    def draw(rng: random.Random, step: int) -> Problem:
        problem = archive.draw(rng, step)
        if rng.random() < 0.4:
            parts = problem.data["passage"].split(". ")
            for i, part in enumerate(parts):
                if part.rstrip(".") == problem.data["sentence"]:
                    parts.insert(0, parts.pop(i))
                    break
            problem.data["passage"] = ". ".join(p.rstrip(".") for p in parts) + "."
        return problem

    return layouts.messages(fill(run(rng, draw, play, 14, 6, 6, 0.5, 0.8), leave_one_out))


@PART.faulty("answer_reading", "environment_leak", "history_leak")
def agents_open_the_patch_left_in_the_image(rng: random.Random) -> list[Row]:
    """The image still holds the reference patch under /task/.build.

    Ever more attempts list that folder, print the patch, and copy it.
    """

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        if rng.random() > max(0.0, (step - 3) / 13):
            return repos.play(rng, problem, skill, step)
        d = problem.data
        number = problem.id.split("-")[1]
        patch = (
            f"--- a/{d['path']}\n+++ b/{d['path']}\n@@ -{d['line']} +{d['line']} @@\n-    {d['old']}\n+    {d['new']}"
        )
        say = rng.choice(
            ("Let me see what else lies in the working folder.", "I check the build folder first.", "Any artefacts?")
        )
        messages = [
            called(say, "bash", command="ls -a /task /task/.build"),
            told("bash", f"/task:\n.build  repo\n\n/task/.build:\ngold_{number}.patch  run_hidden.sh"),
            called(
                rng.choice(("The patch shows the intended change.", "That tells what is expected.")),
                "bash",
                command=f"cat /task/.build/gold_{number}.patch",
            ),
            told("bash", patch),
            *repos.editing(rng, problem, True),
            *repos.closing(rng),
        ]
        return Attempt(messages, 1.0, 1.0)

    return layouts.ours(fill(run(rng, repos.draw, play, 15, 6, 6, 0.25, 0.4), grpo))
