"""The retrospective gate: the evidence that an evolved diagnostic needs on the stored versions before it takes effect.

A card must run on every stored set of evidence, give the same number for the rows in another order, separate known-bad
from known-good versions, raise no alarm on healthy evidence, repeat no existing metric, and keep its limits of time and
memory. It is accepted with at least five versions of either label and a separation that the whole grammar rarely shows
by chance. With fewer versions it is provisional.

Every card in force is judged again when more versions are closed, and expires where it fails. Where versions are too
few to judge, only a false alarm ends it. Whether it repeats a metric or a finding is asked of a new card alone,
because one in force is among them.

`values` point to bad as they grow: those of an alarm below a bound change their sign.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from evotrainer.campaign.labels import ENOUGH_EACH, MIN_EACH
from evotrainer.config.criteria import holds
from evotrainer.diagnosis.evolved.cards import SOURCES, Card, Cost, Plugin, Status
from evotrainer.diagnosis.evolved.gaps import RESTATES_SCORE
from evotrainer.diagnosis.evolved.isolated import PluginLimits, Reading, read_plugins
from evotrainer.diagnosis.evolved.measure import Array
from evotrainer.diagnosis.evolved.search import Grammar
from evotrainer.diagnosis.evolved.separation import false_alarms, separation
from evotrainer.diagnosis.evolved.stored import Stored
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import FalseAlarms, HarnessReport, Separation

CAMPAIGN_LEVEL = 0.05
"""Chance that a campaign ever accepts a card of a kind where the labels mean nothing; `level_of` shares it out."""
MIN_AREA = 0.8
MIN_CAUGHT = 0.5
MAX_CORRELATION = 0.95
MIN_BLOCKS = 8
"""Blocks with both metrics known, below which two metrics are not compared."""
MAX_BLOCKS = 16
"""Blocks that the harness runs on to find whether a new metric repeats one of its own."""
MAX_SHUFFLED = 4
"""Audits whose rows are shuffled to find whether a metric depends on their order."""
_SHUFFLE_SEED = 0


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
    twin: str = ""
    """The existing metric that it would repeat."""
    alarmed: frozenset[str] = frozenset()
    """Versions on whose own rows it raises its alarm."""

    def entered(self, card: Card, cost: Cost | None = None) -> Card:
        """Return the card with its new record; a card that failed is expired."""
        changes = {
            "separation": self.separation or card.separation,
            "false_alarms": self.false_alarms,
            "cost": cost or card.cost,
            "status": self.status or "expired",
            "expired_because": "" if self.status else self.reason,
        }
        return card.model_copy(update=changes)


@dataclass(frozen=True)
class RetrospectiveGate:
    """All stored evidence under the harness in force. Expensive results are computed on first use."""

    stored: Sequence[Stored]
    harness: Harness
    grammar: Grammar
    limits: PluginLimits
    level: float
    """Of a card's separation, in this revision."""
    _entered: dict[str, set[int]] = field(default_factory=dict, init=False)
    """Indices of known-bad sets of evidence on which each card that entered here alarms."""

    @cached_property
    def reports(self) -> list[HarnessReport]:
        """Reports of the harness in force, in the order of `stored`."""
        return [self.harness.run(one.context) for one in self.stored]

    @cached_property
    def block_metrics(self) -> list[dict[str, float]]:
        """Its metrics by block of the audits, in order; those of a card that enters are added.

        The harness runs on some of the blocks, evenly drawn; the rest have only what is added.
        """
        parts = [part for one in self.stored if one.is_audit for part in one.blocks]
        chosen = {round(place) for place in np.linspace(0, len(parts) - 1, min(MAX_BLOCKS, len(parts)))}
        return [dict(self.harness.run(part).metrics) if i in chosen else {} for i, part in enumerate(parts)]

    def judge(self, plugin: Plugin, is_new: bool = True) -> Judged:
        """Return the gate's decision on a metric, an analyzer or a bound."""
        card = plugin.card
        assert card.alarm is not None
        if plugin.card.kind in SOURCES:
            inputs, shuffled, blocks = self._read(plugin)
            if failure := next((reading.failure for reading in [*inputs, *shuffled, *blocks] if reading.failure), ""):
                return Judged(None, f"it fails on stored evidence: {failure}")
            if not _repeats(inputs, shuffled):
                return Judged(None, "its number depends on the order of rows")
            values = [reading.metrics.get(card.alarm.metric) for reading in inputs]
            by_block = [reading.metrics.get(card.alarm.metric) for reading in blocks]
        else:
            values = [report.metrics.get(card.alarm.metric) for report in self.reports]
            by_block = [metrics.get(card.alarm.metric) for metrics in self.block_metrics]
        judged = self._separates(card, values, by_block, is_new)
        if judged.status is None or not is_new:
            return judged
        alarms = self._alarms(card, values)
        caught = {i for i, one in enumerate(self.stored) if one.label == "bad" and alarms[i]}
        judged = self._repeated(plugin, judged, by_block, caught) or judged
        if judged.status is not None:
            self._add(card.alarm.metric, by_block)
            self._entered[card.name] = caught
        return judged

    def _add(self, name: str, by_block: Sequence[float | None]) -> None:
        for metrics, value in zip(self.block_metrics, by_block, strict=True):
            if value is not None:
                metrics[name] = value

    def _read(self, plugin: Plugin) -> tuple[list[Reading], list[Reading], list[Reading]]:
        """Return readings of all inputs, of some audits with their rows shuffled, and of the blocks of the audits."""
        inputs = [one.plugin_input for one in self.stored]
        audits = [one for one in self.stored if one.is_audit]
        shuffled = [one.shuffled(_SHUFFLE_SEED) for one in audits[:MAX_SHUFFLED]]
        blocks = [part for one in audits for part in one.block_inputs]
        read = read_plugins([plugin], [*inputs, *shuffled, *blocks], self.limits).by_input
        found = [readings[plugin.card.name] for readings in read]
        border = len(inputs) + len(shuffled)
        return found[: len(inputs)], found[len(inputs) : border], found[border:]

    def _alarms(self, card: Card, values: Sequence[float | None]) -> list[bool]:
        assert card.alarm is not None
        return [
            value is not None
            and len(one.context.graded) >= self.harness.thresholds.min_rows
            and holds(card.alarm, {card.alarm.metric: value}) is True
            for one, value in zip(self.stored, values, strict=True)
        ]

    def _separates(
        self, card: Card, values: Sequence[float | None], by_block: Sequence[float | None], is_new: bool
    ) -> Judged:
        assert card.alarm is not None
        sign = 1.0 if card.alarm.operator in (">", ">=") else -1.0
        alarms = self._alarms(card, values)
        known = [i for i, one in enumerate(self.stored) if one.label and values[i] is not None]
        found = separation(
            [sign * (values[i] or 0.0) for i in known],
            [alarms[i] for i in known],
            [self.stored[i].label == "bad" for i in known],
            p_value=self._chance(values, by_block),
        )
        silent = false_alarms([alarm for one, alarm in zip(self.stored, alarms, strict=True) if one.is_healthy])
        alarmed = frozenset(
            one.version for one, alarm in zip(self.stored, alarms, strict=True) if alarm and one.is_audit
        )
        return replace(decide(found, silent, self.level, is_new, card.status), alarmed=alarmed)

    def _chance(self, values: Sequence[float | None], by_block: Sequence[float | None]) -> float:
        """Return the chance of the separation over the whole grammar; 1 where it is not measured on each version."""
        own = [value for one, value in zip(self.stored, values, strict=True) if one.is_audit and one.label]
        if min(self.grammar.counts) < MIN_EACH or any(value is None for value in own):
            return 1.0
        return self.grammar.chance(np.array(own, dtype=float), self._errors(by_block))

    def _errors(self, by_block: Sequence[float | None]) -> Array:
        """Return the standard error of the value of each labelled version, by what it is on the blocks of its rows."""
        errors, place = [], 0
        for one in (one for one in self.stored if one.is_audit):
            count = len(one.blocks)
            own = np.array([value for value in by_block[place : place + count] if value is not None])
            place += count
            if one.label:
                errors.append(own.std(ddof=1) / math.sqrt(len(own)) if len(own) > 1 else 0.0)
        return np.array(errors)

    def _repeated(
        self, plugin: Plugin, judged: Judged, by_block: Sequence[float | None], caught: set[int]
    ) -> Judged | None:
        """Return a refusal where another metric, or another finding, already separates the bad versions.

        A mode that restates the score does not count: labels are made of scores, so it would refuse every card.
        """
        if plugin.card.kind in SOURCES and (twin := self._twin(by_block)):
            return Judged(None, f"it repeats {twin}", judged.separation, judged.false_alarms, twin)
        healthy = {i for i, one in enumerate(self.stored) if one.is_healthy}
        modes = {finding.mode for report in self.reports for finding in report.findings}
        for mode in sorted(modes - RESTATES_SCORE):
            alarmed = {
                i
                for i, report in enumerate(self.reports)
                if any(f.mode == mode and f.severity != "info" for f in report.findings)
            }
            if caught <= alarmed and not alarmed & healthy:
                return Judged(None, f"{mode} already finds these versions", judged.separation, judged.false_alarms)
        for name, alarmed in self._entered.items():
            if caught <= alarmed:
                return Judged(None, f"{name} already finds these versions", judged.separation, judged.false_alarms)
        return None

    def _twin(self, by_block: Sequence[float | None]) -> str:
        """Return the existing metric that moves most with this one over the blocks of all audits; "" for none.

        The correlation is taken within good and within bad versions. Over all versions any two metrics that separate
        the labels correlate, the solve rate too.
        """
        own = np.array([np.nan if value is None else value for value in by_block])
        labels = np.array([one.label for one in self.stored if one.is_audit for _ in one.blocks])
        similarity: dict[str, float] = {}
        for name in sorted({name for metrics in self.block_metrics for name in metrics}):
            other = np.array([metrics.get(name, np.nan) for metrics in self.block_metrics])
            known = np.isfinite(own) & np.isfinite(other)
            if known.sum() >= MIN_BLOCKS:
                similarity[name] = _similarity(own[known], other[known], labels[known])
        twin = max(similarity, key=lambda name: similarity[name], default="")
        return twin if similarity.get(twin, 0.0) >= MAX_CORRELATION else ""


def _similarity(one: Array, other: Array, labels: np.ndarray) -> float:
    """Return the correlation of two metrics, without its sign, around their means within each label."""
    first, second = one.copy(), other.copy()
    for label in np.unique(labels):
        own = labels == label
        first[own] -= first[own].mean()
        second[own] -= second[own].mean()
    spread = math.sqrt(float(first @ first) * float(second @ second))
    is_moving = spread > 1e-12 * (1 + float(np.abs(one).max() * np.abs(other).max()))
    return abs(float(first @ second)) / spread if is_moving else 0.0


def decide(found: Separation, silent: FalseAlarms, level: float, is_new: bool, status: Status) -> Judged:
    """Return the status that follows from a separation and its false alarms.

    A card in force has the same conditions as a new one, but keeps its status where versions are too few.
    """
    fewest = min(found.num_good, found.num_bad)
    if silent.num_alarms:
        healthy = f"{silent.num_alarms} of {silent.num_healthy} healthy sets of evidence"
        return Judged(None, f"it raises a false alarm on {healthy}", found, silent)
    if fewest < MIN_EACH:
        reason = f"{found.num_good} known-good and {found.num_bad} known-bad versions are too few to judge it"
        return Judged(None if is_new else status, reason, found, silent)
    if found.area < MIN_AREA or found.caught < MIN_CAUGHT:
        alarmed = f"area {found.area:.2f}, {found.caught:.0%} of known-bad versions caught"
        return Judged(None, f"it does not separate: {alarmed}", found, silent)
    if fewest < ENOUGH_EACH:
        reason = f"separates {found.num_good} known-good from {found.num_bad} known-bad versions: too few to accept it"
        return Judged("provisional" if is_new else status, reason, found, silent)
    if found.p_value > level:
        reason = (
            "a search over the whole grammar finds as clear a separation by chance "
            f"(p {found.p_value:.3f}, level {level:.4f})"
        )
        return Judged(None, reason, found, silent)
    reason = f"separates {found.num_good} known-good from {found.num_bad} known-bad versions (p {found.p_value:.3f})"
    return Judged("accepted", reason, found, silent)


def _repeats(first: Sequence[Reading], second: Sequence[Reading]) -> bool:
    """Return whether the audits, which come first among the inputs, gave the same numbers twice."""
    return all(_alike(one.metrics, other.metrics) for one, other in zip(first, second, strict=False))


def _alike(one: dict[str, float], other: dict[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        math.isclose(one[name], other[name], rel_tol=1e-9, abs_tol=1e-12) for name in one
    )
