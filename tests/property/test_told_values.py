"""How a value of a policy's code leaves the sandbox: as the builtin that it equals, or not at all."""

import ast
from collections import UserDict
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.domains.swe.runners.judge_inside import literal

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
plain = st.recursive(
    scalars | st.binary() | st.sets(st.integers()),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(plain)
@settings(max_examples=100, deadline=None)
def test_plain_values_are_told_as_they_are(value):
    found = ast.literal_eval(literal(value))
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("value", "equal"),
    [
        (Fraction(7, 2), 3.5),
        (Decimal("2.0"), 2),
        (Decimal("0.1"), None),
        (Fraction(1, 3), None),
        (1 + 0j, 1),
        (frozenset({1}), {1}),
        ({3: 1}.keys(), {3}),
        (MappingProxyType({3: [1]}), {3: [1]}),
        (MappingProxyType(UserDict()), None),
        (bytearray(b"A"), b"A"),
    ],
)
def test_a_value_that_equals_a_builtin_is_told_as_that(value, equal):
    assert literal(value) == "" if equal is None else ast.literal_eval(literal(value)) == equal == value


@pytest.mark.parametrize("base", [int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset])
def test_of_an_extended_builtin_its_own_value_is_told(base):
    lying = type("A", (base,), {"__eq__": lambda s, o: True, "__repr__": lambda s: "5", "__iter__": None})
    assert literal(lying()) == literal(base())
    assert literal(object()) == literal([object()]) == ""
