"""Over-filtering: too few of the sampled rows reach the loss, or too few different problems do.

Below 30% kept (failure modes, 25) a run pays for rollouts that it discards. The pool's size is not in the rows, so
shrinkage is measured within the run: the distinct problems of the last third of steps against those of the first third,
at an equal number of groups (rarefaction: Hurlbert 1971). EvoTrainer (arXiv 2606.03108) saw exploration collapse when
data shrank to 23%.
"""

import numpy as np
from scipy import special

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_below, thirds
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return kept share and problem diversity; warn below 30% kept and below half the problems."""
    rows = graded(context.training)
    judged = rows[rows["in_loss"].notna()]
    metrics: dict[str, float | None] = {}
    findings: list[Finding] = []
    if len(judged):
        metrics["kept_rows"] = float((judged["in_loss"] > 0).mean())
        by_group = judged.groupby("group")["in_loss"].max() > 0
        findings += _kept(context, int(by_group.sum()), len(by_group), metrics["kept_rows"])
        judged = judged[judged["in_loss"] > 0]
    limits = context.thresholds
    ratio = _problem_ratio(judged, limits.min_groups)
    metrics["unique_problem_ratio"] = ratio
    if ratio is not None and ratio < limits.unique_problems:
        message = (
            f"the last third of the run trained on {ratio:.0%} as many different problems as the first third (limit "
            f"{limits.unique_problems:.0%}): loosen filter or curriculum"
        )
        findings.append(
            context.finding(
                "over_filtering", "warning", message, {"unique_problem_ratio": ratio}, ("unique_problems", "min_groups")
            )
        )
    return Diagnosis(known(metrics), findings)


def _kept(context: Context, count: int, total: int, kept_rows: float) -> list[Finding]:
    limits = context.thresholds
    # Groups are kept or dropped as a whole, so they are the independent units.
    if (
        total < limits.min_groups
        or kept_rows >= limits.kept_rows
        or not significantly_below(count, total, limits.kept_rows, limits.limit_alpha)
    ):
        return []
    message = f"{count} of {total} groups reach the loss (limit {limits.kept_rows:.0%} of rows): loosen the filter"
    numbers = {"kept_rows": kept_rows, "kept_groups": count / total}
    limit_names = ("kept_rows", "min_groups", "limit_alpha")
    return [context.finding("over_filtering", "warning", message, numbers, limit_names)]


def _problem_ratio(rows: Frame, min_groups: int) -> float | None:
    """Return distinct problems among equally many groups, last third of steps over first third; None for few groups."""
    parts = thirds(rows)
    if parts is None:
        return None
    counts = [part.groupby("problem_id")["group"].nunique().to_numpy() for part in parts]
    drawn = int(min(count.sum() for count in counts))
    if drawn < min_groups:
        return None
    early, late = (_expected_problems(count, drawn) for count in counts)
    return late / early


def _expected_problems(groups: np.ndarray, drawn: int) -> float:
    """Return how many problems `drawn` groups hold on average, of problems with so many groups each."""
    others = groups.sum() - groups
    log_missed = special.gammaln(others + 1) - special.gammaln(np.maximum(others - drawn, 0) + 1)
    log_all = special.gammaln(groups.sum() + 1) - special.gammaln(groups.sum() - drawn + 1)
    return float(np.where(others < drawn, 1.0, 1.0 - np.exp(log_missed - log_all)).sum())
