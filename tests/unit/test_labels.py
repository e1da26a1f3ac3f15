"""Labels follow honest scores alone."""

import pytest

from evotrainer.campaign.labels import honest_difference, is_healthy, labels_of
from evotrainer.domains.swe.domain import SANITIZED_HISTORY
from evotrainer.records import Access, Finding, Verdict, VersionRecord
from tests.evaluations import claim
from tests.evolving_campaign import changed, comparison, labelled_campaign, record, verdict

UNDER = {"rescored_under": SANITIZED_HISTORY}


def _invalid(mode: str) -> Finding:
    return Finding(mode=mode, severity="invalid", diagnostic=mode, version="v002", message="m")


def _worse_than(version: str) -> Verdict:
    """Return a verdict of worse than another version beyond chance, and better than the base policy by chance."""
    found = [comparison(version, -0.05), comparison("v000", 0.15, width=0.3)]
    return verdict("v003", "bad", version).model_copy(update={"comparisons": found})


def _gated(made: VersionRecord, estimate: float, against: str = "v001") -> VersionRecord:
    """Return a record whose gate drew fresh rows against its incumbent."""
    low, high = estimate - 0.04, estimate + 0.04
    gate = claim("harmful", against=against, estimate=estimate, low=low, high=high, noise_floor=0.01)
    return changed(made, verdict={"gate": gate})


def test_fresh_rows_say_how_a_version_compares_with_its_incumbent_and_screening_does_not():
    lucky = record("v002", "good")
    assert labels_of([*labelled_campaign(), lucky])["v002"] == "good"
    assert labels_of([*labelled_campaign(), _gated(lucky, -0.06)])["v002"] == "bad"
    assert labels_of([*labelled_campaign(), _gated(lucky, -0.06, against="v000")])["v002"] == "bad"
    assert labels_of([*labelled_campaign(), _gated(lucky, 0.06)])["v002"] == "good"
    assert labels_of([*labelled_campaign(), _gated(lucky, 0.01)])["v002"] == "good", "screening decides here"


def test_a_difference_beyond_its_interval_labels_and_one_within_does_not():
    def label(width: float) -> str:
        compared = [comparison("v001", -0.05, width), comparison("v000", 0.15, width)]
        made = verdict("v002", "bad").model_copy(update={"comparisons": compared})
        return labels_of([*labelled_campaign(), record("v002", "bad", verdict=made)])["v002"]

    assert (label(0.049), label(0.051)) == ("bad", "good")


def test_one_that_scored_less_while_nothing_was_decided_is_not_healthy():
    def kept(*differences: float) -> VersionRecord:
        found = [comparison(name, one, width=0.3) for name, one in zip(("v001", "v000"), differences, strict=True)]
        return record("v002", "", verdict=verdict("v002", "").model_copy(update={"comparisons": found}))

    assert is_healthy(kept(0.01, 0.02), "") and not is_healthy(kept(-0.04, 0.02), "")
    assert not is_healthy(_gated(kept(0.01, 0.02), -0.01), "")


def test_labels_follow_honest_scores_alone():
    records = labelled_campaign("good", "bad", "")
    assert labels_of(records) == {"v000": "", "v001": "good", "v002": "good", "v003": "bad", "v004": ""}
    assert labels_of([*records[:2], record("v002", "good", outcome="inconclusive")])["v002"] == ""


@pytest.mark.parametrize("outcome", ["invalid", "inconclusive", "promoted", "kept"])
@pytest.mark.parametrize("modes", [["history_leak"], ["test_tampering"], ["history_leak", "test_tampering"]])
def test_a_score_that_is_not_to_be_believed_labels_nothing_whatever_the_verdict(modes, outcome):
    doubted = record("v002", "good", outcome=outcome, findings=[_invalid(mode) for mode in modes])
    assert labels_of([*labelled_campaign(), doubted])["v002"] == "" and not is_healthy(doubted, "")
    assert labels_of([*labelled_campaign(), record("v002", "bad", findings=doubted.findings)])["v002"] == ""
    following = record("v003", "bad", incumbent="v002").model_copy(update={"verdict": _worse_than("v002")})
    assert labels_of([*labelled_campaign(), doubted, following])["v003"] == ""


def test_a_score_on_sanitised_histories_answers_a_leak_and_nothing_else():
    leak, tampering = _invalid("history_leak"), _invalid("test_tampering")
    base, first = (one.model_copy(update={"rescored": one.verdict.score, **UNDER}) for one in labelled_campaign())

    def label(corrected: float, *findings: Finding) -> str:
        found = verdict("v002", "good", outcome="invalid").model_copy(update={"leak_free_score": corrected, **UNDER})
        return labels_of([base, first, record("v002", "good", verdict=found, findings=list(findings))])["v002"]

    assert (label(0.61, leak), label(0.3, leak)) == ("good", "bad")
    assert label(0.61, leak, tampering) == label(0.3, leak, tampering) == ""


def _rescored(made: VersionRecord, by: float) -> VersionRecord:
    """Return a record as a later leak leaves its peers: scored again on sanitised histories, lower by `by`."""
    assert made.verdict.score is not None
    return made.model_copy(update={"rescored": made.verdict.score - by, **UNDER})


def test_a_leak_elsewhere_that_rescores_peers_changes_no_label_of_those_evaluated_before():
    base, first, good, bad, neither = labelled_campaign("good", "bad", "")
    plain = labels_of([base, first, good, bad, neither])
    peers = [_rescored(base, 0.15), _rescored(first, 0.15)]
    assert labels_of([*peers, good, bad, neither]) == plain
    assert labels_of([*peers, _rescored(good, 0.15), _rescored(bad, 0.15), _rescored(neither, 0.15)]) == plain
    assert labels_of([base, first, _rescored(good, 0.15), _rescored(bad, 0.15), _rescored(neither, 0.15)]) == plain


def test_a_difference_to_a_score_with_a_leak_is_none_where_the_other_side_was_not_scored_again():
    base, first, good, bad = labelled_campaign("good", "bad")
    leaked = _rescored(first, 0.15).model_copy(update={"findings": [_invalid("history_leak")]})
    labels = labels_of([_rescored(base, 0.0), leaked, good, bad])
    assert (labels["v002"], labels["v003"]) == ("", "")
    below_base = record("v004", "", verdict=_worse_than("v000"))
    assert labels_of([base, leaked, below_base])["v004"] == "bad"
    assert honest_difference(bad, "v001", {"v001": leaked}) is None
    corrected = honest_difference(_rescored(bad, 0.15), "v001", {"v001": leaked})
    assert corrected is not None and corrected[0] == pytest.approx(-0.05)


def test_a_version_on_sanitised_histories_is_compared_as_its_verdict_compared_it():
    base, first = labelled_campaign()
    peers = [_rescored(base, 0.15), _rescored(first, 0.3)]
    compared = [comparison("v001", 0.1), comparison("v000", 0.15)]
    made = changed(record("v004", "good"), verdict={"score": 0.4, "comparisons": compared})
    access = {"access": Access(policy=SANITIZED_HISTORY, rows_in={"v000": "v003", "v001": "v003"})}
    clean = changed(made, access)
    assert labels_of([*peers, clean])["v004"] == "good"
    after = changed(record("v005", "bad", incumbent="v004"), access)
    assert labels_of([*peers, clean, after])["v005"] == "bad"
    leaked = first.model_copy(update={"findings": [_invalid("history_leak"), _invalid("test_tampering")]})
    assert honest_difference(clean, "v001", {"v001": _rescored(leaked, 0.3)}) is None


def test_healthy_is_what_nothing_is_known_against():
    good, open_ = record("v002", "good"), record("v002", "")
    assert is_healthy(good, "good") and is_healthy(open_, "")
    assert not is_healthy(record("v002", "bad"), "bad")
    assert not is_healthy(record("v002", "", outcome="rejected"), "")
    leak = {"findings": [_invalid("history_leak")]}
    assert not any(is_healthy(one.model_copy(update=leak), label) for one, label in ((good, "good"), (open_, "")))
