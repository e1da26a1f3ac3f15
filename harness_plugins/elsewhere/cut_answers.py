"""Answers of tools that are cut: different texts that break off after one and the same number of signs.

Texts of tools have lengths of their own. Where the longest answer of half of the attempts breaks off at one length, it
was cut there; of a fifth, where such attempts earn less than others at their problem. Large limits are common and
harmless; one of some hundred signs hides what was looked for.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of

NEEDS = {"tool_output_truncated": ("num_tool_calls",)}

_SMALL, _HALF, _FIFTH, _MIN_TEXTS = 1000, 0.5, 0.2, 8
"""Signs of a limit that hides much, shares of attempts, at a cost the second, and different texts from which it is one.
"""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where answers of tools are cut at a small length."""
    rows = context.with_texts(graded(context.training))
    rows = rows[rows["num_tool_calls"] > 0] if not rows.empty else rows
    if len(rows) < context.thresholds.min_rows:
        return Diagnosis()
    lengths = rows["cut_at"][rows["cut_at"] > 0]
    if lengths.empty:
        return Diagnosis()
    length = float(lengths.mode().iloc[0])
    cut = rows[rows["cut_at"] == length]
    if length > _SMALL or len(cut) < _FIFTH * len(rows) or cut["cut_answer"].nunique() < _MIN_TEXTS:
        return Diagnosis()
    pay = pay_of(rows, rows["cut_at"] == length)
    is_costly = pay is not None and pay.z < -z_limit(context.thresholds.alpha)
    if len(cut) < _HALF * len(rows) and not is_costly:
        return Diagnosis()
    message = (
        f"in {len(cut) / len(rows):.0%} of attempts with tools the longest answer of a tool breaks off after "
        f"{length:.0f} signs, {cut['cut_answer'].nunique()} different texts: raise the limit, or let it turn pages"
    )
    numbers = {"share": len(cut) / len(rows), "signs": length}
    return Diagnosis(
        findings=[context.finding("tool_output_truncated", "warning", message, numbers, ("min_rows",), cut)]
    )
