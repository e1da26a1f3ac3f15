"""The tree of a trial lineage: who descends from whom, the kept ones, the chain to the best, how labels are spread."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evotrainer.records import TRIAL_LABELS, VALID_LABELS, Better, Trial


def sign_of(better: Better) -> int:
    """Return 1 where higher scores are better, else -1: a change times this is a gain."""
    return 1 if better == "higher" else -1


def leaderboard(trials: Sequence[Trial], better: Better) -> list[Trial]:
    """Return the kept trials with the baseline, the best first; of equal scores the earlier one."""
    kept = [trial for trial in trials if trial.label in ("keep", "baseline") and trial.score is not None]
    return sorted(kept, key=lambda trial: -sign_of(better) * (trial.score or 0.0))


def best_chain(trials: Sequence[Trial], better: Better) -> list[Trial]:
    """Return the trials from a root to the best kept one; empty where nothing was kept or scored."""
    ranked, by_id = leaderboard(trials, better), {trial.trial_id: trial for trial in trials}
    if not ranked:
        return []
    chain = [ranked[0]]
    while chain[-1].parents and chain[-1].parents[0] in by_id:
        parent = by_id[chain[-1].parents[0]]
        if parent in chain:
            break
        chain.append(parent)
    return chain[::-1]


def children(trials: Sequence[Trial], trial_id: str) -> list[Trial]:
    """Return the trials that build on one."""
    return [trial for trial in trials if trial_id in trial.parents]


def tree_lines(trials: Sequence[Trial]) -> list[str]:
    """Return the tree as lines, indented by depth: trials that others build on, and kept ones; leaves are counted.

    A parent that comes after its child in the file cannot be drawn under itself: each trial is drawn once.
    """
    below: dict[str, list[Trial]] = {}
    for trial in trials:
        for parent in trial.parents[:1]:
            below.setdefault(parent, []).append(trial)
    lines: list[str] = []
    waiting = [(trial, 0) for trial in reversed(trials) if not trial.parents and trial.trial_id in below]
    drawn: set[str] = set()
    while waiting:
        trial, depth = waiting.pop()
        if trial.trial_id in drawn:
            continue
        drawn.add(trial.trial_id)
        own = below.get(trial.trial_id, [])
        shown = [child for child in own if child.trial_id in below or child.label == "keep"]
        leaves = Counter(child.label for child in own if child not in shown)
        lines.append("  " * depth + _spelled(trial, leaves))
        waiting += [(child, depth + 1) for child in reversed(shown)]
    return lines


def _spelled(trial: Trial, leaves: Counter[str]) -> str:
    score = "" if trial.score is None else f" {trial.score:.5f}"
    rest = ", ".join(f"{count} {label}" for label, count in leaves.most_common())
    crossed = f" with {' and '.join(trial.parents[1:])}" if len(trial.parents) > 1 else ""
    return f"{trial.trial_id}{crossed} {trial.specialist} {trial.label}{score}" + (f"  + {rest}" if rest else "")


def label_counts(trials: Sequence[Trial]) -> dict[str, dict[str, int]]:
    """Return {specialist: {label: trials}} with all nine labels, and `unrecorded` where there are any."""
    counts: dict[str, Counter[str]] = {}
    for trial in trials:
        if trial.label != "baseline":
            counts.setdefault(trial.specialist, Counter())[trial.label] += 1
    labels = [*TRIAL_LABELS, *(["unrecorded"] if any(found["unrecorded"] for found in counts.values()) else [])]
    return {name: {label: found[label] for label in labels} for name, found in sorted(counts.items())}


@dataclass(frozen=True)
class NoiseBound:
    """An upper bound on the noise of one trial's change, for records in which no trial was repeated."""

    value: float
    num_trials: int
    kept_below: int
    """Kept trials whose gain is smaller than this."""
    num_kept: int


def noise_bound(trials: Sequence[Trial]) -> NoiseBound | None:
    """Return 1.4826 times the median distance of valid changes from their median; None for fewer than five.

    The spread of changes holds the effects of the edits beside the noise: the noise is at most this. What a repeated
    trial would show is smaller, and no record tells by how much.
    """
    changes = [trial.delta for trial in trials if trial.label in VALID_LABELS and trial.delta is not None]
    if len(changes) < 5:
        return None
    middle = statistics.median(changes)
    value = 1.4826 * statistics.median(abs(change - middle) for change in changes)
    kept = [abs(trial.delta) for trial in trials if trial.label == "keep" and trial.delta is not None]
    return NoiseBound(value, len(changes), sum(change < value for change in kept), len(kept))
