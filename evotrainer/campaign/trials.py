"""Versions and imported trials side by side: labels, the kept ones, the chain to the best, and skill of predictions.

promoted                                       keep
kept, rejected, inconclusive                   discard
invalid, or a side-effect limit broken         disqualified
refused by its backtest, or without candidate  preflight_crash
failed                                         its own label where that is one of the nine, else crash
attempts lost to infrastructure                harness_abort

trials/NAME/trials.json holds the records of an imported table; no campaign. A table is tab-separated, one trial a row,
the columns of arXiv 2605.05724's records. `exp_id`, `specialist` and `status` must be there; the score is the column
after `status` unless one is named. Other numeric columns are kept under their names. Each row that is left out, or in
which something is odd, is noted with its line. A row whose last columns were written into its hypothesis, tabs turned
to spaces, is taken apart again.

Trials that infrastructure ended and those
without a valid score are no evidence about a prediction. Source of the measures: G. W. Brier 1950; E. B. Wilson 1927.
"""

import csv
import difflib
import hashlib
import io
import math
import re
import statistics
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

from pydantic import Field

from evotrainer.campaign.documents import Document, in_declared_order
from evotrainer.campaign.lineage import came_true, gain, observed_shift
from evotrainer.errors import EvidenceError, LineageError
from evotrainer.records import (
    LOST_ATTEMPTS,
    TRIAL_LABELS,
    VALID_LABELS,
    WITHOUT_RECIPE,
    Better,
    ImportNote,
    Trial,
    TrialLabel,
    TrialSet,
    VersionRecord,
)
from evotrainer.records.base import Record

BROKEN_LIMIT = "harmful"


def label_of(record: VersionRecord) -> TrialLabel:
    """Return how a version ended, as one of the nine labels; `baseline` for the base policy and the campaign's own."""
    verdict = record.verdict
    if verdict.label == LOST_ATTEMPTS:
        return "harness_abort"
    if record.spec.kind in (*WITHOUT_RECIPE, "baseline"):
        return "baseline"
    if verdict.outcome == "failed":
        return verdict.label if verdict.label in TRIAL_LABELS else "crash"  # type: ignore[return-value]
    if record.is_empty or record.was_refused:
        return "preflight_crash"
    if verdict.outcome == "invalid" or _broke_a_limit(record):
        return "disqualified"
    return "keep" if verdict.outcome == "promoted" else "discard"


def trial_of(record: VersionRecord) -> Trial:
    """Return a version as a trial. Sizes are compared where the score was predicted; hits whatever was predicted."""
    made = record.intervention
    predicts_score = made is not None and made.prediction.metric == "score"
    return Trial(
        trial_id=record.spec.version,
        specialist=made.author if made else record.spec.kind,
        label=label_of(record),
        parents=list(record.spec.parents),
        against=record.spec.incumbent,
        hypothesis=made.hypothesis if made else "",
        expected=made.prediction.size if made and predicts_score else None,
        probability=made.prediction.probability if made else None,
        score=record.honest_score,
        delta=observed_shift(record) if predicts_score else gain(record),
        hit=came_true(record) if made else None,
        change=made.change if made else "",
        numbers=dict(record.cost),
    )


def trials_of(records: Sequence[VersionRecord]) -> list[Trial]:
    """Return all versions as trials."""
    return [trial_of(record) for record in records]


def _broke_a_limit(record: VersionRecord) -> bool:
    gate = record.verdict.gate
    return gate is not None and any(limit.outcome == BROKEN_LIMIT for limit in gate.limits)


_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def sign_of(better: Better) -> int:
    """Return 1 where higher scores are better, else -1: a change times this is a gain."""
    return 1 if better == "higher" else -1


def leaderboard(trials: Sequence[Trial], better: Better) -> list[Trial]:
    """Return the kept trials with the baseline, the best first; of equal scores the earlier one."""
    kept = [trial for trial in trials if trial.label in ("keep", "baseline") and trial.score is not None]
    return sorted(kept, key=lambda trial: -sign_of(better) * (trial.score or 0.0))


def best_chain(trials: Sequence[Trial], better: Better) -> list[str]:
    """Return the ids from a root to the best kept trial; empty where nothing was kept or scored."""
    parents = {trial.trial_id: trial.parents[0] for trial in trials if trial.parents}
    chain = [trial.trial_id for trial in leaderboard(trials, better)[:1]]
    while chain and chain[-1] in parents and parents[chain[-1]] not in chain:
        chain.append(parents[chain[-1]])
    return chain[::-1]


def stored_trials(root: Path, name: str) -> Document[TrialSet]:
    """Return the document of a lineage below the checkout `root`; raises LineageError for a name that is no folder."""
    if _NAME.fullmatch(name) is None:
        raise LineageError(f"'{name[:80]}' cannot name a lineage: use lower-case letters, digits, - and _, at most 64")
    return Document(root / "trials" / name / "trials.json", TrialSet, in_declared_order(1))


def find_trials(root: Path, name: str) -> TrialSet:
    """Return a stored lineage; raises LineageError that lists what there is."""
    document = stored_trials(root, name)
    if not document.exists():
        known = sorted(path.parent.name for path in (root / "trials").glob("*/trials.json"))
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.0)
        hint = f"nearest: {', '.join(near)}" if near else "none is imported yet: evotrainer trials FILE.tsv"
        raise LineageError(f"no imported lineage {name} ({hint}); a campaign: evotrainer lineage {name}")
    return document.read()


class Skill(Record):
    """The record of one author's predictions. Changes are in the unit of the score."""

    author: str
    predictions: int
    decided: int = Field(description="predictions that came true or did not; the rest was smaller than the noise")
    hits: int
    low: float = Field(description="lower end of the 95% interval of the hit rate")
    high: float
    slope: float | None
    bias: float | None
    brier: float | None = Field(default=None, description="null where no probability was given")
    reference: float | None = None
    gap: float | None = None

    @property
    def accuracy(self) -> float | None:
        """Share of decided predictions with the right sign."""
        return self.hits / self.decided if self.decided else None


def skill_of(author: str, trials: Sequence[Trial]) -> Skill:
    """Return the record over trials with a prediction and a valid score."""
    valid = [trial for trial in trials if trial.label in VALID_LABELS]
    sizes = [(one.expected, one.delta) for one in valid if one.expected is not None and one.delta is not None]
    decided = [trial.hit for trial in valid if trial.hit is not None]
    stated = [(one.probability, one.hit) for one in valid if one.hit is not None and one.probability is not None]
    square = sum(expected**2 for expected, _ in sizes)
    hits = sum(decided)
    low, high = _wilson(hits, len(decided)) if decided else (0.0, 1.0)
    rate = sum(hit for _, hit in stated) / len(stated) if stated else None
    return Skill(
        author=author,
        predictions=sum(_has_predicted(trial) for trial in valid),
        decided=len(decided),
        hits=hits,
        low=low,
        high=high,
        slope=sum(expected * delta for expected, delta in sizes) / square if square else None,
        bias=sum(delta - expected for expected, delta in sizes) / len(sizes) if sizes else None,
        brier=sum((probability - hit) ** 2 for probability, hit in stated) / len(stated) if stated else None,
        reference=rate * (1 - rate) if rate is not None else None,
        gap=sum(probability for probability, _ in stated) / len(stated) - rate if rate is not None else None,
    )


def _wilson(hits: int, decided: int) -> tuple[float, float]:
    """Return the 95% interval of a hit rate, in closed form: commands that only read do not wait for SciPy."""
    z = NormalDist().inv_cdf(0.975)
    centre = (hits + z * z / 2) / (decided + z * z)
    half = z / (decided + z * z) * math.sqrt(hits * (decided - hits) / decided + z * z / 4)
    return (centre - half if hits else 0.0), (centre + half if hits < decided else 1.0)


def _has_predicted(trial: Trial) -> bool:
    return trial.hit is not None or (trial.expected is not None and trial.delta is not None)


def skills(trials: Sequence[Trial]) -> list[Skill]:
    """Return the record of each author with a valid prediction, by name, and of all together first."""
    authors = sorted({trial.specialist for trial in trials})
    each = [skill_of(author, [trial for trial in trials if trial.specialist == author]) for author in authors]
    return [skill_of("all", trials), *(found for found in each if found.predictions)]


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
