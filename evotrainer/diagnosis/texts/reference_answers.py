"""Whether the column `answer` holds the attempts' own answers or those of the reference: people name both so.

An attempt's own answer changes with what it wrote. A column that hardly ever changes within a problem, where attempts
end with other answers and have different outcomes, is the reference. So it is in a run of one outcome whose answers
differ at most problems, and many attempts end with another one than the column's. It is then a gold column like any
other, and the answer of an attempt is read from its text. Texts without a short answer, like programs, are compared
whole.
"""

import numpy as np
import pandas as pd

from evotrainer.evidence.frames import Frame

REFERENCE = "answer"
"""Name of the column of `extra` that a reference stands in."""

_MAX_CHARS = 80
_MIN_KNOWN = 0.8
_MIN_PROBLEMS = 3
_MANY = 0.2
"""Share of the problems met repeatedly at which texts and outcomes must differ."""
_FEW = 0.1
"""Share of them whose column may change: one question stands under two keys."""
_MOST = 0.6
"""In a run of one outcome: share of them at which texts must differ, and of attempts that may end with the answer."""


def own_answers(frame: Frame, table: Frame, extras: Frame) -> tuple[Frame, Frame]:
    """Return the columns with the attempts' own answers, and those of `extra`, a reference among them.

    Args:
        frame: the rows.
        table: the columns of texts, `written_answer` among them.
        extras: the scalars of `extra`.

    """
    if not is_reference(frame, frame["answer"], table["written_answer"]):
        return table, extras
    given = frame["answer"].str.strip().str[:_MAX_CHARS].set_axis(extras.index)
    return table.assign(final_answer=table["written_answer"]), extras.assign(**{REFERENCE: given.fillna(np.nan)})


def is_reference(frame: Frame, given: Frame, written: Frame) -> bool:
    """Tell whether the given answers are those of problems, and not of attempts."""
    if given.notna().mean() < _MIN_KNOWN:
        return False
    rows: Frame = pd.DataFrame(
        {
            "problem": frame["problem_id"].to_numpy(),
            "given": given.to_numpy(),
            "written": written.where(written.to_numpy() != "", frame["response_hash"].to_numpy()).to_numpy(),
            "outcome": frame["correct"].fillna(frame["reward"]).to_numpy(),
        }
    )
    by_problem = rows.groupby("problem")
    several = by_problem.size() >= 2
    if several.any() and (by_problem["given"].nunique()[several] > 1).mean() > _FEW:
        return False
    differs = several & (by_problem["written"].nunique() > 1)
    if rows["outcome"].nunique() == 1:
        is_other = rows["written"] != rows["given"]
        return is_other.mean() >= 1 - _MOST and int(differs.sum()) >= max(_MIN_PROBLEMS, _MOST * int(several.sum()))
    differs &= by_problem["outcome"].nunique() > 1
    return int(differs.sum()) >= max(_MIN_PROBLEMS, _MANY * int(several.sum()))
