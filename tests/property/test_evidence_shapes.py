"""Whatever kind of value stands anywhere in a row of any format, it is read, or refused with its file and line."""

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
from evotrainer.evidence.formats import OWN
from tasks.diagnose.foreign import read_evidence
from tests.evidence_rows import healthy_rows
from tests.unit.test_rollout_formats import DUMPS

pytestmark = pytest.mark.slow

TRACES = Path(__file__).parents[1] / "golden" / "foreign_dumps" / "prime_rl_traces.jsonl"
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
ROWS = {**DUMPS, OWN: OWN_ROW, "traces": json.loads(TRACES.read_text().splitlines()[0])}
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
    try:
        read_evidence(path)
    except EvidenceError as error:
        assert str(error).startswith(f"{path}:2"), "the first row is fine"


@pytest.mark.parametrize("name", ROWS)
def test_a_row_with_any_value_anywhere_is_read_or_refused_with_its_line(name: str) -> None:
    places = list(_places(ROWS[name]))

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(st.sampled_from(places), VALUES)
    def check(place: tuple[Any, ...], value: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            _is_read_or_refused(name, json.dumps(_changed(ROWS[name], place, value)), Path(folder))

    check()


@pytest.mark.parametrize("number", ["1e999", f"1{400 * '0'}"], ids=["float", "integer"])
@pytest.mark.parametrize("name", ROWS)
def test_a_number_that_no_float_holds_is_read_or_refused_in_every_place(name: str, number: str, tmp_path: Path) -> None:
    for place in _places(ROWS[name]):
        text = json.dumps(_changed(ROWS[name], place, "HERE"))
        _is_read_or_refused(name, text.replace('"HERE"', number), tmp_path)
