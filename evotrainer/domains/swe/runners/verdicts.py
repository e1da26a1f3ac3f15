"""What the parent makes of the values that it is sent: they become plain values again, and assertions are evaluated.

All that is sent was written by the code under test, and is data: literals, read as such. What is evaluated is the
test's own expression of comparisons, sums and literals (assertions.py).
"""

import ast
from collections.abc import Sequence
from typing import Any

from evotrainer.domains.swe.runners.assertions import LEAF, Site


def holds(site: Site, sent: Sequence[Any]) -> bool:
    """Return whether an assertion holds for what was sent of its values; of an opened one: whether it held inside."""
    if site.test is None:
        return sent == [True]
    try:
        values = {LEAF.format(at): ast.literal_eval(text) for at, text in enumerate(sent) if text}
        return bool(eval(site.test, {"__builtins__": {}, "abs": abs, "round": round, **values}))
    except Exception:  # no literal, or values of other types than the test's author thought of: any exception may come
        return False
