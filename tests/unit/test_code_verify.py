"""`evotrainer data verify` names problems whose verdicts mean nothing."""

import json

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.domains.problem_sets.check import weak_problems
from evotrainer.errors import ConfigError

GOOD = {
    "id": "good",
    "problem": "Write f.",
    "function": "f",
    "reference": "def f(x): return x",
    "hidden": [{"input": [1], "output": 1}],
}
ROWS = [
    GOOD,
    GOOD | {"id": "wrong", "problem": "Write another f.", "hidden": [{"input": [1], "output": 2}]},
    GOOD | {"id": "gift", "problem": "Do nothing.", "reference": "", "hidden": [{"input": [1], "output": None}]},
]


def run(tmp_path, rows, *options):
    (tmp_path / "train.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return CliRunner().invoke(app, ["data", "verify", str(tmp_path), *options])


def test_a_sound_set_passes(tmp_path):
    result = run(tmp_path, [GOOD])
    assert (result.exit_code, result.output) == (0, "1 problems, 0 of them weak\n")


def test_weak_problems_are_named(tmp_path):
    result = run(tmp_path, ROWS)
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"{tmp_path}/train.jsonl:2: wrong: reference fails: the reference solution fails its hidden tests",
        f"{tmp_path}/train.jsonl:3: gift: passes without work: an empty answer passes its hidden tests",
        "3 problems, 2 of them weak; passes without work: 1; reference fails: 1",
    ]
    found = json.loads(run(tmp_path, ROWS, "--json").output)
    assert (found["problems"], [weak["row_id"] for weak in found["weak"]]) == (3, ["wrong", "gift"])


def test_other_domains_are_refused():
    with pytest.raises(ConfigError, match="'math' cannot be verified: they have no tests to run"):
        list(weak_problems([], "math"))
