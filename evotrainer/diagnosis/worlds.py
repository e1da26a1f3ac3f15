"""Problems that are asked in the same words in unlike worlds: another database, another folder behind the tools.

A world answers one call in one way. So where attempts at two problems make the same first call, each problem's get one
answer always, and these answers differ, the problems are two. So they are where paid attempts that call tools end with
one answer at the one problem, and with another one at the other; one answer at both is one problem.
"""

from evotrainer.evidence.frames import Frame

_MIN_AGAIN = 2
"""Attempts of each problem that made a call, from which its answer is known; of both that are paid, one fewer."""


def is_other_world(one: Frame, other: Frame) -> bool:
    """Tell whether two problems' worlds differ; rows with the columns of texts (texts/columns.py)."""
    said, also_said = _said(one), _said(other)
    if len({*said}) == len({*also_said}) == 1 and len(said) + len(also_said) > _MIN_AGAIN:
        return said[0] != also_said[0]
    heard, also_heard = _heard(one), _heard(other)
    return any(heard[call] != also_heard[call] for call in heard.keys() & also_heard.keys())


def _heard(rows: Frame) -> dict[str, str]:
    """Return the answer to each first call that always had the same one."""
    called = rows[rows["first_call"] != ""]
    answers = called.groupby("first_call")["first_answer"].agg(["nunique", "size", "first"])
    known = answers[(answers["nunique"] == 1) & (answers["size"] >= _MIN_AGAIN)]
    return {str(call): str(answer) for call, answer in known["first"].items()}


def _said(rows: Frame) -> list[str]:
    """Return the marked answers of paid attempts that call tools."""
    paid = rows[(rows["num_tool_calls"] > 0) & (rows["reward"] > 0) & (rows["reward"] >= rows["reward"].max())]
    return [answer for answer in paid["written_answer"].astype(str) if answer]
