"""What a page is over: files of any trainer, or a campaign. Each reads what there is, and tells when that changed."""

import glob
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import diff_versions, reigns
from evotrainer.campaign.repository import open_versions, read_records
from evotrainer.campaign.running import live_state
from evotrainer.config import load_config
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.judgement import SEVERITIES
from evotrainer.diagnosis.step_numbers import step_numbers
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.errors import DataError
from evotrainer.evidence.foreign.files import marks_of
from evotrainer.evidence.foreign.reading import ForeignRows, read_foreign_rows
from evotrainer.evidence.store import read_table
from evotrainer.evidence.views import evidence_paths
from evotrainer.records import Finding, HarnessReport, VersionRecord
from evotrainer.report.data import version_data
from evotrainer.report.decision import decision
from evotrainer.report.figures import trajectory_figure
from evotrainer.view.rows import ShownRows

NAMED_SPLITS = ("train", "probe", "validation")
"""Splits whose gold answers a person may see: all but those that a certificate or a bench is made from."""
Derive = Callable[[ForeignRows], Evidence]
Judge = Callable[[ForeignRows, Evidence], HarnessReport]


@dataclass(frozen=True, eq=False)
class Seen:
    """What there is to show at one moment."""

    rows: ShownRows | None = None
    """None where there is no row, as in a campaign that was cloned without its evidence."""
    overview: Sequence[str] = ()
    findings: Sequence[Mapping[str, Any]] = ()
    unjudged: Sequence[Mapping[str, Any]] = ()
    numbers: Mapping[str, Any] | None = None
    versions: Mapping[str, Any] | None = None
    is_judged: bool = False


class FilesSource:
    """Rows of any trainer: a file, a folder or a pattern."""

    def __init__(
        self, path: Path, read: Callable[[], ForeignRows], derive: Derive, judge: Judge, tokenizer: Path | None
    ) -> None:
        """Take what reads the files, what derives columns, and what finds faults: diagnostics stand above this."""
        self.name, self.tokenizer = str(path), tokenizer
        self._path, self._read, self._derive, self._judge = path, read, derive, judge

    def signature(self) -> object:
        """Return what differs once a file grew, came or went."""
        return marks_of(self._path)

    def look(self) -> tuple[Seen, Callable[[], Seen]]:
        """Return the rows, and what judges them: that takes longer, and the page need not wait."""
        foreign = self._read()
        return Seen(ShownRows(foreign.rows.table, foreign.messages, {})), lambda: self._judged(foreign)

    def _judged(self, foreign: ForeignRows) -> Seen:
        evidence = self._derive(foreign)
        report = self._judge(foreign, evidence)
        keys = _keys([one.mode for one in report.findings])
        places = {
            key: evidence.places.get(one.message, _NOWHERE) for key, one in zip(keys, report.findings, strict=True)
        }
        return Seen(
            rows=ShownRows(evidence.table, foreign.messages, places),
            overview=report.overview,
            findings=[_finding(key, one, places[key]) for key, one in zip(keys, report.findings, strict=True)],
            unjudged=[one.model_dump() for one in report.unjudged],
            numbers=_numbers(evidence),
            is_judged=True,
        )

    def tokens(self, row: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the tokens of an attempt: those that its own row holds."""
        return [{"turn": None, **row["tokens"]}] if row["tokens"] else []

    def gold(self, problem_id: str) -> str:
        """Return nothing: a row of another trainer holds its gold answer itself, or nobody knows it."""
        return ""

    def numbers(self, version: str) -> Mapping[str, Any] | None:
        """Return nothing: rows of other trainers are one run."""
        return None


class CampaignSource:
    """A campaign: its versions, and every stored attempt outside of the sealed split."""

    def __init__(self, files: CampaignFiles, derive: Derive) -> None:
        """Take the campaign's files."""
        self.name, self._files, self._derive = files.root.name, files, derive
        config = load_config(files.config)
        self._domain = config.domain
        policy = Path(config.policy.path) if config.policy.path else files.policy(config.policy.name)
        self.tokenizer: Path | None = files.root / policy
        self._numbers: dict[tuple[str, object], Mapping[str, Any] | None] = {}

    def signature(self) -> object:
        """Return what differs once a stage or a version ended, or another stage runs."""
        patterns = ("*/verdict.json", "*/audit.json", "*/**/digests.json")
        found = [path for pattern in patterns for path in sorted(self._files.versions.glob(pattern))]
        return _signature(found), live_state(self._files).words

    def look(self) -> tuple[Seen, Callable[[], Seen] | None]:
        """Return everything; nothing is left to judge, since the harness did that."""
        foreign = self._stored()
        records = read_records(self._files)
        found = sorted(
            (one for record in reversed(records) for one in record.findings),
            key=lambda one: SEVERITIES.index(one.severity),
        )
        keys = _keys([f"{one.version} {one.mode}" for one in found])
        places = {key: _places(foreign, one) for key, one in zip(keys, found, strict=True)}
        rows = ShownRows(foreign.rows.table, foreign.messages, places) if foreign is not None else None
        state = live_state(self._files)
        return Seen(
            rows=rows,
            overview=[
                state.words.replace("`", ""),
                *(f"{one.subject} {one.stage}: {one.line}".removesuffix(": ") for one in state.stages),
            ],
            findings=[_finding(key, one, places[key]) for key, one in zip(keys, found, strict=True)],
            versions=_versions(self._files, records),
            is_judged=True,
        ), None

    def _stored(self) -> ForeignRows | None:
        """Return all rows, their `stage` beside; raises EvidenceError for a file that is not as it was recorded."""
        evidence_paths(self._files, "all_trajectories")
        pattern = f"{glob.escape(str(self._files.versions))}/**/trajectories/*.parquet"
        if not glob.glob(pattern, recursive=True):  # noqa: PTH207 - the pattern is what is read next
            return None
        foreign = read_foreign_rows(Path(pattern))
        table = foreign.rows.table
        start = len(self._files.versions.parts)
        stages = {one: Path(one).parts[start + 1] for one in table["file"].unique().to_pylist()}
        stage = pa.array([stages[one] for one in table["file"].to_pylist()])
        rows = replace(foreign.rows, table=table.append_column("stage", stage))
        return replace(foreign, rows=rows)

    def tokens(self, row: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the sampled tokens of an attempt by turn, from the file beside that of its row."""
        path = Path(row["columns"]["file"])
        path = path.parent.parent / "tokens" / path.name
        if not path.is_file():
            return []
        wanted = ["turn", "token_ids", "logprobs", "in_loss"]
        return pq.read_table(path, columns=wanted, filters=[("trajectory_id", "=", row["id"])]).to_pylist()

    def gold(self, problem_id: str) -> str:
        """Return the gold answer of a problem; nothing for one of the sealed split, or where problems are not here."""
        return self._gold.get(problem_id, "")

    @cached_property
    def _gold(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for split in NAMED_SPLITS:
            with suppress(DataError):
                found |= {one.problem_id: one.answer for one in load_problems(self._files.root, self._domain, split)}
        return found

    def numbers(self, version: str) -> Mapping[str, Any] | None:
        """Return the numbers by step of a version's training; None where it did not train."""
        folder = self._files.version(version).training
        if not (folder / "trajectories").is_dir():
            return None
        key = version, _signature(sorted(folder.rglob("*.parquet")))
        if key not in self._numbers:
            evidence = self._derive(read_foreign_rows(folder / "trajectories"))
            self._numbers[key] = _numbers(evidence, read_table(folder, "signals"))
        return self._numbers[key]

    def diff(self, first: str, second: str) -> Mapping[str, Any]:
        """Return what sets two versions apart; raises LineageError for one that is not closed."""
        found = diff_versions(self._files, first, second)
        return asdict(found) | {"leading": found.leading}


_NOWHERE = np.zeros(0, np.int64)


def _signature(paths: Sequence[Path]) -> tuple[tuple[str, int, int], ...]:
    stats = [(path, path.stat()) for path in paths]
    return tuple((str(path), found.st_size, found.st_mtime_ns) for path, found in stats)


def _keys(names: Sequence[str]) -> list[str]:
    """Return a key for each finding that a link can hold: its name, numbered where it is not the first of that name."""
    return [f"{name} {again + 1}" if (again := names[:place].count(name)) else name for place, name in enumerate(names)]


def _finding(key: str, finding: Finding, places: np.ndarray) -> dict[str, Any]:
    return finding.model_dump(mode="json") | {"key": key, "num_rows": len(places)}


def _places(foreign: ForeignRows | None, finding: Finding) -> np.ndarray:
    """Return the places of the attempts that a stored finding names."""
    if foreign is None:
        return _NOWHERE
    names = pc.SetLookupOptions(pa.array(finding.trajectory_ids, pa.string()))
    return np.flatnonzero(pc.call_function("is_in", [foreign.rows.table["trajectory_id"]], names).to_numpy())


def _numbers(evidence: Evidence, signals: pa.Table | None = None) -> dict[str, Any]:
    found = step_numbers(evidence, signals)
    shown = [
        {name: getattr(one, name) for name in ("name", "label", "unit", "meaning", "advice")} for one in found.numbers
    ]
    by_name = [one | {"values": found.values[one["name"]], "red": found.red[one["name"]]} for one in shown]
    return {"steps": found.steps, "attempts": found.attempts, "changed_at": found.changed_at, "numbers": by_name}


def _versions(files: CampaignFiles, records: Sequence[VersionRecord]) -> dict[str, Any]:
    """Return the versions with what was decided of each and why, and the trajectory of their scores as a figure."""
    confidence, closed = load_config(files.config).evaluate.confidence, list(records)
    data = [version_data(files, record, closed) for record in closed]
    kept = ("version", "parents", "change", "verdict", "against_incumbent")
    shown = [
        {name: one[name] for name in kept} | {"lines": decision(record, closed, confidence)}
        for one, record in zip(data, closed, strict=True)
    ]
    promoted = [record.spec.version for record in closed if record.verdict.outcome == "promoted"]
    return {
        "versions": shown,
        "open": open_versions(files, [record.spec.version for record in closed]),
        "trajectory": str(trajectory_figure(data, reigns(closed))) if data else "",
        "changed_at": [None, *(promoted or [one["version"] for one in shown])][-1],
    }
