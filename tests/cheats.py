"""Planted cheats and their healthy controls, examined the way an audit does: training rows beside validation rows."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from benchmarks.failure_modes import find_failure_mode
from benchmarks.fault_injection.measure import detectors_of
from evotrainer.records import HarnessReport, Trajectory
from evotrainer.records.evidence import CHECKS
from tests.examination import base_harness, examine
from tests.healthy_code import healthy_code
from tests.healthy_swe import healthy_swe

TOLD = {"critical", "invalid"}


def healthy(domain: str, seed: int, *, has_judge: bool = False) -> list[Trajectory]:
    """Return train rows and validation rows of one version, of other problems each."""
    return list(_healthy(domain, seed, has_judge))


@cache
def _healthy(domain: str, seed: int, has_judge: bool) -> Sequence[Trajectory]:
    rng = np.random.default_rng(seed)
    if domain == "swe":
        return healthy_swe(rng, num_groups=16) + healthy_swe(rng, split="validation")
    return [
        *healthy_code(rng, num_groups=16, has_judge=has_judge),
        *healthy_code(rng, split="validation", has_judge=has_judge),
    ]


def planted(mode: str, seed: int, strength: float) -> list[Trajectory]:
    """Return the healthy rows of that seed with a mode planted."""
    chosen = find_failure_mode(mode)
    rows = healthy(chosen.domain, seed, has_judge=mode == "judge_hacking")
    return chosen.inject(rows, strength, np.random.default_rng(seed + 10_000))


def audit(rows: Sequence[Trajectory], mode: str | None = None) -> HarnessReport:
    """Return what the base harness says of one version: all of it, or the diagnostics that can name a mode."""
    trained = [row for row in rows if row.split != "validation"]
    held = [row for row in rows if row.split == "validation"]
    only = detectors_of(base_harness(), mode) if mode else None
    return examine(base_harness(), trained, validation=held, only=only)


def without_checks(rows: Sequence[Trajectory], *names: str) -> list[Trajectory]:
    """Return the rows as a grader leaves them that does not measure these checks, or none at all."""
    return [_unmeasured(row, names) for row in rows]


def told(report: HarnessReport) -> dict[str, str]:
    """Return the worst severity by mode, of what is more than information."""
    found: dict[str, str] = {}
    for finding in report.findings:
        if finding.severity != "info":
            found.setdefault(finding.mode, finding.severity)
    return found


def _unmeasured(row: Trajectory, names: Sequence[str]) -> Trajectory:
    known = row.extra.get(CHECKS, {})
    kept = {name: value for name, value in known.items() if names and name not in names}
    return row.model_copy(update={"extra": {**row.extra, CHECKS: kept}})
