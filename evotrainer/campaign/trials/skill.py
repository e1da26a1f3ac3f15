"""How good predictions are: sign accuracy, calibration of sizes and probabilities, Brier score, by who predicted.

    sign accuracy    share of decided predictions whose direction came true, with the Wilson interval
    slope            least squares of observed on predicted change through 0: 1 is calibrated, near 0 says nothing
    bias             mean of observed minus predicted change
    Brier            mean of (probability - came true)^2; `reference` is what always saying the hit rate would score
    gap              mean stated probability minus hit rate: above 0 is overconfident

Trials that infrastructure ended and those without a valid score are no evidence about a prediction. Source of the
measures: G. W. Brier 1950; E. B. Wilson 1927.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

from pydantic import Field

from evotrainer.records import VALID_LABELS, Trial
from evotrainer.records.base import Record


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
