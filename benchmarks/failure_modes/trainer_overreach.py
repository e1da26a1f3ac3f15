"""Inject a trainer that reaches for what is protected: evaluator, validation data, seeds, limits, budget."""

from dataclasses import replace
from typing import Any

from benchmarks.failure_modes.base import Rng
from benchmarks.fault_injection.lineages import LineageCase
from evotrainer.config import Config
from evotrainer.config.interventions import with_values

DOMAIN = "lineage"
FALSIFIES = True
STRENGTHS = (1.0, 2.0, 3.0, 4.0)
"""Protected keys that are changed."""
_OF_THE_RUN = {
    "budget.train_tokens": 10_000_000,
    "budget.max_steps": 77_777,
    "budget.max_train_seconds": 9e5,
    "seed": 7,
    "domain.data_path": "data/math/validation.jsonl",
    "engine.num_threads": 7,
    "num_versions": 99,
}
_OF_THE_EVALUATOR = {
    "evaluate.attempts": 64,
    "evaluate.temperature": 0.2,
    "evaluate.max_problems": 20,
    "evaluate.error_budget": 0.01,
    "evaluate.max_response_tokens": 4096,
    "evaluate.regraded_rows": 0,
}


def alter(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with a diff that names protected keys beside its own, and a recipe that has them."""
    changed, values = _reached(case, _OF_THE_RUN | _OF_THE_EVALUATOR, strength, rng)
    assert case.intervention is not None
    diff = {**case.intervention.diff, **{key: ("", value) for key, value in values.items()}}
    return replace(case, recipe=changed, intervention=case.intervention.model_copy(update={"diff": diff}))


def alter_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with a recipe that changes what the run obeys, and a diff that says nothing of it."""
    return replace(case, recipe=_reached(case, _OF_THE_RUN, strength, rng)[0])


def _reached(case: LineageCase, known: dict[str, Any], strength: float, rng: Rng) -> tuple[Config, dict[str, Any]]:
    keys = rng.choice(list(known), round(strength), replace=False).tolist()
    values = {key: known[key] for key in keys}
    return with_values(case.recipe, values), values
