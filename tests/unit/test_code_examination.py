"""What code would do on stored rows, and each guard that refuses it before training."""

import dataclasses
import json
import re

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.algorithm.code import RecipeCode, worker
from evotrainer.algorithm.code.examination import examine
from evotrainer.algorithm.code.rows import PROBLEM_FIELDS, TRAJECTORY_FIELDS, problem_row, rewarded_row, trajectory_row
from evotrainer.config import Config
from evotrainer.config.code import key_of, reference
from evotrainer.config.interventions import with_values
from tests.code_sources import BRIEF, GOOD, LONG_WRONG, MIDDLING, MIXED, SHORT_FAILURES, groups, problems, sources

pytestmark = pytest.mark.parts

ROWS, PROBLEMS = groups(), problems()


def refusals(key: str, text: str) -> str:
    return "; ".join(examine(key, text, Config(), ROWS, PROBLEMS).refusals)


@pytest.mark.parametrize("key", GOOD)
def test_honest_code_may_train(key):
    assert examine(key, GOOD[key], Config(), ROWS, PROBLEMS).refusals == []


def test_numbers_of_a_reward_say_what_it_revives_and_goes_with():
    found = examine("reward.code", BRIEF, Config(), ROWS, PROBLEMS).numbers
    # Of 24 groups those with 0 or 4 of 4 right are dead: 5 and 4; brevity revives the right ones alone.
    assert found["dead_groups_before"] == pytest.approx(9 / 24) and found["revived"] == pytest.approx(4 / 9)
    assert found["dead_groups_after"] == pytest.approx(5 / 24)
    assert found["correlation_with_correctness"] > 0.5 and found["order_violations_after"] == 0
    assert found["mean"] == pytest.approx(
        sum(0.1 * (r.correct or 0.0) * (1 - r.reward_terms["length"]) for r in ROWS) / 96
    )


def test_numbers_of_masks_filters_and_weights():
    mask = examine("filter.mask_code", LONG_WRONG, Config(), ROWS, PROBLEMS).numbers
    assert mask["masked_of_correct"] == 0 < mask["masked_of_wrong"] and mask["attempts"] == 96
    keep = examine("filter.group_code", MIXED, Config(), ROWS, PROBLEMS).numbers
    assert (keep["kept_of_usable"], keep["kept_of_dead"]) == (1.0, 0.0) and keep["kept"] == pytest.approx(15 / 24)
    weight = examine("data.weight_code", MIDDLING, Config(), ROWS, PROBLEMS).numbers
    assert weight["effective_problems"] < weight["problems"] == 24 and weight["never_drawn"] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def reward(row):\n    return 0.3\n", "constant: 96 items all have the value 0.3"),
        ("SEEN = []\ndef reward(row):\n    SEEN.append(1)\n    return 0.001 * len(SEEN)\n", "no function of its"),
        (
            'def reward(row):\n    row["terms"]["length"] = 0.5\n    return object().__hash__() % 97 / 97\n',
            "no function",
        ),
        (SHORT_FAILURES, "wrong attempts would be paid above right ones"),
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
        ("def weight(problem):\n    return 0\n", "gives every problem the weight 0"),
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
    found = examine("reward.code", text, Config(), named, PROBLEMS)
    assert any("under other identities" in reason for reason in found.refusals)


def test_fields_are_those_that_are_declared_and_hold_no_identity():
    row = trajectory_row(ROWS[5])
    assert list(row) == list(TRAJECTORY_FIELDS)
    assert list(rewarded_row(ROWS[5])) == [*TRAJECTORY_FIELDS, "reward"]
    assert list(problem_row(PROBLEMS[0], 0.5)) == list(PROBLEM_FIELDS)
    shown = json.dumps([row, problem_row(PROBLEMS[1], 0.5)])
    for hidden in ("problem-001", "g.problem", "v001", "hidden", "sealed", "seed"):
        assert hidden not in shown


def test_a_mask_is_examined_on_the_reward_of_the_recipe_that_has_code_already():
    recipe = with_values(Config(), {"reward.code": reference(BRIEF)})
    text = 'def mask(row):\n    return row["reward"] > 1.0\n'
    found = examine("filter.mask_code", text, recipe, ROWS, PROBLEMS, RecipeCode(sources(BRIEF)))
    assert found.numbers["masked_of_correct"] == 1.0 and found.numbers["masked_of_wrong"] == 0.0


def test_the_command_says_what_code_would_do_and_exits_with_1_where_it_may_not_train(tmp_path):
    rows, good, bad = tmp_path / "rows.jsonl", tmp_path / "good.py", tmp_path / "bad.py"
    rows.write_text("".join(f"{row.model_dump_json()}\n" for row in ROWS))
    good.write_text(BRIEF)
    bad.write_text("def reward(row):\n    return 0.3\n")
    run = CliRunner().invoke
    shown = run(app, ["intervention", "check", str(good), "--trajectories", str(rows), "--json"])
    assert shown.exit_code == 0, shown.output
    (found,) = json.loads(shown.output)["code"]
    assert found["key"] == "reward.code" and found["numbers"]["groups"] == 24 and found["refusals"] == []
    refused = run(app, ["intervention", "check", str(bad), "--trajectories", str(rows)])
    assert refused.exit_code == 1 and "it is constant" in refused.output
