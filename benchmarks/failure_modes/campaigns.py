"""Modes of the trainer agent, injected into the lineage of a campaign."""

from dataclasses import replace
from typing import Any

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.lineages import FLOOR, LineageCase, draw_change, with_records, with_verdict
from benchmarks.failure_modes.mode import frame_mode, variant_of
from evotrainer.config import Config
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import with_values

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


@frame_mode("lineage", (1.0, 2.0, 3.0, 4.0), falsifies=True)
def trainer_overreach(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with a diff that names protected keys beside its own, and a recipe that has them."""
    changed, values = _reached(case, _OF_THE_RUN | _OF_THE_EVALUATOR, strength, rng)
    assert case.intervention is not None
    diff = {**case.intervention.diff, **{key: ("", value) for key, value in values.items()}}
    return replace(case, recipe=changed, intervention=case.intervention.model_copy(update={"diff": diff}))


@variant_of(trainer_overreach)
def trainer_overreach_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with a recipe that changes what the run obeys, and a diff that says nothing of it."""
    return replace(case, recipe=_reached(case, _OF_THE_RUN, strength, rng)[0])


def _reached(case: LineageCase, known: dict[str, Any], strength: float, rng: Rng) -> tuple[Config, dict[str, Any]]:
    keys = rng.choice(list(known), round(strength), replace=False).tolist()
    values = {key: known[key] for key in keys}
    return with_values(case.recipe, values), values


@frame_mode("lineage", (2.0, 3.0, 4.0, 6.0))
def confounded_change(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with further changes in its diff."""
    assert case.intervention is not None
    diff, recipe, touched = dict(case.intervention.diff), case.recipe, {case.intervention.factor}
    while len(touched) < round(strength):
        change, changed = draw_change(recipe, rng, {recipe_hash(recipe)})
        if diff.keys().isdisjoint(change.diff) and change.factor not in touched:
            diff, recipe = {**diff, **change.diff}, changed
            touched.add(change.factor)
    return replace(case, recipe=recipe, intervention=case.intervention.model_copy(update={"diff": diff}))


@frame_mode("lineage", (1.0, 2.0, 4.0, 6.0))
def duplicate_proposal(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many versions on the recipe of an earlier one."""
    records = list(case.records)
    for place in rng.choice(range(2, len(records)), round(strength), replace=False):
        earlier = records[int(rng.integers(1, place))]
        records[place] = records[place].model_copy(update={"config_hash": earlier.config_hash})
    return with_records(case, records)


@variant_of(duplicate_proposal)
def duplicate_proposal_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many versions whose diff sets what was there."""
    records = list(case.records)
    for place in rng.choice(range(1, len(records)), round(strength), replace=False):
        change = records[place].intervention
        assert change is not None
        idle = change.model_copy(update={"diff": {key: (new, new) for key, (_, new) in change.diff.items()}})
        records[place] = records[place].model_copy(update={"intervention": idle})
    return with_records(case, records)


@frame_mode("lineage", (1.0, 2.0, 4.0, 6.0))
def noise_promotion(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many promotions of a difference below the floor."""
    records = list(case.records)
    for place in rng.choice(range(1, len(records)), round(strength), replace=False):
        gained = [
            comparison.model_copy(update={"difference": float(rng.uniform(0.0, 0.95 * FLOOR))})
            for comparison in records[place].verdict.comparisons
        ]
        records[place] = with_verdict(records[place], outcome="promoted", comparisons=gained)
    return with_records(case, records)


@variant_of(noise_promotion)
def noise_promotion_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many promotions of the incumbent's own recipe, by any difference."""
    records = list(case.records)
    for place in rng.choice(range(2, len(records)), round(strength), replace=False):
        before = records[place - 1]
        spec = records[place].spec.model_copy(update={"incumbent": before.spec.version})
        same = records[place].model_copy(update={"spec": spec, "config_hash": before.config_hash})
        records[place] = with_verdict(same, outcome="promoted")
    return with_records(case, records)


_HITS = 0.2


@frame_mode("lineage", (0.5, 0.7, 0.85, 0.97))
def optimism(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that credence in every prediction."""
    return _promised(case, strength, _HITS, rng)


@variant_of(optimism)
def optimism_variant(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that credence where nothing ever comes true."""
    return _promised(case, strength, 0.0, rng)


def _promised(case: LineageCase, credence: float, hits: float, rng: Rng) -> LineageCase:
    records = []
    for record in case.records:
        if record.intervention is not None and record.verdict.prediction_hit is not None:
            prediction = record.intervention.prediction.model_copy(update={"probability": credence})
            change = record.intervention.model_copy(update={"prediction": prediction})
            record = with_verdict(
                record.model_copy(update={"intervention": change}), prediction_hit=bool(rng.random() < hits)
            )
        records.append(record)
    return with_records(case, records)


@frame_mode("lineage", (2.0, 3.0, 4.0, 6.0))
def budget_blindness(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with that many versions that overran their budget."""
    records = list(case.records)
    for place in rng.choice(range(1, len(records)), round(strength), replace=False):
        records[place] = with_verdict(
            records[place],
            outcome="failed",
            label="train_budget_overrun",
            score=None,
            comparisons=[],
            prediction_hit=None,
        )
    return with_records(case, records)
