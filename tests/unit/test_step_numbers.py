"""The numbers by step: each planted fault turns its own number red, and rows without a column have no number of it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from evotrainer.diagnosis.step_numbers import MAX_NUMBERS, StepNumbers, step_numbers
from tasks.diagnose.foreign import read_evidence

STEPS, PROBLEMS, ATTEMPTS, LATE = 9, 12, 4, 6
LOOP = "we look at the sum again and again, so " * 12


def row(step: int, problem: int, attempt: int) -> dict[str, Any]:
    right = (problem + attempt * 5) % 3 > 0
    text = f"We add {problem} and {step} and {attempt}, look at the sum once more, and find it is {problem + step}."
    return {
        "step": step,
        "prompt": f"Problem {problem}: what is {problem} + {step}?",
        "response": text,
        "reward": float(right),
        "num_tokens": 100 + problem,
        "is_truncated": False,
        "format_ok": True,
        "duration_seconds": 2.0,
        "rollout_log_probs": [-0.5, -0.4, None],
        "old_log_probs": [-0.5, -0.41, None],
        "grad_norm": 1.0,
        "kl": 0.02,
        "entropy": 0.6,
        "clip_fraction": 0.01,
        "sampler_version": step,
        "importance_ratio": 1.0,
    }


def numbers(folder: Path, **late: Any) -> StepNumbers:
    """Return the numbers of a run whose last third has other values."""
    rows = [row(s, p, a) for s in range(STEPS) for p in range(PROBLEMS) for a in range(ATTEMPTS)]
    changed = [one | (late if one["step"] >= LATE else {}) for one in rows]
    return step_numbers(stored(folder, changed))


def stored(folder: Path, rows: list[dict[str, Any]]) -> Any:
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return read_evidence(file)[1]


def test_a_healthy_run_is_red_nowhere_and_changes_nowhere(tmp_path: Path) -> None:
    found = numbers(tmp_path)
    assert (found.steps, found.attempts) == ([*range(STEPS)], [PROBLEMS * ATTEMPTS] * STEPS)
    assert not any(any(red) for red in found.red.values())
    assert found.changed_at is None
    assert found.values["mismatch"][0] == pytest.approx(0.005)
    assert found.values["tokens_per_second"][0] == pytest.approx(np.mean([100 + p for p in range(PROBLEMS)]) / 2)
    assert found.values["solved_sometimes"][0] == 1.0
    assert "tool_errors" not in found.values
    assert len(found.numbers) <= MAX_NUMBERS


@pytest.mark.parametrize(
    ("name", "late"),
    [
        ("reward", {"reward": 0.0}),
        ("solved_never", {"reward": 0.0}),
        ("solved_always", {"reward": 1.0}),
        ("no_signal", {"reward": 1.0}),
        ("length", {"num_tokens": 400}),
        ("cut", {"is_truncated": True}),
        ("form_kept", {"format_ok": False}),
        ("entropy", {"entropy": 0.01}),
        ("kl", {"kl": 3.0}),
        ("mismatch", {"old_log_probs": [-1.0, -0.4, None]}),
        ("ratio", {"importance_ratio": 3.0}),
        ("clip", {"clip_fraction": 0.4}),
        ("grad_norm", {"grad_norm": 0.0}),
        ("lag", {"sampler_version": 0}),
        ("outages", {"error": "SandboxError"}),
        ("empty", {"response": ""}),
        ("repeats", {"response": LOOP}),
        ("tokens_per_second", {"duration_seconds": 9.0}),
    ],
)
def test_a_planted_fault_turns_its_number_red_from_its_step_on(tmp_path: Path, name: str, late: Any) -> None:
    red = numbers(tmp_path, **late).red[name]
    assert red[:LATE] == [False] * LATE
    assert red[-1]


def test_the_step_where_most_changed(tmp_path: Path) -> None:
    late = {"entropy": 0.1, "kl": 1.0, "num_tokens": 300, "is_truncated": True}
    assert numbers(tmp_path, **late).changed_at == LATE


def test_signals_of_a_campaign_stand_beside_its_rows(tmp_path: Path) -> None:
    rows = [row(s, p, a) for s in range(STEPS) for p in range(3) for a in range(2)]
    kept = ("step", "prompt", "response", "reward")
    bare = stored(tmp_path, [{name: one[name] for name in kept} for one in rows])
    signals = pa.table({"step": [*range(1, STEPS)], "kl": [0.25] * (STEPS - 1)})
    assert step_numbers(bare, signals).values["kl"] == [None, *[0.25] * (STEPS - 1)]
    assert "kl" not in step_numbers(bare).values


def test_held_rows_are_no_part_of_the_numbers(tmp_path: Path) -> None:
    rows = [row(0, p, a) | {"split": split, "reward": float(split == "train")} for split in ("train", "val")
            for p in range(3) for a in range(2)]  # fmt: skip
    assert step_numbers(stored(tmp_path, rows)).values["reward"] == [1.0]
