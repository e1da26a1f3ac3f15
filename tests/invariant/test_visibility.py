"""Of validation an agent sees score and interval: whatever else of a report moves with validation rows is hidden."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evotrainer.config import SHARED_PLUGINS, Config, HarnessConfig
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.frames import CHECK_PREFIX, empty_signals, frame_of_rows
from evotrainer.evidence.visibility import VALIDATION_DIAGNOSTICS, VALIDATION_METRICS
from evotrainer.records import HarnessReport
from evotrainer.records.checks import MEANINGS
from tests.evidence_rows import healthy_rows

PLUGINS = Path(__file__).parents[2] / "harness_plugins"
FOLDERS = [*SHARED_PLUGINS, "math", "code", "swe"]


def _frame(seed: int, split: str, level: float) -> pd.DataFrame:
    """Return attempts on which every check was measured, one in ten at a drawn value and the others at `level`."""
    rng = np.random.default_rng(seed)
    frame = frame_of_rows(healthy_rows(seed, split=split, num_groups=30))
    checks = {
        f"{CHECK_PREFIX}{name}": np.where(rng.random(len(frame)) < 0.1, rng.random(len(frame)), level)
        for name in MEANINGS
    }
    return frame.assign(**checks)


@pytest.fixture(scope="module")
def reports() -> list[HarnessReport]:
    """Reports on the same rollout and training beside four unlike validations, the last without any."""
    harness, made = Harness(PLUGINS, HarnessConfig(plugins=FOLDERS)), _frame(1, "train", 0.5)
    spoiled = _frame(3, "validation", 1.0)
    broken = spoiled.assign(
        correct=1.0 - spoiled["correct"], lenient_correct=1.0, error=np.where(spoiled["attempt"] == 0, "timeout", None)
    )
    held = [_frame(2, "validation", 0.0), spoiled, broken, made.head(0)]
    first = Context("v001", made, made, held[0], empty_signals(), recipe=Config())
    return [harness.run(replace(first, validation=validation)) for validation in held]


def test_every_metric_that_moves_with_validation_rows_is_hidden_from_an_agent(reports):
    names = {name for report in reports for name in report.metrics}
    moved = {name for name in names if len({report.metrics.get(name) for report in reports}) > 1}
    assert "answer_reading_rate" in moved and "solve_rate" in names
    assert moved - VALIDATION_METRICS == set()


def test_what_diagnostics_of_validation_rows_measure_is_hidden_whether_it_moved_or_not(reports):
    harness, made = Harness(PLUGINS, HarnessConfig(plugins=FOLDERS)), _frame(1, "train", 0.5)
    context = Context("v001", made, made, made.assign(correct=1.0), empty_signals(), recipe=Config())
    measured = harness.run(context, only=sorted(VALIDATION_DIAGNOSTICS)).metrics
    of_training = {"reward_outcome_corr"}
    assert measured.keys() - VALIDATION_METRICS == of_training
    assert len({report.metrics["reward_outcome_corr"] for report in reports}) == 1


def test_every_diagnostic_whose_findings_move_with_validation_rows_is_hidden_from_an_agent(reports):
    def by_name(report: HarnessReport) -> dict[str, list[str]]:
        by_diagnostic: dict[str, list[str]] = {}
        for finding in report.findings:
            by_diagnostic.setdefault(finding.diagnostic, []).append(finding.model_dump_json())
        return by_diagnostic

    found = [by_name(report) for report in reports]
    names = {name for one in found for name in one}
    moved = {name for name in names if any(one.get(name) != found[0].get(name) for one in found)}
    assert moved
    assert moved - VALIDATION_DIAGNOSTICS == set()


class Watched(Context):
    """A context that records from which instances its validation rows are read."""

    def __getattribute__(self, name: str) -> object:
        if name == "validation":
            READ_FROM.append(self)
        return super().__getattribute__(name)


READ_FROM: list[Context] = []


def test_the_list_names_the_diagnostics_that_read_validation_rows():
    harness, made = Harness(PLUGINS, HarnessConfig(plugins=FOLDERS)), _frame(1, "train", 0.5)
    given = Watched("v001", made, made, _frame(2, "validation", 0.0), empty_signals(), recipe=Config())
    reading = set()
    for name in harness.diagnostics:
        READ_FROM.clear()
        harness.run(given, only=[name])
        # The harness itself reads the given context to copy its frames; a diagnostic reads the copy.
        if any(one is not given for one in READ_FROM):
            reading.add(name)
    assert reading == VALIDATION_DIAGNOSTICS
