"""A model on disk, read without loading it: numbers of config.json, shapes of the weights, and whether files are whole.

Weights in another form than safetensors are refused: torch's own files are pickles, which run code when they are read.
"""

import math
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from evotrainer.engines.checkpoint import read_model_config, read_settings
from evotrainer.errors import PolicyError

_NEEDED = {"hidden": "hidden_size", "layers": "num_hidden_layers", "heads": "num_attention_heads"}
_NEEDED |= {"vocabulary": "vocab_size"}
_STATED = {"key_value_heads": "num_key_value_heads", "head_size": "head_dim", "intermediate": "intermediate_size"}
"""Of transformers' configuration; they follow from the others where they are null or not stated."""
_WHOLE, _INDEX = "model.safetensors", "model.safetensors.index.json"
_OTHERS = (".bin", ".bin.index.json", ".pt", ".pth", ".ckpt")
_PART = 1 << 24
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
    """Return the shape of the whole model in `path`; raises PolicyError where transformers does not read it."""
    read_model_config(path)  # an absent one is told before an import of seconds
    from transformers import AutoConfig

    file = path / "config.json"
    try:
        config = AutoConfig.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        text: Any = config.get_text_config()
    except Exception as error:  # every architecture checks its own settings and raises its own type
        raise PolicyError(f"transformers makes no network of {file}: {reason_of(error)}") from None
    found = {kind: getattr(text, name, None) for kind, name in (_NEEDED | _STATED).items()}
    sizes = {kind: max(size) if isinstance(size, list) else size for kind, size in found.items() if size}
    for kind, name in _NEEDED.items():
        if kind not in sizes:
            raise PolicyError(
                f"{file} names no {name}, so its memory cannot be estimated: set engine.check_memory=false to try it "
                "as it is"
            )
    hidden, heads = sizes["hidden"], sizes["heads"]
    derived = {"key_value_heads": heads, "head_size": hidden // heads, "intermediate": 4 * hidden}
    return ModelShape(**(derived | sizes), weights=read_headers(path))


def max_positions(path: Path) -> int | None:
    """Return how many tokens a sequence may have by config.json; None where it does not say."""
    return read_model_config(path).get("max_position_embeddings")


def reason_of(error: Exception) -> str:
    """Return the first sentence of what another library says."""
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, KeyError):
        return f"it knows no {text}"
    return re.split(r"(?<=[a-z`'\")])\. (?=[A-Z])", text)[0][:300]


def read_headers(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight; raises PolicyError where there is none, or a file is damaged."""
    shapes: dict[str, tuple[int, ...]] = {}
    for file in _weight_files(path):
        try:
            with safe_open(file, "np") as tensors:
                shapes |= {name: tuple(tensors.get_slice(name).get_shape()) for name in tensors.keys()}  # noqa: SIM118
        except (SafetensorError, OSError) as error:
            raise PolicyError(f"{file} is no whole safetensors file ({error}): restore the directory") from None
    if not shapes:
        raise PolicyError(f"{path} holds no weights, in files that are whole: restore the directory")
    return shapes


def check_weight_files(path: Path) -> None:
    """Raise PolicyError where a policy has no weights, or a file is damaged or holds values that are no numbers."""
    read_headers(path)
    for file in _weight_files(path):
        with safe_open(file, "pt") as tensors:
            for name in tensors.keys():  # noqa: SIM118
                values = tensors.get_tensor(name)
                is_wide = values.is_floating_point() and values.element_size() > 1
                if is_wide and not all(bool(part.isfinite().all()) for part in values.flatten().split(_PART)):
                    raise PolicyError(f"{file} has weights that are no numbers (first: {name}): restore the directory")


def _weight_files(path: Path) -> list[Path]:
    if (path / _WHOLE).is_file():
        return [path / _WHOLE]
    if (path / _INDEX).is_file():
        try:
            return sorted({path / name for name in read_settings(path / _INDEX)["weight_map"].values()})
        except (KeyError, AttributeError, TypeError):
            raise PolicyError(f"{path / _INDEX} has no weight_map of files: restore the directory") from None
    others = sorted(file.name for file in path.iterdir() if file.name.endswith(_OTHERS))
    if others:
        raise PolicyError(
            f"{path / others[0]} is no safetensors file, and may run code when it is read: where you trust it, load "
            "the model with transformers and write it with save_pretrained"
        )
    raise PolicyError(f"{path} holds no weights, neither {_WHOLE} nor {_INDEX}: restore the directory")
