"""Inject a confounded change: one intervention moves several factors, and is no merge of winners."""

from dataclasses import replace

from benchmarks.failure_modes.base import Rng
from benchmarks.fault_injection.lineages import LineageCase, draw_change
from evotrainer.config.factors import recipe_hash

DOMAIN = "lineage"
STRENGTHS = (2.0, 3.0, 4.0, 6.0)
"""Factors that are moved."""


def alter(case: LineageCase, strength: float, rng: Rng) -> LineageCase:
    """Return the case with further changes in its diff."""
    assert case.intervention is not None
    diff, recipe, touched = dict(case.intervention.diff), case.recipe, {case.intervention.factor}
    while len(touched) < round(strength):
        change, changed = draw_change(recipe, rng, {recipe_hash(recipe)})
        if diff.keys().isdisjoint(change.diff) and change.factor not in touched:
            diff, recipe = {**diff, **change.diff}, changed
            touched.add(change.factor)
    return replace(case, recipe=recipe, intervention=case.intervention.model_copy(update={"diff": diff}))
