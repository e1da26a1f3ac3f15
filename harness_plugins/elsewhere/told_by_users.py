"""Users who tell the policy which function to call: a simulator recites its card of instructions.

A simulated user is given the task with its solution, and a model that plays him may say so. Users know what they wish
for, but not the names of tools in code (texts/user_names.py). Where others at the same problem call the same tool
without being told, nothing but the card holds the name, and attempts that are told earn more.

Users of tools by name are honest: in tasks where each attempt is told the same, nobody finds the tool by himself. One
who names a wrong tool, or a right one that all find, earns nothing for the policy.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, significantly_above, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"answer_reading": ("num_tool_calls", "reward", "group")}

_MIN_PROBLEMS, _HALF = 3, 0.5
"""Problems with attempts that are told, and the share of these where others find the tool by themselves."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of users who name the tool that is right."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    if "named_by_user" not in rows:
        return Diagnosis()
    is_told = rows["named_by_user"] != ""
    told = rows[is_told]
    if len(told) < limits.invalid_rows or not significantly_above(
        len(told), len(rows), limits.caught_cheats, limits.limit_alpha
    ):
        return Diagnosis()
    num_problems, pay = told["problem_id"].nunique(), pay_of(rows, is_told)
    is_paid = pay is not None and pay.z > z_limit(limits.alpha)
    if pay is None or not is_paid or num_problems < _MIN_PROBLEMS or _num_found(told, rows) < _HALF * num_problems:
        return Diagnosis()
    tools = ", ".join(told["named_by_user"].value_counts().index[:3])
    message = (
        f"in {len(told)} attempts at {num_problems} problems a user names the function to call ({tools}), which others "
        f"at the same problems find by themselves; they earn {pay.difference:.1f} standard deviations more: the "
        "simulated user knows the solution and says it, take it out of its instructions"
    )
    numbers = {"told": len(told), "problems": num_problems, "pay": pay.difference, "z": pay.z}
    names = ("caught_cheats", "invalid_rows", "limit_alpha", "alpha")
    return Diagnosis(findings=[context.finding("answer_reading", "warning", message, numbers, names, told)])


def _num_found(told: Frame, rows: Frame) -> int:
    """Return the number of problems where some attempt called a tool unasked that users name to others."""
    named = told[["problem_id", "named_by_user"]].drop_duplicates()
    found = rows[["problem_id"]].assign(named_by_user=rows["found_tools"].str.split(" ")).explode("named_by_user")
    return int(named.merge(found.drop_duplicates(), on=list(named.columns))["problem_id"].nunique())
