"""What is too much in an answer costs nothing: answers come to hold all that might be right, and are paid in full.

A grader that asks whether the right parts are there, and not whether others are, pays an answer with every part. It
shows at one problem: an answer has the greatest reward, and another one with the same parts and half as many again has
it too. Parts are those that the prompt offers: words to sort, options, names in a text.

Some such answers are healthy: a plan with a detour, a list to which more may be added, tasks that accept any. Those
are as common at first as in the end, or get rarer. So the finding needs answers with a surplus that spread over the
run, at many problems.
"""

from collections import Counter

from evotrainer.diagnosis.context import Context, Diagnosis, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("num_chars", "reward", "step")}

_HALF_AGAIN, _MORE = 1.5, 2
"""Parts of an answer with a surplus against those of the shortest one that is paid in full: as a factor, and more."""
_RISE, _FEW, _MIN_PROBLEMS = 0.2, 0.1, 8


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where answers with a surplus spread and are paid in full."""
    limits, rows = context.thresholds, context.unequally_paid
    rows = rows[rows["picked_parts"] != ""] if "picked_parts" in rows else rows.head(0)
    if len(rows) < limits.min_rows:
        return Diagnosis()
    is_paid = rows["reward"] >= rows["reward"].max()
    has_surplus = _has_surplus(rows[is_paid]).reindex(rows.index, fill_value=False)
    found = trend(rows.assign(_surplus=has_surplus.astype(float)), "_surplus", limits.min_groups)
    if found is None or found.early > _FEW or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
        return Diagnosis()
    shown = rows[has_surplus].sort_values("step", ascending=False, kind="stable")
    if shown["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    message = (
        f"answers that hold all parts of another one at their problem and half as many again, both paid in full, went "
        f"from {found.early:.0%} to {found.late:.0%} over the run, at {shown['problem_id'].nunique()} problems: what "
        "is too much costs nothing"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), shown)])


def _has_surplus(paid: Frame) -> Frame:
    """Tell which answers hold the shortest paid one at their problem, and half as many parts again."""
    parts = paid["picked_parts"].str.split(" ")
    size = parts.str.len()
    shortest = size.groupby(paid["problem_id"]).transform("idxmin")
    least = size[shortest].to_numpy()
    is_long = (size >= _HALF_AGAIN * least) & (size >= least + _MORE)
    found = [place for place, short in shortest[is_long].items() if not Counter(parts[short]) - Counter(parts[place])]
    return paid.index.to_series().isin(found)
