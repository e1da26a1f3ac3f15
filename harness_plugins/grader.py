"""What the grader does with answers: right ones unpaid, wrong ones paid, equal ones paid unequally; gold answers.

One table, relation of answer and gold against pay, answers most of it. Accidents of grading are tolerated up to 2 in
100 (checks.py); beyond that an exact test speaks at any count.
"""

from collections.abc import Iterator

import numpy as np

from evotrainer.diagnosis import stats
from evotrainer.diagnosis.checks import ALPHA, COUNTED, FEW, HALF, LOW_PAY, TOLERATED, UNPAID, Check, above
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.records import Finding, Unjudged

AGREED = 0.75
"""Share of attempts at a problem that agree: three of four do so by accident in one problem of a thousand."""
DISPUTED = 0.2
"""Share of problems whose agreed answer is not the gold one that hard problems explain: common errors are shared."""

CHECKS = (
    Check(
        "metric_defect",
        "relation = 'equal'",
        "relation IS NOT NULL AND error IS NULL",
        UNPAID,
        most="critical",
        says="{wrong} of {shows} attempts that give their gold answer word for word are paid next to nothing: grade "
        "one of these rows by hand, then run the grader on it alone",
    ),
    Check(
        "format_gate",
        "relation IN ('form', 'ends')",
        "relation IS NOT NULL AND error IS NULL",
        UNPAID,
        most="critical",
        says="{wrong} of {shows} attempts give their gold answer in another form (case, quotes, LaTeX, unit, no box) "
        "and are paid next to nothing: compare answers in a normal form, or ask for the form in the prompt",
    ),
    Check(
        "weak_verifier",
        f"outcome >= {1 - LOW_PAY}",
        "relation = 'other' AND is_numeric AND is_marked AND gold_pays AND error IS NULL AND pay IS NOT NULL",
        above(TOLERATED),
        most="critical",
        says="{shows} of {among} attempts whose answer is another number than the gold one are paid in full: look at "
        "what the grader takes for the answer",
    ),
    Check(
        "flaky_grading",
        "paid_both_ways",
        "repeats >= 2 AND error IS NULL",
        above(TOLERATED),
        most="critical",
        says="{shows} of {among} attempts give an answer that others of their problem give too, and some of these are "
        "paid and some are not: grade one answer ten times",
    ),
    Check(
        "metric_defect",
        "is_other_gold",
        f"count(DISTINCT gold) OVER () >= {FEW}",
        above(HALF),
        most="critical",
        says="{shows} of {among} attempts give the gold answer of another problem and not their own: the column of "
        "gold answers is shifted or sorted otherwise than its rows",
    ),
    Check(
        "wrong_labels",
        "gold_is_odd",
        "gold IS NOT NULL",
        COUNTED,
        says="{shows} of {among} attempts ({problems} problems) have a gold answer that is no well-formed answer: no "
        "policy can match it; mend or drop these problems",
    ),
    Check(
        "answer_reading",
        "gold_in_prompt",
        "gold IS NOT NULL",
        above(TOLERATED),
        says="in {shows} of {among} attempts the prompt itself holds the gold answer behind the word answer: take it "
        "out",
    ),
)


def findings(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    """Yield what problems as a whole show of the gold answers, and columns in another order than their rows."""
    yield from _disputed_labels(evidence)
    yield from _other_predictions(evidence)


def _disputed_labels(evidence: Evidence) -> Iterator[Finding]:
    """Compare what attempts at a problem agree on with its gold answer."""
    if not evidence.conditions.is_known("agreed_relation"):
        return
    share, relation = evidence.numbers("agreed_share"), evidence.texts("agreed_relation")
    size = np.bincount(evidence.problem - evidence.problem.min())[evidence.problem - evidence.problem.min()]
    is_firm = (share >= AGREED) & (size >= 4) & (evidence.numbers("gold_pays") > 0)
    is_disputed = is_firm & (relation == "other") & (evidence.pay <= LOW_PAY)
    firm, disputed = (evidence.num_problems(np.flatnonzero(marks)) for marks in (is_firm, is_disputed))
    p = stats.tail_above(disputed, firm, DISPUTED)
    if p > ALPHA:
        return
    message = (
        f"in {disputed} of {firm} problems whose attempts agree, they agree on another answer than the gold one and "
        "are not paid: check these gold answers by hand, they may be wrong or belong to other rows"
    )
    numbers = {"disputed": disputed, "firm": firm, "p": p}
    yield evidence.finding("wrong_labels", "critical", message, numbers, np.flatnonzero(is_disputed))


def _other_predictions(evidence: Evidence) -> Iterator[Finding]:
    """Find a recorded answer that is another one than the text's, though both columns hold the same answers."""
    if not evidence.conditions.is_known("recorded_differs"):
        return
    differs = evidence.numbers("recorded_differs")
    known = np.isfinite(differs)
    count, total = int((differs > 0).sum()), int(known.sum())
    if total < FEW or stats.tail_above(count, total, HALF) > ALPHA:
        return
    recorded = set(evidence.table["answer"].to_pylist())
    given = set(evidence.table["final"].to_pylist())
    shared = len(recorded & given) / max(len(recorded), 1)
    if shared < HALF:
        return
    message = (
        f"in {count} of {total} attempts the recorded answer is not the one in the text, and {shared:.0%} of the "
        "recorded answers stand in other rows: a column is in another order than its rows; compare how both are "
        "gathered"
    )
    yield evidence.finding(
        "metric_defect", "critical", message, {"differs": count, "known": total}, np.flatnonzero(differs > 0)
    )
