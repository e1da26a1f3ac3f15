"""Keys of the engines: what runs and what trains a policy, on which hardware. Protected: no factor names them."""

from dataclasses import dataclass

from evotrainer.config.limits import choice, number


@dataclass
class EngineConfig:
    """What runs and what trains the policy."""

    rollout: str = "torch"
    train: str = "torch"
    device: str = choice("auto", "cpu", "cuda")
    """auto: cuda where there is one, else cpu."""
    num_threads: int = number(1, 1, 1024)
    """Threads of one stage process; candidates train side by side, one a core."""
    batch_trajectories: int = number(512, 1, 1_000_000)
    """Trajectories generated at once."""
    micro_batch_trajectories: int = number(32, 1, 1_000_000)
    """Trajectories in one forward and backward pass."""
