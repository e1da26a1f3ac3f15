"""Evolved plugins as files: a folder of cards with their sources, for tests of what loads and runs them."""

from pathlib import Path
from typing import Any

from evotrainer.diagnosis.evolved.cards import Card, Plugin, save_plugin
from evotrainer.records import Condition

MEAN_LENGTH = "SELECT avg(num_tokens) FROM rows"
EDITS = Condition(metric="edits", operator=">", value=4.0)


def card(name: str, kind: str = "metric", **values: Any) -> Card:
    """Return a card of a metric over num_tokens that never alarms, with some of its values replaced."""
    plain: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "status": "accepted",
        "gap": "v003 fell and nothing says why",
        "gap_kind": "unexplained_score",
        "formula": name,
        "author": "test",
        "date": "demo r01",
    }
    if kind in ("metric", "analyzer"):
        plain |= {"columns": ["num_tokens"], "alarm": Condition(metric=name, operator=">", value=1e9)}
    return Card(**plain | values)


def write_plugins(root: Path, **sources: str) -> Path:
    """Write evolved/<name>: a metric where the source is a SELECT, else an analyzer; return the plugin root."""
    for name, source in sources.items():
        kind = "analyzer" if "def " in source else "metric"
        save_plugin(root / "evolved", Plugin(card=card(name, kind), source=source))
    return root


def edits(status: Any = "provisional", **values: Any) -> Plugin:
    """Return the metric `edits`, which alarms above 4, with some values of its card replaced."""
    made = card("edits", columns=["num_edits"], status=status, **{"alarm": EDITS} | values)
    return Plugin(card=made, source="SELECT avg(num_edits) FROM rows")


def metric(name: str, sql: str, alarm: Condition, *columns: str) -> Plugin:
    """Return a metric with its query, over num_edits where no columns are named."""
    return Plugin(card=card(name, columns=list(columns) or ["num_edits"], alarm=alarm), source=sql)
