"""Constant term: a bonus that nearly every attempt earns vanishes under group normalisation.

A term is constant when one value other than 0 makes up 94% of the rows, or when in 94% of the groups all attempts got
the same value other than 0 (it may differ between problems). The source is a known trap of EvoTrainer (arXiv
2606.03108): "earned by 94-99% of rollouts".

Only terms that count in the reward are judged: by the recipe's weights, or without a recipe by a linear fit of the
reward on its terms. Correctness itself is judged by dead_groups.
"""

import numpy as np

from evotrainer.algorithm.rewards import combine
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_FLAT = 1e-3
_OWN_TERMS = ("correct", "format", "partial", "length", "overlong")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of each term but correctness that counts in the reward and does not vary."""
    rows = context.graded
    rows = rows[rows["reward"].notna()]
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX) and column != f"{TERM_PREFIX}correct"]
    if len(rows) < context.thresholds.min_rows or not terms:
        return Diagnosis()
    findings = []
    for term in terms:
        findings += _judge(context, rows, term)
    return Diagnosis({}, findings)


def _judge(context: Context, rows: Frame, term: str) -> list[Finding]:
    limits, name = context.thresholds, term.removeprefix(TERM_PREFIX)
    values = rows[term].fillna(0.0)
    common = float(values.round(9).mode().iloc[0])
    row_share = float(((values - common).abs() < 1e-9).mean()) if abs(common) > _FLAT else 0.0
    count, total = _constant_groups(rows, values)
    is_group_constant = total >= limits.min_groups and count / total >= limits.constant_term
    if row_share < limits.constant_term and not is_group_constant:
        return []
    counts = _counts(context, rows, name)
    if counts is False and name in _OWN_TERMS:
        return []
    numbers = {"row_share": row_share, "constant_group_share": count / max(total, 1), "value": common}
    what = f"the term '{name}' is {common:g} in {row_share:.0%} of rows and constant within {count} of {total} groups"
    limit_names = ("constant_term", "min_rows", "min_groups")
    examples = rows.drop_duplicates("group")
    if counts is False:
        return [
            context.finding(
                "constant_term", "info", f"{what}; it does not count in the reward", numbers, limit_names, examples
            )
        ]
    return [
        context.finding(
            "constant_term",
            "warning",
            f"{what}: under group normalisation it has no effect, drop or change it",
            numbers,
            limit_names,
            examples,
        )
    ]


def _constant_groups(rows: Frame, values: Frame) -> tuple[int, int]:
    """Return how many groups of two and more hold one value other than 0, and how many there are."""
    by_group = values.groupby(rows["group"])
    size, low, high = by_group.size(), by_group.min(), by_group.max()
    is_constant = (size >= 2) & (high - low < _FLAT) & (high.abs() > _FLAT)
    return int(is_constant.sum()), int((size >= 2).sum())


def _counts(context: Context, rows: Frame, name: str) -> bool | None:
    """Tell whether the term enters the reward; None where the fit cannot decide."""
    if context.recipe is not None:
        return abs(combine({name: 1.0}, context.recipe.reward)) > 1e-12
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX)]
    known = rows[terms].fillna(0.0)
    design = known.loc[:, known.std() > _FLAT].assign(intercept=1.0).to_numpy()
    weights, *_ = np.linalg.lstsq(design, rows["reward"].to_numpy(), rcond=None)
    if np.abs(design @ weights - rows["reward"].to_numpy()).max() > 1e-6:
        return None
    varying = list(known.columns[known.std() > _FLAT])
    term = f"{TERM_PREFIX}{name}"
    weight = weights[varying.index(term)] if term in varying else weights[-1]
    return abs(float(weight)) > 1e-6
