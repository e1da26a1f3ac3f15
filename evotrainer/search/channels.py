"""Shared measured lineage in four channels (arXiv 2605.05724): what a specialist sees of the others' trials.

    leaderboard    every kept version, the best first
    last trials    the last ten of anybody
    best chain     the versions from the base to the incumbent, with their children
    saturation     a warning for each specialist whose last trials brought nothing

`search.lineage=off` is the control: a specialist then sees the chain to the incumbent, which its own recipe stands on,
and nothing else. What infrastructure ended is in no channel.
"""

from collections.abc import Mapping, Sequence

from evotrainer.campaign.lineage import best_chain, children
from evotrainer.campaign.trials.lineage import leaderboard
from evotrainer.campaign.trials.of_versions import label_of
from evotrainer.records import HIDDEN_LABELS, Trial, VersionRecord
from evotrainer.search.brief import AUTHOR_SIGN, seen_trials, skill_text

LAST_TRIALS = 10
SATURATED_AFTER = 5
"""Trials of a specialist in a row without a keep after which it is warned, and waits for the others."""


def specialist_of(record: VersionRecord) -> str:
    """Return the specialist who wrote a version, empty where none did."""
    return record.intervention.author.partition(AUTHOR_SIGN)[2] if record.intervention else ""


def visible(records: Sequence[VersionRecord], is_shared: bool) -> frozenset[str]:
    """Return the versions whose outcomes a specialist sees."""
    chain = best_chain(records)
    shown = {*chain, *(record.spec.version for record in records if record.spec.kind in ("base", "baseline"))}
    hidden = {record.spec.version for record in records if label_of(record) in HIDDEN_LABELS}
    if is_shared:
        trials = seen_trials(records)
        shown |= {trial.trial_id for trial in [*leaderboard(trials, "higher"), *trials[-LAST_TRIALS:]]}
        shown |= {child for version in chain for child in children(records, version)}
    return frozenset(shown - hidden)


def without_a_keep(records: Sequence[VersionRecord]) -> dict[str, int]:
    """Return {specialist: trials since its last keep}; what infrastructure ended does not count."""
    counts: dict[str, int] = {}
    for record in records:
        name, label = specialist_of(record), label_of(record)
        if name and label not in HIDDEN_LABELS:
            counts[name] = 0 if label == "keep" else counts.get(name, 0) + 1
    return counts


def channel_text(records: Sequence[VersionRecord], is_shared: bool) -> str:
    """Return the four channels as text, for an agent that reads it."""
    if not is_shared:
        return "lineage feedback is off: only the chain to the incumbent is shown"
    trials = seen_trials(records)
    chain = best_chain(records)
    by_id = {trial.trial_id: trial for trial in trials}
    below = [
        f"{version}: {', '.join(name for name in children(records, version) if name in by_id) or 'no children'}"
        for version in chain
    ]
    parts: Mapping[str, list[str]] = {
        "leaderboard": [_line(trial) for trial in leaderboard(trials, "higher")],
        "last trials": [_line(trial) for trial in trials[-LAST_TRIALS:]],
        "best chain and its children": [line for line in below if line.partition(":")[0] in by_id],
        "saturation": _warnings(without_a_keep(records)),
        "predictions so far": skill_text(records).splitlines(),
    }
    return "\n".join(f"{name}:\n" + "\n".join(f"  {line}" for line in lines) for name, lines in parts.items() if lines)


def _warnings(counts: Mapping[str, int]) -> list[str]:
    return [
        f"{name}: {count} trials without a keep: change the kind of edit, or leave the surface to others"
        for name, count in sorted(counts.items())
        if count >= SATURATED_AFTER
    ]


def _line(trial: Trial) -> str:
    score = "no score" if trial.score is None else f"{trial.score:.4f}"
    moved = "" if trial.delta is None else f" ({trial.delta:+.4f})"
    return f"{trial.trial_id} {trial.specialist} {trial.label} {score}{moved}: {trial.change or 'no change'}"
