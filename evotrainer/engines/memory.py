"""How much memory training takes, estimated before anything is loaded, and what to change where it is too much.

    always     weights, the reference of the KL term, float32 copies and moments of what is trained
    rollout    keys and values of all sequences, the logits of one token of each
    update     gradients, what one micro-batch keeps for its backward pass, logits of its sampled tokens

The larger of the last two adds to the first. Bytes a token and layer are counted from the operations of a decoder with
a gated MLP, as transformers runs it: a model with other layers is estimated less well. A benchmark compares the
estimate with a real step (docs/own_model.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.config import Config
from evotrainer.config.interventions import with_values
from evotrainer.config.schema import EngineConfig
from evotrainer.engines.checkpoint import open_checkpoint
from evotrainer.engines.model_files import ModelShape, read_shape
from evotrainer.errors import PolicyError

GB = 1e9
CUDA_CONTEXT = int(0.8 * GB)
"""What CUDA and its libraries take of a device before the first tensor."""
CHARACTERS_A_TOKEN = 3
TEMPLATE_TOKENS = 32
LOGITS_AT_ONCE = 2**24
"""Logits of one part of a micro-batch in an update: 67 MB in float32, of which its gradient takes four."""
_BYTES = {"float32": 4, "bfloat16": 2}


@dataclass(frozen=True)
class MemoryEstimate:
    """Bytes by what they are for. `base` is what the process or the device holds before."""

    base: int
    weights: int
    reference: int
    copies: int
    moments: int
    gradients: int
    activations: int
    logits: int
    cache: int
    sampling: int
    laid_out: int
    """The weights of linear layers once more, as a CPU multiplies them fastest (linears.py)."""

    @property
    def total(self) -> int:
        """The peak."""
        always = self.base + self.weights + self.reference + self.copies + self.moments
        update = self.gradients + self.activations + self.logits
        rollout = self.cache + self.sampling + self.laid_out
        return always + max(update, rollout)


def estimate_memory(config: Config, shape: ModelShape, prompt_tokens: int, device: str, base: int) -> MemoryEstimate:
    """Return what training `config` takes of a device, "cuda" or "cpu"; prompts have at most `prompt_tokens` tokens."""
    engine, size = config.engine, _BYTES[config.engine.precision]
    trained, is_adapter = _num_trained(engine, shape), engine.lora.rank > 0
    copies = 4 * trained if size != 4 and not is_adapter else 0
    moments = (2 if engine.optimiser == "adamw_8bit" else 8) * trained
    # beside the float32 gradient: that of the embedding in the policy's precision, from input and output layer
    gradients = 4 * trained + (0 if is_adapter else 2 * shape.largest * size)
    if engine.optimiser == "adamw_cpu" and device == "cuda":  # the rest lies in main memory
        copies, moments, gradients = 0, 0, 2 * shape.largest * size
    passed, sampled = _pass_tokens(config, prompt_tokens)
    rows = min(engine.batch_trajectories, config.sampling.group_size * config.sampling.problems_per_step)
    shares_engine = config.engine.rollout == "torch"
    return MemoryEstimate(
        base=base,
        weights=shape.num_weights * size + (8 * trained if is_adapter else 0),
        reference=0 if is_adapter else shape.num_weights * size,
        copies=copies,
        moments=moments,
        gradients=gradients,
        activations=passed * _activation_bytes(shape, engine, size),
        logits=_logits_bytes(sampled, shape.vocabulary, size),
        cache=rows * (prompt_tokens + _response(config)) * _cache_bytes(shape, size) if shares_engine else 0,
        sampling=rows * shape.vocabulary * (size + 28) if shares_engine else 0,
        laid_out=shape.num_weights * 4 if shares_engine and device == "cpu" and size == 4 else 0,
    )


def _num_trained(engine: EngineConfig, shape: ModelShape) -> int:
    if not engine.lora.rank:
        return shape.num_weights
    return engine.lora.rank * sum(sum(pair) for pair in shape.adapter_shapes(engine.lora.targets))


def _response(config: Config) -> int:
    return config.sampling.max_response_tokens * config.sampling.max_turns


def _pass_tokens(config: Config, prompt_tokens: int) -> tuple[int, int]:
    """Return the tokens of one micro-batch, and how many of them at most were sampled."""
    response = _response(config)
    tokens, group = (
        max(config.engine.micro_batch_tokens, prompt_tokens + response),
        config.sampling.group_size * response,
    )
    return tokens, tokens * group // (prompt_tokens + group)


def _logits_bytes(sampled: int, vocabulary: int, size: int) -> int:
    """Return the bytes of the logits and their gradient, and of one part's float32 copies."""
    at_once = min(sampled, max(1, LOGITS_AT_ONCE // vocabulary))
    return vocabulary * (2 * sampled * size + at_once * (8 if size == 4 else 16))


def _activation_bytes(shape: ModelShape, engine: EngineConfig, size: int) -> int:
    """Return the bytes that one token leaves for the backward pass."""
    layer = _layer_bytes(shape, size) + (_adapter_bytes(shape, size) if engine.lora.rank else 0)
    head = 3 * shape.hidden * (size + 4)
    if engine.gradient_checkpointing:
        return shape.layers * shape.hidden * size + layer + head
    return shape.layers * layer + head


def _layer_bytes(shape: ModelShape, size: int) -> int:
    """Return what one layer keeps a token: two norms, attention's four projections, a gated MLP."""
    queries, keys = shape.heads * shape.head_size, shape.key_value_heads * shape.head_size
    norms = 2 * shape.hidden * (4 + 2 * size) + (queries + keys) * (4 + size)
    attention = (2 * queries + 2 * keys) * size
    return norms + attention + 4 * shape.intermediate * size


def _adapter_bytes(shape: ModelShape, size: int) -> int:
    """Return what an adapter's layers keep a token: the float32 copy of each input where the model has less."""
    linear = shape.adapter_shapes([])
    inputs = sum(inputs for _, inputs in linear) // max(shape.layers, 1)
    return inputs * 4 if size != 4 else 0


def _cache_bytes(shape: ModelShape, size: int) -> int:
    return 2 * shape.layers * shape.key_value_heads * shape.head_size * size


ROWS = {"engine.batch_trajectories": 16}
CHANGES: Sequence[dict[str, Any]] = (
    ROWS,
    {"engine.gradient_checkpointing": True},
    {"engine.micro_batch_tokens": 256},
    ROWS,  # the larger of rollout and update counts: by now that may be the other
    {"engine.precision": "bfloat16"},
    {"engine.optimiser": "adamw_cpu"},
    {"engine.lora.rank": 16, "engine.optimiser": "adamw"},
)
"""Settings that take less memory, those that change least first."""


def suggest(config: Config, shape: ModelShape, prompt_tokens: int, device: str, base: int, free: int) -> str:
    """Return the settings that would fit, each step added to those before; what is closest where none does."""

    def needed(values: dict[str, Any]) -> int:
        return estimate_memory(with_values(config, values), shape, prompt_tokens, device, base).total - base

    chosen: dict[str, Any] = {}
    for change in CHANGES:
        if needed(chosen) > free and needed(chosen | change) < needed(chosen):
            chosen |= change
    said = " ".join(f"{key}={str(value).lower()}" for key, value in chosen.items())
    return said if needed(chosen) <= free else f"{said}, and a smaller policy"


def prompt_length(texts: Sequence[str]) -> int:
    """Return how many tokens the longest of these prompts has at most, roughly."""
    return max((len(text) for text in texts), default=0) // CHARACTERS_A_TOKEN + TEMPLATE_TOKENS


def check_memory(config: Config, path: Path, texts: Sequence[str]) -> None:
    """Raise PolicyError where training the policy in `path` takes more than is free; embedded ones always fit."""
    if not config.policy.path or not config.engine.check_memory:
        return
    shape = read_shape(open_checkpoint(path, config.policy.path).base)
    device, base, free = free_memory(config.engine.device)
    tokens = prompt_length(texts)
    needed = estimate_memory(config, shape, tokens, device, base)
    if needed.total - base > free:
        raise PolicyError(
            f"training {path} needs about {(needed.total - base) / GB:.1f} GB of {device} memory, {free / GB:.1f} are "
            f"free: try {suggest(config, shape, tokens, device, base, free)} (engine.check_memory=false tries as it is)"
        )


def free_memory(device: str) -> tuple[str, int, int]:
    """Return the kind of device that a name means, what the process holds of it, and the bytes that are free."""
    import psutil
    import torch

    from evotrainer.engines.policy import pick_device

    if pick_device(device).type == "cuda":
        return "cuda", 0, torch.cuda.mem_get_info()[0] - CUDA_CONTEXT
    return "cpu", psutil.Process().memory_info().rss, psutil.virtual_memory().available
