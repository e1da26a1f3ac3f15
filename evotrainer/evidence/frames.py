"""Stored rows as pandas frames of plain scalars: one row a trajectory, its features and reward terms beside it.

Columns: those of trajectories and features that hold one value, each reward term as `term_<name>` and each check of a
grader as `check_<name>` (NaN where a row lacks it), `edited_files` as one text with a path a line, and `group`, a
number that is the same for the attempts of one group. What is null becomes NaN, for truth values too (1.0, 0.0, NaN).
Message texts stay on disk: no metric over thousands of rows reads them.
"""

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.evidence.rows import map_arrays
from evotrainer.evidence.schema import CHECK_PREFIX, TERM_PREFIX, to_table
from evotrainer.evidence.store import read_table

Frame: TypeAlias = Any
"""A pandas frame or a column of one: pandas annotates selections as unions that no type checker can follow."""

_NULLABLE = ("in_loss", "format_ok", "first_edit_turn", "is_search_before_edit", "is_test_after_last_edit")
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


def load_signals(directory: Path) -> Frame:
    """Return the signals of an evidence directory, one row an optimiser step, in order."""
    return read_table(directory, "signals").drop(["extra"]).to_pandas().sort_values("step", ignore_index=True)


def empty_signals() -> Frame:
    """Return a frame of no signals."""
    return to_table("signals", []).drop(["extra"]).to_pandas()


def frame_of_tables(trajectories: pa.Table, features: pa.Table) -> Frame:
    """Return the frame of a table of trajectories and that of its features, row by row."""
    lists = {"edited_files": pc.call_function("binary_join", [features["edited_files"], "\n"]).to_pandas()}
    derived = pd.concat([_scalars(features), _map_frame(features["checks"], CHECK_PREFIX)], axis=1).assign(**lists)
    frame = pd.concat([_scalars(trajectories), derived.drop(columns="trajectory_id")], axis=1)
    frame = frame.astype(dict.fromkeys(_NULLABLE, "float64"))
    terms = _map_frame(trajectories["reward_terms"], TERM_PREFIX)
    by_group = frame.groupby(["version", "split", "step", "group_id"], sort=False)
    group = by_group.ngroup().rename("group").astype("int64")
    # The copy joins columns of one type in one block: selecting rows then costs half.
    return pd.concat([frame, terms, group], axis=1).copy()


def _scalars(table: pa.Table) -> Frame:
    nested = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    return table.drop(nested).to_pandas()


def _map_frame(column: pa.ChunkedArray, prefix: str) -> Frame:
    """Return one float column a name of the map, names sorted."""
    found = map_arrays(column)
    values = np.array([*found.values()]).reshape(len(found), len(column)).T
    return pd.DataFrame(values, columns=pd.Index([f"{prefix}{name}" for name in found]))


def behaviour_columns(rows: Frame) -> list[str]:
    """Return the numeric columns that vary, are mostly known, and are neither outcome nor bookkeeping; sorted."""
    return sorted(name for name in rows.columns if _is_behaviour(str(name), rows[name]))


def _is_behaviour(name: str, column: Frame) -> bool:
    if name in OUTCOMES or name in BOOKKEEPING or name.startswith(TERM_PREFIX) or column.dtype.kind not in _NUMBERS:
        return False
    return bool(column.notna().mean() >= MIN_KNOWN and column.nunique() > 1)
