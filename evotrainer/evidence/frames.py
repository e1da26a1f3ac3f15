"""Stored rows as pandas frames of plain scalars: one row a trajectory, its features and reward terms beside it.

Columns: those of trajectories and features that hold one value, each reward term as `term_<name>` and each check of a
grader as `check_<name>` (NaN where a row lacks it), `edited_files` and `tools` as one text each with a path, or the
tool of an action, a line, and `group`, a number that is the same for the attempts of one group. What is null becomes
NaN, for truth values too (1.0, 0.0, NaN). Message texts stay on disk: no metric over thousands of rows reads them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.actions import ActionClassifier
from evotrainer.evidence.features import feature_columns
from evotrainer.evidence.features.sketch import reasoning_sketches
from evotrainer.evidence.frame_columns import CHECK_PREFIX, TERM_PREFIX
from evotrainer.evidence.rows import Rows, map_arrays
from evotrainer.evidence.schema import FEATURES, TRAJECTORIES, attempts_table, features_table, to_table
from evotrainer.evidence.store import read_table
from evotrainer.records import Trajectory

LINE = "\n"
"""Separator of the paths of `edited_files` and the tools of `tools`."""

_MAX_NAME = 60
_PART = 2048
_OF_CALLS = [field.name for field in FEATURES if field.name.startswith("num_") and field.name != "num_chars"]

Frame: TypeAlias = Any
"""A pandas frame or a column of one: pandas annotates selections as unions that no type checker can follow."""

_NUMERIC = (
    "reward",
    "correct",
    "advantage",
    "in_loss",
    "format_ok",
    "duration_seconds",
    "lenient_correct",
    "mean_logprob",
    "tool_entropy",
    "first_edit_turn",
    "is_search_before_edit",
    "is_test_after_last_edit",
    "logprob_change",
)


def load_frame(directory: Path) -> Frame:
    """Return the frame of an evidence directory; empty, with all columns, where it holds no rows."""
    return frame_of_tables(read_table(directory, "trajectories"), read_table(directory, "features"))


def load_signals(directory: Path) -> Frame:
    """Return the signals of an evidence directory, one row an optimiser step, in order."""
    return read_table(directory, "signals").drop(["extra"]).to_pandas().sort_values("step", ignore_index=True)


def frame_of_rows(rows: Sequence[Trajectory], classifier: ActionClassifier | None = None) -> Frame:
    """Return the frame of rows in memory, as load_frame gives it for stored ones."""
    parts = FrameParts(classifier)
    parts.add(rows)
    return parts.frame()


def frame_of_attempts(rows: Rows, classifier: ActionClassifier | None = None) -> Frame:
    """Return the frame of rows of another system; features of a prompt and a reply are made as columns."""
    table, num = rows.table, len(rows)
    counts = np.vstack([rows.numbers(name) for name in ("num_turns", "num_calls", "num_answers")])
    others = np.flatnonzero((counts != [[1], [0], [0]]).any(axis=0))
    features = _pair_features(table)
    if len(others):
        found = _known_features(rows, others, features_table(feature_columns(rows.records(others), classifier)))
        places = np.arange(num)
        places[others] = num + np.arange(len(others))
        features = pa.concat_tables([features, found]).take(pa.array(places))
    scalars = {
        name: pa.repeat(value, num) for name, value in (("campaign", "foreign"), ("domain", "foreign"), ("seed", 0))
    }
    scalars |= {name: table[name] for name in TRAJECTORIES.names if name in table.column_names}
    scalars["extra"] = pa.repeat("{}", num)
    scalars["stop_reason"] = table["stop_reason"].fill_null("unknown")
    scalars["is_truncated"] = table["is_truncated"].fill_null(False)  # diagnostics negate it
    terms = {name: table[name].to_pandas() for name in table.column_names if name.startswith(TERM_PREFIX)}
    return _framed(pa.table(scalars), features, pd.DataFrame(terms))


def _known_features(rows: Rows, places: np.ndarray, features: pa.Table) -> pa.Table:
    """Return features of rows at these places, null where a row does not say it: failures, or calls at all."""
    is_told = pc.call_function("is_valid", [rows.messages["ok"]])
    told = pa.array(np.unique(rows.messages.filter(is_told)["place"].to_numpy()))
    is_known = pc.call_function("is_in", [rows.table["place"].take(pa.array(places))], pc.SetLookupOptions(told))
    has_calls = bool(np.nansum(rows.numbers("num_calls")) or np.nansum(rows.numbers("num_answers")))
    is_called = pc.call_function("greater", [features["num_tool_calls"], -1 if has_calls else 0])
    for place, field in enumerate(features.schema):
        is_kept = is_known if field.name == "num_failed_tool_calls" else is_called if field.name in _OF_CALLS else None
        if is_kept is not None:
            values = pc.call_function("if_else", [is_kept, features[field.name], pa.scalar(None, field.type)])
            features = features.set_column(place, field, values)
    return features


def _pair_features(table: pa.Table) -> pa.Table:
    """Return the features of rows without calls: of what a policy wrote alone."""
    num, replies = table.num_rows, table["response"]
    known = {
        "trajectory_id": table["trajectory_id"],
        "family": table["family"] if "family" in table.column_names else pa.repeat("", num),
        "decoding": pa.repeat("sampled", num),
        "answer": table["answer"],
        "num_chars": pc.call_function("utf8_length", [replies]).cast(pa.int64()).fill_null(0),
        "response_hash": _hashes(replies),
        "mean_logprob": table["mean_logprob"],
        "reasoning_sketch": pa.chunked_array(_sketches(replies), pa.string()),
        "checks": pa.array([[]] * num, FEATURES.field("checks").type),
        "edited_files": pa.array([[]] * num, FEATURES.field("edited_files").type),
        "tool_counts": pa.array([[]] * num, FEATURES.field("tool_counts").type),
    }
    known["is_submitted"] = pa.repeat(False, num)  # diagnostics negate it
    if pc.call_function("max", [table["num_calls"]]).as_py():  # others called: none is a number here
        known |= {name: pa.repeat(0, num) for name in _OF_CALLS if name != "num_failed_tool_calls"}
    return pa.table({f.name: known.get(f.name, pa.nulls(num, f.type)) for f in FEATURES}, schema=FEATURES)


def _sketches(replies: Any) -> list[pa.Array]:
    """Return the sketches of replies, in parts: texts of a few are in memory as such at a time."""
    parts = (replies.slice(start, _PART) for start in range(0, len(replies), _PART))
    return [pa.array(reasoning_sketches([one or ""] for one in part.to_pylist()), pa.string()) for part in parts]


def _hashes(texts: Any) -> Any:
    """Return a short text for each text, equal for equal ones."""
    import duckdb

    with duckdb.connect() as database:
        database.register("texts", pa.table({"text": texts}))
        found: Any = database.sql("SELECT hash(text)::VARCHAR AS hash FROM texts").to_arrow_table()
    return found["hash"].cast(pa.string())


class FrameParts:
    """A frame of rows that come in parts: of each part its columns are kept, not its records."""

    def __init__(self, classifier: ActionClassifier | None = None) -> None:
        """Begin without rows."""
        self._classifier = classifier
        self._trajectories: list[pa.Table] = []
        self._features: list[pa.Table] = []

    def add(self, rows: Sequence[Trajectory]) -> None:
        """Take in rows, behind those before."""
        self._trajectories.append(attempts_table(rows))
        self._features.append(features_table(feature_columns(rows, self._classifier)))

    def frame(self) -> Frame:
        """Return the frame of all rows, and let go of the parts."""
        return frame_of_tables(joined(self._trajectories), joined(self._features))


def joined(parts: list[pa.Table]) -> pa.Table:
    """Return one table of parts, in one piece, of which rows are selected faster than of many; empties the list."""
    whole = pa.concat_tables(parts).combine_chunks()
    parts.clear()
    return whole


def empty_signals() -> Frame:
    """Return a frame of no signals."""
    return to_table("signals", []).drop(["extra"]).to_pandas()


def frame_of_tables(trajectories: pa.Table, features: pa.Table) -> Frame:
    """Return the frame of a table of trajectories and that of its features."""
    return _framed(trajectories, features, _map_frame(trajectories["reward_terms"], TERM_PREFIX))


def _framed(trajectories: pa.Table, features: pa.Table, terms: Frame) -> Frame:
    lists = {
        "edited_files": pc.call_function("binary_join", [features["edited_files"], LINE]).to_pandas(),
        "tools": _repeated(features["tool_counts"]),
    }
    derived = pd.concat([_scalars(features), _map_frame(features["checks"], CHECK_PREFIX)], axis=1).assign(**lists)
    frame = _beside(_scalars(trajectories), derived).astype(dict.fromkeys(_NUMERIC, "float64"))
    by_group = frame.groupby(["version", "split", "step", "group_id"], sort=False)
    group = by_group.ngroup().rename("group").astype("int64")
    # The copy joins columns of one type in one block: selecting rows then costs half.
    return pd.concat([frame, terms, group], axis=1).copy()


def _beside(frame: Frame, derived: Frame) -> Frame:
    """Return rows with their features, which nearly always stand in the same order."""
    ids = frame["trajectory_id"]
    if ids.is_unique and ids.equals(derived["trajectory_id"]):
        return pd.concat([frame, derived.drop(columns="trajectory_id")], axis=1)
    return frame.merge(derived, on="trajectory_id", how="left", validate="one_to_one")


def _scalars(table: pa.Table) -> Frame:
    nested = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    return table.drop(nested).to_pandas()


def _repeated(column: pa.ChunkedArray) -> list[str]:
    """Return by row the names of a map, each as often as it counts. A policy chooses them, so they are no columns."""
    return [
        LINE.join(_one_line(name) for name, count in counts or () for _ in range(count))
        for counts in column.to_pylist()
    ]


def _one_line(name: str) -> str:
    return " ".join(name.split())[:_MAX_NAME]


def _map_frame(column: pa.ChunkedArray, prefix: str) -> Frame:
    """Return one float column a name of the map, names sorted."""
    found = map_arrays(column)
    values = np.array([*found.values()]).reshape(len(found), len(column)).T
    return pd.DataFrame(values, columns=pd.Index([f"{prefix}{name}" for name in found]))
