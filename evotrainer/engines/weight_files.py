"""Weights on disk, looked at without a network: whether the files are there, whole, and hold numbers.

Read are safetensors files, a part at a time, so that a large model needs no memory. Weights in another form are
refused: torch's own files are pickles, which run code when they are read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evotrainer.engines.checkpoint import read_settings
from evotrainer.errors import PolicyError

_WHOLE, _INDEX = "model.safetensors", "model.safetensors.index.json"
_OTHERS = (".bin", ".bin.index.json", ".pt", ".pth", ".ckpt")
_PART = 1 << 24
_MAX_HEADER = 100_000_000
_FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_BF16_EXPONENT = 0x7F80


def check_weight_files(path: Path) -> None:
    """Raise PolicyError where a policy has no weights, or a safetensors file that is damaged or holds no numbers."""
    for file in weight_files(path):
        for tensor in _tensors(file):
            if tensor.dtype in _FLOATS and not all(map(_is_finite, _parts(file, tensor))):
                raise PolicyError(
                    f"{file} has weights that are no numbers (first: {tensor.name}): restore the directory"
                )


def read_headers(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight of a policy; raises PolicyError where there is none."""
    found = {tensor.name: tensor.shape for file in weight_files(path) for tensor in _tensors(file)}
    if not found:
        raise PolicyError(f"{path} holds no weights, in files that are whole: restore the directory")
    return found


def weight_files(path: Path) -> list[Path]:
    """Return the safetensors files that transformers reads.

    Raises:
        PolicyError: there are no weights or in another form, or the index names a file that is not there.

    """
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


@dataclass(frozen=True)
class _Tensor:
    """Name, type and shape of a tensor, and its first and last place in the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


def _tensors(file: Path) -> Iterator[_Tensor]:
    size = file.stat().st_size
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        header = stream.read(length) if length <= min(size, _MAX_HEADER) else b""
    base = 8 + length
    try:
        if not header:
            raise ValueError(f"{size} bytes, and a header of {length}" if size else "it is empty")
        named = json.loads(header)
        found = [
            _Tensor(
                name,
                str(about["dtype"]),
                tuple(map(int, about["shape"])),
                *(base + int(n) for n in about["data_offsets"]),
            )
            for name, about in named.items()
            if name != "__metadata__"
        ]
        if not all(base <= tensor.start <= tensor.end and min(tensor.shape, default=0) >= 0 for tensor in found):
            raise ValueError("a negative size")
        whole = max((tensor.end for tensor in found), default=0)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise PolicyError(f"{file} is no whole safetensors file ({error}): restore the directory") from None
    if whole > size:
        raise PolicyError(f"{file} is cut off ({size:,} of {whole:,} bytes): restore the directory")
    yield from found


def _parts(file: Path, tensor: _Tensor) -> Iterator[np.ndarray]:
    dtype = np.dtype(_FLOATS[tensor.dtype])
    for place in range(tensor.start, tensor.end, _PART):
        yield np.fromfile(file, dtype, min(_PART, tensor.end - place) // dtype.itemsize, offset=place)


def _is_finite(values: np.ndarray) -> bool:
    if values.dtype == np.uint16:
        return not bool(((values & _BF16_EXPONENT) == _BF16_EXPONENT).any())
    return bool(np.isfinite(values).all())
