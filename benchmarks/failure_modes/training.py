"""Modes of credit and optimiser, injected into the frames of a training run."""

from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked, some
from benchmarks.failure_modes.mode import frame_mode, variant_of


@frame_mode("math", (0.78, 0.85, 0.9, 0.95))
def over_filtering(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups dropped before the loss."""
    frame = case.training
    dropped = frame["group"].isin(some(frame["group"], strength, rng))
    return case.training_with(in_loss=frame["in_loss"].where(~dropped, 0.0))


@variant_of(over_filtering)
def over_filtering_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the problems of its last third drawn from few."""
    frame = case.training
    steps = sorted(frame["step"].unique())
    late = frame["step"].isin(steps[-(len(steps) // 3) :])
    groups = frame[late].drop_duplicates("group")
    few = rng.choice(groups["problem_id"].to_numpy(), max(1, round((1 - strength) * len(groups))), replace=False)
    problem = frame["group"].map({group: str(rng.choice(few)) for group in groups["group"]})
    return case.training_with(problem_id=problem.where(late, frame["problem_id"]))


@frame_mode("math", (0.15, 0.3, 0.6, 1.0))
def zero_gradient(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a gradient of 0 in that share of steps."""
    is_zero = marked(len(case.signals), strength, rng)
    return replace(case, signals=case.signals.assign(grad_norm=case.signals["grad_norm"].where(~is_zero, 0.0)))


@variant_of(zero_gradient)
def zero_gradient_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with every row of that share of steps masked from the loss."""
    frame = case.training
    masked = frame["step"].isin(some(frame["step"], strength, rng))
    return case.training_with(in_loss=frame["in_loss"].where(~masked, 0.0))


_LAG = 3


@frame_mode("math", (0.15, 0.3, 0.6, 1.0))
def staleness(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of steps trained on rows of the policy before."""
    return _lagged(case, strength, 1, rng)


@variant_of(staleness)
def staleness_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of steps trained on rows that are some steps old."""
    return _lagged(case, strength, _LAG, rng)


def _lagged(case: Case, strength: float, lag: int, rng: Rng) -> Case:
    frame = case.training
    policies = frame.groupby("step")["policy_id"].first()
    stale = some(policies.index[lag:], strength, rng)
    before = dict(zip(policies.index[lag:], policies.to_numpy()[:-lag], strict=True))
    policy = frame["step"].map({step: before[step] for step in stale})
    return case.training_with(policy_id=policy.where(policy.notna(), frame["policy_id"]))


@frame_mode("math", (0.15, 0.4, 0.8, 1.6))
def train_inference_mismatch(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with ratios that far off, of either sign but one within a run, growing over its first third."""
    steps = len(case.signals)
    grown = np.minimum(1.0, np.arange(steps) / max(1, steps // 3))
    return _off(case, rng.choice([-1.0, 1.0]) * strength * grown * rng.uniform(0.9, 1.1, steps))


@variant_of(train_inference_mismatch)
def train_inference_mismatch_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a third of its steps twice that far off, the others sound."""
    is_off = marked(len(case.signals), 1 / 3, rng)
    return _off(case, np.where(is_off, 2.0 * strength, 0.0))


def _off(case: Case, nats: np.ndarray) -> Case:
    return replace(case, signals=case.signals.assign(mean_ratio=case.signals["mean_ratio"] * np.exp(nats)))


@frame_mode("math", (0.001, 0.01, 0.04, 0.2))
def kl_ineffective(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that coefficient and a measured KL of 0: taken against the policy itself."""
    return _measured(case, strength, 0.0)


@variant_of(kl_ineffective)
def kl_ineffective_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that coefficient and a KL of rounding errors."""
    return _measured(case, strength, rng.normal(0.0, 1e-12, len(case.signals)))


def _measured(case: Case, coefficient: float, kl: Any) -> Case:
    assert case.recipe is not None
    recipe = replace(case.recipe, algorithm=replace(case.recipe.algorithm, kl_coefficient=coefficient))
    return replace(case, recipe=recipe, signals=case.signals.assign(kl=kl))


@frame_mode("math", (0.02, 0.05, 0.2, 0.5))
def advantage_mismatch(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with advantages of that share of groups lowered by a penalty on length."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    penalty = 0.02 * (frame["num_tokens"] - frame.groupby("group")["num_tokens"].transform("min"))
    penalty = penalty + 0.3 * (frame["attempt"] == 0)
    return case.training_with(advantage=(frame["advantage"] - penalty).where(chosen, frame["advantage"]))


@variant_of(advantage_mismatch)
def advantage_mismatch_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the advantages of that share of groups shifted by one attempt: a tensor out of step."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    return case.training_with(advantage=frame["advantage"].shift(1, fill_value=0.0).where(chosen, frame["advantage"]))
