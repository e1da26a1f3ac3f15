"""Healthy runs whose arithmetic, tools or machines look odd."""

import json
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import leave_one_out, whole_batch
from benchmarks.foreign.fiftyfourth import library, programs, repos, tables
from benchmarks.foreign.fiftyfourth.attempts import Attempt, Learner, run, said, weigh
from benchmarks.foreign.fiftyfourth.kinds import PART
from benchmarks.foreign.fiftyfourth.layouts import openai, openrlhf, ours


@PART.healthy
def dead_groups_are_sampled_over_and_dropped(rng: random.Random) -> list[Row]:
    """Nearly half of the groups have no spread and are not in the loss: dynamic sampling draws on until each step has
    its six groups with spread, all of which are trained on. The dropped ones are logged too.
    """
    tasks = tables.problems(rng, 60)
    policy = Learner(-0.2, 1.1, 14)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, 2.7 * task["hard"])
        text = tables.reply(rng, task, right)
        return Attempt(tables.prompt(task), said(text), float(right), float(right), gold=task["gold"])

    attempts: list[Attempt] = []
    for step in range(1, 15):
        kept = 0
        for task in rng.sample(tasks, len(tasks)):
            group = [attempt(step, task, k) for k in range(6)]
            for k, a in enumerate(group):
                a.step, a.k, a.pid, a.group = step, k, task["id"], f"s{step}-{task['id']}"
            attempts += group
            kept += len({a.reward for a in group}) > 1
            if kept == 6:
                break
    rows = weigh(attempts)
    spread = {a.group: set() for a in rows}
    for a in rows:
        spread[a.group].add(a.reward)
    return [ours(a, in_loss=len(spread[a.group]) > 1, domain="sql") for a in rows]


@PART.healthy
def issue_wants_the_fix_and_a_new_test_beside_it(rng: random.Random) -> list[Row]:
    """Nearly every attempt writes into tests/, as one who tampers would: the issue asks for a regression test, the fix
    is in the source, and the grade comes from hidden tests that are laid over the tree.
    """
    tasks = repos.problems(rng, 44)
    policy = Learner(-0.5, 1.5, 18)
    begins = ("The issue asks for a test, too.", "Now the regression test.", "Add the test that was asked for.")

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        turns = repos.look(rng, task) + repos.edit(rng, task, right)
        name = rng.choice(("regression", "reported_case", f"issue_{task['id'].rsplit('-', 1)[1]}"))
        code = f"def test_{task['name']}_{name}():\n    assert {repos.CHECKS[task['name']]}\n"
        turns += [
            repos.call(rng.choice(begins), f"cat >> tests/test_{task['name']}.py <<'T'\n\n\n{code}T"),
            repos.heard(""),
            *repos.tests(rng, task, right),
            *repos.done(rng, task),
        ]
        prompt = (
            f"Repository /repo ({task['package']}). Issue: {task['issue']} in {task['package']}.{task['name']}. "
            f"Fix the source and add a regression test to tests/test_{task['name']}.py. Hidden tests grade the fix."
        )
        return Attempt(prompt, turns, float(right), float(right), extra={"graded_by": "hidden tests"})

    return [ours(a, domain="swe") for a in weigh(run(rng, tasks, 18, 6, 4, attempt))]


@PART.healthy
def crashed_sandboxes_are_marked_and_left_out(rng: random.Random) -> list[Row]:
    """One attempt in nine ends in a crash of the sandbox, more in a few steps: these rows hold the error, no reward and
    no advantage, are not in the loss, and the baseline is that of the others of the group.
    """
    tasks = programs.problems(rng, 48)
    policy, bad = Learner(-0.3, 1.6, 20), set(rng.sample(range(3, 20), 3))

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        text = programs.reply(rng, programs.source(rng, task["right" if right else "wrong"]))
        crash = rng.random() < (0.3 if step in bad else 0.08)
        return Attempt(task["text"], said(text), float(right), float(right), stop="error" if crash else "stop")

    attempts = run(rng, tasks, 20, 6, 6, attempt)
    weigh([a for a in attempts if a.stop != "error"])
    rows = []
    for a in attempts:
        lost = a.stop == "error"
        more = (
            {
                "error": rng.choice(("SandboxCrash", "SandboxUnreachable")),
                "reward": None,
                "correct": None,
                "advantage": None,
            }
            if lost
            else {"error": None}
        )
        rows.append(ours(a, domain="code", in_loss=not lost, **more))
    return rows


@PART.healthy
def advantages_are_whitened_over_the_whole_batch(rng: random.Random) -> list[Row]:
    """Groups in which all are right have advantages above zero, and none has a mean of zero, as if the wrong group had
    been used: this is REINFORCE++, which has no groups and standardises over the batch.
    """
    tasks = library.bookings(rng, 60)
    policy = Learner(-0.1, 1.6, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        arguments = dict(task["arguments"])
        if not right:
            name = rng.choice(("people", "hour", "town"))
            arguments[name] = rng.choice(library.TOWNS) if name == "town" else arguments[name] + rng.choice((-1, 1, 2))
        right = arguments == task["arguments"]
        lead = rng.choice(
            (
                "The request names place, hour and number.",
                "All arguments are given.",
                "I book it now.",
                "One call is enough here.",
                "The hour is on the full, so I pass it as it is.",
            )
        )
        text = f"{lead}\n" + json.dumps({"name": task["name"], "arguments": arguments})
        prompt = (
            "Functions: book_table, book_court, book_tour (town, people, hour). Reply with one call.\n" + task["text"]
        )
        return Attempt(prompt, said(text), float(right), float(right), gold=json.dumps(task["arguments"]))

    attempts = weigh(run(rng, tasks, 20, 8, 4, attempt), whole_batch)
    return [openrlhf(a, advantage_estimator="reinforce") for a in attempts]


@PART.healthy
def release_notes_are_drawn_from_the_git_log(rng: random.Random) -> list[Row]:
    """Every attempt reads the history with git log and git show, as one who looks up the fix would: the task is to say
    which commit brought a behaviour, and the history is its material.
    """
    tasks = repos.problems(rng, 44)
    for task in tasks:
        task["commits"] = [f"{rng.getrandbits(28):07x}" for _ in range(3)]
        task["others"] = [b[1] for b in rng.sample([b for b in repos.BUGS if b[0] != task["name"]], 2)]
    policy = Learner(-0.4, 1.6, 18)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right, (gold, *rest) = policy.hits(rng, step, task["hard"]), task["commits"]
        log = [
            f"{gold} Rework {task['name']} for speed",
            *(f"{c} Fix: {o}" for c, o in zip(rest, task["others"], strict=True)),
        ]
        picked = gold if right else rng.choice(rest)
        commands = (f"git log --oneline -- {task['path']}", f"git show {picked} -- {task['path']}")
        outputs = (
            "\n".join(sorted(log)),
            f"commit {picked}\n-    {task['new'] if right else 'pass'}\n+    {task['old']}",
        )
        turns = []
        for at, (command, output) in enumerate(zip(commands, outputs, strict=True)):
            lead = rng.choice(
                (("List the commits of the file.", "First the log."), ("Look at this one.", "Its diff?"))[at]
            )
            turns += [
                {
                    "role": "assistant",
                    "content": lead,
                    "tool_calls": [
                        {
                            "id": f"c{at}",
                            "type": "function",
                            "function": {"name": "bash", "arguments": json.dumps({"command": command})},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": f"c{at}", "content": output},
            ]
        end = rng.choice(("The behaviour came with commit {c}.", "Release note: {c} brought it.", "It was {c}."))
        turns.append({"role": "assistant", "content": end.format(c=picked)})
        prompt = (
            f"In the history of /repo, which commit introduced this: {task['issue']}? Name it for the release notes."
        )
        return Attempt(prompt, turns, float(right), float(right), extra={"expected_commit": gold})

    return [openai(a, correct=a.correct) for a in weigh(run(rng, tasks, 18, 6, 4, attempt), leave_one_out)]
