"""Cards: what an evolved diagnostic is, which gap it answers, and its record on the stored versions.

    harness_plugins/evolved/<name>.yaml    one card

A card is a check (diagnosis/checks.py): the attempts that show something, among those that could, and the share above
which a finding is raised. Its conditions are SQL expressions over the rows that an agent may see, so a card can read no
file and pass nothing on. A card with status `expired` is kept as a record and not in force.

Its alarm is a finding of that check: the share is significantly above the limit. The alarm of a provisional card is an
info, because such cards may be chance. `date` is a time within the campaign, not of the clock, so that equal campaigns
write equal cards.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, ValidationError

from evotrainer.campaign.documents import write_atomic
from evotrainer.config import content_hash
from evotrainer.config.yaml_files import load_yaml
from evotrainer.diagnosis.checks import Check, above, attempt_checks
from evotrainer.diagnosis.context import Context, Diagnosis, plugin_failure, rounded
from evotrainer.diagnosis.judgement import OWN, evidence_of
from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.evidence.frames import Frame
from evotrainer.records import Condition, FalseAlarms, Record, Separation, Severity

Status = Literal["provisional", "accepted", "expired"]
SPLITS = ("train", "probe")
"""Splits whose rows an agent may see."""


class Card(Record):
    """One evolved diagnostic: a check whose judge is a share above a limit, and where it comes from."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,79}$", description="its mode, and the name of its metric, the share")
    status: Status
    gap: str = Field(description="what was unexplained without it, and the version that showed it")
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
        """The card as any other check; few labelled versions bound no false-alarm rate for more than a warning."""
        record, formula = self.separation, self.formula.replace("{", "{{").replace("}", "}}")
        worth = f"; this holds for {record.caught:.0%} of {record.num_bad} known-bad versions" if record else ""
        doubt = "" if self.status == "accepted" else " (provisional)"
        says = f"{formula} is {{share}}, limit {self.limit:.4g}{worth}{doubt}"
        most: Severity = "warning" if self.status == "accepted" else "info"
        return Check(self.name, self.shows, self.among, above(self.limit), most=most, says=says)

    @property
    def identity(self) -> str:
        """The hash of its metric and alarm, without its record on stored versions."""
        return content_hash(self.model_dump(include={"shows", "among", "limit"}))


def visible(frame: Frame) -> Frame:
    """Return the graded rows of the splits that an agent may see."""
    return frame[frame["split"].isin(SPLITS) & frame["error"].isna()]


def judged(checks: Sequence[Check], cards: Sequence[Card], context: Context, taken: Collection[str]) -> Diagnosis:
    """Return what a person's own checks and the cards in force find in visible rows, with the shares of the cards.

    `taken` are names of metrics that other diagnostics report.
    """
    rows, shares, findings = visible(context.rows), {}, []
    if rows.empty or not (checks or cards):
        return Diagnosis()
    every, own = [*checks, *(card.check for card in cards)], len(checks)
    for place, one in enumerate(attempt_checks(every, evidence_of(rows, context.version))):
        name = OWN if place < own else one.check.mode
        is_taken = place >= own and name in taken and one.share is not None
        if failure := one.failure or (f"reports {name}, which another diagnostic reports" if is_taken else ""):
            findings.append(plugin_failure(context, one.check.mode, failure))
            continue
        if place >= own and one.share is not None:
            shares[name] = rounded(one.share)
        findings += [one.finding.model_copy(update={"diagnostic": name})] if one.finding is not None else []
    return Diagnosis(shares, findings)


def guards_of(cards: Sequence[Card]) -> list[Condition]:
    """Return what accepted cards define as healthy: shares up to their limits."""
    return [Condition(metric=card.name, operator="<=", value=card.limit) for card in cards if card.status == "accepted"]


def load_cards(folder: Path) -> list[Card]:
    """Return the cards of a folder by name; raises ConfigError for one that is malformed."""
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
        raise ConfigError(f"{path} is not a card: {' '.join(first[:3])}") from None
    if card.name != path.stem:
        raise ConfigError(f"{path} holds the card of '{card.name}': give both the same name")
    return card
