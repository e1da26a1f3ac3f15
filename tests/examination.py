"""Running the whole base harness over made rows, for tests that plant faults and for healthy controls."""

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.fault_injection.measure import detectors_of
from evotrainer.config import Config, HarnessConfig
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.frames import Frame, empty_signals
from evotrainer.evidence.rows import Rows
from evotrainer.records import Finding, HarnessReport, Signals, Trajectory, VersionRecord

PLUGINS = Path(__file__).parents[1] / "harness_plugins"


@cache
def base_harness() -> Harness:
    """Return the harness of the repository, loaded once."""
    return Harness(PLUGINS, HarnessConfig())


def examine(
    harness: Harness,
    rows: list[Trajectory] | None = None,
    training: list[Trajectory] | None = None,
    signals: list[Signals] | None = None,
    validation: list[Trajectory] | None = None,
    recipe: Config | None = None,
    reference: VersionRecord | None = None,
    start: Mapping[str, float] | None = None,
    only: Collection[str] | None = None,
) -> HarnessReport:
    frame = pd.DataFrame([row.model_dump(exclude={"extra"}) for row in signals]) if signals else empty_signals()
    trained = _frame(training)
    diagnosed = trained.copy() if not rows or rows is training else _frame(rows)
    frames = (diagnosed, trained, _frame(validation))
    context = Context("v001", *frames, frame, recipe=recipe, training_recipe=recipe, reference=reference, start=start)
    return harness.run(context, only)


def _frame(rows: list[Trajectory] | None) -> Frame:
    return Rows.of(rows).frame() if rows else _empty_frame().copy()


@cache
def _empty_frame() -> Frame:
    return Rows.of([]).frame()


def modes(report: HarnessReport) -> set[str]:
    return {finding.mode for finding in report.findings}


def named(report: HarnessReport, mode: str) -> Finding:
    found = [finding for finding in report.findings if finding.mode == mode]
    assert found, f"{mode} is not among {modes(report)}"
    assert found[0].severity != "info"
    return found[0]


def finding_of(harness: Harness, mode: str, *evidence: Any, **more: Any) -> Finding:
    """Ask only the diagnostics that can name a mode, and return its finding; arguments are those of `examine`."""
    return named(examine(harness, *evidence, **more, only=detectors_of(harness, mode)), mode)
