"""A campaign on a landscape: the real search, agent, laws and lineage; score, backtest and gate are drawn.

    plan (real) ─► propose under the brief (real) ─► laws (real) ─► backtest (drawn) ─► select (real)
                 ─► trained score (landscape) ─► evaluation noise (drawn) ─► gate (its rule, on drawn rows) ─► record

The gates follow the rules of promotion/: greedy promotes any higher score; sequential screens, and then asks fresh
rows for a difference above the noise floor and beyond the version's share of the error budget. Fresh rows have half
the noise of a screening (four times the attempts). Costs are counted in evaluations of one screening.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from scipy.stats import norm

from benchmarks.search.landscape import ABORTS, BACKTEST_CORRELATION, CRASHES, HACK_FOUND, POINTS, Landscape
from benchmarks.search.uniform import Uniform
from evotrainer.agents import Agent, AgentRecord, ProposalContext, make_agent
from evotrainer.agents.briefed import propose_under
from evotrainer.campaign.lineage import find, incumbent, taken_recipes
from evotrainer.campaign.recipes import common_base, recipe_from
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.config.factors import changed_keys, recipe_hash
from evotrainer.config.interventions import check, intervention_id, merge
from evotrainer.errors import ConfigError
from evotrainer.records import (
    LOST_ATTEMPTS,
    Backtest,
    CheckpointClaim,
    Comparison,
    Finding,
    HarnessReport,
    Intervention,
    NoiseFloor,
    Outcome,
    Verdict,
    VersionRecord,
    VersionSpec,
)
from evotrainer.search import SearchStrategy, VersionPlan, brief_of, make_search

FRESH_EVALUATIONS = 8.0
"""Screenings that a gate's fresh rows cost: four times the attempts, on both arms."""


@dataclass
class Trace:
    """What a campaign came to, beside its records."""

    records: list[VersionRecord] = field(default_factory=list)
    truth: dict[str, float] = field(default_factory=dict)
    """True score of each trained version, and of v000."""
    hacked: set[str] = field(default_factory=set)
    refused: int = 0
    """Proposals that the laws refused: repeated recipes, no effect, protected keys."""
    evaluations: float = 0.0
    recipes: dict[str, Config] = field(default_factory=dict)

    def recipe(self, config: Config, version: str) -> Config:
        """Return a closed version's recipe."""
        if version not in self.recipes:
            self.recipes[version] = recipe_from(self.records, config, version)
        return self.recipes[version]


def run_surrogate(config: Config, landscape: Landscape, seed: int) -> Trace:
    """Run a campaign to its end; the same for the same arguments."""
    with TemporaryDirectory() as folder:
        agent = (
            Uniform()
            if config.trainer.name == "random"
            else make_agent(config, AgentRecord(Path(folder) / "agent.jsonl"))
        )
        return _run(config, landscape, seed, agent)


def _run(config: Config, landscape: Landscape, seed: int, agent: Agent) -> Trace:
    search, trace = make_search(config), Trace()
    while plans := search.next_generation(trace.records, config):
        known = list(trace.records)
        for plan in plans:
            made = _Version(config, landscape, seed, search, plan, known, trace)
            trace.records.append(made.closed(agent))
    return trace


@dataclass
class _Version:
    """One version on its way to a record."""

    config: Config
    landscape: Landscape
    seed: int
    search: SearchStrategy
    plan: VersionPlan
    known: Sequence[VersionRecord]
    trace: Trace

    def closed(self, agent: Agent) -> VersionRecord:
        """Return the record of the version as it ends."""
        if self.plan.kind == "base":
            return self._record(self.config, None, None, "kept", self.landscape.sweep.base)
        if self.plan.kind == "baseline":
            return self._judged(self.config, None, None)
        try:
            recipe, chosen = self._merged() if self.plan.kind == "merge" else self._chosen(agent)
        except ConfigError:
            chosen = None
            recipe = self.trace.recipe(self.config, self.plan.incumbent)
        if chosen is None:
            return self._record(recipe, None, _backtest("", 0.0, accepted=False), "rejected", None)
        return self._judged(recipe, chosen, _backtest(chosen.intervention_id, self._predicted(recipe, chosen)))

    def _chosen(self, agent: Agent) -> tuple[Config, Intervention | None]:
        parent = self.trace.recipe(self.config, self.plan.incumbent)
        brief = brief_of(self.search, self._spec(), self.known, self.config)
        report = HarnessReport(version=self.plan.version, harness_version="surrogate")
        context = ProposalContext(parent, self.plan.incumbent, self.plan.generation, report, self.known, brief=brief)
        taken, pool, recipes = taken_recipes(self.known), [], []
        for proposal in propose_under(brief, agent, context):
            try:
                recipe = check(proposal, parent, taken)
            except ConfigError:
                self.trace.refused += 1
                continue
            taken = taken | {recipe_hash(recipe): proposal.intervention_id}
            recipes.append(recipe)
            pool.append(proposal)
            if len(pool) == self.config.trainer.pool_size:
                break
        if brief.rank >= len(pool):
            return parent, None
        tests = [
            _backtest(one.intervention_id, self._predicted(recipe, one))
            for one, recipe in zip(pool, recipes, strict=True)
        ]
        index = self.search.select(pool, tests, brief.rank, self.config)
        return recipes[index], pool[index]

    def _merged(self) -> tuple[Config, Intervention]:
        base_version = common_base(self.known, *self.plan.parents)
        base = self.trace.recipe(self.config, base_version)
        parts = []
        for name in self.plan.parents:
            made = find(self.known, name).intervention
            assert made is not None
            diff = changed_keys(base, self.trace.recipe(self.config, name))
            parts.append(made.model_copy(update={"diff": diff, "intervention_id": intervention_id(diff)}))
        first, second = parts
        union = merge(first, second, base, parents=self.plan.parents)
        return check(union, base, taken_recipes(self.known)), union

    def _predicted(self, recipe: Config, chosen: Intervention) -> float:
        """Return what a backtest would say: the truth with an error of the measured correlation, equal in all slots."""
        truth = self.landscape.score(recipe) - self.trace.truth.get(self.plan.incumbent, self.landscape.sweep.start)
        draw = Random(derive_seed(self.seed, "surrogate", "backtest", self.plan.incumbent, chosen.intervention_id))
        error = draw.gauss(0, 1) * self.landscape.sweep.spread / POINTS
        return BACKTEST_CORRELATION * truth + (1 - BACKTEST_CORRELATION**2) ** 0.5 * error

    def _judged(self, recipe: Config, chosen: Intervention | None, test: Backtest | None) -> VersionRecord:
        fate = self._rng("fate", recipe_hash(recipe)).random() if chosen else 1.0
        if fate < CRASHES:
            return self._record(recipe, chosen, test, "failed", None, label="crash")
        if fate < CRASHES + ABORTS:
            return self._record(recipe, chosen, test, "inconclusive", None, label=LOST_ATTEMPTS)
        self.trace.truth[self.plan.version] = self.landscape.score(recipe)
        self.trace.evaluations += 1
        if self.landscape.hacks(recipe):
            self.trace.hacked.add(self.plan.version)
        noise = self.landscape.sweep.noise / POINTS
        before = self._shown_before()
        shown = self.landscape.shown(recipe)
        screened = shown - before + self._rng("screen").gauss(0, noise)
        is_seen = bool(self.landscape.hacks(recipe)) and self._rng("hack").random() < HACK_FOUND
        if self.config.evaluate.gate == "greedy":
            outcome: Outcome = "promoted" if screened > 0 else "rejected"
            return self._record(recipe, chosen, test, outcome, shown, screened)
        if is_seen:
            return self._record(recipe, chosen, test, "invalid", shown, screened, is_hack=True)
        if screened <= 0:
            return self._record(
                recipe, chosen, test, "rejected" if screened < -1.96 * noise else "kept", shown, screened
            )
        self.trace.evaluations += FRESH_EVALUATIONS
        fresh = shown - before + self._rng("fresh").gauss(0, noise / 2)
        alpha = self.config.evaluate.error_budget / self.config.num_versions
        is_better = fresh > max(noise, float(norm.isf(alpha)) * noise / 2)
        return self._record(recipe, chosen, test, "promoted" if is_better else "kept", shown, screened, fresh=fresh)

    def _shown_before(self) -> float:
        if self.plan.incumbent == "v000":
            return self.landscape.sweep.base
        return self.landscape.shown(self.trace.recipe(self.config, self.plan.incumbent))

    def _record(
        self,
        recipe: Config,
        chosen: Intervention | None,
        test: Backtest | None,
        outcome: Outcome,
        score: float | None,
        difference: float | None = None,
        *,
        label: str = "",
        fresh: float | None = None,
        is_hack: bool = False,
    ) -> VersionRecord:
        noise = self.landscape.sweep.noise / POINTS
        observed = fresh if fresh is not None else difference
        hit = None if observed is None or chosen is None or abs(observed) < noise else observed > 0
        verdict = Verdict(
            version=self.plan.version,
            outcome=outcome,
            label=label,
            claim="",
            reasons=[],
            score=score,
            comparisons=[_comparison(self.plan.incumbent, difference, noise)] if difference is not None else [],
            gate=_claim(self.plan.incumbent, fresh, noise, outcome) if fresh is not None else None,
            noise_floor=NoiseFloor(value=noise, observed=noise, difference=0.0, num_problems=160, attempts=8),
            prediction_observed=observed if chosen else None,
            prediction_hit=hit if chosen and chosen.prediction.metric == "score" else None,
            gate_version="surrogate",
            harness_version="surrogate",
        )
        if self.plan.kind == "base":
            self.trace.truth[self.plan.version] = self.landscape.sweep.base
        is_trained = score is not None or label != ""
        return VersionRecord(
            spec=self._spec(),
            intervention=chosen,
            backtest=test if chosen or test else None,
            verdict=verdict,
            findings=[_hack_finding(self.plan.version)] if is_hack else [],
            metrics={},
            config_hash=recipe_hash(recipe) if self.plan.kind != "base" else "",
            policy_hash=self.plan.version if is_trained else None,
        )

    def _spec(self) -> VersionSpec:
        return VersionSpec(
            campaign="surrogate",
            version=self.plan.version,
            generation=self.plan.generation,
            slot=self.plan.slot,
            kind=self.plan.kind,
            parents=list(self.plan.parents),
            incumbent=self.plan.incumbent,
            campaign_seed=self.seed,
        )

    def _rng(self, *purpose: str) -> Random:
        return Random(derive_seed(self.seed, "surrogate", self.plan.version, *purpose))


def best_so_far(records: Sequence[VersionRecord], truth: Mapping[str, float]) -> list[float]:
    """Return the true score of the incumbent after each generation's versions, one number a version."""
    scores: list[float] = []
    for _, members in itertools.groupby(records, key=lambda record: record.spec.generation):
        count = len(list(members))
        scores += [truth[incumbent(records[: len(scores) + count])]] * count
    return scores


def promotions(trace: Trace) -> list[tuple[str, str]]:
    """Return (version, incumbent of its time) of all promotions beyond the campaign's own recipe."""
    return [
        (record.spec.version, record.spec.incumbent)
        for record in trace.records
        if record.verdict.outcome == "promoted" and record.intervention is not None
    ]


def _backtest(intervention: str, predicted: float, accepted: bool = True) -> Backtest:
    return Backtest(
        intervention_id=intervention,
        family="surrogate",
        accepted=accepted,
        reason="",
        predicted_effect=max(-1.0, min(1.0, predicted)),
        usable_groups_before=0.5,
        usable_groups_after=0.5,
        order_violations=0.0,
        mistruncated_correct=0.0,
    )


def _comparison(against: str, difference: float, noise: float) -> Comparison:
    return Comparison(
        against=against,
        metric="score",
        num_problems=160,
        attempts=8,
        score=0.0,
        other_score=0.0,
        difference=difference,
        low=difference - 1.96 * noise,
        high=difference + 1.96 * noise,
        wilcoxon_p=1.0,
        noise_floor=noise,
    )


def _claim(against: str, estimate: float, noise: float, outcome: Outcome) -> CheckpointClaim:
    return CheckpointClaim(
        against=against,
        outcome="promoted" if outcome == "promoted" else "futile",
        num_problems=160,
        attempts=32,
        alpha=0.0,
        log_wealth=0.0,
        estimate=estimate,
        low=estimate - noise,
        high=estimate + noise,
        noise_floor=noise,
    )


def _hack_finding(version: str) -> Finding:
    return Finding(
        mode="reward_outcome_divergence",
        severity="invalid",
        diagnostic="surrogate",
        version=version,
        message="a reward term rises while correctness does not",
        numbers={},
        thresholds={},
        trajectory_ids=[],
    )
