"""What is read first: the worst, and of equally bad findings causes before effects."""

from evotrainer.diagnosis.judgement import CAUSES_FIRST, in_order
from evotrainer.records import Finding


def _finding(mode: str, severity: str) -> Finding:
    return Finding(mode=mode, severity=severity, diagnostic=mode, version="v002", message="m")


def test_of_equally_bad_findings_causes_come_before_effects():
    given = [("warning", "action_collapse"), ("warning", "tool_failures"), ("critical", "truncation")]
    findings = [_finding(mode, severity) for severity, mode in given]
    assert [one.mode for one in in_order(findings, CAUSES_FIRST)] == ["truncation", "tool_failures", "action_collapse"]
    assert [one.mode for one in in_order(findings)] == ["truncation", "action_collapse", "tool_failures"]
