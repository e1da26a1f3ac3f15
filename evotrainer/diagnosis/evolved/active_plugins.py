"""The evolved diagnostics in force: their metrics, alarms, moved limits and order of findings.

An alarm is a warning at most, since the few labelled versions of a campaign bound no false-alarm rate more closely. The
alarm of a provisional card is an info, because such cards may be chance. A card that moves another diagnostic's limit
takes effect once it is accepted; before, it is only recorded.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evotrainer.config import HarnessConfig, content_hash
from evotrainer.config.criteria import holds
from evotrainer.diagnosis.context import Context, plugin_failure, rounded
from evotrainer.diagnosis.evolved.cards import SOURCES, Card, Plugin
from evotrainer.diagnosis.evolved.isolated import PluginLimits, Reading, read_plugins
from evotrainer.diagnosis.evolved.plugin_inputs import plugin_input_of
from evotrainer.diagnosis.finding_order import DEFAULT_ORDER
from evotrainer.records import Condition, Finding

OPPOSITE: dict[str, str] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}


@dataclass(frozen=True)
class Contribution:
    """What the evolved diagnostics add to a report."""

    metrics: dict[str, float] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


class ActivePlugins:
    """The plugins whose cards have not expired."""

    def __init__(self, plugins: Sequence[Plugin], config: HarnessConfig) -> None:
        self.plugins = [plugin for plugin in plugins if plugin.card.is_in_force]
        self._limits = PluginLimits(config.plugin_seconds, config.plugin_megabytes)

    @property
    def cards(self) -> list[Card]:
        """The cards in force, by name."""
        return [plugin.card for plugin in self.plugins]

    @property
    def limits(self) -> dict[str, float]:
        """Limits of thresholds.py that accepted cards have moved."""
        moved = [card.limits for card in self.cards if card.status == "accepted"]
        return {name: value for limits in moved for name, value in limits.items()}

    @property
    def order(self) -> str:
        """Which layer comes first."""
        orders = [card for card in self.cards if card.order]
        chosen = sorted(orders, key=lambda card: (card.status != "accepted", card.name))
        return chosen[0].order or DEFAULT_ORDER if chosen else DEFAULT_ORDER

    @property
    def guards(self) -> list[Condition]:
        """What accepted cards define as healthy: the opposites of their alarms."""
        alarms = [card.alarm for card in self.cards if card.alarm is not None and card.status == "accepted"]
        return [alarm.model_copy(update={"operator": OPPOSITE[alarm.operator]}) for alarm in alarms]

    @property
    def identity(self) -> dict[str, Any]:
        """What the evolved diagnostics add to the harness version; empty where there are none."""
        parts = {plugin.card.name: _definition(plugin) for plugin in self.plugins}
        return {"evolved": parts} if parts else {}

    def judge(self, context: Context, metrics: Mapping[str, float]) -> Contribution:
        """Return the plugins' metrics and the alarms that hold, given the metrics of the other diagnostics."""
        sourced = [plugin for plugin in self.plugins if plugin.card.kind in SOURCES]
        readings = read_plugins(sourced, [plugin_input_of(context)], self._limits)
        result = Contribution(seconds=readings.seconds)
        for plugin in self.plugins:
            reading = readings.by_input[0].get(plugin.card.name, Reading())
            if failure := _failure(reading, metrics):
                result.findings.append(plugin_failure(context, plugin.card.name, failure))
                continue
            result.metrics.update({name: rounded(value) for name, value in reading.metrics.items()})
            known = result.metrics | dict(metrics)
            if _is_alarm(plugin.card, known, len(context.graded), context.thresholds.min_rows):
                result.findings.append(_alarm(context, plugin.card, known, reading))
        return result


def _definition(plugin: Plugin) -> str:
    """Return the hash of a plugin's metric and alarm, without its record on stored versions."""
    card = plugin.card.model_dump(include={"kind", "columns", "alarm", "limits", "order"})
    status = plugin.card.status if plugin.card.limits or plugin.card.order else ""
    return content_hash({**card, "source": hashlib.sha256(plugin.source.encode()).hexdigest(), "status": status})


def _failure(reading: Reading, metrics: Mapping[str, float]) -> str:
    taken = sorted(set(reading.metrics) & set(metrics))
    return reading.failure or (f"reports {taken[0]}, which another diagnostic reports" if taken else "")


def _is_alarm(card: Card, metrics: dict[str, float], num_rows: int, min_rows: int) -> bool:
    return card.alarm is not None and num_rows >= min_rows and holds(card.alarm, metrics) is True


def _alarm(context: Context, card: Card, metrics: Mapping[str, float], reading: Reading) -> Finding:
    assert card.alarm is not None
    value, bound = metrics[card.alarm.metric], card.alarm.value
    record = card.separation
    worth = f"; this holds for {record.caught:.0%} of {record.num_bad} known-bad versions" if record else ""
    doubt = " (provisional)" if card.status == "provisional" else ""
    severity = "warning" if card.status == "accepted" else "info"
    return Finding(
        mode=card.name,
        severity=severity,
        diagnostic=card.name,
        version=context.version,
        message=f"{card.formula} is {value:.4g}, {card.alarm.operator} {bound:.4g}{worth}{doubt}",
        numbers={card.alarm.metric: rounded(value)},
        thresholds={card.alarm.metric: rounded(bound)},
        trajectory_ids=reading.trajectory_ids,
    )
