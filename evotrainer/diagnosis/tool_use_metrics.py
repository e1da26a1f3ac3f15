"""Metrics of tool-using policies that several diagnostics share: diversity within a group, repetition within an
attempt.

Columns are those of evidence/frames.py. Groups are the independent units: a number of a group is a series over groups.
"""

import math
from itertools import combinations

import pandas as pd

from evotrainer.domains import has_tools
from evotrainer.evidence.frames import LINE, Frame

MEANT = 0.05
"""Share of attempts with an action from which that action belongs to the domain."""
_MAX_ATTEMPTS = 256
"""Most attempts of a group that are compared pair by pair; of more, evenly spaced ones."""


def is_meant(rows: Frame, kind: str) -> bool:
    """Tell whether attempts are meant to take an action (edit, test): by their domain, or where one in twenty does."""
    return bool(needs_tools(rows) or (rows[f"num_{kind}_turns"] > 0).mean() >= MEANT)


def needs_tools(rows: Frame) -> bool:
    """Tell whether the domain of some row is one in which every attempt is meant to call several tools."""
    return any(has_tools(name) for name in rows["domain"].unique())


def sequence_diversity(rows: Frame) -> Frame:
    """Return by group the share of distinct action sequences: 1 for no two equal, 0 for all equal."""
    by_group = rows[rows["action_sequence"] != ""].groupby("group")["action_sequence"]
    size = by_group.size()
    return ((by_group.nunique() - 1) / (size - 1))[size >= 2]


def solution_diversity(rows: Frame) -> Frame:
    """Return by group 1 minus the mean pairwise Jaccard similarity of the files that its attempts edited."""
    edited = rows[rows["edited_files"].notna() & (rows["edited_files"] != "")]
    groups = {group: list(files) for group, files in edited.groupby("group")["edited_files"] if len(files) >= 2}
    return pd.Series({group: _spread(files) for group, files in groups.items()}, dtype="float64")


def goes_in_circles(rows: Frame) -> Frame:
    """Tell which attempts repeat themselves.

    Either at least three calls, and three in ten of all, were made before; or the attempt ran out of turns while at
    least seven in ten of its pairs of successive tools (six or more) had occurred before.
    """
    repeated = rows["num_repeated_calls"]
    is_stuck = (rows["num_tool_bigrams"] >= 6) & (bigram_repetition(rows) >= 0.7) & rows["is_truncated"].astype(bool)
    return (repeated >= 3) & (repeated > 0.3 * rows["num_tool_calls"]) | is_stuck


def bigram_repetition(rows: Frame) -> Frame:
    """Return by row 1 - unique / all pairs of successive tools; NaN for fewer than three pairs."""
    pairs = rows["num_tool_bigrams"].astype(float)
    return (1.0 - rows["num_unique_tool_bigrams"] / pairs.where(pairs >= 3)).astype(float)


def _spread(texts: list[str]) -> float:
    if len(set(texts)) == 1:
        return 0.0
    texts = texts[:: math.ceil(len(texts) / _MAX_ATTEMPTS)]
    sets = [frozenset(text.split(LINE)) for text in texts]
    pairs = list(combinations(sets, 2))
    return 1.0 - sum(len(one & other) / len(one | other) for one, other in pairs) / len(pairs)
