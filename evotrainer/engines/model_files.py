"""A model on disk, read without loading it: numbers of config.json, shapes of the weights, and whether files are whole.

Numbers in a config.json were written by somebody else: each is a positive integer, or the file is refused. Weights in
another form than safetensors are refused: torch's own files are pickles, which run code when they are read.
"""

import json
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from evotrainer.engines.checkpoint import read_model_config, read_settings
from evotrainer.errors import PolicyError

NAMES = {
    "hidden": ("hidden_size", "n_embd", "d_model"),
    "layers": ("num_hidden_layers", "n_layer", "num_layers"),
    "heads": ("num_attention_heads", "n_head"),
    "vocabulary": ("vocab_size",),
}
"""What architectures call the same number. A network has each of these."""
_MORE_NAMES = {
    "key_value_heads": ("num_key_value_heads",),
    "head_size": ("head_dim",),
    "intermediate": ("intermediate_size", "ffn_dim", "n_inner"),
}
"""Numbers that follow from the others where they are null or not stated."""
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
    """Return the shape of the whole model in `path`; raises PolicyError where config.json does not give it."""
    sizes = check_sizes(path)
    for kind, names in NAMES.items():
        if kind not in sizes:
            raise PolicyError(
                f"{path / 'config.json'} names no {names[0]}, so its memory cannot be estimated: "
                "set engine.check_memory=false to try it as it is"
            )
    hidden, heads = sizes["hidden"], sizes["heads"]
    derived = {"key_value_heads": heads, "head_size": hidden // heads, "intermediate": 4 * hidden}
    return ModelShape(**(derived | sizes), weights=read_headers(path))


def check_sizes(path: Path) -> dict[str, int]:
    """Return the sizes that config.json states, by their kind; raises PolicyError for one that is none."""
    max_positions(path)
    text = text_settings(path)
    sizes = {kind: read_size(path, text, names, is_needed=True) for kind, names in NAMES.items()}
    sizes |= {kind: read_size(path, text, names) for kind, names in _MORE_NAMES.items()}
    return {kind: size for kind, size in sizes.items() if size is not None}


def max_positions(path: Path) -> int | None:
    """Return how many tokens a sequence may have by config.json; None where it does not say."""
    return read_size(path, read_model_config(path), ("max_position_embeddings",))


def text_settings(path: Path) -> dict[str, Any]:
    """Return the settings of the network that reads and writes text, which stand apart where there are others."""
    values = read_model_config(path)
    text = values.get("text_config") or values
    if not isinstance(text, dict):
        raise PolicyError(f"{path / 'config.json'}: text_config is {_shown(text)} and no object: restore the file")
    return text


def read_size(path: Path, values: dict[str, Any], names: tuple[str, ...], *, is_needed: bool = False) -> int | None:
    """Return the first of these numbers that is stated, the largest where it is one a layer; None where none is.

    Raises PolicyError for what is no positive integer, and for null where a number is needed.
    """
    stated = [name for name in names if values.get(name) is not None or (is_needed and name in values)]
    if not stated:
        return None
    value = values[stated[0]]
    sizes: list[Any] = value if isinstance(value, list) and value else [value]
    if not all(type(size) is int and size > 0 for size in sizes):
        raise PolicyError(
            f"{path / 'config.json'}: {stated[0]} is {_shown(value)} and no positive integer: restore the file"
        )
    return max(sizes)


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
        return _indexed(path)
    others = sorted(file.name for file in path.iterdir() if file.name.endswith(_OTHERS))
    if others:
        raise PolicyError(
            f"{path / others[0]} is no safetensors file, and may run code when it is read: where you trust it, load "
            "the model with transformers and write it with save_pretrained"
        )
    raise PolicyError(f"{path} holds no weights, neither {_WHOLE} nor {_INDEX}: restore the directory")


def _indexed(path: Path) -> list[Path]:
    index = read_settings(path / _INDEX).get("weight_map")
    if not isinstance(index, dict) or not index or not all(isinstance(name, str) for name in index.values()):
        raise PolicyError(f"{path / _INDEX} has no weight_map of files: restore the directory")
    files = sorted(set(index.values()))
    for name in files:
        if Path(name).name != name or not (path / name).is_file():
            raise PolicyError(f"{path / _INDEX} names {name!r}, which is no file of this directory: restore it")
    return [path / name for name in files]


def _shown(value: Any) -> str:
    return json.dumps(value)[:40]
