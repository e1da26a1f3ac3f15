"""From a gap to revisions of the harness, by rule and without a language model.

A gap that names a contrast is answered by a term of the grammar that shows it. A share above a cut is a claim about
single attempts, so it becomes an analyzer, which also names them. Other terms become a metric, one SELECT. An existing
metric without a bound gets one: a threshold. A contradiction is answered by moving a limit of one of the two findings
(limits.py), a failed prediction also by another order of findings (order_revision.py).
"""

import math
from collections.abc import Sequence

import numpy as np

from evotrainer.diagnosis.evolved.cards import NAME, Card, Plugin
from evotrainer.diagnosis.evolved.grammar import Term
from evotrainer.diagnosis.evolved.measure import Rows, errors_of, influences, value_of
from evotrainer.diagnosis.evolved.search import Candidate
from evotrainer.diagnosis.evolved.stored import Stored
from evotrainer.records import Condition, Gap

AUTHOR = "rules"
MARGIN = 2.0
"""Standard errors between the worst healthy value and the nearest bad one that is caught."""

_ANALYZER = '''"""{formula}: the share, and the attempts."""


def analyze(rows, training, signals):
    """Return the share of these attempts with {column} > {cut}, and the farthest of those that {verb} it."""
    known = rows[{mask}]
    if known.empty:
        return {{}}
    marked = known[known["{column}"] {side} {cut}]
    marked = marked.sort_values(["{column}", "trajectory_id"], ascending=[{ascending}, True])
    ids = marked["trajectory_id"].head(20).tolist()
    return {{"metrics": {{"{name}": float((known["{column}"] > {cut}).mean())}}, "trajectory_ids": ids}}
'''


def plugin_of(
    candidate: Candidate, gap: Gap, stored: Sequence[Stored], date: str, taken: Sequence[str]
) -> Plugin | None:
    """Return the metric or analyzer that a candidate makes; None where no bound separates bad from healthy versions."""
    term = candidate.term
    name = free_name(term.name, date, taken)
    measured = [Rows(one.plugin_input.rows) for one in stored]
    values = [value_of(term, rows) for rows in measured]
    errors = [float(errors_of(influences([term], rows))[0]) if rows.size else math.inf for rows in measured]
    alarm = bound(name, candidate.sign, values, errors, stored)
    if alarm is None:
        return None
    is_about_rows = term.statistic == "share" and term.part != "difference"
    card = Card(
        name=name,
        kind="analyzer" if is_about_rows else "metric",
        status="provisional",
        gap=f"{gap.version}: {gap.message}",
        gap_kind=gap.kind,
        formula=term.formula,
        columns=term.columns,
        term=term,
        alarm=alarm,
        author=AUTHOR,
        date=date,
    )
    return Plugin(card=card, source=analyzer_source(term, name, candidate.sign) if is_about_rows else f"{term.sql}\n")


def threshold_on(
    metric: str, values: Sequence[float], gap: Gap, stored: Sequence[Stored], date: str, taken: Sequence[str]
) -> Plugin | None:
    """Return a bound on an existing metric; None where none separates bad from healthy versions."""
    bad = [value for value, one in zip(values, stored, strict=True) if one.label == "bad" and math.isfinite(value)]
    good = [value for value, one in zip(values, stored, strict=True) if one.label == "good" and math.isfinite(value)]
    if not bad or not good:
        return None
    sign = 1 if np.mean(bad) > np.mean(good) else -1
    alarm = bound(metric, sign, values, [0.0] * len(values), stored)
    if alarm is None:
        return None
    card = Card(
        name=free_name(f"{metric}_bound"[:80], date, taken),
        kind="threshold",
        status="provisional",
        gap=f"{gap.version}: {gap.message}",
        gap_kind=gap.kind,
        formula=metric,
        alarm=alarm,
        author=AUTHOR,
        date=date,
    )
    return Plugin(card=card)


def bound(
    metric: str, sign: int, values: Sequence[float], errors: Sequence[float], stored: Sequence[Stored]
) -> Condition | None:
    """Return the alarm halfway between the worst healthy value and the nearest bad one significantly beyond it."""
    turned = [sign * value for value in values]
    healthy = [
        (value, error)
        for value, error, one in zip(turned, errors, stored, strict=True)
        if one.is_healthy and math.isfinite(value)
    ]
    if not healthy:
        return None
    worst, doubt = max(healthy)
    bad = [
        value
        for value, error, one in zip(turned, errors, stored, strict=True)
        if one.label == "bad" and value > worst + MARGIN * math.hypot(error, doubt)
    ]
    if not bad:
        return None
    value = float(f"{sign * (worst + (min(bad) - worst) / 2):.6g}")
    return Condition(metric=metric, operator=">" if sign > 0 else "<", value=value)


def analyzer_source(term: Term, name: str, sign: int) -> str:
    """Return the module of a share: the number that its SQL gives, and the attempts farthest on the alarming side."""
    tests = [f'rows["{term.column}"].notna()']
    if term.part != "all":
        tests.append(f'(rows["correct"] {">=" if term.part == "correct" else "<"} 1)')
    if term.family:
        tests.append(f'(rows["family"] == {term.family!r})')
    return _ANALYZER.format(
        formula=term.formula,
        column=term.column,
        cut=repr(term.cut),
        mask=" & ".join(tests),
        ascending=sign < 0,
        name=name,
        side=">" if sign > 0 else "<=",
        verb="show" if sign > 0 else "lack",
    )


def free_name(name: str, date: str, taken: Sequence[str]) -> str:
    """Return a name that no card and no metric has: the plain one, else with the revision, else with a number."""
    revision = date.split()[-1]
    for suffix in ("", f"_{revision}", *(f"_{revision}_{number}" for number in range(2, 100))):
        candidate = f"{name[: 80 - len(suffix)]}{suffix}"
        if candidate not in taken and NAME.fullmatch(candidate):
            return candidate
    raise ValueError(f"no free name for {name}")
