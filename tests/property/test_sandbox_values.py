"""Values cross the border of the sandbox unchanged, and nothing that stands on the result pipe is an error."""

import json

from hypothesis import given
from hypothesis import strategies as st

from evotrainer.sandbox import values_equal
from evotrainer.sandbox.values import encode_value, parse_result

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
keys = st.text() | st.sampled_from(["tuple", "dict", "value"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(keys, inner), max_leaves=20
)


@given(st.lists(values, max_size=4))
def test_what_goes_in_comes_out(sent: list[object]) -> None:
    lines = [f'{{"value": {encode_value(value)}}}' for value in sent]
    is_ready, said = parse_result("\n".join(['"ready"', *lines, ""]).encode(), len(sent))
    assert is_ready
    assert values_equal(sent, [line["value"] for line in said])


@given(values)
def test_lists_and_tuples_are_never_the_same(value: object) -> None:
    assert not values_equal([value], (value,))
    assert values_equal((value,), (value,))


@given(st.binary(), st.integers(0, 3))
def test_anything_on_the_pipe_is_read_as_objects(data: bytes, num_lines: int) -> None:
    is_ready, said = parse_result(b'"ready"\n' + data, num_lines)
    assert is_ready
    assert len(said) <= num_lines
    assert all(isinstance(line, dict) for line in said)


@given(st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20))
def test_a_forged_line_is_an_answer(forged: object) -> None:
    line = json.dumps({"value": forged}).encode()
    assert "value" in parse_result(b'"ready"\n' + line, 1)[1][0]
