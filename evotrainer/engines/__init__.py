"""Policy engines by name: what runs a policy and what trains one.

Engines are imported when one is made: this package imports neither torch nor transformers until then.
"""

import importlib
from collections.abc import Callable
from pathlib import Path

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config, EngineConfig
from evotrainer.config.limits import find
from evotrainer.engines.base import RolloutEngine, TrainEngine


def _torch_rollout(config: EngineConfig, path: Path) -> RolloutEngine:
    return importlib.import_module("evotrainer.engines.torch_engine").TorchRolloutEngine.from_config(config, path)


def _torch_train() -> TrainEngine:
    return importlib.import_module("evotrainer.training.torch.fit").TorchTrainEngine()


ROLLOUT_ENGINES: dict[str, Callable[[EngineConfig, Path], RolloutEngine]] = {"torch": _torch_rollout}
TRAIN_ENGINES: dict[str, Callable[[], TrainEngine]] = {"torch": _torch_train}


def create_rollout_engine(config: Config, path: Path) -> RolloutEngine:
    """Return an engine that runs the policy at `path`; raises ConfigError for an unknown name, else PolicyError."""
    return find(ROLLOUT_ENGINES, "engine.rollout", config.engine.rollout)(config.engine, path)


def create_train_engine(config: Config) -> TrainEngine:
    """Return an engine that trains; raises ConfigError for an unknown name."""
    return find(TRAIN_ENGINES, "engine.train", config.engine.train)()


def policy_path(files: CampaignFiles, config: Config, version: str) -> Path:
    """Return where a version's policy lies: for v000 the embedded base policy or the person's own directory."""
    if version != BASE_VERSION:
        return files.version(version).model
    return files.root / config.policy.path if config.policy.path else files.policy(config.policy.name)


def hash_policy(path: Path) -> str:
    """Return the content hash of a stored policy, as training records it and an engine that loads it reports it."""
    return importlib.import_module("evotrainer.engines.policy").policy_hash(path)
