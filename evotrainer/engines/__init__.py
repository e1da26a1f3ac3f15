"""Rollout engines by name: what runs a policy.

Engines are imported when one is made: this package imports neither torch nor transformers until then.
"""

import atexit
from collections.abc import Callable
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config, EngineConfig
from evotrainer.config.limits import find, lazy
from evotrainer.engines.base import RolloutEngine


def _check_device(config: Config) -> None:
    if config.engine.device != "auto":
        lazy("evotrainer.engines.policy:pick_device")(config.engine.device)


ROLLOUT_ENGINES: dict[str, Callable[[Config, Path], RolloutEngine]] = {
    "torch": lazy("evotrainer.engines.torch_engine:TorchRolloutEngine.from_config"),
    "vllm": lazy("evotrainer.engines.vllm.engine:VllmRolloutEngine.from_config"),
}
ROLLOUT_CHECKS: dict[str, Callable[[Config], None]] = {
    "torch": _check_device,
    "vllm": lazy("evotrainer.engines.vllm.process:check_startable"),
}
"""Of engines that may lack something: raises an EvoTrainerError where one cannot start on this machine."""


_OPEN = ExitStack()
"""What engines keep open for as long as the process lives: a server, its connections, its lock."""
atexit.register(_OPEN.close)


def create_rollout_engine(config: Config, path: Path) -> RolloutEngine:
    """Return an engine that runs the policy at `path`; raises ConfigError for an unknown name, else PolicyError."""
    return find(ROLLOUT_ENGINES, "engine.rollout", config.engine.rollout)(config, path)


def check_rollout_engine(config: Config) -> None:
    """Raise ConfigError, PolicyError or ServerLostError, with the remedy, where the engine cannot start here."""
    find(ROLLOUT_ENGINES, "engine.rollout", config.engine.rollout)
    if (look := ROLLOUT_CHECKS.get(config.engine.rollout)) is not None:
        look(config)


def end_with_process(close: Callable[[], None]) -> None:
    """Have `close` called when the process ends."""
    _OPEN.callback(close)


def end_all() -> None:
    """Close all that engines keep open, the last first; a stage calls it, since it leaves without Python's own end."""
    _OPEN.close()


def missing_extras(engine: EngineConfig, device: str) -> list[str]:
    """Return what training on a device, cuda or cpu, asks for and is not installed; nothing is imported to find out."""
    on_cuda = device == "cuda"
    asked = (
        (
            engine.lora.rank > 0 and not find_spec("peft"),
            "adapters need peft: `pip install peft`, or set engine.lora.rank=0",
        ),
        (
            engine.optimiser == "adamw_8bit" and not on_cuda,
            "engine.optimiser=adamw_8bit needs a CUDA device: use engine.optimiser=adamw",
        ),
        (
            engine.optimiser == "adamw_8bit" and on_cuda and not find_spec("bitsandbytes"),
            "engine.optimiser=adamw_8bit needs bitsandbytes: `pip install bitsandbytes`, or use adamw_cpu",
        ),
        (
            engine.attention == "flash_attention_2" and not (on_cuda and find_spec("flash_attn")),
            "engine.attention=flash_attention_2 needs a CUDA device and flash-attn: use engine.attention=auto",
        ),
    )
    return [text for is_lacking, text in asked if is_lacking]


def policy_path(files: CampaignFiles, config: Config, version: str) -> Path:
    """Return where a version's policy lies: for v000 the embedded base policy or the person's own directory."""
    if version != BASE_VERSION:
        return files.version(version).model
    return files.root / config.policy.path if config.policy.path else files.policy(config.policy.name)
