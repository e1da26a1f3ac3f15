"""Ineffective KL: a coefficient is configured, but the measured distance from the reference policy stays 0.

With a coefficient above 0 and gradients other than 0, a measured KL of exactly 0 means that it is measured against the
policy itself, or not at all. Whether the coefficient changes the gradient needs a replay on a fixed batch. The backtest
does that; stored rows cannot.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

_MIN_STEPS = 3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn when KL is configured and measured as 0 after the policy has changed."""
    if context.training_recipe is None or context.training_recipe.algorithm.kl_coefficient <= 0:
        return Diagnosis()
    coefficient = context.training_recipe.algorithm.kl_coefficient
    moved = context.signals[(context.signals["grad_norm"].shift(1).cummax() > 0) & context.signals["kl"].notna()]
    largest = float(moved["kl"].abs().max()) if len(moved) >= _MIN_STEPS else None
    if largest is None or largest > context.thresholds.kl_moves:
        return Diagnosis()
    message = (
        f"the KL coefficient is {coefficient:g}, but the measured KL stayed at 0 over {len(moved)} steps: "
        "it is measured against the policy itself, or not at all"
    )
    numbers = {"kl_coefficient": coefficient, "largest_kl": largest, "steps": len(moved)}
    return Diagnosis(findings=[context.finding("kl_ineffective", "warning", message, numbers, ("kl_moves",))])
