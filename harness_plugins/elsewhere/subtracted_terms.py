"""Terms that count otherwise than they should: a merit that is subtracted, a weight that is not the declared one.

Where the reward is a weighted sum of its terms, the weights are found in the rows, exactly. They are compared with
those that columns declare, up to one factor for all: a term with the other sign teaches the opposite. Costs of positive
numbers may be subtracted, and terms that are all added as they stand were weighted before. Without a declared weight a
term that goes with correctness, and whose name is none of a cost, should not be subtracted.
"""

import math
import re

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, significantly_correlated
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("reward_terms", "reward", "extra"), "reward_bias": ("reward_terms", "reward", "correct")}

_EXACT, _NOTHING, _MOST_TERMS = 1e-3, 1e-6, 12
"""Largest rest, as a share of the reward's spread, of a sum that is one; a weight that is none; terms of one sum."""
_OTHERWISE, _GOES_WITH = 0.1, 0.3
"""Share by which a weight is another one, and correlation within groups from which a term is a merit."""
_WEIGHT = re.compile(r"weight|coef|scale|factor|lambda|beta|alpha|(?:^|[_.])w(?:$|[_.])", re.I)
_COST = re.compile(
    r"penal|punish|fine(?![a-z])|cost|length|len(?![a-z])|token|turns|steps|calls|time|latency|repet|repeat|kl(?![a-z])"
    r"|violat|error|invalid|loss|distance|deviation|risk|toxic|over|excess|num_|count",
    re.I,
)


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where a term counts against its declared weight, or against correctness."""
    rows = context.unequally_paid
    names = [name for name in map(str, rows.columns) if name.startswith(TERM_PREFIX) and rows[name].nunique() > 1]
    if not 1 <= len(names) <= _MOST_TERMS:
        return Diagnosis()
    rows = rows[rows[names].notna().all(axis=1)]
    if len(rows) < max(context.thresholds.min_rows, 3 * len(names)):
        return Diagnosis()
    found = _weights(rows, names)
    return Diagnosis(findings=(_against_declared(context, rows, found) or _against_right(context, rows, found)))


def _weights(rows: Frame, names: list[str]) -> dict[str, float]:
    """Return the weight of each term in the reward; none where the reward is no sum of them, or several would do."""
    table, reward = rows[names].to_numpy(float), rows["reward"].to_numpy(float)
    centred, wanted = table - table.mean(axis=0), reward - reward.mean()
    weights, _, rank, _ = np.linalg.lstsq(centred, wanted, rcond=None)
    if rank < len(names) or np.abs(centred @ weights - wanted).max() > _EXACT * max(np.ptp(reward), _NOTHING):
        return {}
    return dict(zip(names, weights.tolist(), strict=True))


def _against_declared(context: Context, rows: Frame, found: dict[str, float]) -> list[Finding]:
    """Find terms whose weight is not the declared one, up to the factor that most terms share."""
    declared = {name: _declared(rows, name) for name in found}
    factors = {name: found[name] / value for name, value in declared.items() if math.isfinite(value) and value}
    if len(factors) < 2 or np.ptp(np.abs(list(found.values()))) < _EXACT:
        return []
    usual = float(np.median([value for value in factors.values() if value > _NOTHING] or [math.nan]))
    odd = [name for name, value in factors.items() if abs(value - usual) > _OTHERWISE * usual]
    odd = [name for name in odd if not (_is_cost(rows, name) and factors[name] < 0)]
    turned = [name for name in odd if abs(factors[name] + usual) <= _OTHERWISE * usual]
    if not math.isfinite(usual) or not odd or 2 * len(odd) > len(factors):
        return []
    name = (turned or odd)[0]
    label = name.removeprefix(TERM_PREFIX)
    message = (
        f"the reward is a sum of its terms, and counts '{label}' {found[name]:+.3g} times; its declared weight is "
        f"{declared[name]:+.3g}, and {len(factors) - len(odd)} other terms count as declared: "
        f"{'its sign is turned round, so the worst are paid most' if turned else 'see how terms are added up'}"
    )
    numbers = {"weight": found[name], "declared": declared[name]}
    severity = "critical" if turned else "warning"
    shown = rows.sort_values(name, kind="stable")
    return [context.finding("metric_defect", severity, message, numbers, ("min_rows",), shown)]


def _is_cost(rows: Frame, term: str) -> bool:
    """Tell whether a term is a cost by its name, written as a positive number."""
    return _COST.search(term.removeprefix(TERM_PREFIX)) is not None and bool((rows[term] >= 0).all())


def _declared(rows: Frame, term: str) -> float:
    """Return the constant that a column declares as the weight of a term; NaN where there is none, or several."""
    label = term.removeprefix(TERM_PREFIX)
    sought = re.compile(rf"(?:^|[_.]){re.escape(label)}(?:$|[_.])", re.I)
    columns = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX) and _WEIGHT.search(name)]
    values = [rows[name] for name in columns if sought.search(name.removeprefix(EXTRA_PREFIX))]
    if len(values) != 1 or values[0].nunique(dropna=False) != 1:
        return math.nan
    value = values[0].iloc[0]
    return float(value) if isinstance(value, float) else math.nan


def _against_right(context: Context, rows: Frame, found: dict[str, float]) -> list[Finding]:
    """Find a term that goes with correctness within groups and is subtracted."""
    known = rows[rows["correct"].notna()]
    right = _centred(known, "correct")
    for name, weight in found.items():
        label = name.removeprefix(TERM_PREFIX)
        values = _centred(known, name)
        follows = correlation(values, right)
        if weight >= -_NOTHING or _COST.search(label):
            continue
        if not significantly_correlated(follows, len(known), _GOES_WITH, context.thresholds.alpha):
            continue
        message = (
            f"the reward counts the term '{label}' {weight:+.3g} times, and within groups the term goes with "
            f"correctness (correlation {follows:.2f}): what is right is paid less for it, look at its sign"
        )
        numbers = {"weight": weight, "correlation": follows}
        shown = known.sort_values(name, ascending=False, kind="stable")
        return [context.finding("reward_bias", "warning", message, numbers, ("alpha", "min_rows"), shown)]
    return []


def _centred(rows: Frame, name: str) -> Frame:
    return rows[name].astype(float) - rows.groupby("group")[name].transform("mean").astype(float)
