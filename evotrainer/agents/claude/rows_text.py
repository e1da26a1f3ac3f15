"""What rows of another system hold, in bounded text: how the run went, what each column holds, and some ids to open."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from evotrainer.agents.claude.untrusted import one_line
from evotrainer.diagnosis.conditions import Evidence, floats
from evotrainer.diagnosis.reading import COLUMNS

MAX_COLUMNS = 90
MAX_STEPS = 16
MAX_VALUES = 5
MAX_IDS = 6
_LONG = {"prompt", "response", "last", "shell", "shape", "place", "trajectory_id", "problem", "group"}
"""Columns that are named alone: texts, and numbers of rows."""


def rows_text(evidence: Evidence) -> str:
    """Return steps, columns and examples of rows, which must not be none."""
    problems, steps = len(np.unique(evidence.problem)), np.unique(evidence.step[np.isfinite(evidence.step)])
    return "\n".join(
        [
            f"{evidence.num_rows} attempts at {problems} problems, {len(steps)} steps.",
            "step | attempts | mean reward | mean correct | mean tokens",
            *_steps(evidence, steps),
            "",
            "Columns of attempts (name: rows that have it; values):",
            *_columns(evidence),
            "",
            *_examples(evidence, steps),
        ]
    )


def _steps(evidence: Evidence, steps: np.ndarray) -> Iterator[str]:
    for step in steps[:: -(-len(steps) // MAX_STEPS)]:
        part = evidence.step == step
        means = [_mean(evidence.numbers(name)[part]) for name in ("reward", "correct", "num_tokens")]
        yield " | ".join([f"{step:g}", str(int(part.sum())), *means])


def _mean(values: np.ndarray) -> str:
    known = values[np.isfinite(values)]
    return f"{known.mean():.4g}" if len(known) else "-"


def _columns(evidence: Evidence) -> Iterator[str]:
    names = [name for name in evidence.table.column_names if evidence.conditions.is_known(name)]
    for name in names[:MAX_COLUMNS]:
        column = evidence.table[name]
        meaning = f" ({COLUMNS[name]})" if name in COLUMNS else ""
        held = "" if name in _LONG else f"; {_held(column)}"
        yield f"{one_line(name, 60)}{meaning}: {len(column) - column.null_count}{held}"
    if len(names) > MAX_COLUMNS:
        yield f"({len(names) - MAX_COLUMNS} more columns: DESCRIBE is no SELECT, ask information_schema.columns)"


def _held(column: pa.ChunkedArray) -> str:
    """Return what a column holds: the spread of numbers, or the commonest values."""
    values: list[Any] = column.drop_null().to_pylist()
    kinds = Counter(one_line(str(value), 60) for value in values)
    if (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)) and len(kinds) > 6:
        numbers = floats(column.drop_null())
        return f"{numbers.min():.4g} to {numbers.max():.4g}, mean {numbers.mean():.4g}, {len(kinds)} distinct"
    shown = ", ".join(f"{text} ({count})" for text, count in kinds.most_common(MAX_VALUES))
    return shown if len(kinds) <= MAX_VALUES else f"{len(kinds)} distinct, like {shown}"


def _examples(evidence: Evidence, steps: np.ndarray) -> Iterator[str]:
    """Yield ids of the best and the worst paid attempts of the first and the last step."""
    for step in dict.fromkeys(steps[[0, -1]]) if len(steps) else ():
        part = np.flatnonzero((evidence.step == step) & np.isfinite(evidence.reward))
        ordered = part[np.argsort(evidence.reward[part], kind="stable")]
        for word, chosen in (("best", ordered[::-1][:MAX_IDS]), ("worst", ordered[:MAX_IDS])):
            names = ", ".join(one_line(name, 80) for name in evidence.ids(chosen)) if len(chosen) else "none"
            yield f"step {step:g}, {word} paid: {names}"
