"""One training step a setting, each in a process of its own, on the CPU: `python -m benchmarks training-memory`.

The peak is VmHWM, the most memory that the process ever held. What the process holds before the model is loaded, its
modules above all, is in the estimate as `base`, as it is in the check before a run.
"""

import json
import shutil
import time
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import psutil

from benchmarks.peak_memory import peak_bytes
from benchmarks.training_memory.questions import questions
from benchmarks.training_memory.random_model import write_random_model
from evotrainer.config import Config
from evotrainer.config.engines import EngineConfig, LoraConfig
from evotrainer.engines.memory import GB, MemoryEstimate, estimate_memory, free_memory, prompt_length
from evotrainer.engines.model_files import read_shape
from evotrainer.training import train
from evotrainer.training.base import TrainingRun

SETTINGS: dict[str, EngineConfig] = {
    "lora16-bfloat16": EngineConfig(precision="bfloat16", lora=LoraConfig(rank=16)),
    "full-bfloat16": EngineConfig(precision="bfloat16", gradient_checkpointing=True),
}
NUM_PROBLEMS, GROUP_SIZE, RESPONSE_TOKENS, MICRO_BATCH = 1, 4, 16, 4


@dataclass(frozen=True)
class Measured:
    """One step of one setting; bytes and seconds."""

    estimate: MemoryEstimate
    peak: int
    seconds: float
    num_tokens: int
    stored: int


def main(folder: Path, names: list[str], max_gigabytes: float) -> None:
    """Measure each setting and print `key: value` lines; one that the machine has no room for is named and left out."""
    model = folder / "model"
    if not model.is_dir():
        _apart(write_random_model, model)
    for name in names:
        config = _config(model, SETTINGS[name])
        shape, free = read_shape(model), psutil.virtual_memory().available
        needed = estimate_memory(config, shape, _prompt_tokens(), "cpu", int(GB)).total
        if needed > min(free, max_gigabytes * GB):
            print(
                f"{name}: not run: needs about {needed / GB:.1f} GB, {free / GB:.1f} are free, {max_gigabytes} allowed"
            )
            continue
        _apart(_measure, name, model, folder / name)
        _show(name, json.loads((folder / name / "measured.json").read_text()))


def _apart(work, *arguments: object) -> None:
    process = get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{work.__name__} ended with status {process.exitcode}")


def _config(model: Path, engine: EngineConfig) -> Config:
    config = Config()
    config.policy.path, config.budget.max_steps, config.budget.max_train_seconds = str(model), 1, 86_400
    config.sampling.group_size, config.sampling.problems_per_step = GROUP_SIZE, NUM_PROBLEMS
    config.sampling.max_response_tokens, config.reward.length_penalty = RESPONSE_TOKENS, 1.0
    config.engine = replace(engine, device="cpu", num_threads=2, micro_batch_trajectories=MICRO_BATCH)
    return config


def _prompt_tokens() -> int:
    return prompt_length([problem.prompt for problem in questions(NUM_PROBLEMS)])


def _measure(name: str, model: Path, out: Path) -> None:
    import evotrainer.engines.hf
    import evotrainer.training.torch.fit  # noqa: F401  what a run imports is no part of what it takes

    config = _config(model, SETTINGS[name])
    _, base, _ = free_memory("cpu")
    estimate = estimate_memory(config, read_shape(model), _prompt_tokens(), "cpu", base)
    shutil.rmtree(out, ignore_errors=True)
    started = time.perf_counter()
    names = {"campaign": "memory", "version": "v001", "seed": 0, "pass_rates": {}}
    result = train(TrainingRun(config, model, questions(NUM_PROBLEMS), out, scratch=out / "scratch", **names))
    seconds = time.perf_counter() - started
    stored = sum(file.stat().st_size for file in result.model_path.iterdir())
    found = Measured(estimate, peak_bytes(), seconds, result.num_tokens, stored)
    (out / "measured.json").write_text(json.dumps(asdict(found) | {"total": estimate.total}))
    shutil.rmtree(result.model_path)


def _show(name: str, found: dict) -> None:
    parts = ", ".join(f"{key} {value / GB:.2f}" for key, value in found["estimate"].items() if value)
    print(f"{name}_estimate_gb: {found['total'] / GB:.2f} ({parts})")
    print(f"{name}_peak_gb: {found['peak'] / GB:.2f}")
    print(f"{name}_peak_to_estimate: {found['peak'] / found['total']:.2f}")
    print(f"{name}_seconds: {found['seconds']:.0f}")
    print(f"{name}_sampled_tokens: {found['num_tokens']}")
    print(f"{name}_version_gb: {found['stored'] / GB:.3f}", flush=True)
