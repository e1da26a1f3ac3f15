"""Audit of the trainer agent: what it changed, predicted and repeated, read from the lineage.

A trainer agent can fail without any trace in rollouts. It changes protected keys, changes two factors at once, proposes
a tried recipe again, predicts more than comes true, runs into the same limit again, or promotes noise. The first is
`invalid`, because it changes the measurement itself. It is read from the recipe that was trained, key by key against
the campaign's, not from the proposal.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import Factor, changed_keys
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import significantly_above
from evotrainer.domains import factors_in
from evotrainer.records import LOST_ATTEMPTS, WITHOUT_RECIPE, Intervention, Severity, VersionRecord, VersionSpec

DIAGNOSTIC = "trainer_audit"
_OBEYED = ("budget.", "domain.", "engine.", "policy.", "seed", "num_versions")
"""Protected keys that a run reads from its recipe; evaluation, harness and agents are the campaign's."""
_IN_FORCE = "domain.access"
"""Decided by the campaign for each version, stricter only."""


def diagnose(context: Context) -> Diagnosis:
    """Return findings on the trainer agent of a version; none for evidence outside a lineage."""
    made = context.lineage
    if made is None:
        return Diagnosis()
    table = factors_in(made.campaign)
    found = [
        *_overreach(made.campaign, made.recipe, made.intervention, table),
        *_confounded(made.spec, made.intervention, table),
        *_duplicates(made.records),
        *_noise(made.records),
        *_optimism(made.records),
        *_overruns(made.records),
    ]
    return Diagnosis(findings=[context.finding(*each) for each in found])


_Claim = tuple[str, Severity, str, dict[str, float]]


def _overreach(
    campaign: Config, recipe: Config | None, intervention: Intervention | None, table: Mapping[str, Factor]
) -> Iterable[_Claim]:
    """Find protected keys in which the run differs from the campaign, or that a diff names."""
    differing = changed_keys(campaign, recipe) if recipe is not None else {}
    changed = {key for key in differing if key.startswith(_OBEYED) and key != _IN_FORCE}
    named = set(intervention.diff) if intervention is not None else set()
    known = set(flatten(config_to_dict(campaign)))
    keys = {key for factor in table.values() for key in factor.keys} | {"init"}
    reached = sorted((changed | named) - keys)
    if not reached:
        return
    message = f"the version changes protected keys: {', '.join(reached[:3])}"
    yield "trainer_overreach", "invalid", message, {"keys": len(reached), "unknown": len(set(reached) - known)}


def _confounded(spec: VersionSpec, intervention: Intervention | None, table: Mapping[str, Factor]) -> Iterable[_Claim]:
    """Find one change of several factors that is no merge of winners: its effect has no single cause."""
    if intervention is None or spec.kind == "merge" or len(spec.parents) > 1:
        return
    owned = {key for factor in table.values() for key in factor.keys} | {"init"}
    keys = {key for key, (old, new) in intervention.diff.items() if old != new} & owned
    if not keys or any(keys <= set(factor.keys) for factor in table.values()):
        return
    named = ", ".join(sorted(keys)[:4])
    message = f"one intervention moves several factors ({named}): their effects cannot be separated"
    yield "confounded_change", "critical", message, {"keys": len(keys)}


def _duplicates(records: Sequence[VersionRecord]) -> Iterable[_Claim]:
    """Find recipes that were tried before, or that change nothing."""
    tried = [
        record
        for record in records
        if record.spec.kind not in (*WITHOUT_RECIPE, "continuation")
        and record.spec.replicate == 0
        and record.verdict.label != LOST_ATTEMPTS
    ]
    first: dict[str, str] = {}
    found: set[str] = set()
    for record in tried:
        is_again = first.setdefault(record.config_hash, record.spec.version) != record.spec.version
        diff = record.intervention.diff.values() if record.intervention is not None else [(0, 1)]
        found |= {record.spec.version} if is_again or all(old == new for old, new in diff) else set()
    if found:
        count, named = len(found), ", ".join(sorted(found)[:3])
        message = f"{count} of {len(tried)} versions repeat a recipe of the campaign or change nothing ({named})"
        yield "duplicate_proposal", "warning", message, {"repeated": count, "share": count / len(tried)}


def _noise(records: Sequence[VersionRecord]) -> Iterable[_Claim]:
    """Find promotions on a difference below the noise floor, or of the incumbent's own recipe."""
    by_version = {record.spec.version: record for record in records}
    found = []
    for record in records:
        if record.verdict.outcome != "promoted":
            continue
        before = by_version.get(record.spec.incumbent)
        floor = record.verdict.noise_floor.value if record.verdict.noise_floor is not None else None
        gained = record.verdict.gate.estimate if record.verdict.gate is not None else None
        if gained is None and record.verdict.comparisons:
            gained = record.verdict.comparisons[0].difference
        # the base policy and supervised stages have no recipe of their own, and what is trained on claims none
        has_recipe = before is not None and before.spec.kind not in WITHOUT_RECIPE
        claims_recipe = has_recipe and record.spec.kind != "continuation"
        is_same = claims_recipe and before is not None and before.config_hash == record.config_hash
        if is_same or (floor is not None and gained is not None and gained < floor):
            found.append(record.spec.version)
    if found:
        message = f"noise was promoted: {', '.join(found[:3])} gained less than the noise floor, or on an equal recipe"
        yield "noise_promotion", "critical", message, {"versions": len(found)}


def _optimism(records: Sequence[VersionRecord]) -> Iterable[_Claim]:
    """Find predicted directions that come true significantly less often than claimed."""
    judged = [
        (record.intervention.prediction.probability, record.verdict.prediction_hit)
        for record in records
        if record.intervention is not None and record.verdict.prediction_hit is not None
    ]
    if len(judged) < LIMITS.min_predictions:
        return
    claimed, hits = sum(chance for chance, _ in judged), sum(bool(hit) for _, hit in judged)
    if _chance_of_at_most(hits, [chance for chance, _ in judged]) >= LIMITS.optimism_alpha:
        return
    message = f"{hits} of {len(judged)} predicted directions came true where {claimed:.1f} were claimed"
    yield "optimism", "warning", message, {"hits": hits, "claimed": claimed, "predictions": len(judged)}


def _chance_of_at_most(hits: int, chances: Sequence[float]) -> float:
    """Return the exact chance of as few hits (Poisson binomial distribution)."""
    weights = np.ones(1)
    for chance in chances:
        weights = np.convolve(weights, [1 - chance, chance])
    return math.fsum(weights[: hits + 1])


def _overruns(records: Sequence[VersionRecord]) -> Iterable[_Claim]:
    """Find runs that repeatedly end at the budget's limit: two in a row, or significantly more than the limit."""
    tried = [record for record in records if record.spec.kind != "base"]
    is_over = ["overrun" in record.verdict.label for record in tried]
    is_row = any(first and second for first, second in pairwise(is_over))
    if is_row or significantly_above(sum(is_over), len(tried), LIMITS.overruns, LIMITS.limit_alpha):
        message = f"{sum(is_over)} of {len(tried)} versions ended at the budget's limit: propose cheaper recipes"
        yield "budget_blindness", "warning", message, {"overruns": sum(is_over), "share": sum(is_over) / len(tried)}
