"""A few training steps of a model of a real size on one device, each setting in a process of its own.

The model is one of Qwen3's shapes with random weights: speed and memory do not ask what they say. A drawn text has no
right answer, so a reward by its length stands for a grade; without one all advantages would be 0 and no weight would
move. The first step pays for start-up and is left out of the speeds. Memory is that of the whole GPU, without what was
in use before; on a CPU it is the peak of the process, whose modules are in the estimate as `base`.
"""

import json
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.model_steps.meter import meter_of
from benchmarks.model_steps.random_model import write_random_model
from evotrainer.algorithm.code import RecipeCode
from evotrainer.config import Config
from evotrainer.config.recipe import RewardConfig
from evotrainer.config.schema import EngineConfig, LoraConfig, VllmConfig
from evotrainer.engines.memory import GB, estimate_memory, free_memory, prompt_length
from evotrainer.engines.model_files import read_shape
from evotrainer.evidence.store import read_table
from evotrainer.records import Problem, Trajectory
from evotrainer.training.base import TrainingRun

ADAPTER = LoraConfig(rank=16)
SETTINGS: dict[str, EngineConfig] = {
    "full": EngineConfig(),
    "full-8bit": EngineConfig(optimiser="adamw_8bit"),
    "lora": EngineConfig(lora=ADAPTER),
    "lora-checkpointing": EngineConfig(lora=ADAPTER, gradient_checkpointing=True),
    "vllm-sleep": EngineConfig(rollout="vllm", vllm=VllmConfig(sleep=True)),
    "vllm-checkpointing-sleep": EngineConfig(rollout="vllm", gradient_checkpointing=True, vllm=VllmConfig(sleep=True)),
    "vllm-lora-sleep": EngineConfig(rollout="vllm", lora=ADAPTER, vllm=VllmConfig(sleep=True)),
}
"""What differs from a step in bfloat16 that trains all weights."""
MICRO_BATCH_TOKENS = 16_384
Span = tuple[float, float]
"""Begin and end in `time.monotonic`."""


@dataclass(frozen=True)
class Scale:
    """A model's size, how much a step samples and how many steps are taken."""

    model: str
    problems: int
    group: int
    tokens: int
    steps: int
    device: str = "cuda"


def questions(count: int) -> list[Problem]:
    """Return problems whose answers do not matter, for a model that solves none: what counts is how long they are."""
    return [
        Problem(
            problem_id=f"p{number}",
            domain="math",
            family="add",
            split="train",
            prompt=f"What is {number} plus 12?",
            answer=str(number + 12),
        )
        for number in range(count)
    ]


@dataclass
class Spans:
    """When the parts of each step ran, in `time.monotonic`."""

    rollout: list[Span] = field(default_factory=list)
    update: list[Span] = field(default_factory=list)
    sync: list[Span] = field(default_factory=list)


class LengthPay(RecipeCode):
    """Pays an attempt by the characters of its text, in this process."""

    def rewarded(self, rows: list[Trajectory], config: RewardConfig) -> list[Trajectory]:  # noqa: D102
        paid = [len(row.messages[-1].content) % 5 / 4 for row in rows]
        return [row.model_copy(update={"reward": value}) for row, value in zip(rows, paid, strict=True)]


def main(folder: Path, scale: Scale, names: list[str], served: VllmConfig) -> bool:
    """Measure each setting and print `key: value` lines; return whether all ended well.

    `served` says with what interpreter, share of memory and further arguments a vLLM server runs.
    """
    model = folder / f"model-{scale.model}"
    folder.mkdir(parents=True, exist_ok=True)
    if not model.is_dir() and not _apart(write_random_model, model, scale.model, scale.device):
        return False
    have_ended = []
    for name in names:
        out = folder / f"{scale.model}-{name}"
        shutil.rmtree(out, ignore_errors=True)
        engine = replace(SETTINGS[name], vllm=replace(served, sleep=SETTINGS[name].vllm.sleep))
        have_ended.append(_apart(_measure, make_config(model, engine, scale), scale, out))
        if have_ended[-1]:
            show(f"{scale.model}_{name}", json.loads((out / "measured.json").read_text()))
        else:
            print(f"{scale.model}_{name}: failed", flush=True)
    return all(have_ended)


def make_config(model: Path, engine: EngineConfig, scale: Scale) -> Config:
    """Return the recipe of a measurement."""
    config = Config()
    config.policy.path, config.budget.max_steps, config.budget.max_train_seconds = str(model), scale.steps, 86_400
    config.budget.train_tokens = 10**9
    config.sampling.group_size, config.sampling.problems_per_step = scale.group, scale.problems
    config.sampling.max_response_tokens = scale.tokens
    config.algorithm.learning_rate = 1e-5
    config.engine = replace(
        engine, device=scale.device, precision="bfloat16", micro_batch_tokens=MICRO_BATCH_TOKENS,
        vllm=replace(engine.vllm, dtype="bfloat16", max_model_tokens=scale.tokens + 128),
    )  # fmt: skip
    return config


def _apart(work: Callable[..., object], *arguments: object) -> bool:
    """Do the work in a process of its own; return whether it ended well."""
    process = get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    return process.exitcode == 0


def _measure(config: Config, scale: Scale, out: Path) -> None:
    from evotrainer.engines import create_rollout_engine, end_all
    from evotrainer.training.torch.fit import fit

    meter, model = meter_of(scale.device), Path(config.policy.path)
    asked = questions(scale.problems)
    tokens = prompt_length([problem.prompt for problem in asked])
    device, base, free = free_memory(scale.device)
    estimate = estimate_memory(config, read_shape(model), tokens, device, base)
    print(f"estimate  {estimate.total / GB:.2f} GB, {free / GB:.2f} are free", file=sys.stderr, flush=True)
    if scale.device == "cpu" and estimate.total > free:
        raise MemoryError(f"needs about {estimate.total / GB:.1f} GB")
    run = TrainingRun(
        config, model, asked, out, campaign="gpu", version="v001", seed=0, scratch=out / "scratch", code=LengthPay()
    )
    spans = _watch()
    try:
        engine = create_rollout_engine(config, model)
        result = fit(run, engine, checkpoint_seconds=86_400)
    finally:
        end_all()
        meter.close()
    signals = read_table(out / "training", "signals").to_pylist()
    timed = Spans(*(values[1:] for values in (spans.rollout, spans.update, spans.sync)))
    sampled = sum(signal["num_tokens"] for signal in signals[1:])
    found = {
        "estimate": asdict(estimate),
        "estimated_total": estimate.total,
        "peak": meter.peak(),
        "rollout_seconds": _total(timed.rollout) / len(timed.rollout),
        "update_seconds": _total(timed.update) / len(timed.update),
        "sync_seconds": _total(timed.sync) / len(timed.sync),
        "rollout_tokens_per_second": sampled / _total(timed.rollout),
        "update_tokens_per_second": sampled / _total(timed.update),
        "sampled_tokens": sampled,
        "grad_norm": signals[-1]["grad_norm"],
        "steps": result.num_steps,
    }
    (out / "measured.json").write_text(json.dumps(found))
    shutil.rmtree(result.model_path)


def _watch() -> Spans:
    """Note when the parts of a step run: publishing weights, sampling, updating."""
    from evotrainer.training.torch import fit
    from evotrainer.training.torch.fit import StepSampler

    spans = Spans()
    _note(StepSampler, "sample", spans.rollout)
    _note(fit, "update_policy", spans.update)
    _note(fit, "publish", spans.sync)
    return spans


def _note(owner: Any, name: str, spans: list[Span]) -> None:
    import torch

    work = getattr(owner, name)

    def noted(*arguments: Any, **named: Any) -> Any:
        started = time.monotonic()
        try:
            return work(*arguments, **named)
        finally:
            if torch.cuda.is_available():
                torch.cuda.synchronize()
            spans.append((started, time.monotonic()))
            held = torch.cuda.max_memory_reserved() / GB if torch.cuda.is_available() else 0.0
            print(f"{name}  {spans[-1][1] - started:.2f} s  {held:.2f} GB at most", file=sys.stderr, flush=True)

    setattr(owner, name, noted)


def _total(spans: list[Span]) -> float:
    return sum(end - start for start, end in spans)


def show(name: str, found: dict[str, Any]) -> None:
    """Print what was measured, a line each; bytes as GB."""
    if "estimate" in found:
        parts = ", ".join(f"{key} {value / GB:.2f}" for key, value in found["estimate"].items() if value)
        print(f"{name}_estimate_gb: {found['estimated_total'] / GB:.2f} ({parts})")
    for key, value in found.items():
        if key == "peak":
            print(f"{name}_{key}_gb: {value / GB:.2f}")
        elif key not in ("estimate", "estimated_total"):
            print(f"{name}_{key}: {f'{value:.4g}' if isinstance(value, float) else value}", flush=True)
