"""Scalars of TensorBoard event files, read without TensorBoard: it is not in our environment.

A file is a sequence of TFRecords: length (8 bytes), its checksum (4), the data, its checksum (4). The data is a
protocol buffer `Event`: wall_time = 1, step = 2, summary = 5; a summary has values = 1 with tag = 1 and
simple_value = 2. A job that is killed leaves a last record cut short: it is left out. A test compares this reader with
files that TensorBoard's own writer made. Source: tensorflow/core/util/event.proto, framework/summary.proto.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evotrainer.errors import EvidenceError

_HEAD, _TAIL = 12, 4
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_STEP, _SUMMARY = 2, 5
_VALUE, _TAG, _SIMPLE_VALUE = 1, 1, 2


@dataclass(frozen=True)
class Scalar:
    """One number that was logged."""

    tag: str
    step: int
    value: float


def read_scalars(folder: Path) -> list[Scalar]:
    """Return the scalars of all event files under `folder`, by the time that files were begun.

    Raises:
        EvidenceError: a file is no event file.

    """
    files = sorted(folder.rglob("events.out.tfevents.*"), key=lambda path: (path.name.split(".")[3], path.name))
    return [scalar for path in files for record in _records(path) for scalar in _scalars(record, path)]


def _records(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    place = 0
    while place + _HEAD <= len(data):
        (length,) = struct.unpack_from("<Q", data, place)
        end = place + _HEAD + length + _TAIL
        if end > len(data):
            return
        yield data[place + _HEAD : end - _TAIL]
        place = end


def _scalars(record: bytes, path: Path) -> Iterator[Scalar]:
    step, summaries = 0, []
    try:
        for number, value in _fields(record):
            if number == _STEP and isinstance(value, int):
                step = value
            elif number == _SUMMARY and isinstance(value, bytes):
                summaries.append(value)
        for summary in summaries:
            for number, value in _fields(summary):
                if number == _VALUE and isinstance(value, bytes):
                    yield from _scalar(value, step)
    except (IndexError, struct.error, UnicodeDecodeError, ValueError):
        raise EvidenceError(f"{path} is no TensorBoard event file: remove it") from None


def _scalar(value: bytes, step: int) -> Iterator[Scalar]:
    tag, number = "", None
    for field, content in _fields(value):
        if field == _TAG and isinstance(content, bytes):
            tag = content.decode()
        elif field == _SIMPLE_VALUE and isinstance(content, float):
            number = content
    if number is not None:
        yield Scalar(tag, step, number)


def _fields(data: bytes) -> Iterator[tuple[int, int | float | bytes]]:
    """Yield (number, value) of a protocol buffer's fields; a 32-bit field is a float here."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _varint(data, place)
        elif kind == _FIXED64:
            (value,), place = struct.unpack_from("<d", data, place), place + 8
        elif kind == _FIXED32:
            (value,), place = struct.unpack_from("<f", data, place), place + 4
        elif kind == _BYTES:
            length, place = _varint(data, place)
            if place + length > len(data):
                raise ValueError("a field is cut short")
            value, place = data[place : place + length], place + length
        else:
            raise ValueError(f"wire type {kind}")
        yield key >> 3, value


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place
