"""What a row of the memory says: when a change paid, which cases count once, what a version scored and cost."""

import pytest

from evotrainer.campaign.memory import Memory, remember, track_record
from evotrainer.records import AccessPolicy, Case
from tests.evolving_campaign import record


def case(outcome="promoted", difference=0.02, change="learning-rate-up", factor="learning_rate") -> Case:
    return Case(
        campaign="c",
        version="v002",
        domain="swe",
        findings=[],
        metrics={},
        factor=factor,
        change=change,
        outcome=outcome,
        difference=difference,
    )


@pytest.mark.parametrize(
    ("outcome", "difference", "has_paid"),
    [
        ("promoted", 0.02, True),
        ("kept", 0.02, True),
        ("kept", -0.02, False),
        ("rejected", 0.02, False),
        ("invalid", 0.02, False),
    ],
)
def test_a_change_paid_where_it_gained_and_was_not_refused(outcome, difference, has_paid):
    won, lost = track_record([(case(outcome, difference), 1.0)], "learning_rate")
    assert (won, lost) == ((1.0, 0.0) if has_paid else (0.0, 1.0))


def test_the_same_change_counts_once_as_the_most_alike_and_another_change_counts_too():
    again = [(case(), 1.0), (case(), 0.5)]
    assert track_record(again, "learning_rate") == track_record(again[::-1], "learning_rate") == (1.0, 0.0)
    assert track_record([*again, (case(change="learning-rate-down"), 0.5)], "learning_rate") == (1.5, 0.0)


def test_a_merge_is_a_case_of_each_of_its_factors():
    merged = [(case(factor="kl+learning_rate"), 1.0)]
    assert track_record(merged, "kl") == track_record(merged, "learning_rate") == (1.0, 0.0)


def test_the_ledger_holds_honest_scores_and_tokens_alone():
    made = record(
        "v002",
        "good",
        rescored=0.3,
        rescored_under=AccessPolicy(),
        cost={"rollout_tokens": 5.0, "train_tokens": 7.0, "seconds": 100.0},
    )
    (row,) = remember(Memory(), "c", "swe", [made], {}).ledger
    assert (row.score, row.tokens) == (0.3, 12.0) and made.verdict.score != 0.3
