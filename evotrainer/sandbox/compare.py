"""Strict equality of JSON values, decided in the parent, on values that the parent itself has parsed.

Python holds 1, 1.0 and True for equal; an answer of the wrong type is a wrong answer, and so is a tuple where the
expected value is a list. NaN equals itself: as an answer it is one value.
"""

import math
from typing import Any


def values_equal(expected: Any, given: Any) -> bool:
    """Return whether two JSON values or tuples agree in type and value throughout; dictionaries in any order."""
    pending = [(expected, given)]
    while pending:
        left, right = pending.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, list | tuple):
            if len(left) != len(right):
                return False
            pending.extend(zip(left, right, strict=True))
        elif isinstance(left, dict):
            if left.keys() != right.keys():
                return False
            pending.extend((left[key], right[key]) for key in left)
        elif not (left == right or (isinstance(left, float) and math.isnan(left) and math.isnan(right))):
            return False
    return True
