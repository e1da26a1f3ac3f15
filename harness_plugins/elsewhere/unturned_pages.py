"""Tools that say an answer is cut and turn no page: who asks otherwise gets the same cut text again.

A cut answer does no harm where an offset, another query or another tool shows the rest. It is told where many attempts
ask the tool otherwise for the same thing, and the same small text comes. Numbers in it may differ, as of times.
Nothing else shows them more: no other page, no longer answer about the same thing, no text that holds the cut one.

Healthy runs look alike where a search lists one page twice, and its short text suffices: these attempts succeed. The
attempts that ask in vain must earn less at their problem, or half of all fail late in the run. A call that is only
repeated asks for nothing new. A cut log whose command is varied shows other text soon.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"tool_output_truncated": ("num_tool_calls", "reward")}

_HALF, _MANY, _MOSTLY = 0.5, 0.3, 0.6
"""Attempts with tools that meet a cut answer, those of them that ask in vain, and these by all that ask for more."""
_SMALL, _NEARLY_ALL = 1000, 0.9
"""Signs of a limit that hides much, and share of the cut answers that are no longer."""
_MIN_TEXTS, _MIN_PROBLEMS = 8, 5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where cut answers come again to whoever asks for the rest."""
    if context.texts is None or "asks_in_vain" not in context.texts or not context.texts["asks_in_vain"].any():
        return Diagnosis()
    rows = context.with_texts(graded(context.training))
    rows = rows[(rows["num_tool_calls"] > 0) & rows["reward"].notna()]
    met = rows[rows["noted_at"] > 0]
    vain: Frame = met["asks_in_vain"].astype(bool)
    found = met[vain]
    if len(met) < max(_HALF * len(rows), context.thresholds.min_rows) or len(found) < _MANY * len(met):
        return Diagnosis()
    asking: Frame = vain | met["shows_more"].astype(bool)
    if len(found) < _MOSTLY * asking.sum():
        return Diagnosis()
    if found["problem_id"].nunique() < _MIN_PROBLEMS or found["noted"].nunique() < _MIN_TEXTS:
        return Diagnosis()
    if met["noted_at"].quantile(_NEARLY_ALL) > _SMALL or not _is_costly(context, met, vain):
        return Diagnosis()
    numbers = {"attempts": len(found), "share": len(found) / len(met), "signs": float(met["noted_at"].median())}
    message = (
        f"in {len(met)} of {len(rows)} attempts an answer of a tool says that it is cut, after {numbers['signs']:.0f} "
        f"signs; {len(found)} ask otherwise and get the same text again: raise the limit, or let it turn pages"
    )
    return Diagnosis(findings=[context.finding("tool_output_truncated", "warning", message, numbers, (), found)])


def _is_costly(context: Context, met: Frame, vain: Frame) -> bool:
    """Tell whether half of the attempts fail late in the run, or those that ask in vain earn less."""
    late = met[met["step"] >= met["step"].median()]
    least, most = float(met["reward"].min()), float(met["reward"].max())
    solved = late["correct"].fillna(late["reward"] > (least + most) / 2).astype(float)
    if most > least and solved.mean() <= _HALF:
        return True
    pay = pay_of(met, vain)
    return pay is not None and pay.z < -z_limit(context.thresholds.alpha)
