"""Tests of measurements: none of the product's own, so `make test` leaves them out."""

import json
from pathlib import Path

import pytest

from evotrainer.records import Problem

SPLITS = {"train": (0, 50), "probe": (50, 60), "validation": (60, 85), "test": (85, 100), "holdout": (100, 120)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in this folder."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def digit_settings(digit_policy: Path, digit_problems: list[Problem], tmp_path: Path) -> list[str]:
    """Settings of campaigns on the digit policy and a problem set of all splits, whose stages take a second."""
    data = tmp_path / "digits"
    data.mkdir()
    for split, (start, end) in SPLITS.items():
        rows = [
            {"id": f"{split}-{p.problem_id}", "problem": p.prompt, "answer": p.answer, "family": p.family}
            for p in digit_problems[start:end]
        ]
        (data / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [
        f"policy.path={digit_policy}",
        f"domain.data_path={data}",
        "num_versions=2",
        "engine.device=cpu",
        "sampling.max_response_tokens=6",
        "evaluate.max_response_tokens=6",
        "evaluate.max_problems=12",
        "evaluate.bootstrap_samples=200",
    ]
