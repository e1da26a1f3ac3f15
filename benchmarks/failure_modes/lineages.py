"""Lineages of healthy campaigns: real recipes and interventions, verdicts drawn from a stated model.

Interventions are drawn among the settings of real factors and built by the product's own rules, so each changes one
factor of a recipe that was not tried before. A change has an effect, drawn near nothing; what the evaluation shows is
the effect with the noise of its floor; a promotion takes three floors on fresh rows. Predictions come true as often as
they claim. One run in a while breaks off at its limit.
"""

from dataclasses import dataclass, replace
from typing import Any

from benchmarks.failure_modes.base import Rng
from evotrainer.config import Config, DomainConfig
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import apply, build
from evotrainer.diagnosis.context import Context, Lineage
from evotrainer.diagnosis.harness import read_context
from evotrainer.domains import factors_in
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import (
    Comparison,
    Condition,
    Intervention,
    NoiseFloor,
    Prediction,
    Verdict,
    VersionRecord,
    VersionSpec,
)

NUM_VERSIONS = 12
FLOOR = 0.01
_EFFECT, _FAILURES = 0.02, 0.05


@dataclass(frozen=True)
class LineageCase:
    """A campaign up to the version that is judged: what the trainer did, as far as records and recipes show it."""

    campaign: Config
    records: tuple[VersionRecord, ...]
    spec: VersionSpec
    intervention: Intervention | None
    recipe: Config

    def context(self) -> Context:
        """Return what the audit of the trainer is asked about."""
        made = Lineage(self.campaign, self.recipe, self.spec, self.intervention, self.records)
        return replace(read_context(self.spec.version), lineage=made)


def healthy_lineage(campaign: Config, rng: Rng) -> LineageCase:
    """Return a campaign of `NUM_VERSIONS` records and the version after them."""
    records = [base_record(campaign)]
    incumbent, recipe = records[0], campaign
    seen = {recipe_hash(campaign)}
    for number in range(1, NUM_VERSIONS + 1):
        intervention, changed = draw_change(recipe, rng, seen)
        record = _judged(number, incumbent, intervention, changed, rng)
        records.append(record)
        if record.verdict.outcome == "promoted":
            incumbent, recipe = record, changed
    intervention, changed = draw_change(recipe, rng, seen)
    spec = _spec(NUM_VERSIONS + 1, incumbent.spec.version)
    return LineageCase(campaign, tuple(records), spec, intervention, changed)


_NAMES = tuple(factors_in(Config(domain=DomainConfig(name="swe"))))
"""Of all domains of this program: swe has those of the others too."""


def draw_change(parent: Config, rng: Rng, seen: set[str]) -> tuple[Intervention, Config]:
    """Return an intervention of one factor whose recipe is not among `seen`, with that recipe; adds it there."""
    names, table = list(_NAMES), factors_in(parent)
    while True:
        factor = table.get(names[rng.integers(len(names))])
        choices = factor.choices(parent) if factor is not None else []
        if not choices:
            continue  # of another domain, or without settings to draw from, like code
        try:
            intervention = build(
                parent,
                choices[rng.integers(len(choices))],
                author="bench",
                hypothesis="a change of one factor",
                prediction=predict(rng),
                success=[Condition(metric="score", operator=">", value=0.0)],
                limits=[],
                parents=["v000"],
                table=table,
            )
            changed = apply(parent, intervention.diff)
        except (ConfigError, InterventionError):
            continue  # it changes nothing here, or a limit of another key forbids it
        if recipe_hash(changed) not in seen:
            seen.add(recipe_hash(changed))
            return intervention, changed


def predict(rng: Rng) -> Prediction:
    """Return a prediction of the score, with a credence."""
    chance = float(rng.uniform(0.5, 0.85))
    return Prediction(metric="score", direction="up", size=0.02, low=0.0, high=0.05, probability=chance)


def with_verdict(record: VersionRecord, **changes: object) -> VersionRecord:
    """Return the record with parts of its verdict replaced."""
    return record.model_copy(update={"verdict": record.verdict.model_copy(update=changes)})


def with_records(case: LineageCase, records: list[VersionRecord]) -> LineageCase:
    """Return the case with another history."""
    return replace(case, records=tuple(records))


def base_record(campaign: Config) -> VersionRecord:
    """Return the record of a campaign's base policy."""
    spec = _spec(0, "v000").model_copy(update={"kind": "base", "parents": []})
    return _record(spec, campaign, outcome="kept", claim="base policy", score=0.5)


def _judged(number: int, incumbent: VersionRecord, change: Intervention, recipe: Config, rng: Rng) -> VersionRecord:
    spec = _spec(number, incumbent.spec.version)
    seen = float(rng.normal(rng.normal(0.0, _EFFECT), FLOOR))
    is_failed, is_better = bool(rng.random() < _FAILURES / number), seen > 3 * FLOOR
    floor = NoiseFloor(value=FLOOR, observed=FLOOR, difference=0.0, num_problems=200, attempts=8)
    if is_failed:
        return _record(spec, recipe, change, outcome="failed", label="train_budget_overrun", noise_floor=floor)
    before = incumbent.verdict.score or 0.0
    comparison = Comparison(
        against=incumbent.spec.version,
        metric="score",
        num_problems=200,
        attempts=8,
        score=before + seen,
        other_score=before,
        difference=seen,
        low=seen - 2 * FLOOR,
        high=seen + 2 * FLOOR,
        wilcoxon_p=0.01,
        noise_floor=FLOOR,
    )
    return _record(
        spec,
        recipe,
        change,
        outcome="promoted" if is_better else "rejected" if seen < -3 * FLOOR else "kept",
        score=before + seen,
        comparisons=[comparison],
        noise_floor=floor,
        prediction_hit=bool(rng.random() < change.prediction.probability),
    )


def _record(spec: VersionSpec, recipe: Config, change: Intervention | None = None, **judged: Any) -> VersionRecord:
    """Return the record of a version on a recipe; `judged` are parts of its verdict."""
    plain = {"label": "", "claim": "", "reasons": [], "score": None, "gate_version": "bench"}
    verdict = Verdict(version=spec.version, harness_version="bench", **plain | judged)
    return VersionRecord(
        spec=spec,
        intervention=change,
        backtest=None,
        verdict=verdict,
        findings=[],
        metrics={},
        config_hash=recipe_hash(recipe),
        policy_hash=spec.version,
    )


def _spec(number: int, incumbent: str) -> VersionSpec:
    return VersionSpec(
        campaign="bench",
        version=f"v{number:03d}",
        generation=number,
        slot=0,
        kind="candidate",
        parents=[incumbent],
        incumbent=incumbent,
        campaign_seed=0,
    )
