"""A training engine that keeps its runs: equal recipe, start, problems and seed train once.

What decides the bytes of a run is in the key: the recipe (every key of it, not its effective form), the domain with
its history setting, the engine, the token budget, the bytes of the start policy, the problems, the seed, and the pass
rates where the recipe's curriculum or mixture reads them. Campaign and version are names only: a reused run is written
under the new ones.
"""

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.work_cache.completions import SharedRolloutEngine
from benchmarks.work_cache.store import WorkCost, WorkStore
from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.step_replay import StepReplay
from evotrainer.campaign.costs import cpu_seconds
from evotrainer.config import Config, DataConfig, config_to_dict, content_hash
from evotrainer.config.factors import RECIPE_GROUPS
from evotrainer.engines.base import RolloutEngine
from evotrainer.evidence.relabel import Label, copy_evidence
from evotrainer.evidence.store import read_signals
from evotrainer.records import TokenTurn, Trajectory
from evotrainer.training.base import EngineReport, FitResult, TrainEngine, TrainingRun

KIND = "trainings"
RESULT = "result.json"


class SharedTrainEngine:
    """Trains with another engine, or takes the run that did the same."""

    def __init__(self, engine: TrainEngine, store: WorkStore) -> None:
        self._engine, self._store = engine, store
        self.needs_rollout_engine = engine.needs_rollout_engine

    def refusals(self, config: Config) -> list[str]:
        """Return what the engine cannot express."""
        return self._engine.refusals(config)

    def examine(self, config: Config, init_path: Path) -> EngineReport:
        """Return what the engine would do."""
        return self._engine.examine(config, init_path)

    def fit(self, run: TrainingRun, rollout_engine: RolloutEngine | None) -> FitResult:
        """Train as training/base.py says. Runs with a judge are not shared; failed runs and lost rows are not kept."""
        config, label, key = run.config, Label(run.campaign, run.version), training_key(run)
        kept = None if config.domain.judge_url else self._store.find(KIND, key)
        if kept is not None:
            return _restore(kept, run.out, label)
        before = cpu_seconds()
        plain = rollout_engine.plain if isinstance(rollout_engine, SharedRolloutEngine) else rollout_engine
        result = self._engine.fit(run, plain)
        if not result.label and not config.domain.judge_url and not _lost_any(run.out):
            cost = WorkCost(result.num_tokens, round(cpu_seconds() - before, 3))
            self._store.keep(KIND, key, cost, lambda folder: _fill(folder, run.out, result, label))
        return result

    def replay_step(
        self,
        configs: Sequence[Config],
        init_path: Path,
        rows: Sequence[Trajectory],
        tokens: Sequence[TokenTurn],
        code: RecipeCode = NO_CODE,
    ) -> list[StepReplay]:
        """Return what the engine itself says."""
        return self._engine.replay_step(configs, init_path, rows, tokens, code)


def training_key(run: TrainingRun) -> str:
    """Return the hash of whatever decides the result of a training."""
    config, values = run.config, config_to_dict(run.config)
    recipe = {group: values[group] for group in (*RECIPE_GROUPS, "domain", "engine")}
    recipe["domain"] = {name: value for name, value in values["domain"].items() if name != "data_path"}
    budget = {"train_tokens": config.budget.train_tokens, "max_steps": config.budget.max_steps}
    rates = run.pass_rates if _reads_pass_rates(config.data) else {}
    items = [problem.model_dump() for problem in run.problems]
    return content_hash([recipe, budget, config.harness.actions, _folder_hash(run.init_path), items, run.seed, rates])


def _reads_pass_rates(config: DataConfig) -> bool:
    """Tell whether draws depend on pass rates; without curriculum and mixture every problem is alike."""
    return config.curriculum != "none" or config.mixture != "uniform"


def _lost_any(out: Path) -> bool:
    """Tell whether infrastructure took any attempt: a repetition of the run might keep it."""
    return any(signals.extra.get("num_errors", 0) > 0 for signals in read_signals(out / "training"))


def _fill(folder: Path, out: Path, result: FitResult, label: Label) -> None:
    shutil.copytree(out / "model", folder / "model")
    shutil.copytree(out / "training", folder / "training")
    values = {
        "num_steps": result.num_steps,
        "num_tokens": result.num_tokens,
        "policy_hash": result.policy_hash,
        "campaign": label.campaign,
        "version": label.version,
    }
    (folder / RESULT).write_text(json.dumps(values, indent=1) + "\n")


def _restore(kept: Path, out: Path, label: Label) -> FitResult:
    values = json.loads((kept / RESULT).read_bytes())
    for name in ("model", "training"):
        shutil.rmtree(out / name, ignore_errors=True)
    shutil.copytree(kept / "model", out / "model")
    copy_evidence(kept / "training", out / "training", Label(values["campaign"], values["version"]), label)
    return FitResult(out / "model", values["num_steps"], values["num_tokens"], policy_hash=values["policy_hash"])


def _folder_hash(path: Path) -> str:
    digests = {
        found.relative_to(path).as_posix(): hashlib.sha256(found.read_bytes()).hexdigest()
        for found in path.rglob("*")
        if found.is_file()
    }
    return content_hash(digests)
