"""A revision of the harness: decisions on the gaps of a generation and on the cards in force.

    gaps of closed versions ─► revisions by rule or author ─► retrospective gate ─► accepted, provisional, refused
    cards in force ────────────────────────────────────────► the same gate      ─► kept, accepted, expired

A revision is a pure function of stored evidence, lineage, gaps, the plugins before it and what the author answered.
An author's diagnostics are asked first, since they cost what was paid for them; rules answer what they leave open.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from evotrainer.campaign.labels import MIN_EACH
from evotrainer.config import HarnessConfig
from evotrainer.config.criteria import holds
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.cards import SOURCES, Card, Cost, Plugin
from evotrainer.diagnosis.evolved.gate import Judged, RetrospectiveGate
from evotrainer.diagnosis.evolved.grammar import is_outcome_metric
from evotrainer.diagnosis.evolved.isolated import PluginLimits, read_plugins
from evotrainer.diagnosis.evolved.left_cards import AUTHOR as MEMORY
from evotrainer.diagnosis.evolved.limits import judge_limit, limit_revision
from evotrainer.diagnosis.evolved.measure import Rows, value_of
from evotrainer.diagnosis.evolved.order_revision import best_layer, judge_order, order_revision
from evotrainer.diagnosis.evolved.plugin_inputs import PluginInput
from evotrainer.diagnosis.evolved.proposals import plugin_of, threshold_on
from evotrainer.diagnosis.evolved.recalled import MAX_RECALLED, lacking, recalled
from evotrainer.diagnosis.evolved.search import Grammar, terms_shown
from evotrainer.diagnosis.evolved.stored import Stored
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import Decision, Entry, Gap, RememberedCard, VersionRecord

MAX_GAPS = 6
"""Most gaps that one revision answers, the newest first."""
MAX_CANDIDATES = 3
"""Most terms that the gate judges for one gap, without those that repeat a metric."""
MAX_LOOKED_AT = 12
"""Most terms considered for one gap, with those that repeat a metric."""
_KINDS = ("unexplained_score", "failed_prediction", "contradiction", "uncovered_contrast")
"""Kinds of gaps, in the order in which they are answered."""


Author = Callable[[Sequence[Gap], Sequence[str]], Sequence[Plugin]]
"""(open gaps, names that are taken) -> plugins whose cards name the gaps that they answer."""


@dataclass
class Reviser:
    """What a revision is made from, and its decisions."""

    root: Path
    config: HarnessConfig
    stored: Sequence[Stored]
    records: Sequence[VersionRecord]
    before_of: Callable[[str], PluginInput | None]
    """Returns the plugin input of a version's incumbent."""
    date: str
    seed: int
    level: float
    """Of what is asked in this revision (gate.level_of)."""
    before: Sequence[Plugin]
    """The evolved diagnostics that were in force, and those that expired."""
    author: Author | None = None
    """Writes diagnostics for gaps beside the rules; None for a campaign whose trainer agent writes none."""
    remembered: Sequence[RememberedCard] = ()
    """Cards of earlier campaigns, the best first: candidates like any."""
    plugins: list[Plugin] = field(default_factory=list)
    """After the revision, expired ones among them."""
    decisions: list[Decision] = field(default_factory=list)
    _moved: dict[tuple[tuple[str, float], ...], Harness] = field(default_factory=dict, init=False)
    _explained: set[str] = field(default_factory=set, init=False)
    """Versions that an accepted card alarms on."""
    _gone: set[str] = field(default_factory=set, init=False)
    """Metrics of cards that expired."""
    _drafts: Sequence[Plugin] = field(default=(), init=False)
    """What the author wrote."""

    @cached_property
    def harness(self) -> Harness:
        """The harness before the revision."""
        return Harness(self.root, self.config, self.before)

    @cached_property
    def grammar(self) -> Grammar:
        """Every metric that a search may ask about, on the labelled versions."""
        return Grammar(self.stored, self.seed)

    @cached_property
    def gate(self) -> RetrospectiveGate:
        """The retrospective gate on the stored versions, which cards in force are judged by."""
        return self._gate(self.harness)

    @cached_property
    def gate_for_new(self) -> RetrospectiveGate:
        """The gate that judges new cards, without the cards that expired."""
        kept = [plugin.card.name for plugin in self.plugins if plugin.card.is_in_force]
        if kept == [plugin.card.name for plugin in self.before if plugin.card.is_in_force]:
            return self.gate
        return self._gate(Harness(self.root, self.config, self.plugins))

    def _gate(self, harness: Harness) -> RetrospectiveGate:
        return RetrospectiveGate(self.stored, harness, self.grammar, self._limits, self.level)

    def revise(self, gaps: Sequence[Gap]) -> None:
        """Judge the cards in force again, then answer the gaps that none of them answers."""
        ranked = sorted(self.before, key=lambda plugin: plugin.card.kind not in SOURCES)
        renewed = {plugin.card.name: self._renewed(plugin) for plugin in ranked}
        self.plugins = [renewed[plugin.card.name] for plugin in self.before]
        self._drafts = self._asked(list(self._open(gaps)))
        self._note_lacking()
        entered = 0
        for gap in self._open(gaps):
            if entered == self.config.max_new_diagnostics:
                break
            entered += self._answer(gap)

    def _renewed(self, plugin: Plugin) -> Plugin:
        """Return a plugin with the gate's new decision."""
        card = plugin.card
        if not card.is_in_force:
            self._gone.add(card.name)
            return plugin
        if card.alarm is not None and card.alarm.metric in self._gone:
            judged = Judged(None, f"{card.alarm.metric}, which it bounds, has expired")
        elif card.order:
            judged = judge_order(card, self.records, self.seed, self.level, is_new=False)
        elif card.limits:
            judged = judge_limit(card, self.stored, self._finds, self.level, is_new=False)
        else:
            judged = self.gate.judge(plugin, is_new=False)
        self._learn(card, judged)
        renewed = plugin.model_copy(update={"card": judged.entered(card)})
        is_same = renewed.card.status == card.status
        self._note(plugin, judged, "kept" if is_same else "accepted" if judged.status else "expired")
        return renewed

    def _learn(self, card: Card, judged: Judged) -> None:
        """Keep what follows from a judged card for the others."""
        if judged.status is None:
            self._gone.add(card.name)
        elif judged.status == "accepted":
            self._explained |= judged.alarmed

    def _open(self, gaps: Sequence[Gap]) -> Iterator[Gap]:
        """Yield the gaps that no card in force answers: scores before contrasts, the newest first, a column once."""
        answered = {plugin.card.gap for plugin in self.plugins if plugin.card.is_in_force}
        newest = sorted(gaps, key=lambda gap: gap.version, reverse=True)
        asked: set[tuple[str, ...]] = set()
        for gap in sorted(newest, key=lambda gap: _KINDS.index(gap.kind)):
            text = text_of(gap)
            what = (gap.kind, *gap.columns) if gap.kind == "uncovered_contrast" else (text,)
            is_explained = gap.version in self._explained and (_is_fall(gap) or gap.kind == "failed_prediction")
            if text in answered or what in asked or is_explained:
                continue
            if len(asked) == MAX_GAPS:
                return
            asked.add(what)
            yield gap

    def _answer(self, gap: Gap) -> bool:
        """Judge the revisions that answer a gap; return whether one entered."""
        asked = False
        for plugin, judged in self._revisions(gap):
            asked = True
            outcome = judged.status or "refused"
            assert outcome != "expired"
            self._note(plugin, judged, outcome)
            if judged.status:
                self._learn(plugin.card, judged)
                self.plugins.append(plugin.model_copy(update={"card": judged.entered(plugin.card, self._cost(plugin))}))
                return True
        if not asked:
            self._note_nothing(gap)
        return False

    def _revisions(self, gap: Gap) -> Iterator[tuple[Plugin, Judged]]:
        if gap.kind == "failed_prediction" and best_layer(self.records) is not None:
            order = self.harness.evolved.order
            found = order_revision(gap, self.records, order, self.date, self._taken(), self.seed, self.level)
            if found and found[1].status:
                yield found
        if self._is_too_few:
            return
        yield from self._written(gap)
        yield from self._recalled(gap)
        if gap.kind == "contradiction":
            reports = self.gate_for_new.reports
            found = limit_revision(gap, self.stored, reports, self._finds, self.date, self._taken(), self.level)
            if found:
                yield found
        else:
            yield from self._metrics(gap, self._taken())

    def _asked(self, gaps: Sequence[Gap]) -> Sequence[Plugin]:
        """Return what the author writes; nothing where the gate could not judge it, so that it costs nothing."""
        if self.author is None or not gaps or self._is_too_few:
            return ()
        return self.author(gaps, self._taken())

    def _written(self, gap: Gap) -> Iterator[tuple[Plugin, Judged]]:
        """Yield what the author wrote for a gap, with the gate's decision: that of a fall must alarm on what fell."""
        own = next((one for one in self.stored if one.is_audit and one.version == gap.version), None)
        for plugin in self._drafts:
            alarm = plugin.card.alarm
            if plugin.card.gap != text_of(gap) or alarm is None:
                continue
            read = read_plugins([plugin], [own.plugin_input], self._limits).by_input[0] if own else {}
            value = read[plugin.card.name].metrics.get(alarm.metric) if read else None
            answers = _answers(gap, plugin, value)
            yield (
                plugin,
                self.gate_for_new.judge(plugin) if answers else Judged(None, f"it says nothing of {gap.version}"),
            )

    def _recalled(self, gap: Gap) -> Iterator[tuple[Plugin, Judged]]:
        """Yield what earlier campaigns found that may answer a gap, with the gate's decision."""
        own = next((one for one in self.stored if one.is_audit and one.version == gap.version), None)
        found = recalled(self.remembered, gap, self.stored, self.date, self._taken())
        for _, plugin in itertools.islice(found, MAX_RECALLED):
            term = plugin.card.term
            value = value_of(term, Rows(own.plugin_input.rows)) if own and term else None
            if plugin.card.limits:
                yield plugin, judge_limit(plugin.card, self.stored, self._finds, self.level)
            elif _answers(gap, plugin, value):
                yield plugin, self.gate_for_new.judge(plugin)

    def _note_lacking(self) -> None:
        """Say once which remembered cards read columns that this domain lacks."""
        for known in () if self._is_too_few else self.remembered:
            if missing := lacking(known, self.stored):
                reason = f"the attempts of this domain have no column {', '.join(missing)}"
                kind = "threshold" if known.limits else "metric"
                self.decisions.append(
                    Decision(
                        plugin=known.name,
                        kind=kind,
                        gap="",
                        gap_kind="",
                        outcome="refused",
                        reason=reason,
                        formula=known.formula,
                        recalled=known.name,
                    )
                )

    @property
    def _limits(self) -> PluginLimits:
        return PluginLimits(self.config.plugin_seconds, self.config.plugin_megabytes)

    @property
    def _is_too_few(self) -> bool:
        """Whether there are too few labelled versions to judge a metric or a limit by them."""
        return min(self.grammar.counts) < MIN_EACH

    def _metrics(self, gap: Gap, taken: list[str]) -> Iterator[tuple[Plugin, Judged]]:
        place = next((i for i, one in enumerate(self.stored) if one.is_audit and one.version == gap.version), None)
        after = self.stored[place].plugin_input if place is not None else None
        shown = terms_shown(gap, self.grammar, self.before_of(gap.version), after, self.seed)
        asked = 0
        for candidate in self.grammar.candidates(shown, MAX_LOOKED_AT):
            plugin = plugin_of(candidate, gap, self.stored, self.date, taken)
            if plugin is None or not _answers(gap, plugin, after and value_of(candidate.term, Rows(after.rows))):
                continue
            judged = self.gate_for_new.judge(plugin)
            yield plugin, judged
            asked += not judged.twin
            if judged.twin and not is_outcome_metric(judged.twin) and not self._is_bounded(judged.twin):
                values = [report.metrics.get(judged.twin, math.nan) for report in self.gate_for_new.reports]
                bounded = threshold_on(judged.twin, values, gap, self.stored, self.date, taken)
                if bounded is not None and _answers(gap, bounded, values[place] if place is not None else None):
                    yield bounded, self.gate_for_new.judge(bounded)
            if asked == MAX_CANDIDATES:
                return

    def _is_bounded(self, metric: str) -> bool:
        """Return whether a card in force alarms on this metric, so that another bound would repeat it."""
        alarms = [plugin.card.alarm for plugin in self.plugins if plugin.card.is_in_force]
        return any(alarm is not None and alarm.metric == metric for alarm in alarms)

    def _finds(self, limits: dict[str, float], mode: str, context: Context) -> bool:
        """Return whether a mode is found under moved limits; asks only the diagnostics that ever found it."""
        key = tuple(sorted(limits.items()))
        if key not in self._moved:
            changed = HarnessConfig(**{**vars(self.config), "thresholds": {**self.config.thresholds, **limits}})
            self._moved[key] = Harness(self.root, changed, [])
        harness = self._moved[key]
        found_by = {f.diagnostic for report in self.gate.reports for f in report.findings if f.mode == mode}
        return any(harness.finds(mode, name, context) for name in sorted(found_by & set(harness.diagnostics)))

    def _taken(self) -> list[str]:
        metrics = {name for report in self.gate_for_new.reports for name in report.metrics}
        return sorted(metrics | {plugin.card.name for plugin in self.plugins} | set(self.harness.diagnostics))

    def _cost(self, plugin: Plugin) -> Cost | None:
        if plugin.card.kind not in SOURCES:
            return None
        return Cost(
            num_columns=len(plugin.card.columns),
            seconds=self.config.plugin_seconds,
            megabytes=self.config.plugin_megabytes,
        )

    def _note(self, plugin: Plugin, judged: Judged, outcome: Entry) -> None:
        self.decisions.append(
            Decision(
                plugin=plugin.card.name,
                kind=plugin.card.kind,
                gap=plugin.card.gap,
                gap_kind=plugin.card.gap_kind,
                outcome=outcome,
                reason=judged.reason,
                formula=plugin.card.formula,
                separation=judged.separation,
                false_alarms=judged.false_alarms,
                recalled=plugin.card.author.removeprefix(MEMORY) if plugin.card.author.startswith(MEMORY) else "",
            )
        )

    def _note_nothing(self, gap: Gap) -> None:
        good, bad = self.grammar.counts
        reason = (
            f"{good} known-good and {bad} known-bad versions are too few to judge a revision"
            if self._is_too_few
            else "no term of the grammar and no limit answers it"
        )
        self.decisions.append(
            Decision(plugin="", kind="", gap=text_of(gap), gap_kind=gap.kind, outcome="refused", reason=reason)
        )


def text_of(gap: Gap) -> str:
    """Return a gap as cards and decisions name it."""
    return f"{gap.version}: {gap.message}"


def _is_fall(gap: Gap) -> bool:
    return gap.kind == "unexplained_score" and gap.numbers.get("difference", 0.0) < 0


def _answers(gap: Gap, plugin: Plugin, value: float | None) -> bool:
    """Return whether a card answers a gap: that of a fall only where it alarms on the version that fell."""
    alarm = plugin.card.alarm
    if not _is_fall(gap) or alarm is None:
        return True
    return value is not None and holds(alarm, {alarm.metric: value}) is True
