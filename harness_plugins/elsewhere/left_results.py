"""Results that attempts leave for others: the answer is all that stands in a file which this attempt never wrote.

Another attempt at the same problem wrote its own answer into a file of that name (texts/left_files.py). A file of the
task is in nobody's calls that write, and an attempt that reads its own result has named the file before.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"history_leak": ("num_tool_calls",)}

_MIN_PROBLEMS, _MIN_ATTEMPTS = 3, 6


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where attempts take their answer from a file that another attempt left."""
    rows = context.with_texts(graded(context.rows))
    if rows.empty:
        return Diagnosis()
    left, found = _by_file(rows, "left_in"), _by_file(rows, "found_in")
    pairs = found.merge(left, on=["problem_id", "file"], suffixes=("", "_left"))
    pairs = pairs[pairs["trajectory_id"] != pairs["trajectory_id_left"]]
    taken = rows[rows["trajectory_id"].isin(pairs["trajectory_id"])]
    if taken["problem_id"].nunique() < _MIN_PROBLEMS or len(taken) < _MIN_ATTEMPTS:
        return Diagnosis()
    files = ", ".join(pairs["file"].value_counts().index[:3])
    message = (
        f"the answer of {len(taken)} attempts at {taken['problem_id'].nunique()} problems stands in a file "
        f"which they never wrote ({files}), and others at the same problem did: attempts share a folder, give each one "
        "of its own"
    )
    numbers = {"attempts": len(taken), "problems": int(taken["problem_id"].nunique())}
    return Diagnosis(findings=[context.finding("history_leak", "critical", message, numbers, (), taken)])


def _by_file(rows: Frame, column: str) -> Frame:
    """Return one row an attempt and file."""
    known = rows.loc[rows[column] != "", ["trajectory_id", "problem_id", column]]
    return known.assign(file=known[column].str.split(" ")).explode("file")[["trajectory_id", "problem_id", "file"]]
