"""Candidates by rule: shares of attempts above a cut of one column, which tell known-bad from known-good versions.

A gap selects the columns in which its version's attempts differ from its incumbent's. Of each column every share (of
all attempts, right or wrong ones, at a few cuts) is measured on the labelled versions, and the one that differs most
between the labels is the candidate. The chance of a separation is that of the *largest* one over all columns and cuts
when labels are permuted over versions (stats.depends), so a search needs no correction.

Stored evidence is read as the retrospective gate reads it too: of each version what its audit read.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from evotrainer.campaign.labels import Label, is_healthy, labels_of
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import load_config
from evotrainer.diagnosis import stats
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.cards import Card, visible
from evotrainer.diagnosis.harness import read_context
from evotrainer.diagnosis.judgement import evidence_of
from evotrainer.evidence.frames import Frame, behaviour_columns
from evotrainer.records import Gap, VersionRecord


@dataclass(frozen=True, eq=False)
class Stored:
    """One stored set of evidence with what is known of the policy that made it."""

    version: str
    context: Context
    label: Label
    is_healthy: bool

    @cached_property
    def rows(self) -> Frame:
        """The rows that cards are shown of it."""
        return visible(self.context.rows)

    @cached_property
    def evidence(self) -> Evidence:
        """The same as checks judge them."""
        return evidence_of(self.rows, self.version)


def load_stored(files: CampaignFiles, records: Sequence[VersionRecord]) -> list[Stored]:
    """Return the inputs of all versions that trained and were scored."""
    labels = labels_of(records)
    scored = [record for record in records if record.spec.kind != "base" and record.verdict.score is not None]
    audits = []
    for record in scored:
        name, own = record.spec.version, files.version(record.spec.version)
        recipe = load_config(own.config)
        context = read_context(  # what its audit saw, but for the record of its incumbent
            name,
            rows=own.training,
            training=own.training,
            validation=own.validation,
            recipe=recipe,
            training_recipe=recipe,
        )
        audits.append(Stored(name, context, labels[name], is_healthy(record, labels[name])))
    return audits


AUTHOR = "rules"
ALPHA = 0.01
"""Chance that a search over columns finds a difference where there is none."""
CUTS = (0.25, 0.5, 0.75, 0.9)
"""Quantiles at which a column is cut into "above" and "not above"."""
PARTS = {"TRUE": "", "correct >= 1": "right", "correct < 1": "wrong"}
"""Attempts that a share is taken among, and how a person reads it."""
MARGIN = 0.05
"""Part of attempts between the worst healthy share and the nearest bad one that is caught."""
MAX_NAME = 60
DRAWS = 1999
"""Permutations of labels: the level of one revision is below that of stats.SEARCH_DRAWS."""


@dataclass(frozen=True)
class Share:
    """A share of attempts: those with `column` above `cut`, among a part of them."""

    column: str
    cut: float
    among: str

    def of(self, rows: Frame) -> float:
        """Return the share; NaN where no attempt of the part has the column."""
        if self.column not in rows:
            return math.nan
        values = rows[self.column]
        if self.among != "TRUE":
            values = values[rows["correct"] >= 1 if PARTS[self.among] == "right" else rows["correct"] < 1]
        return (values.dropna().astype(float) > self.cut).mean()


class Search:
    """Every share that a rule may bound, measured on the labelled versions when first asked for."""

    def __init__(self, stored: Sequence[Stored], seed: int) -> None:
        self.stored, self._seed = stored, seed
        self._labelled = [one for one in stored if one.label]
        self._is_bad = np.array([one.label == "bad" for one in self._labelled])

    @property
    def counts(self) -> tuple[int, int]:
        """Known-good and known-bad versions."""
        return int((~self._is_bad).sum()), int(self._is_bad.sum())

    @cached_property
    def table(self) -> dict[Share, np.ndarray]:
        """Return {share: its value on each labelled version}, of shares that are known on all of them."""
        pooled: Frame = pd.concat([one.rows for one in self._labelled], ignore_index=True)
        shares = [
            Share(column, cut, among)
            for column in behaviour_columns(pooled)
            for cut in _cuts(pooled[column])
            for among in PARTS
        ]
        values = {share: np.array([share.of(one.rows) for one in self._labelled]) for share in shares}
        return {share: found for share, found in values.items() if np.isfinite(found).all()}

    def chance(self, shares: Sequence[float | None]) -> float:
        """Return the chance that any share separates the labels as well as this one; 1 where it is not known on all.

        `shares` has a value for each stored set of evidence.
        """
        labelled = [value for value, one in zip(shares, self.stored, strict=True) if one.label]
        own = np.array([math.nan if value is None else value for value in labelled])
        if not np.isfinite(own).all() or not len(own):
            return 1.0
        columns = {str(place): found for place, found in enumerate(self.table.values())}
        found = stats.depends(self._is_bad.astype(float), {**columns, "own": own}, draws=DRAWS, seed=self._seed)
        return next((one.p for one in found if one.column == "own"), 1.0)

    def best(self, column: str) -> tuple[Share, int] | None:
        """Return the share of a column that differs most between labels, and 1 where bad versions have more of it."""
        found = [(abs(self._gap(share)), share) for share in self.table if share.column == column]
        size, share = max(found, key=lambda one: one[0], default=(0.0, None))
        return (share, 1 if self._gap(share) > 0 else -1) if share is not None and size > 0 else None

    def _gap(self, share: Share) -> float:
        return float(self.table[share][self._is_bad].mean() - self.table[share][~self._is_bad].mean())


def candidates(
    gap: Gap, search: Search, before: Frame | None, after: Frame | None, date: str, taken: Sequence[str], seed: int
) -> Iterator[Card]:
    """Yield the cards that may answer a gap, the clearest first; `before` are rows of the version's incumbent."""
    for column in _columns(before, after, seed):
        found = search.best(column)
        card = _card(found, gap, search.stored, date, taken) if found is not None else None
        if card is not None:
            yield card


def _columns(before: Frame | None, after: Frame | None, seed: int) -> list[str]:
    """Return the columns in which a version differs from its incumbent."""
    if before is None or after is None or before.empty or after.empty:
        return []
    both: Frame = pd.concat([before.assign(_after=0.0), after.assign(_after=1.0)], ignore_index=True)
    columns = behaviour_columns(both.drop(columns="_after"))
    groups = both.groupby(["_after", "group"])
    means, families = groups[columns].mean().reset_index(drop=True), groups["family"].first().astype(str)
    is_after = groups["_after"].first().to_numpy()
    strata = np.unique(families, return_inverse=True)[1]
    found = stats.depends(is_after, {name: means[name].to_numpy(float) for name in columns}, strata, seed=seed)
    return [one.column for one in found if one.p <= ALPHA]


def _card(found: tuple[Share, int], gap: Gap, stored: Sequence[Stored], date: str, taken: Sequence[str]) -> Card | None:
    """Return the card of a share with this campaign's bound; None where none parts bad from healthy versions."""
    share, sign = found
    limit = _bound(share, sign, stored)
    if limit is None:
        return None
    side, word = (">", "above") if sign > 0 else ("<=", "up_to")
    name = re.sub(r"[^a-z0-9]", "_", share.column.lower())
    part = PARTS[share.among]
    cut = f"{share.cut:g}".replace("-", "minus_").replace(".", "p").replace("+", "")
    quoted = share.column.replace('"', '""')
    return Card(
        name=_free_name(f"{name[:MAX_NAME]}_{word}_{cut}{part and f'_{part}'}", date, taken),
        status="provisional",
        gap=text_of(gap),
        formula=f"share with {share.column} {side} {share.cut:g}{part and f' of {part} attempts'}",
        shows=f'"{quoted}"::DOUBLE {side} {share.cut!r}',
        among=f'{share.among} AND "{quoted}" IS NOT NULL',
        limit=limit,
        author=AUTHOR,
        date=date,
    )


def _bound(share: Share, sign: int, stored: Sequence[Stored]) -> float | None:
    """Return the limit halfway between the worst healthy value and the nearest bad one beyond it by MARGIN."""
    values = [share.of(one.rows) if sign > 0 else 1 - share.of(one.rows) for one in stored]
    known = [(value, one) for value, one in zip(values, stored, strict=True) if value == value]
    worst = max((value for value, one in known if one.is_healthy), default=None)
    if worst is None:
        return None
    bad = [value for value, one in known if one.label == "bad" and value > worst + MARGIN]
    return float(f"{worst + (min(bad) - worst) / 2:.6g}") if bad else None


def text_of(gap: Gap) -> str:
    """Return a gap as cards and decisions name it."""
    return f"{gap.version}: {gap.message}"


def _cuts(column: Frame) -> list[float]:
    """Return the cuts of a column's values; one between the two values of a truth value."""
    values = column.dropna().to_numpy(dtype=float)
    return sorted(
        {float(f"{value:.4g}") for value in [values.min(), *np.quantile(values, CUTS)] if value < values.max()}
    )


def _free_name(name: str, date: str, taken: Sequence[str]) -> str:
    """Return a name that no card and no metric has: the plain one, else with the revision, else with a number."""
    revision = date.split()[-1]
    tried = (name, f"{name}_{revision}", *(f"{name}_{revision}_{number}" for number in range(2, 100)))
    return next(one for one in tried if one not in taken)
