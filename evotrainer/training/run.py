"""One training run of a version's recipe: from its start, on its cached pass rates, under the seed of its replicate.

Replicate 0 is the version's own run, whose seed is common to all versions of a campaign; others are what the recipe
gate compares (contracts: retraining changes `replicate`, which no intervention can touch). Pass rates are part of the
recipe: they come from the version's own rollout, whatever the seed.
"""

from collections.abc import Sequence
from pathlib import Path

from evotrainer.algorithm.code import RecipeCode
from evotrainer.campaign.code_files import read_code
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.evidence.rows import Rows
from evotrainer.records import Trajectory, VersionSpec
from evotrainer.training import train
from evotrainer.training.base import FitResult, TrainingRun


def train_recipe(files: CampaignFiles, spec: VersionSpec, config: Config, out: Path, scratch: Path) -> FitResult:
    """Train `config`, the recipe of version `spec.version`, under `spec.replicate`; write out/model and out/training.

    `scratch` keeps the state of a run that was killed.
    """
    run = TrainingRun(
        config,
        policy_path(files, config, start_of(config, spec)),
        load_problems(files.root, config.domain, "train"),
        out,
        campaign=spec.campaign,
        version=spec.version,
        seed=seed_of(config, spec),
        pass_rates=pass_rates(Rows.read(files.version(spec.version).rollout)),
        scratch=scratch,
        code=RecipeCode(read_code(files.version(spec.version).code, config)),
    )
    return train(run)


def seed_of(config: Config, spec: VersionSpec) -> int:
    """Return the seed of a run: common to all that start from one policy; what trains on sees other problems first."""
    start = start_of(config, spec)
    on_from = [] if start == BASE_VERSION else [start]
    return derive_seed(spec.campaign_seed, "training", *on_from, replicate=spec.replicate)


def start_of(config: Config, spec: VersionSpec) -> str:
    """Return the version whose policy training starts from."""
    return spec.parents[0] if config.init == "parent" else BASE_VERSION


def pass_rates(rows: Sequence[Trajectory]) -> dict[str, float]:
    """Return the share of correct attempts of each train problem that was sampled; errors do not count."""
    outcomes: dict[str, list[float]] = {}
    for row in rows:
        if row.split == "train" and row.correct is not None:
            outcomes.setdefault(row.problem_id, []).append(row.correct)
    return {problem: sum(values) / len(values) for problem, values in sorted(outcomes.items())}
