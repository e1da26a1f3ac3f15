"""Numbers in a policy's config.json, which somebody else wrote: each is a positive integer, or the file is refused.

Nothing is built or multiplied with a number before it is read here. Those of a whole model are compared with the
headers of its weights too: a network of a billion layers would never be made.
"""

import json
import math
from pathlib import Path
from typing import Any

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.weight_files import read_headers
from evotrainer.errors import PolicyError

NAMES = {
    "hidden": ("hidden_size", "n_embd", "d_model"),
    "layers": ("num_hidden_layers", "n_layer", "num_layers"),
    "heads": ("num_attention_heads", "n_head"),
    "vocabulary": ("vocab_size",),
}
"""What architectures call the same number. A network has each of these."""
INTERMEDIATE = ("intermediate_size", "ffn_dim", "n_inner")
MORE_NAMES = (INTERMEDIATE, ("num_key_value_heads",), ("head_dim",))
"""Numbers that follow from the others where they are null or not stated."""


def check_sizes(path: Path) -> None:
    """Raise PolicyError where config.json states a size that is none, or that the headers of the weights contradict."""
    max_positions(path)
    values, headers = text_settings(path), read_headers(path)
    num_numbers = sum(map(math.prod, headers.values()))
    for names in (*NAMES.values(), *MORE_NAMES):
        size = read_size(path, values, names, is_needed=names in NAMES.values())
        if size is None:
            continue
        of_layers = names == NAMES["layers"]
        if size > (len(headers) if of_layers else num_numbers):
            held = f"{len(headers):,} weights, fewer than one a layer" if of_layers else f"{num_numbers:,} numbers"
            name = next(name for name in names if values.get(name) is not None)
            raise PolicyError(
                f"{path / 'config.json'}: {name} is {_shown(values[name])}, and the files of the weights hold {held}: "
                "restore config.json"
            )


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
    name = next((name for name in names if values.get(name) is not None), None)
    if name is None:
        empty = next((name for name in names if name in values), None)
        if is_needed and empty:
            raise _no_size(path, empty, None)
        return None
    value = values[name]
    sizes: list[Any] = value if isinstance(value, list) and value else [value]
    if not all(type(size) is int and size > 0 for size in sizes):
        raise _no_size(path, name, value)
    return max(sizes)


def _no_size(path: Path, name: str, value: Any) -> PolicyError:
    return PolicyError(f"{path / 'config.json'}: {name} is {_shown(value)} and no positive integer: restore the file")


def _shown(value: Any) -> str:
    return json.dumps(value)[:40]
