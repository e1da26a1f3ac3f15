"""Shared measured lineage in four channels (arXiv 2605.05724): what a specialist sees of the others' trials.

    leaderboard    every kept version, the best first
    last trials    the last ten of anybody
    best chain     the versions from the base to the incumbent, with their children
    saturation     a warning for each specialist whose last trials brought nothing

`search.lineage=off` is the control: a specialist then sees the chain to the incumbent, which its own recipe stands on,
and nothing else. What infrastructure ended is in no channel.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evotrainer.campaign.lineage import best_chain, children
from evotrainer.campaign.trials.lineage import leaderboard
from evotrainer.campaign.trials.of_versions import label_of
from evotrainer.records import HIDDEN_LABELS, Trial, VersionRecord
from evotrainer.search.brief import AUTHOR_SIGN, seen_trials, skill_text

LAST_TRIALS = 10
SATURATED_AFTER = 5
"""Turns of a specialist in a row without a keep after which it is warned, and waits for the others."""


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


@dataclass(frozen=True)
class Turns:
    """How often a specialist was on turn, and how often since its last keep.

    A turn in which it had nothing lawful to propose counts as `SATURATED_AFTER` without a keep. What infrastructure
    ended does not count.
    """

    taken: int = 0
    without_keep: int = 0

    @property
    def is_saturated(self) -> bool:
        """Whether the specialist waits until the others are saturated too."""
        return self.without_keep >= SATURATED_AFTER

    def after(self, record: VersionRecord) -> "Turns":
        """Return the turns with one more version."""
        label = label_of(record)
        if label in HIDDEN_LABELS:
            return self
        worth = SATURATED_AFTER if record.is_empty else 1
        return Turns(self.taken + 1, 0 if label == "keep" else self.without_keep + worth)


def turns(records: Sequence[VersionRecord], names: Sequence[str]) -> dict[str, Turns]:
    """Return the turns that each of these specialists had.

    Who wrote a version stands in its author. One without a candidate names nobody: its slot had the specialist whose
    turn it was when its generation was planned.
    """
    found = dict.fromkeys(names, Turns())
    for _, members in itertools.groupby(records, key=lambda record: record.spec.generation):
        planned = in_turn(found)
        for record in members:
            is_slot = record.is_empty and record.spec.kind == "candidate" and record.spec.slot < len(planned)
            name = planned[record.spec.slot] if is_slot else specialist_of(record)
            if name in found:
                found[name] = found[name].after(record)
    return found


def in_turn(found: Mapping[str, Turns]) -> list[str]:
    """Return specialists in the order of their turns: fewest turns first, saturated ones last."""
    return sorted(found, key=lambda name: (found[name].is_saturated, found[name].taken))


def channel_text(records: Sequence[VersionRecord], names: Sequence[str], is_shared: bool) -> str:
    """Return the four channels as text, for an agent that reads it; `names` are the specialists who take part."""
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
        "saturation": _warnings(turns(records, names)),
        "predictions so far": skill_text(records).splitlines(),
    }
    return "\n".join(f"{name}:\n" + "\n".join(f"  {line}" for line in lines) for name, lines in parts.items() if lines)


def _warnings(found: Mapping[str, Turns]) -> list[str]:
    return [
        f"{name}: saturated, no keep in its last turns: change the kind of edit, or leave the surface to others"
        for name, turn in sorted(found.items())
        if turn.is_saturated
    ]


def _line(trial: Trial) -> str:
    score = "no score" if trial.score is None else f"{trial.score:.4f}"
    moved = "" if trial.delta is None else f" ({trial.delta:+.4f})"
    return f"{trial.trial_id} {trial.specialist} {trial.label} {score}{moved}: {trial.change or 'no change'}"
