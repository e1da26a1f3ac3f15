"""Rollout engines by name: what runs a policy.

Engines are imported when one is made: this package imports neither torch nor transformers until then.
"""

import importlib
from collections.abc import Callable
from pathlib import Path

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config
from evotrainer.config.limits import find
from evotrainer.engines.base import RolloutEngine


def _torch_engine(config: Config, path: Path) -> RolloutEngine:
    return importlib.import_module("evotrainer.engines.torch_engine").TorchRolloutEngine.from_config(config, path)


def _vllm_engine(config: Config, path: Path) -> RolloutEngine:
    return importlib.import_module("evotrainer.engines.vllm.engine").VllmRolloutEngine.from_config(config, path)


ROLLOUT_ENGINES: dict[str, Callable[[Config, Path], RolloutEngine]] = {"torch": _torch_engine, "vllm": _vllm_engine}


def create_rollout_engine(config: Config, path: Path) -> RolloutEngine:
    """Return an engine that runs the policy at `path`; raises ConfigError for an unknown name, else PolicyError."""
    return find(ROLLOUT_ENGINES, "engine.rollout", config.engine.rollout)(config, path)


def policy_path(files: CampaignFiles, config: Config, version: str) -> Path:
    """Return where a version's policy lies: for v000 the embedded base policy or the person's own directory."""
    if version != BASE_VERSION:
        return files.version(version).model
    return files.root / config.policy.path if config.policy.path else files.policy(config.policy.name)
