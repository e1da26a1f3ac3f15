"""Answers of tools that are cut: different texts that break off after one and the same number of signs.

Texts of tools have lengths of their own. Where the longest answer of two fifths of the attempts breaks off at one
length, it was cut there; of a fifth, where such attempts earn less than others at their problem. Large limits are
common and harmless; one of some hundred signs hides what was looked for. Answers may also say that they are cut: where
attempts that meet one seldom succeed, and reading on does not help them or hardly any does, there is no way to.
Where two fifths break off at one small length, say so and ask for no more, half are unpaid to the end and many
problems never are. Cut logs of passing work, and of tools that turn pages, are met by attempts that succeed.
Where nearly all attempts meet one that says how little of it is shown, and few succeed, there are no others to compare.
A short line may have dots in its middle that the file has not: the same attempt holds the line whole elsewhere.
A tool may also show the first lines and say nothing. At many problems all first answers have the greatest number of
lines, and none of these is solved; answers at others have ever fewer lines, and those are. Searches that list a fixed
number of results are solved all the same, and a call may ask for that many lines.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"tool_output_truncated": ("num_tool_calls",)}

_FEW, _SELDOM = 0.2, 0.5
"""Attempts that read on, as a share of those that do not, and pay of the latter as a share of others' pay."""
_BLANKS, _MOST = 2, 0.75
"""Signs by which a cut text is shorter where it would end in blanks; most of them would not."""
_LITTLE, _NEARLY_ALL = 0.25, 0.8
"""Share of an answer that is little of it, and share of attempts that see no more where there are no others."""
_ELIDED, _MIN_PROBLEMS = 0.1, 5
"""Share of attempts that meet a short line with dots for its middle, and their problems."""
_ALL, _NEVER, _RARELY = 0.8, 0.7, 0.2
"""Shares: of a problem's first answers with the most lines, of such problems that are never paid, and of others."""
_MIN_LINES, _MAX_LINES, _MIN_COUNTS, _HEAP = 5, 300, 4, 2.0
"""Lines of a limit, different numbers of lines below it, and its problems by those at any other number."""
_STUCK = 0.3
"""Share of problems that are never paid where a limit hides what they ask for."""
_SMALL, _MUCH, _FIFTH, _MIN_TEXTS = 1000, 0.4, 0.2, 8
"""Signs of a limit that hides much, shares of attempts, at a cost the second, and different texts from which it is one.
"""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where answers of tools are cut at a small length."""
    rows = context.with_texts(graded(context.training))
    rows = rows[rows["num_tool_calls"] > 0] if not rows.empty else rows
    if len(rows) < context.thresholds.min_rows:
        return Diagnosis()
    return Diagnosis(
        findings=_at_one_length(context, rows)
        or _left(context, rows)
        or _noted(context, rows)
        or _little(context, rows)
        or _elided(context, rows)
        or _heads(context, rows)
    )


def _at_one_length(context: Context, rows: Frame) -> list[Finding]:
    lengths = rows["cut_at"][rows["cut_at"] > 0]
    if lengths.empty:
        return []
    length = float(lengths.mode().iloc[0])
    at_limit, nearly = rows["cut_at"] == length, rows["cut_at"].between(length - _BLANKS, length)
    at_limit = nearly if at_limit.sum() >= _MOST * nearly.sum() else at_limit
    cut = rows[at_limit]
    if length > _SMALL or len(cut) < _FIFTH * len(rows) or cut["cut_answer"].nunique() < _MIN_TEXTS:
        return []
    pay = pay_of(rows, at_limit)
    is_costly = pay is not None and pay.z < -z_limit(context.thresholds.alpha)
    if len(cut) < _MUCH * len(rows) and not is_costly:
        return []
    message = (
        f"in {len(cut) / len(rows):.0%} of attempts with tools the longest answer of a tool breaks off after "
        f"{length:.0f} signs, {cut['cut_answer'].nunique()} different texts: raise the limit, or let it turn pages"
    )
    numbers = {"share": len(cut) / len(rows), "signs": length}
    return [context.finding("tool_output_truncated", "warning", message, numbers, ("min_rows",), cut)]


def _left(context: Context, rows: Frame) -> list[Finding]:
    """Find answers that say they are cut, and that nobody can read on."""
    reads, paid = rows["read_on"].astype(bool), rows["reward"] > rows["reward"].min()
    cut: Frame = rows["left_cut"].astype(bool) | reads
    if cut.sum() < context.thresholds.min_rows or cut.all():
        return []
    if reads.sum() > _FEW * cut.sum() and paid[reads].mean() > _SELDOM * paid[~cut].mean():
        return []
    shares = [float(paid[part].mean()) for part in (cut, ~cut)]
    table = [[int((~paid[part]).sum()), int(paid[part].sum())] for part in (cut, ~cut)]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if shares[0] > _SELDOM * shares[1] or chance >= context.thresholds.alpha:
        return []
    message = (
        f"in {int(cut.sum())} attempts an answer of a tool says that it is cut, and reading on helps none; "
        f"{shares[0]:.0%} of them are paid, {shares[1]:.0%} of others: raise the limit, or let it turn pages"
    )
    numbers = {"attempts": int(cut.sum()), "paid": shares[0], "paid_others": shares[1]}
    return [context.finding("tool_output_truncated", "warning", message, numbers, ("min_rows", "alpha"), rows[cut])]


def _noted(context: Context, rows: Frame) -> list[Finding]:
    """Find answers that say they are cut, all after one small number of signs, where few get on."""
    if "noted_at" not in rows or not rows["noted_at"].any():
        return []
    rows = rows[rows["reward"].notna()]
    met = rows[rows["noted_at"] > 0]
    length = float(met["noted_at"].mode().iloc[0]) if len(met) else 0.0
    cut = met[met["noted_at"].between(length - _BLANKS, length + _BLANKS)]
    if not 0 < length <= _SMALL or len(cut) < max(_MUCH * len(rows), _MOST * len(met)):
        return []
    if cut["noted"].nunique() < _MIN_TEXTS or cut["turns_page"].mean() > _FEW:
        return []
    least = rows["reward"].min()
    late = cut[cut["step"] >= cut["step"].median()]
    never = cut.groupby("problem_id")["reward"].max() <= least
    paid = float((late["reward"] > least).mean())
    if paid > _SELDOM or never.sum() < _MIN_PROBLEMS or never.mean() < _STUCK:
        return []
    numbers = {"share": len(cut) / len(rows), "signs": length, "never_paid": float(never.mean()), "paid_late": paid}
    message = (
        f"in {numbers['share']:.0%} of attempts with tools an answer says that it is cut, after {length:.0f} signs, "
        f"and few ask for more; {numbers['never_paid']:.0%} of their problems are never paid: raise the limit, or let "
        "it turn pages"
    )
    return [context.finding("tool_output_truncated", "warning", message, numbers, ("min_rows",), cut)]


def _little(context: Context, rows: Frame) -> list[Finding]:
    """Find answers that say how little they show, in nearly all attempts, of which few are paid."""
    if "shown_part" not in rows:
        return []
    met = rows[rows["shown_part"] < _LITTLE]
    paid = rows["reward"] > rows["reward"].min()
    if len(met) < _NEARLY_ALL * len(rows) or paid.mean() > _SELDOM or met["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    numbers = {"attempts": len(met), "shown": float(met["shown_part"].median()), "paid": float(paid.mean())}
    message = (
        f"in {len(met)} of {len(rows)} attempts an answer of a tool says that it shows {numbers['shown']:.0%} of "
        f"itself; {numbers['paid']:.0%} are paid: raise the limit, or let it turn pages"
    )
    return [context.finding("tool_output_truncated", "warning", message, numbers, ("min_rows",), met)]


def _elided(context: Context, rows: Frame) -> list[Finding]:
    """Find short lines whose middle an answer leaves out."""
    if "elides" not in rows:
        return []
    found = rows[rows["elides"].astype(bool)]
    if len(found) < _ELIDED * len(rows) or found["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    message = (
        f"in {len(found)} attempts an answer of a tool has dots for the middle of a short line that stands whole "
        "elsewhere in the attempt: who copies the line writes the dots, let tools show short lines whole"
    )
    numbers = {"attempts": len(found), "share": len(found) / len(rows)}
    return [context.finding("tool_output_truncated", "warning", message, numbers, ("min_rows",), found)]


def _heads(context: Context, rows: Frame) -> list[Finding]:
    """Find problems whose first answers all have the greatest number of lines, and that none solves."""
    rows = rows[rows["first_lines"] > 0] if "first_lines" in rows else rows.head(0)
    rows = rows[rows["reward"].notna()]
    most = float(rows["first_lines"].max()) if len(rows) else 0.0
    if not _MIN_LINES <= most <= _MAX_LINES:
        return []
    by_problem = rows.groupby("problem_id")["first_lines"]
    share, usual = by_problem.agg(lambda lines: (lines == most).mean()), by_problem.median()
    cut, whole = share[share >= _ALL].index, share[share <= 1 - _ALL].index
    counts = usual[whole].value_counts()
    if len(cut) < max(_MIN_PROBLEMS, _FIFTH * len(share)) or len(cut) + len(whole) < _ALL * len(share):
        return []
    if len(counts) < _MIN_COUNTS or len(cut) < _HEAP * counts.max():
        return []
    hit = rows[rows["problem_id"].isin(cut)]
    is_stuck = rows.groupby("problem_id")["reward"].max() <= rows["reward"].min()
    never = [int(is_stuck[part].sum()) for part in (cut, whole)]
    shares = [never[0] / len(cut), never[1] / len(whole)]
    table = [[never[0], len(cut) - never[0]], [never[1], len(whole) - never[1]]]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if shares[0] < _NEVER or shares[1] > _RARELY or hit["first_answer"].nunique() < _MIN_TEXTS:
        return []
    if chance >= context.thresholds.alpha:
        return []
    message = (
        f"at {len(cut)} of {len(share)} problems the first answer of a tool has exactly {most:.0f} lines, and none "
        f"has more; {shares[0]:.0%} of these are never paid, {shares[1]:.0%} of others: see whether the tool shows the "
        "first lines alone, and let it say so and turn pages"
    )
    numbers = {"problems": len(cut), "lines": most, "never_paid": shares[0], "never_paid_others": shares[1]}
    return [context.finding("tool_output_truncated", "warning", message, numbers, ("min_rows", "alpha"), hit)]
