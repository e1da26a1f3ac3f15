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

from evotrainer.diagnosis.texts.reading import read_foreign
from evotrainer.errors import EvidenceError
from evotrainer.evidence.formats import OWN
from tests.evidence_rows import healthy_rows
from tests.unit.test_rollout_formats import DUMPS

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


@pytest.mark.parametrize("name", ROWS)
def test_a_row_with_any_value_anywhere_is_read_or_refused_with_its_line(name: str) -> None:
    """The first row is whole, the second has one value changed."""
    places = list(_places(ROWS[name]))

    @settings(max_examples=80, deadline=None, derandomize=True)
    @given(st.sampled_from(places), VALUES)
    def check(place: tuple[Any, ...], value: Any) -> None:
        changed = deepcopy(ROWS[name])
        inner: Any = changed
        for part in place[:-1]:
            inner = inner[part]
        inner[place[-1]] = value
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.jsonl"
            path.write_text(f"{json.dumps(ROWS[name])}\n{json.dumps(changed)}\n")
            try:
                read_foreign(path)
            except EvidenceError as error:
                assert str(error).startswith(f"{path}:2"), "the first row is fine"

    check()
