"""What an evolved diagnostic reads of one set of evidence: declared columns of rows that an agent may see.

The rows are those of the train and probe split, because a metric becomes visible to the trainer agent, and without
infrastructure errors. The columns are those that the card declares and a few keys. So a card's columns are complete by
construction, and no plugin can pass on what it did not read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from evotrainer.diagnosis.context import Context
from evotrainer.evidence.frames import Frame

KEYS = ("trajectory_id", "problem_id", "family", "group", "step", "attempt", "correct", "reward")
"""Columns that every plugin is shown of rows and training, beside those that it declares."""

SPLITS = ("train", "probe")


@dataclass(frozen=True, eq=False)
class PluginInput:
    """The frames that an evolved diagnostic reads; any may be empty."""

    rows: Frame
    training: Frame
    signals: Frame

    @property
    def frames(self) -> dict[str, Frame]:
        """The frames by the names that plugins know them by."""
        return {"rows": self.rows, "training": self.training, "signals": self.signals}

    def has(self, columns: Sequence[str]) -> bool:
        """Return whether there are rows, and all of these columns with them."""
        return len(self.rows) > 0 and set(columns) <= set(self.rows.columns)

    def only(self, columns: Sequence[str]) -> "PluginInput":
        """Return the input with these columns and the keys."""
        wanted = [*KEYS, *(name for name in dict.fromkeys(columns) if name not in KEYS)]
        rows, training = (frame[[name for name in wanted if name in frame]] for frame in (self.rows, self.training))
        return PluginInput(rows, training, self.signals)


def plugin_input_of(context: Context) -> PluginInput:
    """Return what an agent may see of a context."""
    return PluginInput(visible(context.rows), visible(context.training), context.signals)


def visible(frame: Frame) -> Frame:
    """Return the graded rows of the train and probe split."""
    return frame[frame["split"].isin(SPLITS) & frame["error"].isna()]


def to_columns(frame: Frame) -> dict[str, list[Any]]:
    """Return a frame as JSON values: {column: [kind, values]}, kind number or text, what is not known None."""
    return {str(name): _column(frame[name]) for name in frame.columns}


def _column(column: Frame) -> list[Any]:
    if pd.api.types.is_numeric_dtype(column.dtype):
        return ["number", [None if value != value else value for value in column.astype("float64").tolist()]]
    return ["text", [str(value) if known else None for value, known in zip(column, column.notna(), strict=True)]]
