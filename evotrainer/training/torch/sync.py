"""How the weights that are trained reach the engine that samples.

The torch rollout engine lies in the same process: training takes its network over, so every optimiser step is in force
at once and nothing is copied. Any other engine is given a checkpoint before each step's rollouts, through `sync`, whose
logprob canary fails where the weights did not arrive.
"""

from pathlib import Path

from evotrainer.config import Config
from evotrainer.engines.base import RolloutEngine
from evotrainer.engines.loading import load_policy
from evotrainer.engines.policy import Policy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import PolicyError

LIVE = "live"
"""Folder, in the scratch of a run, of the checkpoint that a remote engine loads."""


def take_over(engine: RolloutEngine, config: Config, init_path: Path) -> Policy:
    """Return the policy to train, in float32: the engine's own where it shares its network, else one loaded for it."""
    if not isinstance(engine, TorchRolloutEngine):
        return _in_float32(load_policy(config, init_path))
    if engine.policy.path != init_path:
        raise PolicyError(f"the rollout engine runs {engine.policy.path}: give training one that runs {init_path}")
    return _in_float32(engine.policy)


def load_reference(config: Config, init_path: Path) -> Policy:
    """Return the policy at the start, in float32, which training does not change."""
    return _in_float32(load_policy(config, init_path))


def publish(engine: RolloutEngine, policy: Policy, scratch: Path, name: str) -> None:
    """Give the engine the present weights; `name` is what evidence calls shared ones, others have their own hash."""
    if isinstance(engine, TorchRolloutEngine):
        engine.policy_id = name
        return
    policy.save(scratch / LIVE)
    engine.sync(scratch / LIVE)


def _in_float32(policy: Policy) -> Policy:
    policy.model.float()
    return policy
