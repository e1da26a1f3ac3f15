"""Rows from elsewhere as columns: read in parts, so that memory holds columns of all rows and texts of a few.

Tools that the table of actions does not name are known by their calls, once all were seen. Where what they do is
inferred from those, the rows are read a second time with the longer table.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from evotrainer.actions import ActionClassifier, action_classifier
from evotrainer.diagnosis.texts.columns import TextColumns, corrected
from evotrainer.diagnosis.texts.problems import Asked
from evotrainer.diagnosis.texts.tool_kinds import UnknownTools
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.evidence.foreign import RowStream
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame, FrameParts
from evotrainer.records import Trajectory

_GRADED = 0.5
_PART = 1024
"""Rows whose texts are held at a time."""


@dataclass(frozen=True, eq=False)
class ForeignEvidence:
    """All rows of a file or folder."""

    rows: Frame
    """The frame of evidence/frames.py, with what texts correct in it."""
    texts: Frame
    """The columns of columns.py, by trajectory_id."""
    notes: list[str]
    """What the rows lack, and which tools were read by what they do."""


def read_foreign(
    path: Path, own_actions: Mapping[str, Any] | None = None, source: str = "", columns: Mapping[str, str] | None = None
) -> ForeignEvidence:
    """Return the rows of a file or folder as columns; arguments but `own_actions` are those of RowStream.

    Raises:
        EvidenceError: a row is malformed.
        ConfigError: `own_actions` has not the form of the table of actions.

    """
    own = own_actions or {}
    classifier = action_classifier(own)
    unknown = UnknownTools(classifier)
    found = _read(RowStream(path, source, columns), classifier, unknown)
    tools = unknown.rules()
    if not tools:
        return found
    longer = action_classifier({**own, "tools": {**tools, **own.get("tools", {})}})
    found = _read(RowStream(path, source, columns), longer, None)
    what = ", ".join(f"'{name}' as {_kinds(rule)}" for name, rule in tools.items())
    note = f"tools that the table of actions does not name are read by what they do: {what}; --actions FILE says better"
    return ForeignEvidence(found.rows, found.texts, [*found.notes, note])


def _without_graded_outcomes(rows: Frame) -> Frame:
    """Return rows whose outcomes are unknown where they are 0 and 1 among the values of a graded term.

    A row by itself does not tell a measure of correctness from a grade that happens to be full or nothing. A term of
    1 and one value below 0 is a measure of correctness whose failures are paid less than nothing.
    """
    known = rows["correct"].notna()
    for name in [name for name in rows.columns if str(name).startswith(TERM_PREFIX)]:
        rest = rows.loc[~known, name].dropna()
        is_read_of = known.any() and (rows.loc[known, name] == rows.loc[known, "correct"]).all()
        if is_read_of and len(rest) and rest.nunique() == 1 and rest.iloc[0] < 0 and rows.loc[known, "correct"].all():
            return rows.assign(correct=rows["correct"].mask(~known & rows[name].notna(), 0.0))
        if is_read_of and (rest % 1.0 != 0.0).mean() > _GRADED:
            return rows.assign(correct=np.nan)
    return rows


def _kinds(rule: Mapping[str, Any]) -> str:
    """Return how a tool was read, value by value where an argument says what it does."""
    if "kinds" not in rule:
        return rule["kind"]
    return " and ".join(f"{kind} ({rule['argument']}={value})" for value, kind in rule["kinds"].items())


def _read(stream: RowStream, classifier: ActionClassifier, unknown: UnknownTools | None) -> ForeignEvidence:
    frame, texts, asked = FrameParts(classifier), TextColumns(classifier), Asked()
    with _uncollected():
        for part in _parts(iter(stream)):
            attempts = [transcript(row) for row in part]
            frame.add(part)
            texts.add(attempts)
            asked.add(attempts)
            if unknown is not None:
                unknown.add(part)
    rows = _without_graded_outcomes(asked.named_apart(frame.frame()))
    del frame  # its parts are as large as the whole
    found = texts.columns(rows, asked.prompts())
    return ForeignEvidence(corrected(rows, found), found, stream.notes)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Do without the collector of cycles: records hold none, and it would walk all of a part again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _parts(rows: Iterator[Trajectory]) -> Iterator[Sequence[Trajectory]]:
    while part := list(islice(rows, _PART)):
        yield part
