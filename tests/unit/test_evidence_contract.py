"""`evotrainer evidence check`: each column of the contract is found where it is written, and missed where it is not."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.diagnosis.contract import CONTRACT

ROOT = Path(__file__).resolve().parents[2]
ROW = {
    "problem_id": "p",
    "response": "It is 2, since 1 and 1 are 2.",
    "reward": 1.0,
    "prompt": "What is 1 + 1?",
    "step": 0,
    "reward_terms": {"right": 1.0, "short": 0.5},
    "correct": 1.0,
    "gold": "2",
    "advantage": 0.5,
    "in_loss": True,
    "stop_reason": "stop",
    "is_truncated": False,
    "error": None,
    "num_tokens": 12,
    "duration_seconds": 1.5,
    "format_ok": True,
    "rollout_log_probs": [-0.1],
    "old_log_probs": [-0.1],
    "weights_version": 3,
    "entropy": 0.5,
    "kl": 0.1,
    "grad_norm": 1.0,
    "clip_fraction": 0.1,
    "importance_ratio": 1.0,
}


def checked(folder: Path, row: dict[str, Any]) -> tuple[int, dict[str, str]]:
    """Return the status of the command on rows like this one, and what each column was found as."""
    varied = [{"problem_id": f"p{n % 5}", "prompt": f"What is {n % 5} + 1?", "gold": str(n % 5 + 1)} for n in range(20)]
    rows = [row | {key: value for key, value in one.items() if key in row} for one in varied]
    rows[9] |= {"error": "Timeout"} if "error" in row else {}
    (folder / "rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    done = CliRunner().invoke(app, ["evidence", "check", str(folder / "rows.jsonl"), "--json"])
    return done.exit_code, {one["column"]: one["found_as"] for one in json.loads(done.output)["columns"]}


def test_the_contract_is_that_of_the_page_and_of_these_rows() -> None:
    page = (ROOT / "docs/evidence.md").read_text()
    assert [one.name for one in CONTRACT] == list(ROW)
    assert [name for name in ROW if f"`{name}`" not in page] == []


def test_rows_with_all_columns_lack_none(tmp_path: Path) -> None:
    status, found = checked(tmp_path, ROW)
    assert (status, [name for name, column in found.items() if not column]) == (0, [])


NEEDED = {"problem_id", "response", "reward"}
KNOWN_OTHERWISE = {"step", "is_truncated"}
"""A name of a file says the step, a stop reason what was cut."""


@pytest.mark.parametrize("name", [one for one in ROW if one not in NEEDED | KNOWN_OTHERWISE])
def test_a_column_that_is_not_written_is_missed_alone(tmp_path: Path, name: str) -> None:
    status, found = checked(tmp_path, {key: value for key, value in ROW.items() if key != name})
    assert (status, [name for name, column in found.items() if not column]) == (0, [name])


@pytest.mark.parametrize(
    ("without", "status"), [(("problem_id", "prompt"), 1), (("reward", "correct"), 1), (("problem_id",), 0)]
)
def test_the_status_says_whether_what_is_needed_is_there(tmp_path: Path, without: tuple[str, ...], status: int) -> None:
    row = {key: value for key, value in ROW.items() if key not in (*without, "reward_terms")}
    assert checked(tmp_path, row)[0] == status


def test_what_is_printed_names_what_is_lost() -> None:
    done = CliRunner().invoke(app, ["evidence", "check", str(ROOT / "docs/examples/trajectories.jsonl")])
    assert done.exit_code == 0
    assert "whether the grader is right" in done.output and "5" in done.output
