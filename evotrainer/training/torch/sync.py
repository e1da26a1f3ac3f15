"""How the weights that are trained reach the engine that samples.

The torch rollout engine lies in the same process: training takes its network over, so every optimiser step is in force
at once and nothing is copied. Any other engine is given a checkpoint before each step's rollouts, through `sync`, whose
logprob canary fails where the weights did not arrive. The canary is computed here, where the weights are in memory. A
server may leave the GPU to training between two rollouts (`rest`).
"""

from pathlib import Path

import torch

from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.engines.adapters import adapter_weights, is_adapted
from evotrainer.engines.base import RemoteEngine, RolloutEngine
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.policy import Policy
from evotrainer.engines.torch_engine import TorchRolloutEngine, load_policy
from evotrainer.engines.vllm import canary
from evotrainer.errors import ConfigError, PolicyError

LIVE = "live"
"""Folder, in the scratch of a run, of the checkpoint that a remote engine loads."""


def take_over(engine: RolloutEngine, config: Config, init_path: Path, seed: int) -> tuple[Policy, Policy]:
    """Return the policy to train and the policy at the start, which training does not change.

    The first is the engine's own where it shares its network, else one loaded for it.
    """
    if not isinstance(engine, TorchRolloutEngine):
        return open_pair(config, init_path, seed)
    if engine.policy.path != init_path:
        raise PolicyError(f"the rollout engine runs {engine.policy.path}: give training one that runs {init_path}")
    return _with_start(engine.policy, config, init_path, seed)


def open_pair(config: Config, init_path: Path, seed: int) -> tuple[Policy, Policy]:
    """Return a policy to train and the policy at the start, both loaded; `seed` draws a new adapter."""
    return _with_start(load_policy(config, init_path), config, init_path, seed)


def _with_start(policy: Policy, config: Config, init_path: Path, seed: int) -> tuple[Policy, Policy]:
    """Return the policy as it is trained, and the policy at the start; an adapter shares its network with it."""
    _hold(policy, config)
    if isinstance(policy, TransformersPolicy):
        if config.engine.lora.rank:
            return policy, policy.adapt(config.engine.lora, derive_seed(seed, "adapter"))
        if is_adapted(policy.model):
            raise ConfigError(
                f"{init_path} is an adapter: set engine.lora.rank to train it on, or start from init=base"
            )
    start = load_policy(config, init_path)
    _hold(start, config)
    return policy, start


def publish(engine: RolloutEngine, policy: Policy, scratch: Path, name: str) -> None:
    """Give the engine the present weights; `name` is what evidence calls shared ones, others have their own hash."""
    if not isinstance(engine, RemoteEngine):
        engine.policy_id = name
        return
    policy_id = policy.save(scratch / LIVE)
    engine.sync(scratch / LIVE, canary.compute(policy, policy_id))


def rest(engine: RolloutEngine) -> None:
    """Let an engine on a server leave the GPU to training, if it is set to."""
    if isinstance(engine, RemoteEngine):
        engine.rest()


def _hold(policy: Policy, config: Config) -> None:
    """Hold the weights in engine.precision; adapters and the buffers of a network stay in float32."""
    dtype = getattr(torch, config.engine.precision)
    adapter = adapter_weights(policy.model)
    for name, value in policy.model.named_parameters():
        if name not in adapter:
            value.data = value.data.to(dtype)
