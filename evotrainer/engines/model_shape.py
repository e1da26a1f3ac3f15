"""The shape of a model on disk, read from config.json and the headers of its weight files: nothing is loaded."""

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.weight_files import read_headers
from evotrainer.errors import PolicyError

_NAMES = {
    "hidden": ("hidden_size", "n_embd", "d_model"),
    "layers": ("num_hidden_layers", "n_layer", "num_layers"),
    "heads": ("num_attention_heads", "n_head"),
    "intermediate": ("intermediate_size", "ffn_dim", "n_inner"),
}
"""What architectures call the same number."""

_NO_LINEAR = ("embed", "lm_head", "wte", "wpe", "norm")


@dataclass(frozen=True)
class ModelShape:
    """What the memory of a causal language model follows from."""

    hidden: int
    layers: int
    heads: int
    key_value_heads: int
    head_size: int
    intermediate: int
    vocabulary: int
    weights: dict[str, tuple[int, ...]]
    """The shape of each weight, by name."""
    stored_dtype: str
    """What config.json says that the weights are, like bfloat16."""

    @cached_property
    def num_weights(self) -> int:
        """Number of weights."""
        return sum(math.prod(shape) for shape in self.weights.values())

    @cached_property
    def largest(self) -> int:
        """Number of weights in the largest tensor, usually the embedding."""
        return max(math.prod(shape) for shape in self.weights.values())

    def adapter_shapes(self, targets: list[str]) -> list[tuple[int, int]]:
        """Return (outputs, inputs) of each linear layer that an adapter with these targets changes; none: all."""
        found = []
        for name, shape in self.weights.items():
            layer = name.removesuffix(".weight")
            if len(shape) != 2 or any(word in layer for word in _NO_LINEAR):
                continue
            if not targets or layer.rsplit(".", 1)[-1] in targets:
                found.append((shape[0], shape[1]))
        return found


def read_shape(path: Path) -> ModelShape:
    """Return the shape of the whole model in `path`; raises PolicyError where config.json does not give it."""
    config = read_model_config(path)
    text = config.get("text_config") or config
    try:
        named = {key: _first(text, names) for key, names in _NAMES.items() if key != "intermediate"}
        heads = named["heads"]
        return ModelShape(
            **named,
            key_value_heads=text.get("num_key_value_heads") or heads,
            head_size=text.get("head_dim") or named["hidden"] // heads,
            intermediate=_first(text, _NAMES["intermediate"]) if _has_intermediate(text) else 4 * named["hidden"],
            vocabulary=text["vocab_size"],
            weights=_weights(path),
            stored_dtype=config.get("dtype") or config.get("torch_dtype") or text.get("dtype") or "float32",
        )
    except KeyError as error:
        raise PolicyError(f"{path / 'config.json'} names no {error.args[0]}: its memory cannot be estimated") from None


def _first(values: dict[str, Any], names: tuple[str, ...]) -> int:
    for name in names:
        if values.get(name):
            return values[name]
    raise KeyError(names[0])


def _has_intermediate(values: dict[str, Any]) -> bool:
    return any(values.get(name) for name in _NAMES["intermediate"])


def _weights(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the shapes in the headers of all safetensors files; raises PolicyError where there is none."""
    found = read_headers(path)
    if not found:
        raise PolicyError(f"{path} has no safetensors file: convert its weights, or set engine.check_memory=false")
    return found
