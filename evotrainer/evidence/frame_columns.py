"""Columns of a frame (frames.py): the names of those that hold one entry of a mapping each, and which are behaviour.

It loads no pandas.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evotrainer.evidence.frames import Frame

TERM_PREFIX = "term_"
CHECK_PREFIX = "check_"

_CHECKED_OUTCOMES = (
    "visible_share",
    "hidden_share",
    "num_collected",
    "num_expected",
    "perturbed_share",
    "loose_correct",
    "scrubbed_correct",
    "own_tests_pass",
    "empty_passes",
    "reference_fails",
    "shown_tests",
    "judge",
    "wrong_share",
    "timeout_share",
    "compile_error",
    "num_fail_to_pass",
)
OUTCOMES = frozenset({"correct", "reward", "lenient_correct", *(f"{CHECK_PREFIX}{name}" for name in _CHECKED_OUTCOMES)})
"""Columns that say how an attempt was graded."""
BOOKKEEPING = frozenset({"attempt", "seed", "step", "group", "advantage", "in_loss", "duration_seconds"})
"""Numeric columns that say nothing of what the policy did."""
_NUMBERS = frozenset("biuf")
"""Kinds of a column's type that are numbers: truth values, integers with and without sign, floats."""
MIN_KNOWN = 0.5
"""Share of rows in which a behaviour column must be known."""


def behaviour_columns(rows: "Frame") -> list[str]:
    """Return the numeric columns that vary, are mostly known, and are neither outcome nor bookkeeping; sorted."""
    return sorted(name for name in rows.columns if _is_behaviour(str(name), rows[name]))


def _is_behaviour(name: str, column: "Frame") -> bool:
    if name in OUTCOMES or name in BOOKKEEPING or name.startswith(TERM_PREFIX) or column.dtype.kind not in _NUMBERS:
        return False
    return bool(column.notna().mean() >= MIN_KNOWN and column.nunique() > 1)
