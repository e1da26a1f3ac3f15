"""State of one attempt that others find: in the names of an interpreter, or in what tools work on.

1. Code reads a name that its attempt never set, and gets a value. An environment that gives a name gives it to all. So
   at the same problem other attempts must have read the same name and been told that it is not defined, or must set it
   themselves before they read it, and more of them: who gets a value depends on what ran before in that interpreter.
2. The same first call at the same problem is answered otherwise from a paid attempt on, and what follows goes unpaid:
   that attempt changed what the others are meant to change. Of neighbours in a group whose first answers differ, the
   paid one comes before the unpaid one as often as behind it, wherever attempts do not touch each other. Neighbours
   with equal answers tell how often files are ordered by reward. Failures of machines are left to tool_outages.
3. A first call is told that the thing is done already (booked, created, cancelled), where the same call at the same
   problem did it in another attempt, and who is told so earns less.
4. One first answer to one first call is usual at all problems (a basket is empty), or the last number in it is (one
   move made), and attempts that get another one, at problems where others got the usual one, earn less. What is left
   differs from attempt to attempt; two worlds drawn by chance, or a cache, do not. States that each problem has for
   itself are compared by unlike_worlds.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.lost_by_it import lost_by_it
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"history_leak": ("num_tool_calls", "group"), "infrastructure_zeros": ("num_tool_calls", "group", "reward")}

_MIN_PROBLEMS, _MIN_ATTEMPTS = 3, 6
_USUAL, _MIN_USUAL = 0.6, 10
"""Share of attempts that begin in the usual state, and problems that do."""
_USUAL_COUNT = 0.5
"""The same share of the last number in an answer."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return findings where names have a value for some and none for others, or tools answer what was done before."""
    rows = context.with_texts(graded(context.rows))
    if rows.empty:
        return Diagnosis()
    changed = _changed_before(context) or _done_before(context, rows) or _begun_otherwise(context)
    return Diagnosis(findings=_names(context, rows) + changed)


def _names(context: Context, rows: Frame) -> list[Finding]:
    """Return a finding where names have a value for some and none for others: critical where that pays."""
    torn, had = _torn(rows, "had_names", "lacked_names")
    how = "are told that these are not defined"
    if torn.empty:
        torn, had = _torn(rows, "had_names", "set_names")
        num_had, num_set = (_by_name(rows, column)["name"].value_counts() for column in ("had_names", "set_names"))
        torn = torn[torn["name"].map(num_set) > torn["name"].map(num_had)]
        how = "set them first"
    names = sorted(torn["name"].unique())
    marked = rows["trajectory_id"].isin(had.loc[had["name"].isin(names), "trajectory_id"])
    if torn["problem_id"].nunique() < _MIN_PROBLEMS or marked.sum() < _MIN_ATTEMPTS:
        return []
    pay = pay_of(rows, marked)
    is_paid = pay is not None and pay.z > z_limit(context.thresholds.alpha)
    message = (
        f"code of {int(marked.sum())} attempts reads names that they never set ({', '.join(names[:4])}) and gets a "
        f"value, where others at the same {torn['problem_id'].nunique()} problems {how}: "
        "attempts find what others left, start an interpreter for each"
    )
    numbers = {"attempts": int(marked.sum()), "problems": int(torn["problem_id"].nunique())}
    numbers |= {"pay": pay.difference, "z": pay.z} if pay is not None else {}
    severity = "critical" if is_paid else "warning"
    return [context.finding("history_leak", severity, message, numbers, ("alpha",), rows[marked])]


def _done_before(context: Context, rows: Frame) -> list[Finding]:
    """Return a finding where calls meet what another attempt has done, and that costs reward."""
    torn, met = _torn(rows, "done_before", "not_done_before")
    found = met.merge(torn, on=["problem_id", "name"])["trajectory_id"]
    marked = rows["trajectory_id"].isin(found)
    if torn["problem_id"].nunique() < _MIN_PROBLEMS or marked.sum() < _MIN_ATTEMPTS:
        return []
    pay = pay_of(rows, marked)
    if pay is None or pay.z > -z_limit(context.thresholds.alpha):
        return []
    message = (
        f"in {int(marked.sum())} attempts a first call is told that the thing is done already, where the same call at "
        f"the same {torn['problem_id'].nunique()} problems did it in another attempt; they earn "
        f"{-pay.difference:.1f} standard deviations less: attempts find what others did, set the environment back "
        "before each"
    )
    numbers = {"attempts": int(marked.sum()), "problems": int(torn["problem_id"].nunique()), "pay": pay.difference}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), rows[marked])]


def _begun_otherwise(context: Context) -> list[Finding]:
    """Return a finding where attempts begin in another state than is usual, and that costs reward."""
    rows = context.unequally_paid
    if "first_call" not in rows:
        return []
    rows = rows[(rows["first_call"] != "") & ~(rows["machine_share"] > 0)]
    calls = rows["first_call"].value_counts()
    if calls.empty:
        return []
    common = rows[rows["first_call"] == calls.index[0]]
    everywhere = common["first_answer"] == common["first_answer"].mode().iloc[0]
    counted = rows[rows["first_count"] != ""]
    begun = counted["first_count"] == _usual_count(counted)
    return _otherwise(context, common, everywhere, _USUAL) or _otherwise(
        context, counted, begun, _USUAL_COUNT, "last number in it"
    )


def _usual_count(rows: Frame) -> str:
    """Return the commonest last number of first answers, where it begins a count: 0 or 1; else nothing."""
    usual = rows["first_count"].mode().iloc[0] if len(rows) else ""
    return usual if usual in ("0", "1") else ""


def _otherwise(context: Context, rows: Frame, usual: Frame, least: float, what: str = "answer") -> list[Finding]:
    """Return a finding where attempts without the usual first answer, at problems where others got it, earn less."""
    torn = usual.groupby(rows["problem_id"]).transform("max") & ~usual
    if rows["problem_id"].nunique() < _MIN_USUAL or usual.mean() < least:
        return []
    pay = lost_by_it(context, rows, torn, rows.loc[torn, "first_answer"])
    if pay is None:
        return []
    message = (
        f"to their first call {usual.mean():.0%} of attempts get the same {what}, and {int(torn.sum())} at the same "
        f"problems another one; these earn {-pay.difference:.1f} standard deviations less: attempts begin with "
        "what others left, set the environment back before each"
    )
    numbers = {"usual": float(usual.mean()), "attempts": int(torn.sum()), "pay": pay.difference}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), rows[torn])]


def _torn(rows: Frame, had: str, lacked: str) -> tuple[Frame, Frame]:
    """Return the names that some attempts at a problem had and others lacked, and all that had any."""
    with_it, without = (_by_name(rows, column) for column in (had, lacked))
    pair = ["problem_id", "name"]
    return with_it[pair].drop_duplicates().merge(without[pair].drop_duplicates(), on=pair), with_it


def _changed_before(context: Context) -> list[Finding]:
    """Return a finding where first answers of tools change behind paid attempts, and those that follow go unpaid.

    Where numbers in answers differ from attempt to attempt (ids of elements, clocks), their forms are compared.
    """
    rows = context.unequally_paid
    if "first_call" not in rows:
        return []
    found = _changed_in(context, rows, "first_answer")
    return found or (_changed_in(context, rows, "first_form") if "first_form" in rows else [])


def _changed_in(context: Context, rows: Frame, column: str) -> list[Finding]:
    is_sound = (rows["first_call"] != "") & ~(rows["machine_share"] > 0)
    rows = rows[is_sound].sort_values(["group", "place"], kind="stable")
    before = rows.groupby(["group", "first_call"])[[column, "reward"]].shift()
    rows, before = rows[before["reward"].notna()], before[before["reward"].notna()]
    is_changed = before[column] != rows[column]
    falls, rises = before["reward"] > rows["reward"], before["reward"] < rows["reward"]
    counts = [[int((falls & which).sum()), int((rises & which).sum())] for which in (is_changed, ~is_changed)]
    (behind, ahead), alpha = counts[0], context.thresholds.alpha
    found = rows[is_changed & falls]
    if found["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    by_chance = scipy.stats.binomtest(behind, behind + ahead, alternative="greater").pvalue
    by_order = scipy.stats.fisher_exact(counts, alternative="greater").pvalue
    if max(by_chance, by_order) >= alpha:
        return []
    message = (
        f"the same first call at the same problem has another answer than in the attempt before, and less reward, in "
        f"{behind} attempts, more reward in {ahead}: attempts find what a paid one changed, set the environment back "
        "before each"
    )
    numbers = {"behind": behind, "ahead": ahead, "problems": int(found["problem_id"].nunique())}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), found)]


def _by_name(rows: Frame, column: str) -> Frame:
    """Return one row an attempt and name."""
    known = rows.loc[rows[column] != "", ["trajectory_id", "problem_id", column]]
    return known.assign(name=known[column].str.split(" ")).explode("name")[["trajectory_id", "problem_id", "name"]]
