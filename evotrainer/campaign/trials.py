"""Versions and imported trials side by side: labels, the kept ones, the chain to the best, and skill of predictions.

promoted                                       keep
kept, rejected, inconclusive                   discard
invalid, or a side-effect limit broken         disqualified
refused by its backtest, or without candidate  preflight_crash
failed                                         its own label where that is one of the nine, else crash
attempts lost to infrastructure                harness_abort

trials/NAME/trials.json holds the records of an imported table; no campaign. Trials that infrastructure ended and those
without a valid score are no evidence about a prediction. Source of the measures: G. W. Brier 1950; E. B. Wilson 1927.
"""

import difflib
import math
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

from pydantic import Field

from evotrainer.campaign.documents import Document, in_declared_order
from evotrainer.campaign.lineage import came_true, gain, observed_shift
from evotrainer.errors import LineageError
from evotrainer.records import (
    LOST_ATTEMPTS,
    TRIAL_LABELS,
    VALID_LABELS,
    WITHOUT_RECIPE,
    Better,
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
        raise LineageError(f"no imported lineage {name} ({hint})")
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
