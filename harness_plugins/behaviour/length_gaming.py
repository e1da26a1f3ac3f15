"""Length gaming: the reward pays for length itself, or for the shortest failure.

The plain correlation of length and reward (limit 0.3, base metrics of EvoTrainer, arXiv 2606.03108) misleads. Careful
work is longer and more often right; hard problems are longer and more often failed. So the correlation is taken within
a group at equal outcome, where length should not matter. Where no outcomes are recorded the finding is an info, because
right answers may need more length; it is a warning where length decides the reward, or grows over the run.

Over a run, length that grows by half while success does not rise is gaming too. Length is counted in tokens, or in
characters where rows have no token counts.
"""

from evotrainer.diagnosis.context import (
    Context,
    Diagnosis,
    correlation,
    graded,
    known,
    significantly_correlated,
    trend,
    z_limit,
)
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the plain correlation and the two that are judged; warn above 0.3 in absolute value."""
    rows = _with_length(context.graded)
    rows = rows[rows["reward"].notna()]
    if rows.empty:
        return Diagnosis()
    inner = _within_outcome(rows)
    failures = inner[inner["correct"] < 1.0]
    longer, shorter = correlation(inner["length"], inner["reward"]), correlation(failures["length"], failures["reward"])
    metrics = known(
        {
            "length_reward_corr": correlation(rows["length"], rows["reward"]),
            "length_reward_corr_same_outcome": longer,
            "length_reward_corr_failures": shorter,
        }
    )
    findings = _paid(context, inner, longer) + _shortest(context, failures, shorter) + _growth(context)
    return Diagnosis(metrics, findings)


def _with_length(rows: Frame) -> Frame:
    has_tokens = bool((rows["num_tokens"] > 0).any())
    return rows.assign(length=rows["num_tokens" if has_tokens else "num_chars"].astype(float))


def _within_outcome(rows: Frame) -> Frame:
    """Return rows of groups with several attempts of one outcome, length and reward centred on those."""
    # Without outcomes a whole group is one stratum.
    rows = rows[rows["correct"].notna()] if rows["correct"].notna().any() else rows
    outcome = rows["correct"].fillna(-1.0)
    strata = [rows["group"], outcome]
    size = rows.groupby(strata)["group"].transform("size")
    centred = rows.assign(
        **{name: rows[name] - rows[name].groupby(strata).transform("mean") for name in ("length", "reward")}
    )
    return centred.assign(correct=outcome)[size >= 2]


def _paid(context: Context, inner: Frame, value: float) -> list[Finding]:
    limits = context.thresholds
    if len(inner) < limits.min_rows or not significantly_correlated(
        value, len(inner), limits.length_correlation, limits.limit_alpha
    ):
        return []
    is_known = bool((inner["correct"] >= 0).any())
    where = "at equal outcome" if is_known else "outcomes are not recorded; over all attempts"
    message = (
        f"{where}, longer attempts of a group get more reward (correlation {value:.2f}, limit "
        f"{limits.length_correlation:g}): add a length penalty or drop the term that pays for length"
    )
    examples = inner.sort_values("reward", ascending=False, kind="stable")
    numbers = {"correlation": value, "rows": len(inner)}
    limit_names = ("length_correlation", "min_rows", "limit_alpha")
    is_gaming = is_known or _decides(context, value, len(inner))
    return [
        context.finding("length_gaming", "warning" if is_gaming else "info", message, numbers, limit_names, examples)
    ]


def _decides(context: Context, value: float, count: int) -> bool:
    """Tell, where outcomes are unknown, whether length decides the reward, or answers grow for it over the run."""
    limits, rows = context.thresholds, _with_length(graded(context.training))
    if significantly_correlated(value, count, 2 * limits.length_correlation, limits.limit_alpha):
        return True
    length = trend(rows, "length", limits.min_groups)
    return length is not None and length.z > z_limit(limits.alpha) and length.late > 1.2 * length.early


def _shortest(context: Context, failures: Frame, value: float) -> list[Finding]:
    limits = context.thresholds
    if len(failures) < limits.min_rows or (failures["correct"] < 0).any():
        return []
    if not significantly_correlated(-value, len(failures), limits.length_correlation, limits.limit_alpha):
        return []
    message = (
        f"among failures of a group shorter ones get more reward (correlation {value:.2f}): apply the length penalty "
        "to right answers only"
    )
    examples = failures.sort_values("reward", ascending=False, kind="stable")
    numbers = {"correlation": value, "rows": len(failures)}
    limit_names = ("length_correlation", "min_rows", "limit_alpha")
    return [context.finding("length_gaming", "warning", message, numbers, limit_names, examples)]


def _growth(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, _with_length(graded(context.training))
    length, solved = trend(rows, "length", limits.min_groups), context.flat_success(rows)
    if length is None or solved is None or length.early <= 0 or length.z < z_limit(limits.alpha):
        return []
    if length.late / length.early - 1.0 < limits.length_growth:
        return []
    message = (
        f"attempts grew from {length.early:.0f} to {length.late:.0f} over the run while the solve rate went from "
        f"{solved.early:.2f} to {solved.late:.2f}"
    )
    numbers = {"early": length.early, "late": length.late, "z": length.z, "solve_rate_z": solved.z}
    examples = rows.sort_values(["step", "length"], ascending=False, kind="stable")
    return [
        context.finding(
            "length_gaming", "warning", message, numbers, ("length_growth", "outcome_rise", "alpha"), examples
        )
    ]
