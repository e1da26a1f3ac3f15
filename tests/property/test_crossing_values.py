"""What crosses from code under test to its tests: nothing that equals anything equals a plain value there."""

import collections
import fractions
import json
import types
import weakref

from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.domains.swe.runners.code_inside import Code
from evotrainer.domains.swe.runners.pair_inside import Line, Peer
from evotrainer.domains.swe.runners.remote_inside import Tests


class Anything:
    """Equals everything."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None


KEPT = Anything()


def _subclass(base):
    return type("Sub", (base,), {"__eq__": lambda s, o: True, "__ne__": lambda s, o: False, "__hash__": None})


def _holding(kind, *names):
    value = kind("") if kind is collections.UserString else kind()
    for name in names:
        setattr(value, name, Anything())
    return value


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.binary()
plain = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)
anything = st.sampled_from(
    [
        Anything,
        lambda: weakref.proxy(KEPT),
        lambda: types.MappingProxyType(_subclass(dict)()),
        lambda: _holding(collections.UserString, "data"),
        lambda: _holding(collections.UserList, "data"),
        lambda: _holding(fractions.Fraction, "_numerator", "_denominator"),
        *[lambda base=base: _subclass(base)() for base in (int, float, str, bytes, list, dict, tuple, set)],
    ]
).map(lambda make: make())
wrapped = st.recursive(anything, lambda inner: st.lists(inner, min_size=1, max_size=2) | st.tuples(inner), max_leaves=3)


def crossed(value):
    """Return what the tests get of a value of the code under test."""

    def refused(*arguments):
        raise ValueError("nobody is there to ask")

    code, tests = Code("/nowhere", None), Tests("/nowhere", refused, refused)
    code.peer = Peer(Line(5, refused, refused, 1 << 20), code, {})
    form, _ = code.peer.shared.pack(value)
    return tests.peer.shared.unpack(json.loads(json.dumps(form)))[0]


@given(plain)
@settings(max_examples=100, deadline=None)
def test_plain_values_cross_as_they_are(value):
    found = crossed(value)
    assert found == value and type(found) is type(value)


@given(wrapped, plain)
@settings(max_examples=200, deadline=None)
def test_what_equals_anything_equals_no_plain_value_on_the_other_side(value, expected):
    try:
        found = crossed(value)
    except ValueError:  # parts that are no plain values are refused
        return
    assert not (found == expected and _holds(expected))


def _holds(expected):
    """Whether anything in a value is not empty or zero: what the drawn subclasses of builtins truly are."""
    if isinstance(expected, list | tuple):
        return any(_holds(item) for item in expected)
    return bool(expected)
