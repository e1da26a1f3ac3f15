"""The grammar of metrics: every aggregate over behaviour columns that a search may use, as data.

A term is one metric over the rows of a version: mean, quantile, share above a cut, ratio of two counts, spread within
groups; over all attempts, the right or the wrong ones, or their difference; over all families or one. Its SQL is its
definition, and the source of the card when it is accepted. `measure.py` computes the same in memory, for searches over
thousands of terms.

Columns are the numeric columns of the rows, without outcomes themselves (correctness and its parts, reward): that bad
versions fail more often needs no new metric.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from evotrainer.config import content_hash
from evotrainer.evidence.frame_columns import CHECK_PREFIX, TERM_PREFIX

if TYPE_CHECKING:
    from evotrainer.evidence.frames import Frame  # pandas, which reading a card does without

Statistic = Literal["mean", "share", "quantile", "ratio", "spread"]
Part = Literal["all", "correct", "wrong", "difference"]

_CHECKED_OUTCOMES = (
    "visible_share",
    "hidden_share",
    "num_collected",
    "num_expected",
    "perturbed_share",
    "loose_correct",
    "scrubbed_correct",
    "own_tests_pass",
    "empty_passes",
    "reference_fails",
    "shown_tests",
    "judge",
    "wrong_share",
    "timeout_share",
    "compile_error",
    "num_fail_to_pass",
)
OUTCOMES = frozenset({"correct", "reward", "lenient_correct", *(f"{CHECK_PREFIX}{name}" for name in _CHECKED_OUTCOMES)})
"""Columns that say how an attempt was graded."""

_OUTCOME_METRIC = re.compile(
    r"solve_rate|avg_at_k|pass_at_k|mean_reward|correct_from_|flow_gained|flow_lost|train_validation_gap|dead_all_|"
    r"dead_group_expected|usable_groups|reward_spread|wrong_answer_rate|answer_agreement|agreed_wrong|"
    r"term_(correct|partial)"
)

BOOKKEEPING = frozenset({"attempt", "seed", "step", "group", "advantage", "in_loss", "duration_seconds"})
"""Numeric columns that say nothing of what the policy did."""

NUMERIC = frozenset("biuf")
"""Kinds of a column's type that are numbers: truth values, integers with and without sign, floats."""

CUTS = (0.25, 0.5, 0.75, 0.9)
"""Quantiles at which a column is cut into "above" and "not above"."""
LEVELS = (0.5, 0.9)
"""Quantiles that are metrics themselves."""
MIN_KNOWN = 0.5
"""Share of rows in which a column must be known."""
MIN_SHARE = 0.02
"""A cut leaves at least this share of the rows on either side."""
MAX_NAME = 80
MAX_FAMILIES = 12
"""More families than this are not looked at one by one."""


@dataclass(frozen=True, order=True)
class Term:
    """One metric of the grammar. `cut` is the cut of a share or the level of a quantile, `over` a ratio's divisor."""

    column: str
    statistic: Statistic
    cut: float = 0.0
    over: str = ""
    part: Part = "all"
    family: str = ""

    @property
    def columns(self) -> list[str]:
        """The behaviour columns it reads."""
        return [self.column, self.over] if self.over else [self.column]

    @property
    def name(self) -> str:
        """A name for the metric: lower-case letters, digits and _."""
        base = {
            "mean": f"{self.column}_mean",
            "share": f"{self.column}_above_{self.cut:g}",
            "quantile": f"{self.column}_q{100 * self.cut:g}",
            "ratio": f"{self.column}_per_{self.over}",
            "spread": f"{self.column}_group_spread",
        }[self.statistic]
        part = "" if self.part == "all" else f"_{self.part}"
        place = f"_in_{self.family}" if self.family else ""
        spelled = f"{base}{part}{place}".lower().replace("-", "minus_").replace(".", "p")
        name = re.sub(r"[^a-z0-9_]+", "_", spelled)
        return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 9]}_{content_hash(self.sql)[:8]}"

    @property
    def formula(self) -> str:
        """The definition in words."""
        base = {
            "mean": f"mean {self.column}",
            "share": f"share with {self.column} > {self.cut:g}",
            "quantile": f"{100 * self.cut:g}% quantile of {self.column}",
            "ratio": f"{self.column} per {self.over}",
            "spread": f"standard deviation of {self.column} within groups",
        }[self.statistic]
        whose = {
            "all": "",
            "correct": " of right attempts",
            "wrong": " of wrong attempts",
            "difference": ", right minus wrong attempts",
        }[self.part]
        return f"{base}{whose}{f' in {self.family}' if self.family else ''}"

    @property
    def sql(self) -> str:
        """The SELECT that gives the metric over the table `rows`."""
        where = f" WHERE family = {_literal(self.family)}" if self.family else ""
        if self.statistic == "spread":
            inner = f'SELECT stddev_samp({_name(self.column)}::DOUBLE) AS spread FROM rows{where} GROUP BY "group"'
            return f"SELECT avg(spread) FROM ({inner})"
        if self.part == "difference":
            return f"SELECT {self._aggregate('correct')} - {self._aggregate('wrong')} FROM rows{where}"
        return f"SELECT {self._aggregate(self.part)} FROM rows{where}"

    def _aggregate(self, part: Part) -> str:
        x, y = f"{_name(self.column)}::DOUBLE", f"{_name(self.over)}::DOUBLE"
        test = {"correct": "correct >= 1", "wrong": "correct < 1"}.get(part, "")
        only = f" FILTER (WHERE {test})" if test else ""
        if self.statistic == "ratio":
            both = " AND ".join(
                filter(None, [f"{_name(self.column)} IS NOT NULL AND {_name(self.over)} IS NOT NULL", test])
            )
            return f"(sum({x}) FILTER (WHERE {both}) / nullif(sum({y}) FILTER (WHERE {both}), 0))"
        aggregate = {
            "mean": f"avg({x})",
            "quantile": f"quantile_cont({x}, {self.cut!r})",
            "share": f"avg(CASE WHEN {_name(self.column)} IS NOT NULL THEN ({x} > {self.cut!r})::INTEGER END)",
        }[self.statistic]
        return f"{aggregate}{only}"


def is_outcome_metric(name: str) -> bool:
    """Return whether a metric of the shipped diagnostics restates how attempts were graded, as the labels do."""
    return _OUTCOME_METRIC.match(name) is not None


def terms_over(rows: "Frame") -> list[Term]:
    """Return the whole grammar over the columns, cuts and families of these rows, in a fixed order."""
    columns = behaviour_columns(rows)
    families = sorted(str(name) for name in rows["family"].dropna().unique() if name)
    families = families if 2 <= len(families) <= MAX_FAMILIES else []
    return [term for column in columns for term in _of_column(rows, column, columns, families)]


def behaviour_columns(rows: "Frame") -> list[str]:
    """Return the numeric columns that vary, are mostly known, and are neither outcome nor bookkeeping; sorted."""
    return sorted(name for name in rows.columns if _is_behaviour(str(name), rows[name]))


def cuts_of(column: "Frame") -> list[float]:
    """Return the cuts that divide a column's values into two parts of some size; none for a truth value."""
    values = column.dropna().to_numpy(dtype=float)
    if len(np.unique(values)) <= 2:
        return []
    found = {float(f"{value:.4g}") for value in [values.min(), *np.quantile(values, CUTS)]}
    return sorted(cut for cut in found if MIN_SHARE <= float((values > cut).mean()) <= 1 - MIN_SHARE)


def _is_behaviour(name: str, column: "Frame") -> bool:
    if name in OUTCOMES or name in BOOKKEEPING or name.startswith(TERM_PREFIX):
        return False
    if column.dtype.kind not in NUMERIC:
        return False
    return bool(column.notna().mean() >= MIN_KNOWN and column.nunique() > 1)


def _of_column(rows: "Frame", column: str, columns: Sequence[str], families: Sequence[str]) -> Iterator[Term]:
    cuts = cuts_of(rows[column])
    for part in ("all", "correct", "wrong", "difference"):
        yield Term(column, "mean", part=part)
        yield from (Term(column, "share", cut, part=part) for cut in cuts)
        if cuts and part != "difference":
            yield from (Term(column, "quantile", level, part=part) for level in LEVELS)
    yield Term(column, "spread")
    yield from (Term(column, "ratio", over=other) for other in columns if _is_part_of(rows, column, other))
    yield from (Term(column, "mean", part=part, family=family) for family in families for part in ("all", "wrong"))


def _is_part_of(rows: "Frame", column: str, other: str) -> bool:
    """Return whether a column counts a part of what another one counts, so that their ratio is a share."""
    if column == other or not (column.startswith("num_") and other.startswith("num_")):
        return False
    part, whole = rows[column], rows[other]
    known = part.notna() & whole.notna()
    return bool((part[known] >= 0).all() and (part[known] <= whole[known]).all() and (whole[known] > 0).any())


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
