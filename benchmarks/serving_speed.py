"""How fast a vLLM server samples, beside the engine of torch: `python -m benchmarks serving`.

Both run an untrained policy of the embedded kind, in float32, on the same prompts, limits and seeds. The first call of
each engine is left out. A server on a CPU computes without packed weights, so that they can be reloaded in place.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from evotrainer.config import Config, EmbeddedPolicyConfig
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import RolloutEngine, SamplingParams
from evotrainer.engines.lifetime import end_all
from evotrainer.engines.tiny.creation import create_policy

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789 +-*/=?.,"
PROMPT_TOKENS = 64
REPEATS = 3


def main(python: str, hidden_size: int, num_layers: int, batches: list[int], max_tokens: int, threads: int) -> None:
    """Print `key: value` lines: tokens a second of both engines for each batch, the time to start and to sync."""
    shape = EmbeddedPolicyConfig(hidden_size=hidden_size, num_heads=hidden_size // 32, num_layers=num_layers)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("first", "second")]
        for seed, path in enumerate(paths):
            create_policy(path, shape, ALPHABET, seed)
        try:
            rates = {name: _measure(_config(name, python, threads), paths, batches, max_tokens) for name in ENGINES}
        finally:
            end_all()
    for batch in batches:
        print(f"batch_{batch}_ratio_vllm_to_torch: {rates['vllm'][batch] / rates['torch'][batch]:.2f}")


ENGINES = ("torch", "vllm")


def _config(name: str, python: str, threads: int) -> Config:
    config = Config()
    config.engine.rollout, config.engine.num_threads, config.engine.vllm.python = name, threads, python
    return config


def _measure(config: Config, paths: list[Path], batches: list[int], max_tokens: int) -> dict[int, float]:
    """Return tokens a second by batch."""
    name, sampling = config.engine.rollout, SamplingParams(max_tokens)
    engine = create_rollout_engine(config, paths[0])
    print(f"{name}_seconds_to_first_completion: {_seconds(lambda: _sample(engine, 1, SamplingParams(1))):.1f}")
    rates = {}
    for batch in batches:
        _sample(engine, batch, sampling)
        rates[batch] = max(_rate(engine, batch, sampling) for _ in range(REPEATS))
        print(f"{name}_batch_{batch}_tokens_per_second: {rates[batch]:.0f}")
    seconds = min(_seconds(lambda path=path: engine.sync(path)) for path in paths[::-1] * REPEATS)
    print(f"{name}_sync_seconds: {seconds:.2f}")
    return rates


def _rate(engine: RolloutEngine, batch: int, sampling: SamplingParams) -> float:
    started = time.perf_counter()
    return _sample(engine, batch, sampling) / (time.perf_counter() - started)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _sample(engine: RolloutEngine, batch: int, sampling: SamplingParams) -> int:
    """Return how many tokens were sampled."""
    rng = np.random.default_rng(0)
    prompts = rng.integers(7, 7 + len(ALPHABET), (batch, PROMPT_TOKENS)).tolist()
    return sum(len(found.token_ids) for found in engine.generate(prompts, sampling, range(batch)))
