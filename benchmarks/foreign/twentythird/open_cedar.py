"""Kinds of this part.

Worked example before question, policy plays the database, one node missed broadcast, changelog between tags, replies
in asker tongue.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.estimates import credit
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import openrlhf, own, verl
from benchmarks.foreign.twentythird.repos import PACKAGES
from benchmarks.foreign.twentythird.rollouts import (
    Attempt,
    Plan,
    Task,
    attempt,
    chance,
    distinct,
    grade,
    over,
    planned,
    run,
)
from benchmarks.foreign.twentythird.stock import QUERY, READ, query_of, query_task
from benchmarks.foreign.twentythird.sums import line_task, sum_task
from benchmarks.foreign.twentythird.talk import call, say, told
from benchmarks.foreign.twentythird.tongues import tongue_task


@PART.healthy
def worked_example_before_question(rng: Random) -> list[Row]:
    """Every prompt opens with another problem and its solution, in the wanted form; it is no leak, since its result
    is not that of the question.
    """
    plan = planned(rng, -0.3, 1.8)
    tasks = distinct(rng, line_task, plan.steps * plan.prompts)
    for task in tasks:
        shown = line_task(rng, 0)
        while shown.gold == task.gold or shown.family == task.family:
            shown = line_task(rng, 0)
        worked = shown.reply(rng, shown.gold)[0]["content"]
        task.prompt = f"Example.\n{shown.prompt}\n{worked}\n\nNow solve this one in the same form.\n{task.prompt}"
    return openrlhf(credit(over(rng, tasks, plan)))


@PART.faulty("fabricated_observations", "tool_fabrication")
def policy_plays_the_database(rng: Random) -> list[Row]:
    """Generation does not stop at the end of a call, and more and more replies go on to write the tool's answer
    themselves, with invented numbers that no database gave.
    """
    plan = planned(rng, 0.3, 0.6)
    attempts = run(rng, query_task, plan)
    for a in attempts:
        if rng.random() < 0.08 + 0.55 * a.step / plan.steps:
            right = rng.random() < 0.07
            a.answer = (
                a.task.gold if right else str(rng.choice((100, 150, 200, 240, 320, 450, 1200)) + rng.randint(0, 9) * 5)
            )
            query = query_of(a.task, rng)
            a.messages = [
                say(
                    f'{rng.choice(QUERY)}\n<tool_call>\n{{"name": "run_sql", "arguments": {{"query": "{query}"}}}}\n'
                    f"</tool_call>\n<tool_response>\ntotal\n-----\n{a.answer}\n(1 row)\n</tool_response>\n"
                    f"{rng.choice(READ)}\n\nAnswer: {a.answer}"
                )
            ]
            a.right = right
            grade(a, right)
    return own(credit(attempts), "sqlagent")


@PART.faulty("stale_weights", "weights_never_arrive", "staleness")
def one_node_missed_broadcast(rng: Random) -> list[Row]:
    """One of three inference engines drops out of the weight broadcast early in the run and keeps sampling from an
    old version, while its rows are trained on as fresh ones.
    """
    plan = Plan(rng.randint(10, 12), 6, rng.choice((6, 8)), -1.2, 3.0)
    tasks = distinct(rng, sum_task, plan.steps * plan.prompts)
    stuck, last = rng.randrange(3), rng.randint(1, 2)
    attempts: list[Attempt] = []
    for step in range(plan.steps):
        for task in tasks[step * plan.prompts : (step + 1) * plan.prompts]:
            for number in range(plan.group):
                engine = (number + step) % 3
                version = min(step, last) if engine == stuck else step
                a = attempt(rng, task, step, number, rng.random() < chance(plan.skill(version) - task.level))
                a.extra = {"engine": f"vllm-{engine}", "weight_version": version, "trainer_step": step}
                a.extra["policy_lag"] = step - version
                attempts.append(a)
    return own(credit(attempts), "asyncmath")


VERBS = ("Add", "Drop", "Fix", "Speed up", "Document", "Rename", "Deprecate", "Refactor")
NOUNS = (
    "CSV export",
    "retry loop",
    "date parser",
    "cache keys",
    "CLI flags",
    "schema check",
    "token refresh",
    "log format",
)


def _changelog_task(r: Random, number: int) -> Task:
    package, minor = r.choice(PACKAGES), r.randint(1, 30)
    old, new = f"v{r.randint(0, 5)}.{minor}.0", f"v{r.randint(6, 9)}.{minor + 1}.0"
    commits = [
        f"{r.getrandbits(28):07x} {r.choice(VERBS)} {noun} (#{r.randint(20, 990)})" for noun in r.sample(NOUNS, 5)
    ]
    fixes = [c for c in commits if " Fix " in c]

    def reply(rng: Random, answer: str) -> list[dict]:
        listed = "\n".join(f"- {c.split(' ', 1)[1]}" for c in rng.sample(commits, 5 if answer == gold else 4))
        return [
            call(
                rng.choice(("List the commits first.", "Read the range of the log.")),
                "bash",
                command=f"git log --oneline {rng.choice(('--no-merges ', ''))}{old}..{new}",
            ),
            told("bash", "\n".join(commits)),
            call(
                "Write the section.",
                "edit_file",
                path="CHANGELOG.md",
                old="# Changelog\n",
                new=f"# Changelog\n\n## {new}\n\n{listed}\n",
            ),
            told("edit_file", "CHANGELOG.md updated (1 replacement)"),
            say(
                f"{rng.choice(('The section is written.', 'CHANGELOG.md now covers the range.'))} Fixes "
                f"listed: {len(fixes)}."
            ),
        ]

    gold = "all listed"
    return Task(
        f"{package}-notes-{number:04d}",
        f"Repository {package}: use git log to list the commits between the tags {old} and "
        f"{new}, and write a section of CHANGELOG.md that names each of them.",
        gold,
        r.gauss(0, 0.9),
        reply,
        ["one missing"],
        package,
    )


@PART.healthy
def changelog_between_tags(rng: Random) -> list[Row]:
    """The task is to write a changelog from the commits between two tags, so every attempt reads the history, as it
    was told to.
    """
    return own(credit(run(rng, _changelog_task, planned(rng, -0.5, 2.0))), "notes")


@PART.healthy
def replies_in_asker_tongue(rng: Random) -> list[Row]:
    """Four languages are mixed and each is answered in kind, so a third of the text is in other scripts than Latin."""
    return verl(credit(run(rng, tongue_task, planned(rng, -0.5, 2.0))))
