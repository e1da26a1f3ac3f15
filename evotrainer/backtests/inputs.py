"""What a version's backtests start from: its own rollout, its frozen lineage, train pool and incumbent's recipe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.backtests.replay import SignalReplay, replay
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.lineage import changes_since, common_base, run_of_recipe
from evotrainer.campaign.repository import load_records, sources_of
from evotrainer.config import Config
from evotrainer.config.factors import Factor, changed_keys, factors_of, recipe_hash
from evotrainer.config.interventions import MERGE_SIGN, apply, invert
from evotrainer.domains import factors_in
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.engines.base import RolloutEngine
from evotrainer.evidence.rows import Rows, mean_by
from evotrainer.evidence.store import read_tokens
from evotrainer.levers.audit import audit_rows
from evotrainer.records import Intervention, Problem, TokenTurn, Trajectory, VersionRecord, VersionSpec
from evotrainer.training.base import StepReplay, StepReplayer


@dataclass(frozen=True)
class ReplayInputs:
    """What replays read: rows and tokens sampled already, and what the lineage knows of the present recipe."""

    rows: Sequence[Trajectory] | Rows
    """Groups of the incumbent on train and probe problems."""
    tokens: Sequence[TokenTurn]
    policy_path: Path
    """The incumbent's policy, which sampled the rows."""
    problems: Sequence[Problem]
    """The train pool."""
    base_score: float | None
    run_score: float | None
    """Score of what the present recipe trained last (lineage.run_of_recipe): of the incumbent, once that is trained."""
    run_kl: float | None = None
    """Nats a token between that run and its start; None where there was none."""
    is_trained: bool = True
    """Whether the incumbent is that run; else it is the base policy, and has closed nothing."""
    steps: Mapping[str, StepReplay] = field(default_factory=dict)
    """Gradient replays that were made already, by recipe hash, all beside the same parent."""
    code: RecipeCode = NO_CODE
    """Texts that the recipes at hand name."""
    _replays: dict[str, SignalReplay] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def graded(self) -> Rows:
        """Rows with a reward and an outcome, and without an infrastructure error."""
        return Rows.of(self.rows).graded

    @cached_property
    def attempts(self) -> list[Trajectory]:
        """The graded rows as records."""
        return list(self.graded)

    def replayed(self, recipe: Config) -> SignalReplay:
        """Return what a recipe makes of the graded rows; each is replayed once."""
        key = recipe_hash(recipe)
        if key not in self._replays:
            self._replays[key] = replay(self.attempts, recipe, self.code)
        return self._replays[key]

    def batch(self, num_groups: int) -> list[Trajectory]:
        """Return the graded rows of the first groups, group by group."""
        codes_N = self.graded.group.codes
        places = np.flatnonzero(codes_N < num_groups)
        return self.graded.records(places[np.argsort(codes_N[places], kind="stable")])

    def pass_rates(self) -> dict[str, float]:
        """Return {problem_id: share of correct attempts}."""
        return mean_by(self.graded.problem, self.graded.correct)


@dataclass(frozen=True)
class Probe:
    """What a probe rollout needs. Its tokens are charged to the version."""

    engine: RolloutEngine
    campaign: str
    version: str
    campaign_seed: int


@dataclass(frozen=True)
class RecipeChange:
    """The change of one factor, and what its replay may use."""

    factor: Factor
    parent: Config
    child: Config
    evidence: ReplayInputs
    replayer: StepReplayer | None
    """Takes one optimiser step; None where there is no engine."""
    probe: Probe | None
    """Samples a few rollouts; None where cached evidence must do."""


def load_inputs(
    files: CampaignFiles, spec: VersionSpec, campaign: Config, pool: Sequence[Intervention]
) -> ReplayInputs:
    """Return what the backtests of a pool replay; raises EvidenceError for a damaged file.

    Where the campaign has an audit, replays judge by audited attempts and what is true of them.
    """
    own = files.version(spec.version)
    records = load_records(own.lineage)
    run = run_of_recipe(records, spec.incumbent, recipe_hash(campaign))
    rows = Rows.read(own.rollout)
    return ReplayInputs(
        rows=audit_rows(files.root, campaign, rows).corrected or rows,
        tokens=read_tokens(own.rollout),
        policy_path=policy_path(files, campaign, spec.incumbent),
        problems=load_problems(files.root, campaign.domain, "train"),
        base_score=next((one.honest_score for one in records if one.spec.version == BASE_VERSION), None),
        run_score=run.honest_score if run else None,
        run_kl=run.metrics.get("kl") if run else None,
        is_trained=spec.incumbent != BASE_VERSION,
        code=RecipeCode(all_sources(records, pool)),
    )


def all_sources(records: Sequence[VersionRecord], pool: Sequence[Intervention]) -> dict[str, str]:
    """Return {reference: text} of all code that earlier versions or a pool introduce."""
    return sources_of(records) | {value: text for one in pool for value, text in one.files.items()}


def beside_incumbent(
    intervention: Intervention, child: Config, spec: VersionSpec, records: Sequence[VersionRecord]
) -> tuple[Intervention, Config]:
    """Return the intervention as a change of the incumbent's recipe, and that recipe.

    A merge is a diff of its parents' common incumbent; by the time it is tried, the better parent is usually the
    incumbent itself, and what the merge adds to it is what its verdict will judge.
    """
    parent = apply(child, invert(intervention.diff))
    if spec.kind != "merge" or spec.incumbent == (base := common_base(records, *spec.parents)):
        return intervention, parent
    for step in changes_since(records, base, spec.incumbent):
        parent = apply(parent, step)
    diff = changed_keys(parent, child)
    factor = MERGE_SIGN.join(factor.name for factor in factors_of(set(diff), factors_in(parent)))
    return intervention.model_copy(update={"diff": diff, "factor": factor}), parent
