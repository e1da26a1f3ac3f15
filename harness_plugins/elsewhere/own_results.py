"""Results of tools that the policy writes itself: one query, and another result each time.

Where a call and its result stand in tags within one message, the trainer may have stored a whole attempt as one text,
or the policy went on where it should have stopped. A tool that is asked the same again answers mostly the same.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"tool_fabrication": ("num_chars",)}

_MIN_QUERIES, _MIN_PROBLEMS, _SAME = 8, 4, 0.2
"""Queries that are met again, their problems, and the share of repeated results from which a tool may have answered."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where the same queries within messages of the policy have other results each time."""
    rows = context.with_texts(context.graded)
    if "own_query" not in rows:
        return Diagnosis()
    rows = rows[rows["own_query"] != ""]
    again = rows[rows.duplicated("own_query", keep=False)]
    queries = again["own_query"].nunique()
    if queries < _MIN_QUERIES or again["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    same = float(again.duplicated(["own_query", "own_result"]).sum() / (len(again) - queries))
    if same > _SAME:
        return Diagnosis()
    message = (
        f"{len(rows)} attempts hold a call in tags and its result in one message of the policy, and of {queries} calls "
        f"that come again {same:.0%} have the result that they had before: the policy writes the results itself, stop "
        "it at the end of a call and run the tool"
    )
    numbers = {"attempts": len(rows), "queries": queries, "same": same}
    return Diagnosis(findings=[context.finding("tool_fabrication", "warning", message, numbers, (), rows)])
