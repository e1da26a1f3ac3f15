"""Weights on disk, looked at without a network: whether the files are there, whole, and hold numbers.

Read are safetensors files, a part at a time, so that a large model needs no memory. Weights in another form are left to
what loads them.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from evotrainer.engines.checkpoint import WEIGHT_SUFFIXES
from evotrainer.errors import PolicyError

_PART = 1 << 24
_MAX_HEADER = 100_000_000
_FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_BF16_EXPONENT = 0x7F80


def check_weight_files(path: Path) -> None:
    """Raise PolicyError where a policy has no weights, or a safetensors file that is damaged or holds no numbers."""
    if not any(file.name.endswith(WEIGHT_SUFFIXES) for file in path.iterdir()):
        raise PolicyError(f"{path} holds no weights: restore the directory")
    for file in sorted(path.glob("*.safetensors")):
        for name, dtype, start, end in _tensors(file):
            if dtype in _FLOATS and not all(map(_is_finite, _parts(file, _FLOATS[dtype], start, end))):
                raise PolicyError(f"{file} has weights that are no numbers (first: {name}): restore the directory")


def _tensors(file: Path) -> Iterator[tuple[str, str, int, int]]:
    """Yield name, type, first and last place of each tensor."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        header = stream.read(length) if length <= min(size, _MAX_HEADER) else b""
    base = 8 + length
    try:
        named = json.loads(header)
        found = [
            (name, str(about["dtype"]), base + int(about["data_offsets"][0]), base + int(about["data_offsets"][1]))
            for name, about in named.items()
            if name != "__metadata__"
        ]
        whole = max((end for *_, end in found), default=0)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise PolicyError(f"{file} is no whole safetensors file ({error}): restore the directory") from None
    if whole > size:
        raise PolicyError(f"{file} is cut off ({size:,} of {whole:,} bytes): restore the directory")
    yield from found


def _parts(file: Path, dtype: str, start: int, end: int) -> Iterator[np.ndarray]:
    width = np.dtype(dtype).itemsize
    for place in range(start, end, _PART):
        yield np.fromfile(file, dtype, min(_PART, end - place) // width, offset=place)


def _is_finite(values: np.ndarray) -> bool:
    if values.dtype == np.uint16:
        return not bool(((values & _BF16_EXPONENT) == _BF16_EXPONENT).any())
    return bool(np.isfinite(values).all())
