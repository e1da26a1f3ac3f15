"""Read a table of trials (tab-separated, one trial a row) without losing a row silently.

The columns are those of arXiv 2605.05724's records: `exp_id`, `specialist` and `status` must be there, the score is the
column after `status` unless one is named. Other numeric columns are kept under their names. What is odd is noted with
its line: a blank line, a row of another width, an unknown status, a number that is none, an id that is there twice, a
parent that no row has.

A row whose last columns were written into its hypothesis, tabs turned to spaces, is taken apart again: the status
word and as many fields as the header asks for must follow each other to the end of the row. One that was cut off after
its status has blank last columns.
"""

import csv
import hashlib
import io
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evotrainer.errors import EvidenceError
from evotrainer.records import TRIAL_LABELS, Better, ImportNote, Trial, TrialSet

REQUIRED = ("exp_id", "specialist", "status")
TEXTS = ("timestamp", "parent_exp", "baseline_exp", "domain", "hypothesis", "job_name", "snapshot_path", "notes")
_STATUSES = (*TRIAL_LABELS, "baseline")
_ID_PREFIX = "exp_"


@dataclass
class _Reading:
    """The header of a file and what was odd about its rows."""

    header: list[str]
    score: str
    notes: list[ImportNote] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """Trial -> line where its row begins."""

    def note(self, line: int, kind: str, text: str) -> None:
        self.notes.append(ImportNote(line=line, kind=kind, text=text))


def read_trials(path: Path, name: str, score: str = "", better: Better | None = None) -> TrialSet:
    """Return the trials of a file.

    Args:
        path: the tab-separated file.
        name: of the lineage.
        score: column of the score; empty: the one after `status`.
        better: whether lower or higher scores are better; None: as the kept trials show.

    Raises:
        EvidenceError: no table of trials, no such column, or no kept trial that shows which scores are better.

    """
    content = _content(path)
    rows = csv.reader(io.StringIO(content, newline=""), delimiter="\t")
    header = [column.strip() for column in next(rows, [])]
    reading = _Reading(header, _score_column(path, header, score))
    trials: dict[str, Trial] = {}
    for line, row in _numbered(rows):
        trial = _trial(reading, line, row)
        if trial is not None and trial.trial_id in trials:
            reading.note(line, "repeated id", f"{trial.trial_id} is there before: this row is left out")
        elif trial is not None:
            trials[trial.trial_id] = trial
            reading.lines[trial.trial_id] = line
    found = _linked(reading, list(trials.values()))
    return TrialSet(
        name=name,
        source=path.name,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        score_name=reading.score,
        better=better or _direction(path, found),
        trials=found,
        notes=sorted(reading.notes, key=lambda note: note.line),
    )


def _content(path: Path) -> str:
    if not path.is_file():
        raise EvidenceError(f"{path} {'is a folder: name a file' if path.is_dir() else 'does not exist'}")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise EvidenceError(f"{path} is no UTF-8 text: trials come as a tab-separated table") from None


def _score_column(path: Path, header: Sequence[str], score: str) -> str:
    missing = [column for column in REQUIRED if column not in header]
    if missing:
        raise EvidenceError(f"{path} is no table of trials: its first line lacks the column {', '.join(missing)}")
    if score and score not in header:
        raise EvidenceError(f"{path} has no column {score!r}: choose the score from {', '.join(header)}")
    place = header.index("status") + 1
    if not score and place == len(header):
        raise EvidenceError(f"{path} has no column after status: name the score with --score")
    return score or header[place]


def _numbered(rows: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield (line where the row begins, row); a quoted field may run over several lines."""
    line = 2
    reader = rows
    for row in reader:
        yield line, row
        line = reader.line_num + 1  # type: ignore[attr-defined]


def _trial(reading: _Reading, line: int, row: list[str]) -> Trial | None:
    if not any(cell.strip() for cell in row):
        reading.note(line, "blank", "an empty line")
        return None
    if _lacks_ends(reading, row):
        reading.note(line, "short", f"{len(row)} columns in place of {len(reading.header)}: the last are left blank")
        row = [*row, *[""] * (len(reading.header) - len(row))]
    elif len(row) < len(reading.header):
        restored = _restored(reading, row)
        kind = "flattened" if restored else "width"
        said = "its last columns stood in the hypothesis: taken apart" if restored else "left out"
        reading.note(line, kind, f"{len(row)} columns in place of {len(reading.header)}: {said}")
        row = restored
    elif len(row) > len(reading.header):
        reading.note(line, "width", f"{len(row)} columns in place of {len(reading.header)}: left out")
        return None
    return _built(reading, line, dict(zip(reading.header, row, strict=True))) if row else None


def _lacks_ends(reading: _Reading, row: list[str]) -> bool:
    """Return whether a row stops after its status: a program that trims its lines takes blank last columns with it."""
    place = reading.header.index("status")
    return place < len(row) < len(reading.header) and row[place].strip().lower() in _STATUSES


def _restored(reading: _Reading, row: list[str]) -> list[str]:
    """Return a row whose last columns were flattened into its last cell, or nothing where that is not what happened."""
    status, width = reading.header.index("status"), len(reading.header)
    before = status - len(row)  # columns between the last cell and the status
    if before < 0:
        return []
    head = r" (\S*)" * before + rf" ({'|'.join(_STATUSES)}) "
    for found in reversed(list(re.finditer(head, row[-1]))):
        tail = row[-1][found.end() :].split(" ", width - status - 2)
        restored = [*row[:-1], row[-1][: found.start()], *found.groups(), *tail]
        if len(restored) == width and all(
            _is_number(cell) for name, cell in zip(reading.header, restored, strict=True) if _is_numeric(name)
        ):
            return restored
    return []


def _is_numeric(column: str) -> bool:
    return column not in TEXTS and column not in REQUIRED


def _is_number(cell: str) -> bool:
    return not cell.strip() or _number(cell) is not None


def _number(cell: str) -> float | None:
    """Return the number of a cell; agents also write minus_0.0003."""
    text = re.sub(r"^(minus|negative)_?", "-", cell.strip())
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def _built(reading: _Reading, line: int, cells: dict[str, str]) -> Trial:
    status = cells["status"].strip().lower()
    if status not in _STATUSES:
        reading.note(line, "status", f"{status!r} is no outcome: unrecorded" if status else "blank: unrecorded")
    numbers: dict[str, float] = {}
    for column, cell in cells.items():
        if not _is_numeric(column) or not cell.strip():
            continue
        value = _number(cell)
        if value is None:
            reading.note(line, "number", f"{column} {cell.strip()[:40]!r} is no number: left blank")
        else:
            numbers[column] = value
    return Trial.model_validate(
        {
            "trial_id": cells["exp_id"].strip(),
            "specialist": cells["specialist"].strip() or "unknown",
            "label": status if status in _STATUSES else "unrecorded",
            "parents": [_id(cells.get("parent_exp", ""))] if cells.get("parent_exp", "").strip() else [],
            "against": _id(cells.get("baseline_exp", "")),
            "hypothesis": cells.get("hypothesis", ""),
            "expected": numbers.pop("expected_delta", None),
            "score": numbers.pop(reading.score, None),
            "delta": numbers.pop("delta_vs_best", None),
            "time": cells.get("timestamp", ""),
            "numbers": numbers,
            "snapshot": cells.get("snapshot_path", ""),
            "notes": cells.get("notes", ""),
        }
    )


def _id(cell: str) -> str:
    return cell.strip().removeprefix(_ID_PREFIX)


def _linked(reading: _Reading, trials: list[Trial]) -> list[Trial]:
    """Return the trials with changes, hits, and parents that exist.

    A change that the file does not give is measured from the best of the trial's time, else from its first parent.
    """
    by_id = {trial.trial_id: trial for trial in trials}
    found = []
    for trial in trials:
        unknown = [parent for parent in trial.parents if parent not in by_id]
        if unknown:
            said = f"{trial.trial_id} names parent {unknown[0]}, which no row has: it stands alone"
            reading.note(reading.lines[trial.trial_id], "parent", said)
        parents = [parent for parent in trial.parents if parent in by_id]
        start = by_id.get(trial.against) or (by_id[parents[0]] if parents else None)
        delta = trial.delta
        if delta is None and trial.score is not None and start is not None and start.score is not None:
            delta = round(trial.score - start.score, 9)
        hit = trial.expected * delta > 0 if trial.expected and delta is not None else None
        found.append(trial.model_copy(update={"delta": delta, "hit": hit, "parents": parents}))
    return found


def _direction(path: Path, trials: Sequence[Trial]) -> Better:
    changes = [trial.delta for trial in trials if trial.label == "keep" and trial.delta]
    if not changes:
        raise EvidenceError(f"{path}: no kept trial shows which scores are better: say --better lower or higher")
    return "lower" if statistics.median(changes) < 0 else "higher"
