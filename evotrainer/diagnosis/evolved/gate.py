"""The retrospective gate: a new card must tell known-bad from known-good stored versions.

Labels come from honest scores (campaign/labels.py). A card must raise no alarm on healthy evidence, and find what no
finding and no other card finds already. It is accepted with at least five versions of either label and a separation
that the search over all shares rarely shows by chance; with fewer versions it is provisional.

Every card in force is judged again when more versions are closed, and expires where it fails. Where versions are too
few to judge, only a false alarm ends it. Whether it repeats a finding is asked of a new card alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import special

from evotrainer.campaign.labels import ENOUGH_EACH, MIN_EACH
from evotrainer.diagnosis.checks import attempt_checks
from evotrainer.diagnosis.evolved.candidates import Search, Stored
from evotrainer.diagnosis.evolved.cards import Card, Status
from evotrainer.diagnosis.evolved.gaps import RESTATES_SCORE
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import FalseAlarms, HarnessReport, Separation

CAMPAIGN_LEVEL = 0.05
"""Chance that a campaign ever accepts a card where the labels mean nothing; `level_of` shares it out."""
MIN_AREA = 0.8
MIN_CAUGHT = 0.5


def level_of(num_versions: int) -> float:
    """Return the level of one revision: an equal share for each that a campaign of so many versions can ask.

    A level is first asked when `ENOUGH_EACH` versions of either label are closed. Every later generation closes at
    least one version more, so that the number of revisions is bounded before the first. By Bonferroni's inequality the
    shares add up to the campaign's level, however the evidence of one revision depends on that of another.
    """
    return CAMPAIGN_LEVEL / max(1, num_versions - 2 * ENOUGH_EACH + 1)


@dataclass(frozen=True)
class Judged:
    """The gate's decision on a card. `status` None: refused, or expired where it was in force."""

    status: Status | None
    reason: str
    separation: Separation | None = None
    false_alarms: FalseAlarms | None = None
    alarmed: frozenset[str] = frozenset()
    """Versions on whose own rows it raises its alarm."""

    def entered(self, card: Card) -> Card:
        """Return the card with its new record; a card that failed is expired."""
        changes = {
            "separation": self.separation or card.separation,
            "false_alarms": self.false_alarms,
            "status": self.status or "expired",
            "expired_because": "" if self.status else self.reason,
        }
        return card.model_copy(update=changes)


@dataclass(frozen=True)
class RetrospectiveGate:
    """All stored evidence under the harness in force. Reports are computed on first use."""

    stored: Sequence[Stored]
    harness: Harness
    search: Search
    level: float
    """Of a card's separation, in this revision."""
    _entered: dict[str, set[int]] = field(default_factory=dict, init=False)
    """Indices of known-bad sets of evidence on which each card that entered here alarms."""

    @cached_property
    def reports(self) -> list[HarnessReport]:
        """Reports of the harness in force, in the order of `stored`."""
        return [self.harness.run(one.context) for one in self.stored]

    def judge(self, card: Card, is_new: bool = True, fell: str = "") -> Judged:
        """Return the decision on a card; a new one for a version that `fell` must alarm on it."""
        verdicts = [attempt_checks([card.check], one.evidence)[0] for one in self.stored]
        if failure := next((one.failure for one in verdicts if one.failure), ""):
            return Judged(None, f"it fails on stored evidence: {failure}")
        shares, alarms = [one.share for one in verdicts], [one.finding is not None for one in verdicts]
        known = [i for i, one in enumerate(self.stored) if one.label and shares[i] is not None]
        separated = separation(
            np.array([shares[i] for i in known], dtype=float),
            np.array([alarms[i] for i in known], dtype=bool),
            np.array([self.stored[i].label == "bad" for i in known], dtype=bool),
            self.search.chance(shares) if min(self.search.counts) >= MIN_EACH else 1.0,
        )
        silent = false_alarms([alarm for alarm, one in zip(alarms, self.stored, strict=True) if one.is_healthy])
        status, reason = decide(separated, silent, self.level, is_new, card.status)
        caught = {i for i, one in enumerate(self.stored) if one.label == "bad" and alarms[i]}
        alarmed = {one.version for one, alarm in zip(self.stored, alarms, strict=True) if alarm}
        if status is not None and is_new:
            if fell and fell not in alarmed:
                status, reason = None, f"it says nothing of {fell}"
            elif finder := self._found_by(caught):
                status, reason = None, f"{finder} already finds these versions"
            else:
                self._entered[card.name] = caught
        return Judged(status, reason, separated, silent, frozenset(alarmed))

    def _found_by(self, caught: set[int]) -> str:
        """Return the mode or card that finds the caught versions and is silent on healthy ones; empty for none.

        A mode that restates the score does not count: labels are made of scores, so it would refuse every card.
        """
        healthy = {i for i, one in enumerate(self.stored) if one.is_healthy}
        found: dict[str, set[int]] = {}
        for i, report in enumerate(self.reports):
            for finding in report.findings:
                if finding.severity != "info" and finding.mode not in RESTATES_SCORE:
                    found.setdefault(finding.mode, set()).add(i)
        alarmed = {mode: places for mode, places in sorted(found.items()) if not places & healthy} | self._entered
        return next((name for name, places in alarmed.items() if caught <= places), "")


def separation(shares: np.ndarray, alarms: np.ndarray, is_bad: np.ndarray, p_value: float) -> Separation:
    """Return how well shares tell bad from good versions."""
    good, bad = shares[~is_bad], shares[is_bad]
    pairs = bad[:, None] - good[None, :]
    return Separation(
        num_good=len(good),
        num_bad=len(bad),
        area=float(((pairs > 0) + 0.5 * (pairs == 0)).mean()) if pairs.size else 0.5,
        caught=float(alarms[is_bad].mean()) if len(bad) else 0.0,
        p_value=p_value,
    )


def false_alarms(alarms: Sequence[bool]) -> FalseAlarms:
    """Return the alarms on healthy evidence with the upper limit of their rate."""
    total, count = len(alarms), sum(alarms)
    high = float(special.betaincinv(count + 1, total - count, 0.95)) if count < total else 1.0
    return FalseAlarms(num_healthy=total, num_alarms=count, high=round(high, 4))


def decide(
    found: Separation, silent: FalseAlarms, level: float, is_new: bool, status: Status
) -> tuple[Status | None, str]:
    """Return the status that follows from a separation and its false alarms, and the reason.

    A card in force has the same conditions as a new one, but keeps its status where versions are too few.
    """
    fewest = min(found.num_good, found.num_bad)
    versions = f"{found.num_good} known-good from {found.num_bad} known-bad versions"
    if silent.num_alarms:
        return None, f"it raises a false alarm on {silent.num_alarms} of {silent.num_healthy} healthy sets of evidence"
    if fewest < MIN_EACH:
        reason = f"{found.num_good} known-good and {found.num_bad} known-bad versions are too few to judge it"
        return None if is_new else status, reason
    if found.area < MIN_AREA or found.caught < MIN_CAUGHT:
        return None, f"it does not separate: area {found.area:.2f}, {found.caught:.0%} of known-bad versions caught"
    if fewest < ENOUGH_EACH:
        return "provisional" if is_new else status, f"separates {versions}: too few to accept it"
    if found.p_value > level:
        return None, f"a search finds as clear a separation by chance (p {found.p_value:.3f}, level {level:.4f})"
    return "accepted", f"separates {versions} (p {found.p_value:.3f})"
