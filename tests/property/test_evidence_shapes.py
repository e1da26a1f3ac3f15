"""Whatever stands anywhere in a row of any system, or in a file, it is read, left out or refused in one clear line."""

import json
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.reading import read_foreign_rows
from tests.evidence_rows import healthy_rows

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[1] / "golden" / "foreign_dumps"
OWN_ROW = {
    **healthy_rows(1)[0].model_dump(),
    "messages": [
        {"role": "user", "content": "1+1?"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "a", "function": {"name": "python", "arguments": "{}"}}],
            "num_tokens": 3,
            "mean_logprob": -0.1,
        },
        {"role": "tool", "content": [{"type": "text", "text": "2"}], "tool_call_id": "a", "ok": True},
    ],
}
TRACE = json.loads((GOLDEN / "prime_rl_traces.jsonl").read_text().splitlines()[0])
ROWS = {**json.loads((GOLDEN / "rows.json").read_text()), "evotrainer": OWN_ROW, "traces": TRACE}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.sampled_from(["", "a", "1", "[1]"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "start", "a"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def _places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value in a row."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*above, key)
        yield from _places(one, (*above, key))


def _changed(row: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return the row with another value in a place."""
    changed = deepcopy(row)
    inner: Any = changed
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    return changed


def _is_read_or_refused(name: str, second: str, folder: Path) -> None:
    """Check a file of two lines, of which the first is a whole row."""
    path = folder / "rows.jsonl"
    path.write_text(f"{json.dumps(ROWS[name])}\n{second}\n")
    _check(path)


def _check(path: Path) -> None:
    """Read a file with all that is made of it; an error is one line without the file's control characters."""
    try:
        found = read_foreign_rows(path)
    except EvidenceError as error:
        said = str(error).split("\nIf these are attempts")[0]
        assert said.isprintable() and len(said) < 3000
        return
    assert len(list(found.rows)) == len(found.rows) and found.messages.num_rows >= 0


@pytest.mark.parametrize("name", ROWS)
def test_a_row_with_any_value_anywhere_is_read_or_refused_with_its_line(name: str) -> None:
    places = list(_places(ROWS[name]))

    @settings(max_examples=25, deadline=None)
    @given(st.sampled_from(places), VALUES)
    def check(place: tuple[Any, ...], value: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            _is_read_or_refused(name, json.dumps(_changed(ROWS[name], place, value)), Path(folder))

    check()


@pytest.mark.parametrize("name", ROWS)
def test_a_number_that_no_float_holds_is_read_or_refused_in_any_place(name: str, tmp_path: Path) -> None:
    """Every fourth place meets one, by turns a float and an integer."""
    for index, place in enumerate([*_places(ROWS[name])][::4]):
        text = json.dumps(_changed(ROWS[name], place, "HERE"))
        _is_read_or_refused(name, text.replace('"HERE"', ("1e999", f"1{400 * '0'}")[index % 2]), tmp_path)


@settings(max_examples=70, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["jsonl", "json", "jsonl.gz", "csv", "parquet", "eval", "traj"]))
def test_any_bytes_are_refused_in_one_line(data: bytes, ending: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows.{ending}"
        path.write_bytes(data)
        _check(path)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, '{"prompt": "\\ud800"}', "\x1b[2J", "{}", "[]", "null", "1"]
)
def test_what_is_no_row_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    for name in ("rows.jsonl", "rows.json"):
        (tmp_path / name).write_text(text)
        _check(tmp_path / name)
