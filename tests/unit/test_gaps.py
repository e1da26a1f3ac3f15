"""Gaps: what evidence and verdict leave unexplained, and what they do not."""

from evotrainer.config import Config
from evotrainer.diagnosis.evolved.gaps import version_gaps
from evotrainer.records import Condition, Finding, HarnessReport, Intervention, Prediction, Verdict
from tests.campaign_writer import make_intervention
from tests.plain_records import compared, plain_verdict


def _report(*findings: Finding, **metrics: float) -> HarnessReport:
    return HarnessReport(version="v003", harness_version="h", findings=list(findings), metrics=metrics)


def _finding(mode: str, severity: str = "warning", **numbers: float) -> Finding:
    return Finding(mode=mode, severity=severity, diagnostic=mode, version="v003", message="m", numbers=numbers)


def _verdict(low: float, high: float, outcome: str = "kept", **values) -> Verdict:
    against = compared("v001", (low + high) / 2, low, high, score=0.5, other_score=0.4)
    return plain_verdict("v003", outcome, comparisons=[against], **values)


def _intervention(size: float = 0.1, limit: float = 0.3) -> Intervention:
    made = make_intervention(
        Config(),
        {"algorithm.learning_rate": 2e-4},
        "dead_group_ratio",
        size,
        limits=[Condition(metric="truncation_rate", operator="<=", value=limit)],
    )
    said = Prediction(
        metric="dead_group_ratio",
        direction="up" if size > 0 else "down",
        size=size,
        low=min(size, 0.0),
        high=max(size, 0.0),
        probability=0.6,
    )
    return made.model_copy(update={"prediction": said, "evidence": ["dead_groups", "rule:no_spread"]})


def test_a_fall_that_nothing_explains_is_a_gap_and_one_with_a_new_finding_is_none():
    fall = _verdict(-0.2, -0.05)
    (gap,) = version_gaps(_report(), fall, _intervention(), [])
    assert (gap.version, gap.numbers) == ("v003", {"difference": -0.125, "low": -0.2, "high": -0.05})
    assert not version_gaps(_report(_finding("truncation")), fall, _intervention(), [])
    assert version_gaps(_report(_finding("truncation")), fall, _intervention(), [_finding("truncation")])
    assert version_gaps(_report(_finding("truncation", "info")), fall, _intervention(), [])
    assert not version_gaps(_report(truncation_rate=0.5), fall, _intervention(), [])
    still = {"negative_controls": [Condition(metric="kl", operator="<=", value=0.1)]}
    promised = _intervention().model_copy(update=still)
    assert not version_gaps(_report(kl=0.2), fall, promised, []) and version_gaps(_report(kl=0.1), fall, promised, [])


def test_a_rise_is_explained_by_its_hypothesis_or_by_a_finding_that_is_gone():
    rise = _verdict(0.05, 0.2, prediction_hit=False, prediction_observed=-0.05)
    assert version_gaps(_report(), rise, _intervention(), [])
    hit = _verdict(0.05, 0.2, prediction_hit=True, prediction_observed=0.05)
    assert not version_gaps(_report(), hit, _intervention(), [])
    assert not version_gaps(_report(), rise, _intervention(), [_finding("truncation")])
    assert not version_gaps(_report(), _verdict(0.05, 0.2), None, [])


def test_what_moved_within_chance_or_is_not_to_be_believed_leaves_no_gap():
    fall = _verdict(-0.2, -0.1)
    assert version_gaps(_report(), fall, _intervention(), [])
    for low, high in ((-0.1, 0.1), (-0.2, 0.05), (-0.05, 0.2)):
        assert not version_gaps(_report(), _verdict(low, high), _intervention(), [])
    leak = _finding("history_leak", "invalid")
    assert not version_gaps(_report(leak), fall, _intervention(), [leak])
    lost = _verdict(-0.2, -0.1, outcome="inconclusive", label="lost_attempts")
    assert not version_gaps(_report(), lost, _intervention(), [])


def test_a_finding_that_only_says_that_the_score_fell_explains_no_fall_and_no_rise():
    fall, decline = _verdict(-0.2, -0.1), _finding("score_decline")
    assert version_gaps(_report(decline), fall, _intervention(), [])
    assert not version_gaps(_report(decline, _finding("echo_trap")), fall, _intervention(), [])
    rise = _verdict(0.05, 0.2, prediction_hit=False, prediction_observed=-0.05)
    assert version_gaps(_report(), rise, _intervention(), [decline])


def test_what_is_not_about_the_policy_or_failed_itself_explains_no_fall():
    fall = _verdict(-0.2, -0.1)
    for mode, diagnostic in (
        ("optimism", "trainer_audit"),
        ("contamination", "problem_files"),
        ("plugin_failure", "length"),
    ):
        found = _finding(mode).model_copy(update={"diagnostic": diagnostic})
        assert version_gaps(_report(found), fall, _intervention(), [])
