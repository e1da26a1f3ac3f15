"""How the weights that are trained reach the engine that samples.

The torch rollout engine lies in the same process: training takes its network over, so every optimiser step is in force
at once and nothing is copied. Any other engine is given a checkpoint before each step's rollouts, through `sync`, whose
logprob canary fails where the weights did not arrive. The canary is computed here, where the weights are in memory. A
server may leave the GPU to training between two rollouts (`rest`).
"""

from pathlib import Path

from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.engines.base import RolloutEngine, ServedEngine
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.loading import load_policy
from evotrainer.engines.policy import Policy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.engines.vllm import canary
from evotrainer.errors import PolicyError

LIVE = "live"
"""Folder, in the scratch of a run, of the checkpoint that a remote engine loads."""


def take_over(engine: RolloutEngine, config: Config, init_path: Path, seed: int) -> tuple[Policy, Policy]:
    """Return the policy to train and the policy at the start, which training does not change.

    The first is the engine's own where it shares its network, else one loaded for it. An adapter and its start share
    one network too; `seed` draws a new adapter.
    """
    if isinstance(engine, TorchRolloutEngine) and engine.policy.path != init_path:
        raise PolicyError(f"the rollout engine runs {engine.policy.path}: give training one that runs {init_path}")
    shares = isinstance(engine, TorchRolloutEngine)
    policy = _in_float32(engine.policy if shares else load_policy(config, init_path))
    if config.engine.lora.rank and isinstance(policy, TransformersPolicy):
        return policy, policy.adapt(config.engine.lora, derive_seed(seed, "adapter"))
    return policy, load_reference(config, init_path)


def load_reference(config: Config, init_path: Path) -> Policy:
    """Return the policy at the start, in float32, which training does not change."""
    return _in_float32(load_policy(config, init_path))


def publish(engine: RolloutEngine, policy: Policy, scratch: Path, name: str) -> None:
    """Give the engine the present weights; `name` is what evidence calls shared ones, others have their own hash."""
    if isinstance(engine, TorchRolloutEngine):
        engine.policy_id = name
        return
    policy_id = policy.save(scratch / LIVE)
    canary.keep(canary.compute(policy, policy_id), scratch / LIVE)
    engine.sync(scratch / LIVE)


def rest(engine: RolloutEngine) -> None:
    """Let an engine on a server leave the GPU to training, if it is set to."""
    if isinstance(engine, ServedEngine):
        engine.rest()


def _in_float32(policy: Policy) -> Policy:
    policy.model.float()
    return policy
