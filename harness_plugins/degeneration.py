"""What becomes of texts: cut, repeating, alike, in other letters; at once, or more and more over the run."""

from collections.abc import Iterator

import numpy as np

from evotrainer.diagnosis import checks, stats
from evotrainer.diagnosis.checks import Check, above
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.reading.others import measured
from evotrainer.diagnosis.reading.texts import LONG, LOOPS, MIN_COPIED
from evotrainer.records import Finding, Unjudged

GROWTH = 1.4
"""Times that lengths change over a run where the reward pays for them: a policy that learns changes them by less."""

_LOOPS = f"tail_repeats >= {LOOPS}"

CHECKS = (
    Check(
        "truncation",
        "is_truncated",
        "is_truncated IS NOT NULL",
        above(0.2),
        says="{shows} of {among} attempts were cut by a limit (mean reward {paid}, others {others}): raise it or leave "
        "them out of the loss",
    ),
    Check(
        "truncation",
        "is_truncated",
        "is_truncated IS NOT NULL",
        checks.SPREADS,
        most="critical",
        says="attempts cut by a limit rise from {early} to {late} over the run: lengths grow into it; raise it, or "
        "leave them out of the loss",
    ),
    Check(
        "truncation",
        "is_unfinished",
        f"chars >= {LONG}",
        above(checks.MANY),
        says="{shows} of {among} long texts stop within a sentence: a limit of tokens cuts them; raise it or mask them",
    ),
    Check(
        "truncation",
        "is_unfinished",
        f"chars >= {LONG}",
        checks.SPREADS,
        says="texts that stop within a sentence rise from {early} to {late} over the run: lengths grow into the limit",
    ),
    Check(
        "echo_trap",
        _LOOPS,
        f"chars >= {LONG}",
        above(checks.SEVERAL),
        most="critical",
        says="{shows} of {among} texts end in a loop of the same words: look at the repetition of sampled tokens",
    ),
    Check(
        "echo_trap",
        _LOOPS,
        f"chars >= {LONG}",
        checks.SPREADS,
        says="texts that end in a loop rise from {early} to {late} over the run",
    ),
    Check(
        "language_drift",
        f"foreign_letters > {checks.EFFECT}",
        "chars > 0",
        checks.SPREADS,
        most="critical",
        says="texts in letters that prompts do not use rise from {early} to {late} over the run: nothing in the reward "
        "keeps the language",
    ),
    Check(
        "identical_samples",
        "copies > 1",
        f"group_size > 1 AND chars >= {MIN_COPIED}",
        checks.SPREADS,
        says="attempts that repeat another of their group rise from {early} to {late} over the run: exploration ends",
    ),
)


def findings(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    """Yield what is no share."""
    yield from _at_the_limit(evidence)
    yield from _before_any_answer(evidence)
    yield from _length_that_pays(evidence)


def _at_the_limit(evidence: Evidence) -> Iterator[Finding]:
    """Find attempts that crowd at one largest length."""
    tokens = evidence.numbers("num_tokens")
    known = tokens[np.isfinite(tokens) & (tokens > 0)]
    if len(known) < checks.FEW:
        return
    largest = known.max()
    crowd = np.flatnonzero(tokens == largest)
    share = len(crowd) / len(known)
    spread = len(np.unique(known))
    if (
        share < checks.TOLERATED
        or spread < checks.FEW
        or stats.tail_above(len(crowd), len(known), checks.MIN_STEPS / spread) > checks.ALPHA
    ):
        return
    change = stats.spreads(tokens == largest, evidence.step)
    rises = change is not None and change.p < checks.ALPHA and change.late - change.early >= checks.EFFECT
    if share < checks.EFFECT and not rises:
        return
    limits = measured(evidence.conditions)
    named = f" ({limits['limit_tokens']})" if "limit_tokens" in limits else ""
    over = f", rising from {change.early:.0%} to {change.late:.0%} over the run" if rises and change else ""
    message = (
        f"{len(crowd)} of {len(known)} attempts end at exactly {largest:g} tokens{named}{over}: the limit cuts them "
        "and their reward is that of a cut text; raise it, or leave them out of the loss"
    )
    yield evidence.finding(
        "truncation",
        "critical" if share >= checks.MANY or rises else "warning",
        message,
        {"share": share, "tokens": largest},
        crowd,
    )


def _before_any_answer(evidence: Evidence) -> Iterator[Finding]:
    """Find attempts that end by themselves, early and without an answer, where others mark theirs."""
    marked, chars = evidence.numbers("is_marked"), evidence.numbers("chars")
    own = ~np.isin(evidence.texts("stop_reason"), ("length", "max_tokens", "max_turns")) & (chars > 0)
    with_answer, without = np.flatnonzero(own & (marked == 1)), np.flatnonzero(own & (marked == 0))
    total = len(with_answer) + len(without)
    if (
        total < checks.FEW
        or len(with_answer) < checks.HALF * total
        or stats.tail_above(len(without), total, checks.TOLERATED) > checks.ALPHA
    ):
        return
    lengths = float(np.median(chars[without])), float(np.median(chars[with_answer]))
    paid = evidence.pay[without]
    if lengths[0] > checks.HALF * lengths[1] or np.nanmean(paid > checks.LOW_PAY) > checks.EFFECT:
        return
    message = (
        f"{len(without)} of {total} attempts end by themselves before any answer ({lengths[0]:.0f} characters, others "
        f"{lengths[1]:.0f}) and are not paid: look for a stop text that occurs in ordinary replies"
    )
    numbers = {"without": len(without), "total": total}
    yield evidence.finding("truncation", "warning", message, numbers, without)


def _length_that_pays(evidence: Evidence) -> Iterator[Finding]:
    """Find lengths that grow or shrink over the run while length itself is paid at the same problem."""
    chars = evidence.numbers("chars")
    known = np.flatnonzero((chars > 0) & np.isfinite(evidence.pay) & np.isfinite(evidence.step))
    thirds = stats.thirds(evidence.step[known])
    if thirds is None or len(np.unique(evidence.step[known])) < 2 * checks.MIN_STEPS or len(known) < checks.FEW:
        return
    early, late = thirds
    growth = float(np.median(chars[known][late])) / max(float(np.median(chars[known][early])), 1.0)
    given = evidence.problem[known] * 2 + evidence.is_right[known]
    found = stats.depends(evidence.pay[known], {"chars": chars[known]}, given)
    if not found or found[0].p > checks.ALPHA or abs(found[0].difference) < checks.LOW_PAY:
        return
    longer = found[0].difference > 0
    if growth < GROWTH if longer else growth > 1 / GROWTH:
        return
    word, way = ("Longer", "rise") if longer else ("Shorter", "fall")
    message = (
        f"{word} texts are paid {abs(found[0].difference):.2f} of the reward's range more at the same problem, and "
        f"lengths {way} to {growth:.2f} times over the run: the length is what is learned; grade without it"
    )
    yield evidence.finding("length_gaming", "warning", message, {"growth": growth, "z": found[0].z}, known[late])
