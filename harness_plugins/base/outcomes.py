"""Behaviour by outcome: what successful and failed attempts do differently, as <metric>_correct and <metric>_wrong.

The contrast is what a gap is looked for in: a behaviour that differs between outcomes and that no finding names. No
alarms.
"""

from evotrainer.diagnosis import Context, Diagnosis, known
from evotrainer.hookspecs import hookimpl

_COLUMNS = {
    "num_tokens": "tokens",
    "num_chars": "chars",
    "mean_logprob": "logprob",
    "num_turns": "turns",
    "num_tool_calls": "tool_calls",
    "is_truncated": "truncation_rate",
}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the mean of each behaviour column by outcome."""
    rows = context.graded
    parts = {"correct": rows[rows["correct"] >= 1.0], "wrong": rows[rows["correct"] < 1.0]}
    return Diagnosis(
        known(
            {
                f"{short}_{outcome}": part[column].mean()
                for column, short in _COLUMNS.items()
                for outcome, part in parts.items()
                if rows[column].nunique() > 1
            }
        )
    )
