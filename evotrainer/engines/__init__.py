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


def _check_device(config: Config) -> None:
    if config.engine.device != "auto":
        importlib.import_module("evotrainer.engines.policy").pick_device(config.engine.device)


def _check_vllm(config: Config) -> None:
    importlib.import_module("evotrainer.engines.vllm.preflight").check_startable(config)


ROLLOUT_ENGINES: dict[str, Callable[[Config, Path], RolloutEngine]] = {"torch": _torch_engine, "vllm": _vllm_engine}
ROLLOUT_CHECKS: dict[str, Callable[[Config], None]] = {"torch": _check_device, "vllm": _check_vllm}
"""Of engines that may lack something: raises an EvoTrainerError where one cannot start on this machine."""


def create_rollout_engine(config: Config, path: Path) -> RolloutEngine:
    """Return an engine that runs the policy at `path`; raises ConfigError for an unknown name, else PolicyError."""
    return find(ROLLOUT_ENGINES, "engine.rollout", config.engine.rollout)(config, path)


def check_rollout_engine(config: Config) -> None:
    """Raise ConfigError, PolicyError or ServerLostError, with the remedy, where the engine cannot start here."""
    find(ROLLOUT_ENGINES, "engine.rollout", config.engine.rollout)
    if (look := ROLLOUT_CHECKS.get(config.engine.rollout)) is not None:
        look(config)


def policy_path(files: CampaignFiles, config: Config, version: str) -> Path:
    """Return where a version's policy lies: for v000 the embedded base policy or the person's own directory."""
    if version != BASE_VERSION:
        return files.version(version).model
    return files.root / config.policy.path if config.policy.path else files.policy(config.policy.name)


def absent_policy(config: Config, path: Path) -> str:
    """Return what to do where policy.path names no policy, else nothing; embedded ones are built on demand."""
    file = path / "config.json"
    if not config.policy.path or file.is_file():
        return ""
    if file.exists():
        return f"{file} is no plain file: put the file itself in its place"
    return f"{path} holds no policy: set policy.path to a Hugging Face directory"
