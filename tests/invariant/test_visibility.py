"""Of validation an agent sees score and interval: whatever else of a report moves with validation rows is hidden."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evotrainer.agents.base import agent_report
from evotrainer.config import Config, HarnessConfig
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.frames import empty_signals
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.schema import CHECK_PREFIX
from evotrainer.evidence.visibility import VALIDATION_METRICS, rests_on_validation
from evotrainer.records import HarnessReport
from evotrainer.records.evidence import MEANINGS
from tests.evidence_rows import healthy_rows
from tests.examination import base_harness
from tests.own_diagnostics import write_diagnostics


def _frame(seed: int, split: str, level: float) -> pd.DataFrame:
    """Return attempts on which every check was measured, one in ten at a drawn value and the others at `level`."""
    rng = np.random.default_rng(seed)
    frame = Rows.of(healthy_rows(seed, split=split, num_groups=30)).frame()
    checks = {
        f"{CHECK_PREFIX}{name}": np.where(rng.random(len(frame)) < 0.1, rng.random(len(frame)), level)
        for name in MEANINGS
    }
    return frame.assign(**checks)


@pytest.fixture(scope="module")
def reports() -> list[HarnessReport]:
    """Reports on the same rollout and training beside four unlike validations, the last without any."""
    harness, made = base_harness(), _frame(1, "train", 0.5)
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


def test_what_diagnostics_of_validation_rows_measure_is_hidden_whether_it_moved_or_not():
    harness, made = base_harness(), _frame(1, "train", 0.5)
    context = Context("v001", made, made, made.assign(correct=1.0), empty_signals(), recipe=Config())
    readers = []
    for name in harness.diagnostics:
        view = harness._own_view(context)
        harness._diagnostics[name](view)
        readers += [name] if view.has_read_validation else []
    measured = harness.run(context, only=readers).metrics
    assert measured.keys() - VALIDATION_METRICS == set()


def test_every_finding_that_moves_with_validation_rows_is_hidden_from_an_agent(reports):
    def told(report: HarnessReport, is_hidden: bool) -> list[str]:
        return [one.model_dump_json() for one in report.findings if rests_on_validation(one) == is_hidden]

    assert told(reports[0], True) != told(reports[1], True)
    assert len({tuple(told(report, False)) for report in reports[:3]}) == 1


READ = {"my_tampering": "validation", "my_length": "training"}


@pytest.mark.parametrize("folder", ["integrity", "mine"])
def test_a_finding_on_validation_rows_is_hidden_whatever_its_diagnostic_is_called(tmp_path, folder):
    found = "return Diagnosis(findings=[context.finding('mine', 'warning', str(len(context.FRAME)), {})])"
    bodies = {name: found.replace("FRAME", frame) for name, frame in READ.items()}
    write_diagnostics(tmp_path, folder, **bodies)
    made = _frame(1, "train", 0.5)
    context = Context("v001", made, made, made, empty_signals())
    report = Harness(tmp_path, HarnessConfig(plugins=[folder])).run(context)
    is_own = folder == "mine"
    assert {found.diagnostic: rests_on_validation(found) for found in report.findings} == {
        "my_tampering": True,
        "my_length": is_own,
    }
    rollout = Harness(tmp_path, HarnessConfig(plugins=[folder])).run(replace(context, validation=made.head(0)))
    assert {rests_on_validation(found) for found in rollout.findings} == {is_own}


def test_what_a_persons_own_diagnostic_says_is_shown_to_no_agent(tmp_path):
    body = "return Diagnosis({'rows': 3.0}, [context.finding('mine', 'warning', 'm', {})])"
    write_diagnostics(tmp_path, mine=body, fails="raise ValueError")
    made = _frame(1, "train", 0.5)
    context = Context("v001", made, made, made.head(0), empty_signals())
    report = Harness(tmp_path, HarnessConfig(plugins=["mine"])).run(context)
    assert report.metrics == {"own.rows": 3.0} and {one.mode for one in report.findings} == {"mine", "plugin_failure"}
    assert agent_report(report).metrics == {} and agent_report(report).findings == []
