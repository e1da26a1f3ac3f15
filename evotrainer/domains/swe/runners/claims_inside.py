"""Runs inside the sandbox, beside the tests: whether an object of the code under test answers the same whatever it is
asked with.

`abs(total(xs) - 2.5) < 0.01` and `"x" in lines(xs)` hand what they expect to an object of the attempt's own class. So
it is also asked with other values, at places that it cannot know: what it is asked with first is not what the test
expects, or is. They are drawn from the texts of the tests, which the code under test never sees, so an execution can be
repeated. An object that gives all of them the same answer claims to equal anything.
"""

import datetime
import hashlib
from decimal import Decimal
from fractions import Fraction
from random import Random

DIFFERENCES = frozenset({"add", "sub", "truediv", "mod", "xor"})
"""Operators by which no number has the same result with different numbers, but for zero by a number, and for remainders
of zero and by one.
"""
NUMBERS = (int, float, Decimal, Fraction)
_DATES = (datetime.date, datetime.datetime)
_random = Random()


def draw_from(texts):
    """Draw from now on by what these texts say, path -> text."""
    drawn = hashlib.sha256()
    for path in sorted(texts):
        drawn.update(f"{path}\0{texts[path]}\0".encode(errors="replace"))
    _random.seed(drawn.digest())


def others(value):
    """Return values of its type, below and above it, near and far; none for what is not asked with others."""
    try:
        return _others(value)
    except ArithmeticError:  # next to the last date, or no number
        return []


def _others(value):
    kind, (near, far) = type(value), (_random.randrange(3, 50), _random.randrange(10**5, 10**6))
    if kind in NUMBERS:
        return [value + kind(1), value + kind(near), value - kind(near), value + kind(far), value - kind(far)]
    if kind in _DATES:
        return [value + datetime.timedelta(days=near), value - datetime.timedelta(days=near)]
    if kind is str:
        letters = value + "ehnrtx"
        return ["".join(_random.choices(letters, k=size)) for size in (len(value) + 3, near)]
    return []


def asked(ask, value, trial=None):
    """Return what `ask` answers to a value, and whether it answers all others of its type the same: a number, a truth
    or an object with the same absolute value. An answer that is raised is none. `trial`: asks as `ask` does, but leaves
    the object as it was.
    """
    waiting = others(value)
    _random.shuffle(waiting)
    place = _random.randrange(len(waiting) + 1)
    told = [_told(trial or ask, other) for other in waiting[:place]]
    answer = ask(value)
    told += [_told(trial or ask, other) for other in waiting[place:]]
    return answer, bool(told) and _is_same([*told, _sight(answer)])


def _told(ask, value):
    try:
        return _sight(ask(value))
    except Exception:  # the operator is the code under test: one that raises claims nothing
        return None


def _sight(answer):
    """Return what of an answer can be compared; None for nothing."""
    if isinstance(answer, (*NUMBERS, bool, datetime.timedelta)):
        return answer
    try:
        size = abs(answer)
    except Exception:  # as above; and most types have none
        return None
    return size if isinstance(size, (*NUMBERS, datetime.timedelta)) else None


def _is_same(sights):
    first = sights[0]
    return first is not None and all(type(one) is type(first) and one == first for one in sights)
