"""Cards: what an evolved diagnostic is, which gap it answers, and its record on the stored versions.

    harness_plugins/evolved/<name>.yaml    the card
                            <name>.sql     kind metric: one SELECT that gives one number
                            <name>.py      kind analyzer: a module with one function, run in the sandbox

There are four kinds. A *metric* is a number over the rows of one version. An *analyzer* also names rows. A *threshold*
bounds a metric of another diagnostic, or moves a limit of thresholds.py. An *order* says which layer of findings comes
first. A card with status `expired` is kept as a record and not loaded.

`date` is a time within the campaign, not of the clock, so that equal campaigns write equal cards.
"""

import re
from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, ValidationError

from evotrainer.campaign.atomic import write_atomic
from evotrainer.config.plain_yaml import load_yaml
from evotrainer.diagnosis.evolved.grammar import Term
from evotrainer.errors import HarnessError
from evotrainer.records import Condition, FalseAlarms, Record, Separation

NAME = re.compile(r"[a-z][a-z0-9_]{0,79}")
SOURCES = {"metric": ".sql", "analyzer": ".py"}

Kind = Literal["metric", "analyzer", "threshold", "order"]
Status = Literal["provisional", "accepted", "expired"]
Order = Literal["score-first", "signal-first", "behaviour-first"]


class Cost(Record):
    """Limits of a card and the columns it reads. A card that needs more on a stored version is refused."""

    num_columns: int
    seconds: float
    megabytes: int


class Card(Record):
    """One evolved diagnostic."""

    name: str
    kind: Kind
    status: Status
    gap: str = Field(description="what was unexplained without it, and the version that showed it")
    gap_kind: str
    formula: str = Field(description="the definition in one line, for a person")
    columns: list[str] = Field(default=[], description="columns of the rows that it reads, beside plugin_inputs.KEYS")
    term: Term | None = Field(default=None, description="the term of the grammar that its metric is, where it is one")
    alarm: Condition | None = Field(default=None, description="the finding is raised where this holds")
    limits: dict[str, float] = Field(default={}, description="kind threshold: limits of thresholds.py that it moves")
    mode: str = Field(default="", description="of the finding whose limits it moves")
    num_moves: int = Field(default=1, description="moves of limits tried for its gap: its chance is that of any")
    order: Order | None = Field(default=None, description="kind order: which layer comes first")
    separation: Separation | None = None
    false_alarms: FalseAlarms | None = None
    cost: Cost | None = None
    author: str
    date: str
    expired_because: str = ""

    @property
    def is_in_force(self) -> bool:
        """Whether the harness loads it."""
        return self.status != "expired"


class Plugin(Record):
    """A card with its source: the text of the SELECT or of the module, empty for kinds without."""

    card: Card
    source: str = ""


def load_plugins(folder: Path) -> list[Plugin]:
    """Return the evolved plugins of a folder by name; raises HarnessError for one that is malformed or incomplete."""
    plugins = [_load(path) for path in sorted(folder.glob("*.yaml"))]
    wanted = {f"{plugin.card.name}{SOURCES.get(plugin.card.kind, '')}" for plugin in plugins}
    for path in sorted(folder.glob("[!_]*")):
        if path.suffix in SOURCES.values() and path.name not in wanted:
            raise HarnessError(f"{path} has no card: write {path.with_suffix('.yaml').name} beside it, or remove it")
    return plugins


def save_plugin(folder: Path, plugin: Plugin) -> None:
    """Write a plugin: the same bytes for the same plugin."""
    values = plugin.card.model_dump(mode="json", exclude_defaults=True)
    text = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=110)
    write_atomic(folder / f"{plugin.card.name}.yaml", text)
    if plugin.card.kind in SOURCES:
        write_atomic(folder / f"{plugin.card.name}{SOURCES[plugin.card.kind]}", plugin.source)


def check_card(card: Card, place: str) -> None:
    """Raise HarnessError where the parts of a card do not fit its kind."""
    lacks = {
        "metric": card.alarm is None or not card.columns,
        "analyzer": card.alarm is None or not card.columns,
        "threshold": (card.alarm is None) == (not card.limits) or bool(card.limits) != bool(card.mode),
        "order": card.order is None,
    }[card.kind]
    needs = {
        "metric": "columns and alarm",
        "analyzer": "columns and alarm",
        "threshold": "either alarm, on a metric of another diagnostic, or limits and mode",
        "order": "order",
    }[card.kind]
    if lacks:
        raise HarnessError(f"{place} is of kind {card.kind}: it needs {needs}")
    if NAME.fullmatch(card.name) is None:
        raise HarnessError(f"{place} is called '{card.name}': use lower-case letters, digits and _, at most 80")
    if card.alarm is not None and card.alarm.operator == "==":
        raise HarnessError(f"{place} has an alarm on equality: use <, <=, > or >=")
    own = card.alarm is None or card.kind == "threshold" or is_own_metric(card.name, card.alarm.metric)
    if not own:
        raise HarnessError(
            f"{place} has an alarm on '{card.alarm.metric if card.alarm else ''}', not on its own metric"
        )


def is_own_metric(name: str, metric: str) -> bool:
    """Return whether a metric's name belongs to the plugin `name`: its own name, or that with a suffix."""
    return metric == name or (metric.startswith(f"{name}_") and NAME.fullmatch(metric) is not None)


def _load(path: Path) -> Plugin:
    try:
        card = Card.model_validate(load_yaml(path.read_text(encoding="utf-8")))
    except (ValidationError, yaml.YAMLError, UnicodeDecodeError) as error:
        first = str(error).strip().splitlines()
        raise HarnessError(f"{path} is not a card: {' '.join(first[:3])}") from None
    if card.name != path.stem:
        raise HarnessError(f"{path} holds the card of '{card.name}': give both the same name")
    check_card(card, str(path))
    if card.kind not in SOURCES:
        return Plugin(card=card)
    source = path.with_suffix(SOURCES[card.kind])
    if not source.is_file():
        raise HarnessError(f"{path} is of kind {card.kind} and {source.name} is missing beside it")
    return Plugin(card=card, source=source.read_text(encoding="utf-8"))
