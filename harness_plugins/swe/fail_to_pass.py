"""Solve rate by the number of tests that a problem's fix must turn from failing to passing.

solve_rate_f2p_N for N of 1, 2, 3_to_5 and 6_up. A bucket whose solve rate is significantly below 1% uses budget and
teaches nothing (base metrics of EvoTrainer, arXiv 2606.03108: stuck at 0, lower its budget).
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_below
from evotrainer.diagnosis.hookspecs import hookimpl

_COLUMN = "check_num_fail_to_pass"
_BUCKETS = {"1": (1, 1), "2": (2, 2), "3_to_5": (3, 5), "6_up": (6, 10**9)}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return solve rates by bucket; info for a bucket that is stuck at 0 while another is not."""
    rows, limits = context.graded, context.thresholds
    if _COLUMN not in rows:
        return Diagnosis()
    rows = rows[rows[_COLUMN].notna() & rows["correct"].notna()]
    parts = {name: rows[rows[_COLUMN].between(low, high)] for name, (low, high) in _BUCKETS.items()}
    metrics = {f"solve_rate_f2p_{name}": part["correct"].mean() for name, part in parts.items()}
    findings = []
    for name, part in parts.items():
        solved = int((part["correct"] >= 1.0).sum())
        is_stuck = significantly_below(solved, len(part), limits.stuck_problems, limits.limit_alpha)
        if is_stuck and part["problem_id"].nunique() >= limits.min_groups and rows["correct"].any():
            message = (
                f"{solved} of {len(part)} attempts succeed at problems with {name.replace('_', ' ')} failing tests "
                f"(limit {limits.stuck_problems:.0%}): sample them less"
            )
            numbers = {"solved": solved, "attempts": len(part), "share_of_attempts": len(part) / len(rows)}
            limit_names = ("stuck_problems", "min_groups", "limit_alpha")
            examples = part.drop_duplicates("problem_id")
            findings.append(context.finding("stuck_problems", "info", message, numbers, limit_names, examples))
    return Diagnosis(known(metrics), findings)
