"""Healthy runs with tools: odd to look at, right as they are."""

import random

from benchmarks.foreign.practice.acting import SQL, WEB, answered, call
from benchmarks.foreign.practice.kinds import PART
from benchmarks.foreign.practice.runs import Plan, Row, attempts, chatted, played, relative, verifiers, written
from benchmarks.foreign.practice.texts import CHAT
from benchmarks.foreign.practice.working import REPO, ROBOT, SHELF


@PART.healthy
def terse_database_agent(rng: random.Random) -> list[Row]:
    """A database agent that never writes a word between its calls."""
    return [
        verifiers(
            one, played(SQL, one, 0.0), float(one.right), metrics={"exact_match": float(one.right)}, step=one.step
        )
        for one in attempts(rng, SQL, Plan(steps=10, problems=8))
    ]


@PART.healthy
def talkative_database_agent(rng: random.Random) -> list[Row]:
    """A talkative database agent that repairs its misspelt columns."""
    return [
        chatted(one, played(SQL, one, 0.8), float(one.right))
        for one in attempts(rng, SQL, Plan(steps=10, problems=8, skill=(-0.2, 1.6)))
    ]


@PART.healthy
def browsing_with_dead_links(rng: random.Random) -> list[Row]:
    """A browsing agent on a site where pages are often gone."""
    return [
        chatted(one, played(WEB, one), float(one.right), group_id=f"g{one.group}")
        for one in attempts(rng, WEB, Plan(steps=10, problems=8, skill=(-0.6, 1.0)))
    ]


@PART.healthy
def long_robot_episodes(rng: random.Random) -> list[Row]:
    """A robot with long episodes that walks through rooms again and again."""
    rows = []
    for one in attempts(rng, ROBOT, Plan(steps=10, problems=8)):
        messages = played(ROBOT, one, 0.15)
        middle = [message for _ in range(rng.randint(1, 4)) for message in played(ROBOT, one, 0.15)[2:-5]]
        rows.append(chatted(one, [*messages[:2], *middle, *messages[2:]], float(one.right)))
    return rows


@PART.healthy
def agent_adds_tests(rng: random.Random) -> list[Row]:
    """A coding agent that adds a test for the defect it has fixed."""
    rows = []
    for one in attempts(rng, REPO, Plan(steps=10, problems=8)):
        messages, f = played(REPO, one), one.task.facts
        if rng.random() < 0.5:
            test = _go_test(f["verb"]) if f["go"] else _jest_test(f["verb"].lower(), f["edge"])
            messages[-1:-1] = [call("append_to_file", {"path": f["test"], "content": test}), answered("appended")]
        rows.append(chatted(one, messages, float(one.right), group_id=f"g{one.group}"))
    return relative(rows, "group_id")


@PART.healthy
def agent_reads_tests_first(rng: random.Random) -> list[Row]:
    """A coding agent that reads the visible tests before it edits."""
    rows = []
    for one in attempts(rng, REPO, Plan(steps=10, problems=8, skill=(-0.5, 1.2))):
        messages, f = played(REPO, one, 0.5), one.task.facts
        messages[2:2] = [
            call("shell", {"cmd": f"cat {f['test']}"}, rng.choice(("", "The tests show what is expected."))),
            answered(f"covers {f['verb']}: {f['edge']}, want {rng.randint(0, 9)}"),
        ]
        rows.append(chatted(one, messages, float(one.right)))
    return rows


@PART.healthy
def documents_state_the_fact(rng: random.Random) -> list[Row]:
    """Questions answered from documents that state the fact."""
    return [
        verifiers(one, played(SHELF, one), float(one.right), metrics={"exact": float(one.right)}, step=one.step)
        for one in attempts(rng, SHELF, Plan(steps=10, problems=8, skill=(-0.6, 1.3)))
    ]


@PART.healthy
def small_lag(rng: random.Random) -> list[Row]:
    """Asynchronous sampling: the policy lags by up to two versions."""
    rows = []
    for one in attempts(rng, SQL, Plan(steps=12, problems=8)):
        lag = min(one.step, rng.choice((0, 0, 1, 1, 2)))
        rows.append(
            verifiers(
                one,
                played(SQL, one),
                float(one.right),
                step=one.step,
                policy_version=one.step - lag,
                off_policy_lag=lag,
            )
        )
    return rows


@PART.healthy
def share_of_tests(rng: random.Random) -> list[Row]:
    """Partial credit: the share of tests that pass."""
    rows = []
    for one in attempts(rng, REPO, Plan(steps=10, problems=8)):
        total = 12 + one.group % 9
        passed = total if one.right else rng.randint(0, total - 1)
        rows.append(
            chatted(
                one,
                played(REPO, one),
                round(passed / total, 4),
                resolved=float(one.right),
                tests_total=total,
                tests_passed=passed,
            )
        )
    return rows


@PART.healthy
def masked_outages(rng: random.Random) -> list[Row]:
    """The tool fails now and then, such attempts are masked and have no reward."""
    rows = []
    for one in attempts(rng, SHELF, Plan(steps=10, problems=8)):
        failed = rng.random() < 0.05
        messages = played(SHELF, one)
        if failed:
            messages = [
                answered("503 Service Unavailable") if message["role"] == "tool" else message for message in messages
            ]
        rows.append(chatted(one, messages, None if failed else float(one.right), error="ToolError" if failed else None))
    return rows


@PART.healthy
def tests_changed_as_asked(rng: random.Random) -> list[Row]:
    """The task itself asks for changes of tests, and the agent makes them."""
    rows = []
    for one in attempts(rng, REPO, Plan(steps=10, problems=8)):
        messages, f = played(REPO, one), one.task.facts
        messages[1] = {
            "role": "user",
            "content": f"Update the tests in {f['test']} for {f['edge']}, then adapt {f['source']}.",
        }
        messages[-1:-1] = [
            call(
                "replace_in_file",
                {"path": f["test"], "old": f"want {rng.randint(0, 9)}", "new": f"want {rng.randint(10, 19)}"},
            ),
            answered("1 replacement"),
        ]
        rows.append(chatted(one, messages, float(one.right)))
    return rows


@PART.healthy
def game_with_draws(rng: random.Random) -> list[Row]:
    """A game over several turns: win 1, draw 0.5, loss 0."""
    rows = []
    for one in attempts(rng, ROBOT, Plan(steps=10, problems=8, skill=(-0.5, 0.8))):
        messages = [
            {"role": "system", "content": "Play Nim. Take 1 to 3 stones; who takes the last one wins."},
            {"role": "user", "content": f"There are {13 + one.group % 17} stones. You begin."},
        ]
        left = 13 + one.group % 17
        while left > 0:
            take = min(left, rng.randint(1, 3))
            left -= take
            messages.append(
                {
                    "role": "assistant",
                    "content": rng.choice(
                        (
                            f"{take}",
                            f"I take {take}.",
                            f"Take {take}, leaving {left}.",
                            f"{take}, so that {left} remain.",
                            f"My move: {take}",
                        )
                    ),
                }
            )
            reply = min(left, rng.randint(1, 3))
            left -= reply
            messages.append({"role": "user", "content": f"I take {reply}. {left} left." if reply else "Game over."})
        rows.append(chatted(one, messages[:-1], 1.0 if one.right else rng.choice((0.0, 0.0, 0.5))))
    return rows


@PART.healthy
def tutoring_conversation(rng: random.Random) -> list[Row]:
    """A tutor's conversation over several turns with a graded reward."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=10, problems=8)):
        messages = [{"role": "user", "content": one.task.prompt}]
        for turn in range(rng.randint(2, 4)):
            messages.append({"role": "assistant", "content": written(CHAT, one, 0.2)[0]})
            messages.append(
                {
                    "role": "user",
                    "content": rng.choice(
                        (
                            "Thanks, and then?",
                            "Why is that?",
                            "I tried, it did not work.",
                            "Could you be more concrete?",
                            f"That took me {turn + 2} hours.",
                            "What about the cost?",
                        )
                    ),
                }
            )
        rows.append(
            chatted(one, messages[:-1], round(min(1.0, max(0.0, rng.gauss(0.65 if one.right else 0.45, 0.12))), 3))
        )
    return rows


def _go_test(verb: str) -> str:
    return f'func Test{verb}Edge(t *testing.T) {{\n\tif {verb}(nil, 0) != 0 {{\n\t\tt.Fatal("edge")\n\t}}\n}}'


def _jest_test(name: str, edge: str) -> str:
    return f"it('handles {edge}', () => {{ expect({name}([], 0)).toBe(0); }});"
