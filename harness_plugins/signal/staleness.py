"""Staleness: training rows that a policy of earlier steps sampled, although the optimiser has updated it since.

Rows name the policy that sampled them by its hash. Between steps with a gradient the hash must change. A step whose
rows name the policy of an earlier step trains off-policy. Steps without a gradient leave the policy as it was and do
not count. One name for a whole run is no hash: foreign rows often carry the model's name.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl

_MIN_STEPS = 3
_NOTHING = 1e-12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of rows sampled by an earlier policy; warn above the limit, critical above half."""
    rows = graded(context.training)
    rows = rows[rows["policy_id"].notna() & (rows["policy_id"] != "")]
    is_named_once = rows["policy_id"].nunique() < 2
    if rows["step"].nunique() < _MIN_STEPS or context.signals.empty or is_named_once:
        return Diagnosis()
    first = rows.groupby("policy_id")["step"].min()
    moved = context.signals.set_index("step")["grad_norm"].abs() > _NOTHING
    updates = moved.groupby(level=0).max().cumsum()
    age = rows["step"].map(updates.shift(1, fill_value=0)) - rows["policy_id"].map(first).map(
        updates.shift(1, fill_value=0)
    )
    is_stale = age > 0
    share, limits = float(is_stale.mean()), context.thresholds
    metrics = known({"stale_rows": share, "mean_row_age": age.mean()})
    if share <= limits.stale_rows:
        return Diagnosis(metrics)
    message = (
        f"{share:.0%} of training rows (limit {limits.stale_rows:.0%}) were sampled by a policy of earlier steps "
        f"({age.mean():.1f} updates old): sample anew at each step"
    )
    severity = "critical" if share > 0.5 else "warning"
    shown = rows[is_stale].drop_duplicates("step")
    return Diagnosis(metrics, [context.finding("staleness", severity, message, metrics, ("stale_rows",), shown)])
