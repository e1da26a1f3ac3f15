"""Read a table of trials: tab-separated, one trial a row, the columns of arXiv 2605.05724's records.

`exp_id`, `specialist` and `status` must be there; the score is the column after `status` unless one is named. Other
numeric columns are kept under their names. Each row that is left out, or in which something is odd, is noted with its
line. A row whose last columns were written into its hypothesis, tabs turned to spaces, is taken apart again.
"""

import csv
import hashlib
import io
import re
import statistics
from collections.abc import Sequence
from pathlib import Path

from evotrainer.errors import EvidenceError
from evotrainer.records import TRIAL_LABELS, Better, ImportNote, Trial, TrialSet

REQUIRED = ("exp_id", "specialist", "status")
TEXTS = (
    *REQUIRED,
    *("timestamp", "parent_exp", "baseline_exp", "domain", "hypothesis", "job_name", "snapshot_path", "notes"),
)
_STATUSES = (*TRIAL_LABELS, "baseline")


def read_trials(path: Path, name: str, score: str = "", better: Better | None = None) -> TrialSet:
    """Return the trials of a file, as a lineage of this name.

    Raises:
        EvidenceError: no table of trials, no such column, or no kept trial that shows which scores are better.

    """
    try:
        rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""), delimiter="\t")
    except (OSError, UnicodeDecodeError) as error:
        raise EvidenceError(f"{path} is no table of trials: {error}") from None
    header = [column.strip() for column in next(rows, [])]
    if missing := [column for column in REQUIRED if column not in header]:
        raise EvidenceError(f"{path} is no table of trials: its first line lacks the column {', '.join(missing)}")
    score = score or next(iter(header[header.index("status") + 1 :]), "")
    if score not in header:
        raise EvidenceError(f"{path} has no column {score!r}: choose --score from {', '.join(header)}")
    notes: list[ImportNote] = []
    trials: dict[str, Trial] = {}
    line = 2
    for row in rows:
        cells = _cells(header, row)
        trial = _trial(cells, score, trials) if cells else None
        if trial is None or trial.trial_id in trials:
            why = "repeated id" if trial else "width" if any(row) else "blank"
            notes.append(ImportNote(line=line, kind=why, text=f"{len(row)} of {len(header)} columns: left out"))
        else:
            trials[trial.trial_id] = trial
            if len(row) != len(header):
                notes.append(ImportNote(line=line, kind="flattened", text="its last columns were restored"))
            if trial.label == "unrecorded":
                notes.append(ImportNote(line=line, kind="status", text=f"{cells['status']!r} is no outcome"))
        line = rows.line_num + 1
    return TrialSet(
        name=name,
        source=path.name,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        score_name=score,
        better=better or _direction(path, list(trials.values())),
        trials=list(trials.values()),
        notes=notes,
    )


def _cells(header: Sequence[str], row: list[str]) -> dict[str, str]:
    """Return {column: cell} of a row; empty where its columns cannot be told."""
    status, width = header.index("status"), len(header)
    if status < len(row) < width and row[status].strip().lower() in _STATUSES:
        row = [*row, *[""] * (width - len(row))]  # a program that trims its lines takes blank last columns with it
    elif row and len(row) <= status:
        head = r" (\S*)" * (status - len(row)) + rf" ({'|'.join(_STATUSES)}) "
        for found in reversed(list(re.finditer(head, row[-1]))):
            tail = row[-1][found.end() :].split(" ", width - status - 2)
            made = dict(zip(header, [*row[:-1], row[-1][: found.start()], *found.groups(), *tail], strict=False))
            if len(made) == width and all(
                _number(made[key]) is not None for key in made if key not in TEXTS and made[key]
            ):
                return made
    return dict(zip(header, row, strict=True)) if len(row) == width and any(cell.strip() for cell in row) else {}


def _trial(cells: dict[str, str], score: str, earlier: dict[str, Trial]) -> Trial:
    """Return a row as a trial; a change that it does not give is measured from the best of its time, or its parent."""
    status = cells["status"].strip().lower()
    found = {key: _number(cell) for key, cell in cells.items() if key not in TEXTS}
    numbers = {key: value for key, value in found.items() if value is not None}
    named = [cells.get(key, "").strip().removeprefix("exp_") for key in ("parent_exp", "baseline_exp")]
    parents = [name for name in named[:1] if name in earlier]
    value, expected, delta = (numbers.pop(key, None) for key in (score, "expected_delta", "delta_vs_best"))
    start = earlier.get(named[1]) or (earlier[parents[0]] if parents else None)
    if delta is None and value is not None and start is not None and start.score is not None:
        delta = round(value - start.score, 9)
    return Trial(
        trial_id=cells["exp_id"].strip(),
        specialist=cells["specialist"].strip() or "unknown",
        label=status if status in _STATUSES else "unrecorded",  # type: ignore[arg-type]
        parents=parents,
        against=named[1],
        hypothesis=cells.get("hypothesis", ""),
        expected=expected,
        score=value,
        delta=delta,
        hit=expected * delta > 0 if expected and delta is not None else None,
        time=cells.get("timestamp", ""),
        numbers=numbers,
        snapshot=cells.get("snapshot_path", ""),
        notes=cells.get("notes", ""),
    )


def _number(cell: str) -> float | None:
    """Return the number of a cell; agents also write minus_0.0003."""
    try:
        value = float(re.sub(r"^(minus|negative)_?", "-", cell.strip()))
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def _direction(path: Path, trials: Sequence[Trial]) -> Better:
    changes = [trial.delta for trial in trials if trial.label == "keep" and trial.delta]
    if not changes:
        raise EvidenceError(f"{path}: no kept trial shows which scores are better: say --better lower or higher")
    return "lower" if statistics.median(changes) < 0 else "higher"
