"""Policy engines by name: what runs a policy and what trains one.

Classes are named, not imported: this package imports neither torch nor transformers until an engine is made.
"""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.work_cache.store import active_store
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config
from evotrainer.config.limits import find
from evotrainer.engines.base import RolloutEngine, TrainEngine

ROLLOUT_ENGINES = {"torch": "evotrainer.engines.torch_engine:TorchRolloutEngine"}
TRAIN_ENGINES = {"torch": "evotrainer.training.torch.fit:TorchTrainEngine"}


def create_rollout_engine(config: Config, path: Path) -> RolloutEngine:
    """Return an engine that runs the policy at `path`; raises ConfigError for an unknown name, else PolicyError."""
    return _find(ROLLOUT_ENGINES, "engine.rollout", config.engine.rollout).from_config(config.engine, path)


def create_train_engine(config: Config) -> TrainEngine:
    """Return an engine that trains, sharing its runs where work is shared; raises ConfigError for an unknown name."""
    engine, store = _find(TRAIN_ENGINES, "engine.train", config.engine.train)(), active_store()
    if store is None:
        return engine
    from benchmarks.work_cache.trainings import SharedTrainEngine  # which itself imports the engines' protocols

    return SharedTrainEngine(engine, store)


def policy_path(files: CampaignFiles, config: Config, version: str) -> Path:
    """Return where a version's policy lies: for v000 the embedded base policy or the person's own directory."""
    if version != BASE_VERSION:
        return files.version(version).model
    return files.root / config.policy.path if config.policy.path else files.policy(config.policy.name)


def hash_policy(path: Path) -> str:
    """Return the content hash of a stored policy, as training records it and an engine that loads it reports it."""
    return importlib.import_module("evotrainer.engines.policy").policy_hash(path)


def _find(registry: Mapping[str, str], key: str, name: str) -> Any:
    module, class_name = find(registry, key, name).split(":")
    return getattr(importlib.import_module(module), class_name)
