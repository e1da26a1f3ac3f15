"""Over-filtering: too little of what was sampled reaches the loss, or too few different problems do.

Below 30% kept (failure modes, 25) a run pays for rollouts that it throws away. Shrinkage is told within the run, since
the pool's size is not in the rows: the distinct problems of the last third of steps against those of the first third,
at equal numbers of groups. EvoTrainer (arXiv 2606.03108) saw exploration collapse when data shrank to 23%.
"""

from evotrainer.diagnosis import Context, Diagnosis, graded, known, surely_below
from evotrainer.hookspecs import hookimpl
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
    ratio = _problem_ratio(judged)
    metrics["unique_problem_ratio"] = ratio
    limits = context.thresholds
    if ratio is not None and ratio < limits.unique_problems:
        message = f"the last third of the run trained on {ratio:.0%} as many different problems as the first third"
        findings.append(
            context.finding("over_filtering", "warning", message, {"unique_problem_ratio": ratio}, ("unique_problems",))
        )
    return Diagnosis(known(metrics), findings)


def _kept(context: Context, count: int, total: int, kept_rows: float) -> list[Finding]:
    limits = context.thresholds
    # Groups, not rows, are kept or dropped together: they are what chance is counted in.
    if (
        total < limits.min_groups
        or kept_rows >= limits.kept_rows
        or not surely_below(count, total, limits.kept_rows, limits.limit_alpha)
    ):
        return []
    message = f"{count} of {total} groups reach the loss: filters drop most of what was sampled"
    return [
        context.finding(
            "over_filtering",
            "warning",
            message,
            {"kept_rows": kept_rows, "kept_groups": count / total},
            ("kept_rows", "min_groups", "limit_alpha"),
        )
    ]


def _problem_ratio(rows) -> float | None:
    """Return distinct problems a group, last third of steps over first third; None for runs too short to tell."""
    steps = sorted(rows["step"].unique())
    third = len(steps) // 3
    if third < 3:
        return None
    early, late = rows[rows["step"].isin(steps[:third])], rows[rows["step"].isin(steps[-third:])]
    shares = [part["problem_id"].nunique() / part["group"].nunique() for part in (early, late)]
    return shares[1] / shares[0]
