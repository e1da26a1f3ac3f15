"""The shape of a model on disk, read from config.json and the headers of its weight files: nothing is loaded."""

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.model_sizes import INTERMEDIATE, NAMES, read_size, text_settings
from evotrainer.engines.weight_files import read_headers
from evotrainer.errors import PolicyError

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
    text = text_settings(path)
    named: dict[str, int] = {}
    for kind, names in NAMES.items():
        size = read_size(path, text, names, is_needed=True)
        if size is None:
            raise PolicyError(
                f"{path / 'config.json'} names no {names[0]}, so its memory cannot be estimated: "
                "set engine.check_memory=false to try it as it is"
            )
        named[kind] = size
    return ModelShape(
        **named,
        key_value_heads=read_size(path, text, ("num_key_value_heads",)) or named["heads"],
        head_size=read_size(path, text, ("head_dim",)) or named["hidden"] // named["heads"],
        intermediate=read_size(path, text, INTERMEDIATE) or 4 * named["hidden"],
        weights=read_headers(path),
        stored_dtype=_stored_dtype(path),
    )


def _stored_dtype(path: Path) -> str:
    config, text = read_model_config(path), text_settings(path)
    return str(config.get("dtype") or config.get("torch_dtype") or text.get("dtype") or "float32")
