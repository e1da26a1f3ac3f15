"""What rows from elsewhere hold, in bounded text: how the run went, what each column holds, and some ids to open."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from evotrainer.agents.claude.untrusted import one_line
from evotrainer.records import Trajectory

MAX_COLUMNS = 90
MAX_STEPS = 16
MAX_VALUES = 5
MAX_IDS = 6
_PLAIN = (
    "split", "step", "problem_id", "group_id", "attempt", "policy_id", "reward", "correct", "advantage", "in_loss",
    "stop_reason", "error", "num_turns", "num_tokens", "is_truncated", "format_ok", "duration_seconds", "started_at",
)  # fmt: skip


def rows_text(rows: Sequence[Trajectory]) -> str:
    """Return steps, columns and examples of rows, which must not be none."""
    problems = len({row.problem_id for row in rows})
    return "\n".join(
        [
            f"{len(rows)} attempts at {problems} problems, {len({row.step for row in rows})} steps.",
            "step | attempts | mean reward | mean correct | mean tokens | truncated | errors",
            *_steps(rows),
            "",
            "Columns (name: rows that have it; values). extra.NAME is json_extract_string(extra, '$.NAME'):",
            *_columns(rows),
            "",
            *_examples(rows),
        ]
    )


def _steps(rows: Sequence[Trajectory]) -> Iterator[str]:
    steps = sorted({row.step for row in rows})
    stride = -(-len(steps) // MAX_STEPS)
    for step in steps[::stride]:
        part = [row for row in rows if row.step == step]
        means = [_mean([getattr(row, name) for row in part]) for name in ("reward", "correct", "num_tokens")]
        cut, failed = sum(row.is_truncated for row in part), sum(row.error is not None for row in part)
        yield " | ".join([str(step), str(len(part)), *means, str(cut), str(failed)])


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{statistics.fmean(known):.4g}" if known else "-"


def _columns(rows: Sequence[Trajectory]) -> Iterator[str]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in _values(row):
            found.setdefault(name, []).append(value)
    for name, values in list(found.items())[:MAX_COLUMNS]:
        yield f"{one_line(name, 60)}: {len(values)}; {_held(values)}"
    if len(found) > MAX_COLUMNS:
        yield f"({len(found) - MAX_COLUMNS} more columns: query extra)"


def _values(row: Trajectory) -> Iterator[tuple[str, Any]]:
    """Yield the values of a row that are not null, by column; those of an object within `extra` by their path."""
    for name in _PLAIN:
        if (value := getattr(row, name)) not in (None, ""):
            yield name, value
    yield from ((f"reward_terms.{name}", value) for name, value in row.reward_terms.items())
    for name, value in row.extra.items():
        if isinstance(value, dict):
            yield from ((f"extra.{name}.{key}", inner) for key, inner in value.items() if inner is not None)
        elif value is not None:
            yield f"extra.{name}", value


def _held(values: Sequence[Any]) -> str:
    """Return what a column holds: the spread of numbers, or the commonest values."""
    texts = [one_line(value if isinstance(value, str) else str(value), 60) for value in values]
    kinds = Counter(texts)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values) and len(kinds) > 6:
        return f"{min(values):.4g} to {max(values):.4g}, mean {statistics.fmean(values):.4g}, {len(kinds)} distinct"
    shown = ", ".join(f"{text} ({count})" for text, count in kinds.most_common(MAX_VALUES))
    return shown if len(kinds) <= MAX_VALUES else f"{len(kinds)} distinct, like {shown}"


def _examples(rows: Sequence[Trajectory]) -> Iterator[str]:
    """Yield ids of the best and the worst paid attempts of the first and the last step."""
    steps = sorted({row.step for row in rows})
    for step in dict.fromkeys((steps[0], steps[-1])):
        paid = [row for row in rows if row.step == step and row.reward is not None]
        ordered = sorted(paid, key=lambda row: (-(row.reward or 0.0), row.trajectory_id))
        for word, part in (("best", ordered[:MAX_IDS]), ("worst", ordered[::-1][:MAX_IDS])):
            yield f"step {step}, {word} paid: {', '.join(one_line(row.trajectory_id, 80) for row in part) or 'none'}"
