"""Arrow columns as numpy arrays, without pandas: Arrow's own conversion imports it, which costs a stage a third of a
second."""

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def to_array(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Return a column of numbers or truth values, [rows]; null becomes NaN, and numbers with nulls are floats."""
    values: Any = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_boolean(values.type):
        return np.from_dlpack(values.cast(pa.uint8())).astype(bool)
    if values.null_count:
        values = pc.call_function("coalesce", [values.cast(pa.float64()), pa.scalar(math.nan)])
    return np.from_dlpack(values)


def map_arrays(column: pa.ChunkedArray) -> dict[str, np.ndarray]:
    """Return {name: float [rows]} of a column of maps, names sorted; NaN where a row's map lacks the name."""
    maps: Any = pa.concat_arrays([*column.chunks, pa.nulls(0, column.type)])
    keys = maps.keys.dictionary_encode()
    values = np.full((len(keys.dictionary), len(maps)), np.nan)
    rows = np.repeat(np.arange(len(maps)), np.diff(to_array(maps.offsets)))
    values[to_array(keys.indices), rows] = to_array(maps.items)
    return dict(sorted(zip(keys.dictionary.to_pylist(), values, strict=True)))
