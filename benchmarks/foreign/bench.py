"""Draw bodies of foreign evidence, diagnose each as a person would, and count what was found and what was false.

A body is written as JSONL and read by `evotrainer diagnose --trajectories`. A fault counts as found where a finding of
one of its modes is a warning or worse. A healthy body is accused where a finding is critical or invalid.
"""

import contextlib
import io
import json
import tempfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.foreign.case import Kind
from tasks.diagnose.stage import diagnose_rows

LOUD = ("critical", "invalid")
JUDGED = ("warning", *LOUD)


@dataclass(frozen=True)
class Body:
    """One body's result."""

    part: str
    kind: str
    seed: int
    modes: tuple[str, ...]
    findings: tuple[tuple[str, str, str], ...]
    """Severity, mode and message of each finding."""

    @property
    def is_found(self) -> bool:
        """Whether the fault was found."""
        return any(severity in JUDGED and mode in self.modes for severity, mode, _ in self.findings)

    def has(self, *severities: str) -> bool:
        """Whether a finding has one of these severities."""
        return any(severity in severities for severity, _, _ in self.findings)


def measure(
    parts: dict[str, Sequence[Kind]], num_seeds: int, tell: Callable[[str], None] = lambda line: None
) -> list[Body]:
    """Return the results of `num_seeds` bodies of each kind."""
    bodies = []
    for part, kinds in parts.items():
        for kind in kinds:
            drawn = [measure_body(part, kind, seed) for seed in range(num_seeds)]
            bodies += drawn
            tell(_line(part, kind, drawn))
    return bodies


def measure_body(part: str, kind: Kind, seed: int) -> Body:
    """Return the result of one body; its draws depend on part, kind and seed alone."""
    rng = np.random.default_rng([zlib.crc32(f"{part}/{kind.name}".encode()), seed])
    findings = diagnosed(kind.build(rng), kind.source)
    return Body(part, kind.name, seed, kind.modes, findings)


def diagnosed(rows: Iterable[dict], source: str = "") -> tuple[tuple[str, str, str], ...]:
    """Return severity, mode and message of what the harness finds in rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rollouts.jsonl"
        path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
        return read_and_diagnosed(path, source)


def read_and_diagnosed(path: Path, source: str = "") -> tuple[tuple[str, str, str], ...]:
    """Return severity, mode and message of what the harness finds in files."""
    with contextlib.redirect_stderr(io.StringIO()):
        report = diagnose_rows(path, source=source)
    return tuple((found.severity, found.mode, found.message) for found in report.findings)


def _line(part: str, kind: Kind, drawn: Sequence[Body]) -> str:
    if kind.is_faulty:
        return f"{part:<14}{kind.name:<36}found in {sum(body.is_found for body in drawn)} of {len(drawn)}"
    loud = sorted({f"{s} {mode}" for body in drawn for s, mode, _ in body.findings if s in LOUD})
    count = sum(body.has(*LOUD) for body in drawn)
    return f"{part:<14}{kind.name:<36}accused in {count} of {len(drawn)} {', '.join(loud)}".rstrip()
