"""Outages of tools, graders and machines that are stored as failures of the policy.

An attempt is hit where half of its tools' answers name a failure of a machine (or any, where that decides too, as a
warning), where a user says nothing at all, or where most of them are one text that no other steps know. It is hit too
where a further column (a status, a log of the grader) names a failure that programs of a policy do not make; that is
a warning, since a policy may have asked what failed. The finding needs hit attempts at several problems that nearly
all fail while others succeed. Where some succeed all the same (an estimate may be right), it is a warning if other
attempts at the same problem made the same first request, and it was answered, and hit ones are paid half as often:
faults that a policy can get over by trying again cost less.
"""

import re

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Severity

NEEDS = {"infrastructure_zeros": ("num_tool_calls", "reward")}

_FAILED_MACHINE = re.compile(
    r"\b5\d\d\s(?:internal|bad gateway|service|gateway|server)|service (?:temporarily )?unavailable|bad gateway"
    r"|(?:could not|couldn't|failed to|unable to) (?:resolve host|connect to (?!local|127\.|0\.0\.))"
    r"|network is unreachable"
    r"|connection ?(?:refused|reset|aborted|closed|error|timed ?out)|name resolution|no route to host|too many requests"
    r"|(?:gateway|read|connect|pool|upstream) ?time-?(?:d ?)?out"
    r"|\b(?:sandbox|container|pod|worker|server|backend|scorer|grader|verifier|judge)\b[^.,;\n]{0,40}\b(?:died|crashed|"
    r"failed|unavailable|unreachable|not running|down|terminated|killed|lost|exceeded)\b"
    r"|\b\w*(?:scorer|scoring|grader|grading|verifier|verification|judge)[ _-]?(?:\w{0,12}[ _-]?)?time(?:d )?[_-]?out"
    r"|\b\w*(?:sandbox|container|worker|server|scorer|grader|verifier|judge)[ _-]?(?:unavailable|crash|unreachable)",
    re.I,
)

_HALF = 0.5
_MIN_HIT, _MIN_PROBLEMS = 8, 4
_MOSTLY = 0.9
_ELSEWHERE = 0.01
_MAX_TEXTS = 200
_ANSWERS = "most answers of tools"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where tools were down and attempts failed by it."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    named = rows["machine_share"] >= _HALF
    return Diagnosis(
        findings=_judge(context, rows, named, f"{_ANSWERS} name a machine's failure")
        or _sudden(context, rows)
        or _judge(context, rows, rows["machine_share"] > 0, "some answer of tools names a machine's failure", "warning")
        or _judge(context, rows, rows["num_silent"] > 0, "a user's turn is empty", "warning")
        or _recorded(context, rows)
        or _poorer(context, rows, named)
    )


def _poorer(context: Context, rows: Frame, hit: Frame) -> list[Finding]:
    """Find hit attempts that earn less, where their first request was answered in other attempts at the problem."""
    if "first_request" not in rows:
        return []
    is_sound = (rows["machine_share"] <= 0) & (rows["first_request"] != "")
    key = ["problem_id", "first_request"]
    again = rows[hit].merge(rows.loc[is_sound, key].drop_duplicates(), on=key)
    if hit.sum() < _MIN_HIT or again["problem_id"].nunique() < _MIN_PROBLEMS or len(again) < _MIN_HIT:
        return []
    pay = pay_of(rows, hit)
    paid = rows["reward"] > rows["reward"].min()
    is_poor = paid[hit].mean() <= _HALF * paid[~hit].mean()
    if pay is None or pay.z > -z_limit(context.thresholds.alpha) or not is_poor:
        return []
    message = (
        f"in {int(hit.sum())} of {len(rows)} attempts {_ANSWERS} name a machine's failure, and in {len(again)} of them "
        f"to a first request that was answered in other attempts; they earn {-pay.difference:.1f} standard deviations "
        "less than others at their problem: a machine was down, mask these attempts"
    )
    numbers = {"hit": int(hit.sum()), "answered_elsewhere": len(again), "pay": pay.difference}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), rows[hit])]


def _recorded(context: Context, rows: Frame) -> list[Finding]:
    """Find a column of texts that names failures of machines at attempts with the least reward."""
    rows = rows[rows["in_loss"] != 0.0]
    for name in [str(column) for column in rows.columns if str(column).startswith(EXTRA_PREFIX)]:
        if _is_of_problems(rows, name):
            continue
        texts = rows[name].map(lambda value: value if isinstance(value, str) else "")
        marked = texts.map({text: bool(_FAILED_MACHINE.search(text)) for text in texts.unique()}).astype(bool)
        if 0 < marked.mean() < _HALF:
            found = _judge(
                context, rows, marked, f"`{name.removeprefix(EXTRA_PREFIX)}` names a machine's failure", "warning"
            )
            if found:
                return found
    return []


def _is_of_problems(rows: Frame, name: str) -> bool:
    """Tell whether a column describes problems, like a title: one value a problem, and many different ones."""
    is_constant = (rows.groupby("problem_id")[name].nunique() <= 1).all()
    return bool(is_constant) and rows[name].nunique() > rows["problem_id"].nunique() / 2


def _sudden(context: Context, rows: Frame) -> list[Finding]:
    """Find an answer of tools that fills the attempts of a few steps and is unknown in others."""
    known = rows[rows["usual_answer"] != ""]
    steps = rows["step"].nunique()
    for text in known["usual_answer"].value_counts().index[:_MAX_TEXTS]:
        marked = rows["usual_answer"] == text
        often = marked.groupby(rows["step"]).mean()
        struck = often[often > _HALF].index
        rest = rows[~rows["step"].isin(struck)]
        is_elsewhere = (rest["usual_answer"] == text).mean() > _ELSEWHERE
        if marked.sum() < _MIN_HIT or not len(struck) or len(struck) > steps / 2 or is_elsewhere:
            continue
        found = _judge(context, rows, marked, f"{_ANSWERS} are {text!r}, which other steps do not know")
        if found:
            return found
    return []


def _judge(context: Context, rows: Frame, marked: Frame, what: str, severity: Severity = "critical") -> list[Finding]:
    hit, others = rows[marked], rows[~marked]
    if len(hit) < _MIN_HIT or hit["problem_id"].nunique() < _MIN_PROBLEMS or others.empty:
        return []
    least = rows["reward"].min()
    failed, usual = (hit["reward"] <= least).mean(), (others["reward"] <= least).mean()
    table = [[int((part["reward"] <= least).sum()), int((part["reward"] > least).sum())] for part in (hit, others)]
    p_value = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if failed < _MOSTLY or p_value >= context.thresholds.alpha:
        return []
    message = (
        f"in {len(hit)} of {len(rows)} attempts {what}; {failed:.0%} of them have the least reward, {usual:.0%} of the "
        "others: a machine was down, mask these attempts"
    )
    numbers = {"hit": len(hit), "failed": float(failed), "p_value": p_value}
    return [context.finding("infrastructure_zeros", severity, message, numbers, ("alpha",), hit)]
