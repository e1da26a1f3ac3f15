"""Gold answers that lost their decimals: attempts agree on a number whose whole part is the gold one, and go unpaid.

Attempts that do not know err in different ways. Where they agree at many problems on 82.35 for a gold 82, the key was
cast, not the policy wrong. Problems whose answer is whole are paid.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column, plain_number

NEEDS = {"metric_defect": ("gold", "reward")}

_MODAL, _MIN_SIZE = 0.5, 2
"""Share of a problem's attempts that end with its usual answer, and attempts that do."""
_MIN_PROBLEMS, _SHARE = 5, 0.05


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where unpaid problems agree on what the gold answer is the whole part of."""
    rows = context.unequally_paid
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not name:
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool) & (rows["final_answer"] != "")]
    answers = rows.groupby(["problem_id", "final_answer"]).size().rename("count").reset_index()
    usual = answers.sort_values("count", ascending=False, kind="stable").drop_duplicates("problem_id")
    usual = usual.set_index("problem_id")
    by_problem = rows.groupby("problem_id")
    size, best, gold = by_problem.size(), by_problem["reward"].max(), by_problem[name].first()
    written, known = usual["final_answer"], gold.reindex(usual.index)
    values, keys = (part.map(plain_number).astype(float) for part in (written, known))
    is_cast = (values % 1 != 0) & ((values - keys).abs() < 1) & (keys % 1 == 0)
    is_agreed = (usual["count"] >= _MODAL * size.reindex(usual.index)) & (usual["count"] >= _MIN_SIZE)
    struck = usual.index[is_cast & is_agreed & (best.reindex(usual.index) <= rows["reward"].min())]
    if len(struck) < max(_MIN_PROBLEMS, _SHARE * len(usual)):
        return Diagnosis()
    found = rows[rows["problem_id"].isin(struck)]
    first = struck[0]
    message = (
        f"at {len(struck)} of {len(usual)} problems attempts agree on a number with decimals, none is paid, and the "
        f"gold answer is whole, as {usual.loc[first, 'final_answer']} for {gold[first]}: the gold answers were cast"
    )
    numbers = {"problems": len(struck), "share": len(struck) / len(usual)}
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, (), found)])
