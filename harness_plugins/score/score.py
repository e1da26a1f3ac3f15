"""Score: the solve rate, its distribution, and how it changes between steps.

solve_rate; avg_at_k, the mean over groups; pass_at_k, the share of groups with any success; the distribution of
correctness over the bins 0, .01, .3, .5, .8, 1. The flow is over problems met at several steps: the share that most
attempts solve at the last step but not at the first, and the reverse. Source: base metrics of EvoTrainer (arXiv
2606.03108).
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, known, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

_BINS = (0.0, 0.01, 0.3, 0.5, 0.8, 1.0)


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return score metrics; warn when the solve rate falls over a run on an unchanged mix of problems."""
    rows = context.graded
    rows = rows[rows["correct"].notna()]
    if rows.empty:
        return Diagnosis()
    groups = rows.groupby("group")["correct"]
    metrics = {
        "solve_rate": rows["correct"].mean(),
        "avg_at_k": groups.mean().mean(),
        "pass_at_k": (groups.max() >= 1.0).mean(),
        "mean_reward": rows["reward"].mean(),
        "num_rows": len(context.rows),
        "num_groups": groups.ngroups,
        **_distribution(rows["correct"]),
        **_flow(context.training),
    }
    return Diagnosis(known(metrics), _decline(context))


def _distribution(correct: Frame) -> dict[str, float]:
    """Return the share of attempts in each bin that has any: partial credit may not exist."""
    places = np.searchsorted(_BINS, correct.to_numpy(), side="right") - 1
    shares = np.bincount(np.clip(places, 0, len(_BINS) - 1), minlength=len(_BINS)) / len(correct)
    return {f"correct_from_{low:g}_share": float(share) for low, share in zip(_BINS, shares, strict=True) if share > 0}


def _flow(training: Frame) -> dict[str, float]:
    solved = training[training["error"].isna()].groupby(["problem_id", "step"])["correct"].mean() >= 0.5
    visits = solved.groupby("problem_id")
    first, last = visits.first()[visits.size() > 1], visits.last()[visits.size() > 1]
    if first.empty:
        return {}
    return {"flow_gained": float((~first & last).mean()), "flow_lost": float((first & ~last).mean())}


def _decline(context: Context) -> list:
    if context.training_recipe is not None and context.training_recipe.data.curriculum != "none":
        return []  # a curriculum changes the mix of problems, and with it the solve rate
    limits = context.thresholds
    change = trend(context.training, "correct", limits.min_groups)
    if change is None or change.early - change.late < limits.decline or change.z > -z_limit(limits.alpha):
        return []
    message = (
        f"the solve rate on training rows fell from {change.early:.2f} to {change.late:.2f} over the run (limit "
        f"{limits.decline:g}): lower the learning rate"
    )
    numbers = {"early": change.early, "late": change.late, "z": change.z}
    return [context.finding("score_decline", "warning", message, numbers, ("decline", "alpha"))]
