"""What code would do on stored rows, and each guard that refuses it before training."""

import dataclasses
import json
import re

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.algorithm.code import examination, worker
from evotrainer.algorithm.code.rows import problem_row, trajectory_row
from evotrainer.config.code import key_of
from tests.code_sources import BRIEF, GOOD, groups, problems

pytestmark = pytest.mark.parts

ROWS, PROBLEMS = groups(), problems()


def refusals(key: str, text: str) -> str:
    return "; ".join(examination.refusals(key, text, ROWS, PROBLEMS))


@pytest.mark.parametrize("key", GOOD)
def test_honest_code_may_train(key):
    assert refusals(key, GOOD[key]) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def reward(row):\n    return 0.3\n", "constant: 96 items all have the value 0.3"),
        ("SEEN = []\ndef reward(row):\n    SEEN.append(1)\n    return 0.001 * len(SEEN)\n", "no function of its"),
        (
            'def reward(row):\n    row["terms"]["length"] = 0.5\n    return object().__hash__() % 97 / 97\n',
            "no function",
        ),
        ('def reward(row):\n    return row["problem_id"]\n', "raised KeyError"),
        ("def reward(row):\n    raise ValueError('sealed text')\n", "raised ValueError$"),
        ("def reward(row):\n    return float('nan')\n", "not finite"),
        ("def reward(row):\n    return 10**400\n", r"outside of \[-1, 1\]"),
        ("def reward(row):\n    return True\n", "a bool where a number is meant"),
        ("def reward(row):\n    return {1}\n", "returned no JSON value"),
        ("def reward(row):\n    return len(bytes(2**30)) * 0.0\n", "needs more than 512 MB"),
        ('def reward(row):\n    return 0.1 * ("problem-003" in row["prompt"]) * row["correct"]\n', "names the problem"),
        (
            'X = "assert solve(4) == 8  # sealed"\ndef reward(row):\n    return 0.1 * row["correct"]\n',
            "only the grader",
        ),
        ("def mask(row):\n    return False\n", "constant"),
        ("def mask(row):\n    return 1\n", "an? int where true or false"),
        ("def weight(problem):\n    return 0\n", "constant"),
        ("def weight(problem):\n    return -problem['pass_rate']\n", r"outside of \[0, 100\]"),
    ],
)
def test_guards_refuse_code(text, message):
    with_reason = refusals(key_of(text), text)
    assert re.search(message, with_reason), with_reason
    assert "sealed text" not in with_reason


def test_an_endless_function_is_refused_by_its_limit(monkeypatch):
    monkeypatch.setattr(worker, "LIMITS", dataclasses.replace(worker.LIMITS, cpu_seconds=1))
    assert "took more than 1 s of processor time" in refusals("reward.code", "def reward(row):\n    while True: pass\n")


def test_a_value_that_moves_with_an_id_in_the_text_is_refused():
    named = [
        row.model_copy(
            update={"messages": [row.messages[0].model_copy(update={"content": f"Task {row.problem_id}: add"})]}
        )
        for row in ROWS
    ]
    text = 'def reward(row):\n    return 0.1 * row["correct"] * (row["prompt"].count("0") % 2)\n'
    found = examination.refusals("reward.code", text, named, PROBLEMS)
    assert any("under other identities" in reason for reason in found)


def test_fields_hold_no_identity():
    shown = json.dumps([trajectory_row(ROWS[5]), problem_row(PROBLEMS[1], 0.5)])
    for hidden in ("problem-001", "g.problem", "v001", "hidden", "sealed", "seed"):
        assert hidden not in shown


def test_the_command_says_what_code_would_do_and_exits_with_1_where_it_may_not_train(tmp_path):
    rows, good, bad = tmp_path / "rows.jsonl", tmp_path / "good.py", tmp_path / "bad.py"
    rows.write_text("".join(f"{row.model_dump_json()}\n" for row in ROWS))
    good.write_text(BRIEF)
    bad.write_text("def reward(row):\n    return 0.3\n")
    run = CliRunner().invoke
    shown = run(app, ["intervention", "check", str(good), "--trajectories", str(rows), "--json"])
    assert shown.exit_code == 0, shown.output
    (found,) = json.loads(shown.output)["code"]
    assert found["key"] == "reward.code" and found["refusals"] == []
    without, with_code = found["numbers"]["usable_groups"]
    assert with_code > without
    refused = run(app, ["intervention", "check", str(bad), "--trajectories", str(rows)])
    assert refused.exit_code == 1 and "it is constant" in refused.output
