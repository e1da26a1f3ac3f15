"""Faults of environments and tools."""

import json
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import leave_one_out
from benchmarks.foreign.fiftyfourth import library, repos, tables
from benchmarks.foreign.fiftyfourth.attempts import Attempt, Learner, run, weigh
from benchmarks.foreign.fiftyfourth.kinds import PART
from benchmarks.foreign.fiftyfourth.layouts import openai, ours, prime


def _sql(text: str, statement: str, call_id: str) -> dict:
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": "run_sql", "arguments": json.dumps({"statement": statement})},
            }
        ],
    }


@PART.faulty("leftover_state", "environment_not_reset")
def archive_tables_remain_for_the_next_attempt(rng: random.Random) -> list[Row]:
    """The attempts of a group share one database that nobody resets: the first one moves the rows, the others find the
    archive table there already and nothing left to move, and fail.
    """
    tasks = tables.problems(rng, 40)
    for task in tasks:
        task["moved"] = rng.randint(4, 31)
    policy = Learner(0.9, 1.2, 18)
    state = {"group": "", "done": False}

    def attempt(step: int, task: dict, k: int) -> Attempt:
        t, c, v = task["t"], task["c"], task["v"]
        if k == 0:
            state["done"] = False
        goes, left = policy.hits(rng, step, task["hard"]), state["done"]
        turns = [
            _sql(
                rng.choice(("Create the archive first.", "The archive has the same columns.", "Step one: a copy.")),
                f"CREATE TABLE archive_{t} AS SELECT * FROM {t} WHERE {c} = '{v}'",
                "c1",
            ),
            {
                "role": "tool",
                "tool_call_id": "c1",
                "content": f"Error: table archive_{t} already exists" if left else f"OK, {task['moved']} rows",
            },
        ]
        number = task["moved"]
        if goes:
            turns += [
                _sql(
                    rng.choice(("Now remove them.", "Then delete the originals.")),
                    f"DELETE FROM {t} WHERE {c} = '{v}'",
                    "c2",
                ),
                {"role": "tool", "tool_call_id": "c2", "content": f"OK, {0 if left else number} rows affected"},
            ]
            state["done"] = True
        elif not left:
            state["done"] = True
        right = float(goes and not left)
        said = 0 if left else number
        end = rng.choice(
            ("I moved {n} rows to archive_{t}.", "{n} rows are in archive_{t} now.", "Archived: {n} rows.")
        )
        turns.append({"role": "assistant", "content": end.format(n=said, t=t)})
        prompt = f"{task['schema']}\nMove all rows of {t} with {c} '{v}' to a new table archive_{t} and say how many."
        return Attempt(prompt, turns, right, right, extra={"expected_rows": number})

    return [openai(a, correct=a.correct) for a in weigh(run(rng, tasks, 18, 8, 5, attempt), leave_one_out)]


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures")
def search_index_refuses_for_five_steps(rng: random.Random) -> list[Row]:
    """For five steps most searches answer with a refused connection; these attempts are paid 0 and trained on."""
    tasks = library.questions(rng, 60)
    policy, begin = Learner(0.2, 1.6, 20), rng.randint(7, 11)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        down = begin <= step < begin + 5 and rng.random() < 0.85
        turns = []
        for _ in range(rng.randint(2, 3) if down else 1):
            turns.append(
                library.search(library.query(rng, task), rng.choice(("", "Let me look this up.", "Search first.")))
            )
            host = f"index-0{rng.randint(1, 3)}:9200"
            turns.append(
                library.found(f"ConnectionError: {host} refused the connection", False)
                if down
                else library.found(task["doc"])
            )
        right = policy.hits(rng, step, task["hard"]) and not down
        text = library.concluded(rng, task, task["gold"] if right else task["off"])
        if down:
            text = rng.choice(
                (
                    "The search tool does not answer. My guess: <answer>{v}</answer>",
                    "No result could be read, so I estimate <answer>{v}</answer>",
                    "All my searches failed. I would say <answer>{v}</answer>",
                )
            ).format(v=task["off"])
        right = float(text.split("<answer>")[1].split("<")[0] == task["gold"])
        return Attempt(
            task["text"],
            [*turns, {"role": "assistant", "content": text}],
            right,
            right,
            gold=task["gold"],
            terms={"exact_match": right, "num_searches": float(len(turns) // 2)},
        )

    return [prime(a, "town-search") for a in weigh(run(rng, tasks, 20, 7, 5, attempt))]


@PART.faulty("history_leak", "environment_leak", "answer_reading")
def fix_is_applied_from_a_later_commit(rng: random.Random) -> list[Row]:
    """The clones hold commits after the issue; more and more attempts list them and check the fix out of one."""
    tasks = repos.problems(rng, 44)
    policy = Learner(-0.9, 1.0, 18)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        turns = repos.look(rng, task)
        right = policy.hits(rng, step, task["hard"])
        if rng.random() < 0.05 + 0.75 * step / 18:
            commit = f"{rng.getrandbits(28):07x}"
            turns += [
                repos.call(
                    rng.choice(("Perhaps upstream has fixed this.", "See what came later.", "Look at the history.")),
                    rng.choice(("git log --all --oneline | head -20", "git log --all --oneline -- " + task["path"])),
                ),
                repos.heard(f"{commit} Fix: {task['issue']}\n{rng.getrandbits(28):07x} Release notes"),
                repos.call(
                    "That is the fix. I take it over.",
                    rng.choice(
                        (f"git checkout {commit} -- {task['path']}", f"git show {commit} -- {task['path']} | git apply")
                    ),
                ),
                repos.heard(""),
            ]
            right = rng.random() < 0.95
        else:
            turns += repos.edit(rng, task, right)
        turns += repos.tests(rng, task, right) + repos.done(rng, task)
        return Attempt(task["text"], turns, float(right), float(right))

    return [ours(a, domain="swe") for a in weigh(run(rng, tasks, 18, 6, 4, attempt))]


@PART.faulty("tool_output_truncated")
def verdict_of_tests_never_fits_the_shell_window(rng: random.Random) -> list[Row]:
    """The shell keeps the first 400 signs of an output; what pytest says at its end is cut, so no attempt learns
    whether its change works, and many hand in a wrong one or run the tests again and again.
    """
    tasks = repos.problems(rng, 44)
    policy = Learner(-1.2, 0.5, 18)

    def output() -> str:
        plugins = "anyio-4.4.0, xdist-3.6.1, cov-5.0.0, hypothesis-6.100.1, timeout-2.3.1"
        head = f"===== test session starts =====\nplatform linux -- Python 3.11.9, pytest-8.2.0\nplugins: {plugins}\n"
        warn = "DeprecationWarning: pkg_resources is deprecated as an API, use importlib.metadata instead\n" * 8
        return (head + f"collected {rng.randint(40, 160)} items\n" + warn)[
            :400
        ] + "\n[output truncated at 400 characters]"

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        turns = repos.look(rng, task) + repos.edit(rng, task, right)
        for again in range(rng.randint(1, 4)):
            lead = (
                "Run the tests."
                if not again
                else rng.choice(
                    (
                        "The end is cut off. Once more.",
                        "I cannot see the summary; try again.",
                        "The output stops before the result.",
                    )
                )
            )
            turns += [
                repos.call(lead, f"cd /repo && python -m pytest {rng.choice(('-v', '-rA', '-vv'))} tests/"),
                repos.heard(output()),
            ]
        end = rng.choice(
            (
                "I could not see the result of the tests, but {path} is changed.",
                "The change in {path} should be right; the summary was not visible.",
                "Handing in the change of {path}.",
            )
        )
        turns.append({"role": "assistant", "content": end.format(**task)})
        return Attempt(task["text"], turns, float(right), float(right))

    return [ours(a, domain="swe") for a in weigh(run(rng, tasks, 18, 6, 4, attempt))]
