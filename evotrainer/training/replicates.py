"""Training runs of a version's recipe: its own, and those under fresh seeds, each evaluated once and kept.

    scratch/seeds/<key>/   model/ (until it is evaluated)   training/   rows/   run.json

The key is the hash of all that shapes a run, the code included, so that all versions that are compared with one recipe
share its runs, and a stage that was killed goes on with the run that was under way. The folder is a cache and nothing
else: a stage copies what it claims from into its own outputs, and a fresh clone makes the same bytes again.

Replicate 0 is the version's own run, whose seed is common to all versions of a campaign. Pass rates are part of the
recipe: they come from the version's own rollout, whatever the seed.

Draws of an evaluation are named by the replicate: those of two runs are independent, so that the spread between seeds
holds the noise of evaluation too.
"""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evotrainer.actions import action_classifier
from evotrainer.algorithm.code import RecipeCode
from evotrainer.campaign.chat_endpoint import merge_record
from evotrainer.campaign.documents import Document, in_key_order
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.locks import wait_for_lock
from evotrainer.campaign.repository import read_code
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, content_hash
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import write_rows
from evotrainer.records import Problem, SeedRun, TrainingSummary, Trajectory, VersionSpec
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import graded_table, open_policy, sample_attempts
from evotrainer.training import train
from evotrainer.training.base import FitResult, TrainingRun, shaping

SHAPING = ("attempts", "max_response_tokens", "max_turns", "temperature")
"""Keys of `evaluate` that shape the rows of a run."""


@dataclass(frozen=True)
class Recipe:
    """What other seeds repeat: a version's recipe; of v000 the base policy, which is evaluated and never trained."""

    spec: VersionSpec
    config: Config
    key: str
    """Hash of all that shapes its training, but the seed."""

    @property
    def is_trained(self) -> bool:
        """Whether there is anything to train."""
        return self.spec.version != BASE_VERSION


@dataclass(frozen=True)
class FinishedRun:
    """One run with its evidence."""

    run: SeedRun | None
    """None where it did not train: it has no rows either."""
    label: str
    """Why it did not train, or empty."""
    training: Path
    rows: Path


def open_recipe_of(files: CampaignFiles, spec: VersionSpec, config: Config) -> Recipe:
    """Return the recipe of `spec.version`; `config` is its composed recipe, of v000 the campaign's."""
    if spec.version == BASE_VERSION:
        return Recipe(spec, config, policy_hash(policy_path(files, config, BASE_VERSION)))
    start = policy_hash(policy_path(files, config, start_of(config, spec)))
    problems = [problem.model_dump() for problem in load_problems(files.root, config.domain, "train")]
    rates = pass_rates(Rows.read(files.version(spec.version).rollout))
    return Recipe(spec, config, content_hash([shaping(config), start, problems, rates]))


def run_seed(
    files: CampaignFiles, recipe: Recipe, replicate: int, evaluator: Config, problems: Sequence[Problem], answers: Path
) -> FinishedRun:
    """Return the run of a recipe under one seed, evaluated on `problems`; trains it unless that was done before.

    `evaluator` holds the campaign's limits, `answers` is where the stage records the judge's answers.
    """
    spec = recipe.spec.model_copy(update={"replicate": replicate})
    limits = {name: getattr(evaluator.evaluate, name) for name in SHAPING}
    played = [recipe.key, recipe.config.seed, spec.model_dump(include={"campaign", "version", "replicate"})]
    key = content_hash([*played, limits, [problem.model_dump() for problem in problems], _code_hash()])
    folder = files.root / "scratch" / "seeds" / key
    with wait_for_lock(folder.with_suffix(".lock")):
        if recipe.is_trained:
            _train(files, Recipe(spec, recipe.config, recipe.key), folder, answers)
        else:
            _training_of(folder).write(TrainingSummary(trained=False, policy_hash=recipe.key))
        _evaluate(files, spec, evaluator, problems, folder)
    merge_record(folder / "judge" / "train.jsonl", answers)
    label = _training_of(folder).read().label
    return FinishedRun(None if label else _run_of(folder).read(), label, folder / "training", folder / "rows")


def _train(files: CampaignFiles, recipe: Recipe, folder: Path, answers: Path) -> None:
    if _training_of(folder).exists():
        return
    merge_record(answers, folder / "judge" / "train.jsonl")
    result = train_recipe(files, recipe.spec, recipe.config, folder, folder / "state")
    summary = TrainingSummary(
        trained=not result.label, label=result.label, policy_hash=result.policy_hash, num_tokens=result.num_tokens
    )
    _training_of(folder).write(summary)


def _evaluate(
    files: CampaignFiles, spec: VersionSpec, evaluator: Config, problems: Sequence[Problem], folder: Path
) -> None:
    trained = _training_of(folder).read()
    if trained.label or _run_of(folder).exists():
        return
    path = folder / "model" if spec.version != BASE_VERSION else policy_path(files, evaluator, BASE_VERSION)
    identity = EpisodeIdentity(spec.campaign, spec.version, "recipe", spec.campaign_seed, spec.replicate)
    engine = open_policy(evaluator, path, trained.policy_hash)
    rows = sample_attempts(engine, problems, evaluator.evaluate.attempts, evaluator, identity)
    table = graded_table(rows, evaluator, f"seed {spec.replicate} of {spec.version}")
    write_rows(folder / "rows", spec.replicate, rows, classifier=action_classifier(evaluator.harness.actions))
    tokens = trained.num_tokens + sum(row.num_tokens for row in rows)
    assert trained.policy_hash is not None, "a run without a label has a policy"
    run = SeedRun(replicate=spec.replicate, score=table.score, policy_hash=trained.policy_hash, num_tokens=tokens)
    _run_of(folder).write(run)
    shutil.rmtree(folder / "model", ignore_errors=True)
    print(f"seed {spec.replicate} of {spec.version}: score {table.score:.4f}", flush=True)


def _training_of(folder: Path) -> Document[TrainingSummary]:
    """Return how a run's training ended; the file says that this part is done."""
    return Document(folder / "trained.json", TrainingSummary, in_key_order(1))


def _run_of(folder: Path) -> Document[SeedRun]:
    """Return what a run came to; the file says that its evaluation is done."""
    return Document(folder / "run.json", SeedRun, in_key_order(1))


@cache
def _code_hash() -> str:
    """Return the hash of this package's sources: other code may train otherwise."""
    root = Path(__file__).parents[1]
    return content_hash({str(path.relative_to(root)): path.read_text("utf-8") for path in sorted(root.rglob("*.py"))})


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


def pass_rates(rows: Iterable[Trajectory]) -> dict[str, float]:
    """Return the share of correct attempts of each train problem that was sampled; errors do not count."""
    outcomes: dict[str, list[float]] = {}
    for row in rows:
        if row.split == "train" and row.correct is not None:
            outcomes.setdefault(row.problem_id, []).append(row.correct)
    return {problem: sum(values) / len(values) for problem, values in sorted(outcomes.items())}
