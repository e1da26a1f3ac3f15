"""Cards: what an evolved diagnostic is, which gap it answers, and its record on the stored versions.

    harness_plugins/evolved/<name>.yaml    one card

A card is a check (diagnosis/checks.py): the attempts that show something, among those that could, and the share above
which a finding is raised. Its conditions are SQL expressions over the rows that an agent may see, so a card can read no
file and pass nothing on. A card with status `expired` is kept as a record and not in force.

An alarm is a warning at most, since the few labelled versions of a campaign bound no false-alarm rate more closely. The
alarm of a provisional card is an info, because such cards may be chance. `date` is a time within the campaign, not of
the clock, so that equal campaigns write equal cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import yaml
from pydantic import Field, ValidationError

from evotrainer.campaign.documents import write_atomic
from evotrainer.config import content_hash
from evotrainer.config.yaml_files import load_yaml
from evotrainer.diagnosis.checks import Check, above
from evotrainer.diagnosis.conditions import Conditions, floats
from evotrainer.diagnosis.context import Context, Diagnosis, plugin_failure, rounded
from evotrainer.errors import EvidenceError, HarnessError
from evotrainer.evidence.frames import Frame
from evotrainer.records import Condition, FalseAlarms, Finding, Record, Separation

Status = Literal["provisional", "accepted", "expired"]
SPLITS = ("train", "probe")
"""Splits whose rows an agent may see."""
MAX_ROWS = 20
"""Attempts that an alarm names."""


class Card(Record):
    """One evolved diagnostic: a check whose judge is a share above a limit, and where it comes from."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,79}$", description="its mode, and the name of its metric, the share")
    status: Status
    gap: str = Field(description="what was unexplained without it, and the version that showed it")
    gap_kind: str
    formula: str = Field(description="the definition in one line, for a person")
    shows: str = Field(description="condition over attempts: these show it")
    among: str = Field(default="TRUE", description="condition over attempts: these could have")
    limit: float = Field(ge=0, le=1, description="a larger share raises the finding")
    separation: Separation | None = None
    false_alarms: FalseAlarms | None = None
    author: str
    date: str
    expired_because: str = ""

    @property
    def is_in_force(self) -> bool:
        """Whether the harness loads it."""
        return self.status != "expired"

    @property
    def check(self) -> Check:
        """The card as any other check."""
        return Check(self.name, self.shows, self.among, above(self.limit), says=self.formula)

    @property
    def identity(self) -> str:
        """The hash of its metric and alarm, without its record on stored versions."""
        return content_hash(self.model_dump(include={"shows", "among", "limit"}))


@dataclass(frozen=True)
class Reading:
    """What a card measures of some rows: a share, None where no attempt could show it; or why it failed."""

    share: float | None = None
    trajectory_ids: list[str] = field(default_factory=list)
    failure: str = ""


def visible(frame: Frame) -> Frame:
    """Return the graded rows of the splits that an agent may see."""
    return frame[frame["split"].isin(SPLITS) & frame["error"].isna()]


def read_cards(cards: Sequence[Card], rows: Frame) -> dict[str, Reading]:
    """Return what each card measures of visible rows; nothing where a column that it reads is missing."""
    known = [card for card in cards if len(rows) and set(card.check.columns) <= set(rows.columns)]
    columns = dict.fromkeys(["trajectory_id", *(name for card in known for name in card.check.columns)])
    readings = {card.name: Reading() for card in cards}
    if known:
        conditions = Conditions({"attempts": pa.Table.from_pandas(rows[[*columns]], preserve_index=False)})
        ids = rows["trajectory_id"].to_numpy()
        readings |= {card.name: _read(card, conditions, ids) for card in known}
    return readings


def _read(card: Card, conditions: Conditions, ids: np.ndarray) -> Reading:
    try:
        (values,) = conditions.evaluate([f"CASE WHEN ({card.among}) THEN ({card.shows})::DOUBLE END"])
    except EvidenceError:  # its text may quote a row
        return Reading(failure="its condition fails on this evidence")
    shows = floats(values)
    ground = np.isfinite(shows)
    if not ground.any():
        return Reading()
    return Reading(float((shows[ground] > 0).mean()), ids[ground & (shows > 0)][:MAX_ROWS].tolist())


def judged(cards: Sequence[Card], context: Context, metrics: Mapping[str, float]) -> Diagnosis:
    """Return the shares of the cards in force and the alarms that hold, beside the metrics of other diagnostics."""
    shares: dict[str, float] = {}
    findings: list[Finding] = []
    for name, reading in (read_cards(cards, visible(context.rows)) if cards else {}).items():
        card = next(card for card in cards if card.name == name)
        taken = f"reports {name}, which another diagnostic reports" if name in metrics else ""
        if failure := reading.failure or taken:
            findings.append(plugin_failure(context, name, failure))
        elif reading.share is not None:
            shares[name] = rounded(reading.share)
            if is_alarm(card, reading.share, context):
                findings.append(_alarm(context, card, reading))
    return Diagnosis(shares, findings)


def is_alarm(card: Card, share: float | None, context: Context) -> bool:
    """Tell whether a share of these rows raises a card's finding."""
    return share is not None and share > card.limit and len(context.graded) >= context.thresholds.min_rows


def guards_of(cards: Sequence[Card]) -> list[Condition]:
    """Return what accepted cards define as healthy: shares up to their limits."""
    return [Condition(metric=card.name, operator="<=", value=card.limit) for card in cards if card.status == "accepted"]


def load_cards(folder: Path) -> list[Card]:
    """Return the cards of a folder by name; raises HarnessError for one that is malformed."""
    return [_load(path) for path in sorted(folder.glob("*.yaml"))]


def save_card(folder: Path, card: Card) -> None:
    """Write a card: the same bytes for the same card."""
    values = card.model_dump(mode="json", exclude_defaults=True)
    text = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=110)
    write_atomic(folder / f"{card.name}.yaml", text)


def _load(path: Path) -> Card:
    try:
        card = Card.model_validate(load_yaml(path.read_text(encoding="utf-8")))
        _ = card.check.columns  # parses both conditions
    except (ValidationError, yaml.YAMLError, UnicodeDecodeError, EvidenceError) as error:
        first = str(error).strip().splitlines()
        raise HarnessError(f"{path} is not a card: {' '.join(first[:3])}") from None
    if card.name != path.stem:
        raise HarnessError(f"{path} holds the card of '{card.name}': give both the same name")
    return card


def _alarm(context: Context, card: Card, reading: Reading) -> Finding:
    assert reading.share is not None
    record = card.separation
    worth = f"; this holds for {record.caught:.0%} of {record.num_bad} known-bad versions" if record else ""
    doubt = " (provisional)" if card.status == "provisional" else ""
    found = context.finding(
        card.name,
        "warning" if card.status == "accepted" else "info",
        f"{card.formula} is {reading.share:.4g}, limit {card.limit:.4g}{worth}{doubt}",
        {card.name: reading.share},
    )
    changes = {"diagnostic": card.name, "thresholds": {card.name: card.limit}, "trajectory_ids": reading.trajectory_ids}
    return found.model_copy(update=changes)
