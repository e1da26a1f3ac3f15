"""What came back: empty or failed replies, one reply to many requests, unanswered calls, attempts that never ran.

A reply is an answer of a tool, or words of a user after the policy's first (docs/evidence.md).
"""

from collections.abc import Iterator

import numpy as np

from evotrainer.diagnosis import checks
from evotrainer.diagnosis.checks import Check, above
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.records import Finding, Unjudged

CHECKS = (
    Check(
        "infrastructure_errors",
        "error IS NOT NULL",
        "pay IS NOT NULL AND in_loss IS NOT FALSE",
        above(checks.TOLERATED),
        most="critical",
        says="{shows} of {among} attempts ended in an error of the machine (mean reward {paid}, others {others}): "
        "read the error, and leave these attempts out of loss and score",
    ),
    Check(
        "weak_verifier",
        "is_blank",
        "is_blank IS NOT NULL AND error IS NULL",
        checks.EARNS,
        most="critical",
        says="{shows} of {among} attempts hold nothing that the policy wrote, and {wrong} of them are paid (mean "
        "{paid}): either the grader pays for nothing, or the record lost what was written",
    ),
    Check(
        "infrastructure_zeros",
        "is_blank",
        f"pay <= {checks.LOW_PAY} AND error IS NULL",
        above(checks.SEVERAL),
        most="critical",
        says="{shows} of {among} unpaid attempts hold nothing that the policy wrote: generation failed and was graded; "
        "mask them and look at the engine's log",
    ),
    Check(
        "infrastructure_errors",
        "is_blank",
        "pay IS NULL",
        above(checks.SEVERAL),
        says="{shows} of {among} attempts without a reward hold nothing that the policy wrote: they never ran",
    ),
    Check(
        "infrastructure_errors",
        "pay IS NULL",
        "in_loss IS NOT FALSE AND error IS NULL AND is_blank IS NOT TRUE",
        above(checks.ALPHA),
        needs=("pay",),
        says="{shows} of {among} attempts have no reward while others have one: whoever counts the rest alone counts "
        "too well; see what ended them",
    ),
    Check(
        "infrastructure_errors",
        "error IS NOT NULL",
        "pay IS NULL OR in_loss IS FALSE",
        above(checks.TOLERATED),
        says="{shows} of {among} attempts without a reward, or out of the loss, ended in an error of the machine: "
        "whoever counts the rest alone counts too well; read the error",
    ),
    Check(
        "tool_failures",
        "failed_replies * 2 > replies",
        "replies > 0",
        above(0.15),
        says="in {shows} of {among} attempts most replies of tools are failures: call the tool with one of these "
        "requests",
    ),
    Check(
        "infrastructure_zeros",
        "outage_replies > 0",
        "replies > 0",
        checks.COSTS,
        says="a machine that fails costs {difference} of the reward's range against other attempts at the same problem "
        "({shows} of {among} attempts meet it): mask these attempts, and see the machine's log",
    ),
    Check(
        "tool_failures",
        "stock_replies > 0 AND stock_is_error",
        "replies > 0",
        above(checks.EFFECT),
        most="critical",
        says="{shows} of {among} attempts get one and the same error back, whatever they ask: the tool is down or the "
        "calls do not reach it",
    ),
    Check(
        "tool_failures",
        "empty_replies * 2 >= replies",
        "replies > 0",
        above(checks.MANY),
        says="in {shows} of {among} attempts half of the replies or more are empty: try one of these requests by hand",
    ),
    Check(
        "truncation",
        "ends_in_call",
        "calls > 0 OR replies > 0",
        above(checks.EFFECT),
        most="warning",
        says="{shows} of {among} attempts that call tools end in a call that nobody answers: a limit of turns ends "
        "them before they can submit; raise it or count these apart",
    ),
)


def findings(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    """Find steps in which failed replies crowd: an outage that comes and goes."""
    replies, failed = evidence.numbers("replies"), evidence.numbers("outage_replies")
    use = np.flatnonzero((replies > 0) & np.isfinite(evidence.step))
    steps, codes = np.unique(evidence.step[use], return_inverse=True)
    if len(steps) <= checks.MIN_STEPS:
        return
    share = np.bincount(codes, failed[use] > 0) / np.bincount(codes)
    usual = float(np.median(share))
    bad = share > usual + checks.MANY
    if not bad.any() or bad.mean() > checks.HALF:
        return
    rows = use[bad[codes] & (failed[use] > 0)]
    message = (
        f"in {bad.sum()} of {len(steps)} steps {share[bad].mean():.0%} of attempts meet failed replies, in others "
        f"{usual:.0%}: the tool was out; drop these steps and watch its health"
    )
    numbers = {"steps": int(bad.sum()), "there": float(share[bad].mean()), "usual": usual}
    yield evidence.finding("tool_outage", "critical", message, numbers, rows)
