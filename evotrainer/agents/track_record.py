"""What the lineage teaches a proposer: which directions failed, which paid, how often its predictions were right.

A *direction* is a factor with, for each changed key, the sign of the change, or the new value where it is no number.
Down-weighting follows a Beta posterior whose prior weighs as much as `PRIOR_TRIALS` outcomes.
"""

from collections.abc import Sequence
from typing import Any

from evotrainer.campaign.lineage import best_chain, came_true, gain
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.interventions import Diff
from evotrainer.config.validation import multiplied
from evotrainer.records import VersionRecord

PRIOR_TRIALS = 4.0

Direction = tuple[tuple[str, Any], ...]


def direction(diff: Diff) -> Direction:
    """Return the direction of a diff: equal for learning rates x2 and x4, unlike for x2 and /2."""
    return tuple((key, _sign(old, new)) for key, (old, new) in sorted(diff.items()))


def failed_directions(records: Sequence[VersionRecord], incumbent: str) -> dict[Direction, str]:
    """Return {direction: version} of what was tried and did not pay.

    Trained versions count for the whole campaign, ones that a backtest refused for the same incumbent only: replay on
    other evidence may accept them.
    """
    failed = {}
    for record in records:
        if record.intervention is None or record.spec.kind == "merge" or not record.was_trial:
            continue
        lost = record.verdict.outcome in ("rejected", "invalid", "failed") or (gain(record) or 0.0) < 0
        counts = record.spec.incumbent == incumbent if record.was_refused else lost
        if counts:
            failed[direction(record.intervention.diff)] = record.spec.version
    return failed


def continuations(
    records: Sequence[VersionRecord], config: Config, incumbent: str
) -> list[tuple[VersionRecord, dict[str, Any]]]:
    """Return settings one more step along the numeric directions that paid, with the version that showed it.

    A direction paid when its version was promoted on the way to the incumbent, or was kept with a gain over it: too
    small a step to show, perhaps. Where fresh training seeds say that the recipe is no better, one seed was lucky.
    """
    chain = set(best_chain(records))
    flat = flatten(config_to_dict(config))
    found = []
    for record in reversed(records):
        if record.intervention is None or record.spec.kind == "merge" or record.attribution == "NOT_FIRED":
            continue
        promoted = record.verdict.outcome == "promoted" and record.spec.version in chain
        hopeful = record.verdict.outcome == "kept" and record.spec.incumbent == incumbent
        if promoted or (hopeful and (gain(record) or 0.0) > 0):
            setting = _further(record.intervention.diff)
            if setting and any(flat[key] != value for key, value in setting.items()):
                found.append((record, setting))
    return found


def calibrated(
    prior: float, records: Sequence[VersionRecord], factor: str, remembered: tuple[float, float] = (0.0, 0.0)
) -> float:
    """Return a rule's credence after earlier hits and misses; those on its own factor count double.

    `remembered` are the weights of like cases of earlier campaigns in which the factor paid, and did not.
    """
    hits, misses = remembered
    for record in records:
        hit = came_true(record)
        if record.intervention is None or hit is None:
            continue
        weight = 1.0 if factor in record.intervention.factor.split("+") else 0.5
        hits += weight * hit
        misses += weight * (not hit)
    return round((PRIOR_TRIALS * prior + hits) / (PRIOR_TRIALS + hits + misses), 3)


def _further(diff: Diff) -> dict[str, Any]:
    """Return the setting one step beyond, by the same ratio; empty where a key is no positive number."""
    numbers = (int, float)
    setting = {}
    for key, (old, new) in diff.items():
        if isinstance(old, bool) or not isinstance(old, numbers) or not isinstance(new, numbers) or old * new <= 0:
            return {}
        setting[key] = multiplied(key, new, new / old)
    return setting


def _sign(old: Any, new: Any) -> Any:
    if isinstance(old, bool) or not isinstance(old, int | float) or not isinstance(new, int | float):
        return new
    return (new > old) - (new < old)
