"""One short answer to all problems, while their gold answers differ: a level, a letter, a number that is safe to give.

The share of the commonest answer of the last third of steps is compared with its share in the first third, and with the
share of the problems whose gold answer it is. A policy that learns comes nearer to the latter; one that collapses
leaves it behind. A reward that pays the answer nearly as much where it is wrong does not hold it back.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, thirds
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column
from evotrainer.evidence.frames import Frame

NEEDS = {"action_collapse": ("gold", "step")}

_NEARLY_ALL, _RISE, _BEYOND = 0.75, 0.25, 0.25
"""Share of the answer in the last steps, its rise since the first ones, and its distance from that of gold answers."""
_MIN_PROBLEMS = 10


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where one answer takes over though few problems ask for it."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    rows = rows[(rows["final_answer"] != "") & rows["is_gold"].notna()]
    parts, gold = thirds(rows), gold_column(rows, rows["problem_id"], EXTRA_PREFIX)
    if (
        parts is None
        or not gold
        or parts[1][gold].nunique() < 2
        or min(part["problem_id"].nunique() for part in parts) < _MIN_PROBLEMS
    ):
        return Diagnosis()
    early, late = parts
    answers = late["final_answer"].value_counts(normalize=True)
    answer, share = str(answers.index[0]), float(answers.iloc[0])
    was = float((early["final_answer"] == answer).mean())
    is_it = late["final_answer"] == answer
    asked = _asked(late, is_it)
    if share < _NEARLY_ALL or share - was < _RISE or share - asked < _BEYOND:
        return Diagnosis()
    wrong = late[is_it & (late["is_gold"] == 0)]
    message = (
        f"{share:.0%} of attempts end with {answer!r} in the last third of steps, {was:.0%} in the first, and "
        f"{asked:.0%} of the problems ask for it; where it is wrong it earns "
        f"{wrong['reward'].mean():.3g}: one answer to everything"
    )
    numbers = {"late": share, "early": was, "asked": asked}
    return Diagnosis(findings=[context.finding("action_collapse", "warning", message, numbers, (), wrong)])


def _asked(rows: Frame, is_it: Frame) -> float:
    """Return the share of the problems, of those that were given the answer, whose gold answer it is."""
    return float(rows[is_it].groupby("problem_id")["is_gold"].max().mean())
