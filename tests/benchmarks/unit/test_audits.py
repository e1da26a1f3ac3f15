"""Audits by size: what is found is judged on attempts that the audit did not see."""

from benchmarks.worlds.audits import BaseAttempts, audits_report, found_by
from conf.compose import compose_campaign
from evotrainer.levers.audit import Audit
from tests.audited_rows import attempts, long_pays

CAMPAIGN = compose_campaign(["domain=math"])


def audit(pays, seed: int) -> Audit:
    """Return attempts and what is true of them."""
    rows = attempts(pays, seed=seed)
    answers = [str(sum(map(int, row.messages[0].content.removesuffix("=?").split("+")))) for row in rows]
    truth = [float(f"<answer>{a}</answer>" in row.messages[1].content) for row, a in zip(rows, answers, strict=True)]
    return Audit(tuple(rows), tuple(truth))


def test_a_correction_raises_agreement_on_other_attempts():
    made = BaseAttempts(audit(long_pays, 1), audit(long_pays, 2), CAMPAIGN)
    few, many = (found_by("math-lottery", 1, made, size) for size in (32, 256))
    assert not few.is_found and few.after == few.before and few.reason
    assert many.is_found and many.after > many.before + 0.05
    table = audits_report([few, many])
    assert "| math-lottery | 32 | 0 of 1 |" in table and "| math-lottery | 256 | 1 of 1 |" in table


def test_an_honest_grader_is_left_alone():
    made = BaseAttempts(audit(lambda text: 0.0, 1), audit(lambda text: 0.0, 2), CAMPAIGN)
    found = found_by("math-honest", 1, made, 256)
    assert (found.is_found, found.false_passes, found.before) == (False, 0, found.after)
