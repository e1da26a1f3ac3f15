"""How many accelerators a stage holds while it runs: what its seconds are multiplied by."""

import sys
from pathlib import Path

from evotrainer.config import Config

GPUS = Path("/proc/driver/nvidia/gpus")
TRAINING = ("train", "confirm")
SAMPLING = ("rollout", "backtest", "train", "evaluate", "confirm", "certify")


def held_accelerators(config: Config, stage: str) -> int:
    """Return the GPUs of this process, of the server that it started or asks, and of the job that trains for it."""
    engine = config.engine
    if engine.device == "cpu":
        return 0
    held = int(_uses_cuda())
    if engine.train == "openrlhf" and stage in TRAINING:
        cluster = engine.openrlhf
        apart = 0 if cluster.colocate else cluster.num_engines * cluster.tensor_parallel
        held += cluster.num_nodes * cluster.gpus_per_node + apart
    elif engine.rollout == "vllm" and stage in SAMPLING and (engine.vllm.url or any(GPUS.glob("*"))):
        held = max(held, engine.vllm.num_gpus)
    return held


def _uses_cuda() -> bool:
    """Tell whether this process has opened a GPU; torch is not imported for the question.

    It is asked from a thread, also while torch is being imported: the module is there then, and what it defines is not.
    """
    is_initialized = getattr(getattr(sys.modules.get("torch"), "cuda", None), "is_initialized", None)
    return is_initialized is not None and is_initialized()
