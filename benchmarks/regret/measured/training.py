"""Every candidate of a pool, trained as its campaign trains a version, and scored on the holdout split.

Recipe, start policy, problems, pass rates and seed are those of the slot whose pool it is, so a candidate that the
campaign chose is found in the work cache and not trained again. Scores are sampled attempts with common draws: attempt
k of two candidates at one problem has the same seed.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.regret.measured.pools import StoredPool
from benchmarks.regret.measured.records import TrainedCandidate, TrainedPool
from conf.compose import load_campaign
from evotrainer.algorithm.code import RecipeCode
from evotrainer.backtests.cached import all_sources
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.repository import load_records, recorded_policy_hash
from evotrainer.config import Config
from evotrainer.config.interventions import apply
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.evidence.store import read_rows
from evotrainer.records import Backtest, Intervention
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import SAMPLED_STEP, choose_problems, graded_table, open_policy, sample_attempts
from evotrainer.training import train
from evotrainer.training.base import TrainingRun
from evotrainer.training.run import pass_rates, seed_of, start_of
from tasks.propose.stage import recipe_of

SPLIT = "holdout"


@dataclass(frozen=True)
class PoolTrainer:
    """Trains and scores the candidates of one pool; `honest` says how policies are scored."""

    files: CampaignFiles
    honest: Config
    pool: StoredPool

    def trained(self) -> TrainedPool:
        """Return the pool with all its candidates trained."""
        spec, proposal = self.pool.spec, self.pool.proposal
        parent = recipe_of(self.files, load_campaign(self.files), spec.incumbent)
        path = policy_path(self.files, self.honest, spec.incumbent)
        recorded = recorded_policy_hash(self.files, spec.incumbent)
        return TrainedPool(
            domain=self.honest.domain.name,
            seed=spec.campaign_seed,
            version=spec.version,
            generation=spec.generation,
            incumbent=spec.incumbent,
            incumbent_scores=self._scores(path, recorded),
            candidates=[
                self._candidate(one, backtest, parent)
                for one, backtest in zip(proposal.pool, proposal.backtests, strict=True)
            ],
            chosen=list(self.pool.chosen),
        )

    def _candidate(self, one: Intervention, backtest: Backtest, parent: Config) -> TrainedCandidate:
        out = self.files.root / "scratch" / "regret" / one.intervention_id
        shutil.rmtree(out, ignore_errors=True)
        result = train(self._run(in_force(apply(parent, one.diff), self.pool.spec), out))
        scores = [] if result.label else self._scores(result.model_path, result.policy_hash)
        shutil.rmtree(out)
        return TrainedCandidate(intervention=one, backtest=backtest, policy_hash=result.policy_hash, scores=scores)

    def _run(self, recipe: Config, out: Path) -> TrainingRun:
        files, spec = self.files, self.pool.spec
        own = files.version(spec.version)
        return TrainingRun(
            recipe,
            policy_path(files, recipe, start_of(recipe, spec)),
            load_problems(files.root, recipe.domain, "train"),
            out,
            campaign=spec.campaign,
            version=spec.version,
            seed=seed_of(recipe, spec),
            pass_rates=pass_rates(read_rows(own.rollout)),
            scratch=out / "scratch",
            code=RecipeCode(all_sources(load_records(own.lineage), self.pool.proposal.pool)),
        )

    def _scores(self, policy: Path, recorded: str | None) -> list[float]:
        """Return the mean over problems of each attempt."""
        config, spec = self.honest, self.pool.spec
        problems = choose_problems(
            load_problems(self.files.root, config.domain, SPLIT), config.evaluate.max_problems, config.seed
        )
        identity = EpisodeIdentity(spec.campaign, spec.version, SPLIT, spec.campaign_seed, SAMPLED_STEP)
        engine = open_policy(config, policy, recorded)
        rows = sample_attempts(engine, problems, config.evaluate.attempts, config, identity)
        table = graded_table(rows, config, f"a candidate of {spec.version} on {SPLIT}")
        return [round(float(score), 9) for score in np.nanmean(table.values, axis=0)]
