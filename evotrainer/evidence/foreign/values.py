"""Values of other systems as Arrow columns: of one kind where all have it, else numbers, lists of them, or text."""

import json
import math
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.evidence.foreign.names import meanings, names
from evotrainer.evidence.rows import is_number, one_array, to_array

_LARGEST = 2.0**53
_NUMERIC = 0.9
"""Share of numbers from which on a column of text is one of numbers, in which other texts are unknown."""


def typed(values: list[Any]) -> pa.Array:
    """Return values as one column: of their kind, of numbers by token, or as text."""
    kinds = set(map(type, values))
    if list in kinds:
        values = [value[0] if type(value) is list and len(value) == 1 else value for value in values]
        if any(type(value) is list for value in values) and not all(map(_is_of_numbers, values)):
            values = [as_text(value) for value in values]
    try:
        array = pa.array(values)
        if array.type.id not in _OTHER_TYPES:
            return array
    except (pa.ArrowException, OverflowError, UnicodeEncodeError, TypeError, ValueError):
        pass
    kinds = set(map(type, values))
    if kinds <= {int, float, bool, type(None)}:
        return pa.array([_as_float(value) for value in values], pa.float64())
    return pa.array([as_text(value) for value in values], pa.string())


_OTHER_TYPES = frozenset(pa.type_for_alias(name).id for name in ("binary", "timestamp[ns]", "date32", "time64[ns]")) | {
    pa.struct([]).id,
    pa.map_(pa.string(), pa.string()).id,
}


def _as_float(value: float | None) -> float | None:
    try:
        return float(value)  # type: ignore[arg-type]  # a TypeError is the answer for None
    except (OverflowError, TypeError):
        return None


def _is_of_numbers(value: Any) -> bool:
    return value is None or (type(value) is list and all(type(one) in (int, float, bool, type(None)) for one in value))


def as_text(value: Any) -> str | None:
    """Return a value as text: JSON where it is none, and half surrogates replaced."""
    if value is None:
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if not isinstance(value, str):
        try:
            return orjson.dumps(value).decode()
        except (TypeError, ValueError):
            value = json.dumps(value, ensure_ascii=False, default=str)
    return value.encode(errors="replace").decode()


def joined(parts: list[tuple[int, pa.Array]], num_rows: int) -> pa.ChunkedArray:
    """Return a column of parts; nulls where a part of the rows lacks it."""
    kinds = {array.type for _, array in parts} - {pa.null()}
    kind = next(iter(kinds)) if len(kinds) == 1 else _common(kinds)
    found, place = [], 0
    for start, array in parts:
        if start > place:
            found.append(pa.nulls(start - place, kind))
        found.append(_as_kind(array, kind))
        place = start + len(array)
    if place < num_rows:
        found.append(pa.nulls(num_rows - place, kind))
    return pa.chunked_array(found, kind)


def _common(kinds: set[pa.DataType]) -> pa.DataType:
    if all(map(is_number, kinds)):
        return pa.float64()
    if kinds and all(pa.types.is_list(kind) for kind in kinds):
        return pa.list_(pa.float64())
    return pa.string()


def _as_kind(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind:
        return array
    if pa.types.is_string(kind):
        return pa.array([as_text(value) for value in array.to_pylist()], kind)
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    return array.cast(kind, safe=False)


def as_numbers(column: Any) -> np.ndarray | None:
    """Return a column as floats, NaN where it holds no finite number; None where it holds mostly something else.

    Verdicts and texts of numbers are numbers.
    """
    if isinstance(column, np.ndarray):
        return column
    kind = column.type
    if is_number(kind):
        values = to_array(column).astype(np.float64)
        return np.where(np.isfinite(values), values, np.nan)
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if not pa.types.is_string(kind):
        return None
    head = [_number(one) for one in column[:50].to_pylist() if one and not one.isspace()]
    if head.count(None) * 2 > len(head):
        return None  # most columns of text end here
    texts = column.to_pylist()
    known = {one: _number(one) for one in set(texts) if one and not one.isspace()}
    found = [known[one] for one in texts if one in known]
    if not found or len(found) - found.count(None) < _NUMERIC * len(found):
        return None
    values = np.array([known.get(one) for one in texts], np.float64)
    return np.where(np.isfinite(values), values, np.nan)


def lost_numbers(column: pa.ChunkedArray, values: np.ndarray) -> list[str]:
    """Return the cells of a column that hold something though its numbers do not."""
    lost = column.filter(pa.array(np.isnan(values))).drop_null()
    return [text for one in lost.to_pylist() if (text := str(one)).strip()]


def _number(text: str) -> float | None:
    word = text.strip().lower()
    if word in meanings("verdicts"):
        return float(meanings("verdicts")[word] == "right")
    try:
        return float(text)
    except ValueError:
        return None


def whole(values: np.ndarray) -> np.ndarray:
    """Return numbers as integers; 0 for what is unknown, or too large to be one."""
    return np.where(np.abs(values) < _LARGEST, values, 0).astype(np.int64)


def as_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as text: whole numbers without a fraction, verdicts as true and false, lists as JSON."""
    kind = column.type
    if pa.types.is_string(kind):
        return column
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_null(kind):
        return column.cast(pa.string())
    values = column.to_pylist()
    if pa.types.is_floating(kind):
        values = [
            int(one) if one is not None and one == one and abs(one) < 1e15 and one == int(one) else one
            for one in values
        ]
    return pa.chunked_array([pa.array([as_text(one) for one in values], pa.string())])


def no_error(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts of errors, null where they say that there is none."""
    return pc.call_function("if_else", [_are_of(texts, "no_error"), pa.scalar(None, pa.string()), texts])


def _are_of(texts: pa.ChunkedArray, known: str) -> Any:
    """Tell which texts stand, in lower case, in a list of names.yaml."""
    distinct = [one for one in texts.unique().to_pylist() if one is not None]
    found = pa.array([one for one in distinct if one.strip().lower() in names()[known]], pa.string())
    return pc.call_function("is_in", [texts], pc.SetLookupOptions(found))


def codes_of(column: pa.Array | pa.ChunkedArray) -> tuple[np.ndarray, int]:
    """Return a column as codes, -1 where it is null, and how many there are."""
    encoded = one_array(one_array(column).dictionary_encode())
    codes = pc.call_function("coalesce", [encoded.indices, pa.scalar(-1, pa.int32())])
    return to_array(codes).astype(np.int64), len(encoded.dictionary)


def arrow(values: Any, kind: pa.DataType | None = None) -> Any:
    """Return floats as an Arrow column, NaN as null; an Arrow column as it is."""
    if not isinstance(values, np.ndarray):
        return values if kind is None or values.type == kind else values.cast(kind)
    array = pa.array(values, from_pandas=True)
    if kind is None or array.type == kind:
        return array
    if pa.types.is_boolean(kind):
        return pc.call_function("greater", [array, pa.scalar(0.0)])
    return pc.call_function("round", [array]).cast(kind, safe=False)


def known_split(text: str | None) -> str:
    """Return our name of a split; empty where it is not known."""
    return meanings("splits").get(str(text or "").lower(), "")


def is_cut(stop_reasons: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return whether a limit ended an attempt, by its stop reason; null where that is not known."""
    known = pc.call_function("is_valid", [stop_reasons])
    return pc.call_function("if_else", [known, _are_of(stop_reasons, "cut_reasons"), pa.scalar(None, pa.bool_())])
