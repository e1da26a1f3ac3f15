"""One optimiser step of two recipes on the same cached batch, from the incumbent's policy: what judges a gradient.

The rows were sampled by that policy, so the step is the one that training would take there. Rewards are combined anew
from the stored terms under each recipe. Speed is the ratio of the two changes of margin (mean logprob of correct minus
wrong attempts, on the half of the batch that was not trained on). An update far beyond the present one, a
policy thrown far in one step, or a margin that falls is an objection.
"""

import math
from collections.abc import Sequence

from evotrainer.backtests.forecast import Replayed
from evotrainer.backtests.inputs import RecipeChange, ReplayInputs
from evotrainer.config import Config
from evotrainer.config.factors import recipe_hash
from evotrainer.training.base import StepReplay, StepReplayer

MAX_GROUPS = 48
"""Cached groups that the replay takes, half to step on, half to judge by: a few times a training batch."""
MAX_UPDATE_RATIO = 8.0
MAX_STEP_KL = 0.05
"""Nats a token that one step may move the policy: the healthy distance of a whole run."""
SPEED_LIMIT = 8.0
NO_MARGIN = 1e-6
"""Nats; a present margin change below it is noise, and no ratio is taken."""
SAME = 1e-3
"""Relative difference below which two steps are one: floating point, not a change."""


def compared(change: RecipeChange) -> Replayed | None:
    """Return the ratio of margin changes of one step of each recipe; None without a replayer or cached tokens."""
    family, found = change.factor.family, _both_steps(change)
    if found is None:
        return None
    before, after = found
    numbers = _numbers(before, after)
    if _is_same(before, after):
        note = "the step is the same: what the change does later in a run cannot be replayed"
        return Replayed(family, notes=(note,), numbers=numbers)
    if before.margin_change <= NO_MARGIN:
        speed, notes = 1.0, ("the present recipe's step does not raise the margin: no ratio can be taken",)
    else:
        ratio = after.margin_change / before.margin_change
        speed, notes = min(max(ratio, 0.0), SPEED_LIMIT), ()
    return Replayed(family, speed, _objections(before, after), notes, numbers)


def _both_steps(change: RecipeChange) -> tuple[StepReplay, StepReplay] | None:
    """Return one step of the present recipe and of the changed one; None without a replayer or cached tokens."""
    evidence = change.evidence
    if change.replayer is None or not evidence.tokens:
        return None
    wanted = [change.parent, change.child]
    steps = evidence.steps if {recipe_hash(one) for one in wanted} <= evidence.steps.keys() else None
    steps = steps or replay_steps(wanted, evidence, change.replayer)
    return steps[recipe_hash(change.parent)], steps[recipe_hash(change.child)]


def replay_steps(recipes: Sequence[Config], evidence: ReplayInputs, replayer: StepReplayer) -> dict[str, StepReplay]:
    """Return {recipe hash: one step's replay}; cosines are with the first recipe's gradient."""
    steps = replayer(recipes, evidence.policy_path, evidence.batch(MAX_GROUPS), evidence.tokens, evidence.code)
    return {recipe_hash(recipe): step for recipe, step in zip(recipes, steps, strict=True)}


def _is_same(before: StepReplay, after: StepReplay) -> bool:
    same_length = math.isclose(before.update_norm, after.update_norm, rel_tol=SAME)
    return (
        after.cosine > 1 - SAME
        and same_length
        and math.isclose(before.margin_change, after.margin_change, rel_tol=SAME)
    )


def _objections(before: StepReplay, after: StepReplay) -> tuple[str, ...]:
    reasons = []
    if before.update_norm > 0 and after.update_norm > MAX_UPDATE_RATIO * before.update_norm:
        reasons.append(f"the update is {after.update_norm / before.update_norm:.1f} times the present one")
    if after.kl > MAX_STEP_KL:
        reasons.append(f"one step moves the policy by {after.kl:.3f} nats a token, limit {MAX_STEP_KL}")
    if before.margin_change > NO_MARGIN and after.margin_change < 0:
        reasons.append(f"the step lowers the margin of correct attempts by {-after.margin_change:.2g} nats")
    return tuple(reasons)


def _numbers(before: StepReplay, after: StepReplay) -> dict[str, float]:
    return {
        "step_cosine": after.cosine,
        "step_kl": after.kl,
        "step_clip_fraction": after.clip_fraction,
        "margin_before": before.margin_change,
        "margin_after": after.margin_change,
        "grad_norm_before": before.grad_norm,
        "grad_norm_after": after.grad_norm,
        "update_norm_before": before.update_norm,
        "update_norm_after": after.update_norm,
    }
