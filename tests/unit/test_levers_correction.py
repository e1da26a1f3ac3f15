"""What an owner's reward pays beyond the truth: found where it is there, and left alone where a guard fails."""

import random

import numpy as np
import pytest

from evotrainer.algorithm.code import RecipeCode
from evotrainer.algorithm.code.rows import rewarded_row
from evotrainer.algorithm.code.worker import run_code
from evotrainer.config import RewardConfig
from evotrainer.config.code import check_source, key_of, reference
from evotrainer.diagnosis import stats
from evotrainer.levers.audit import Audit
from evotrainer.levers.correction import KEY, Correction, find_correction, read_terms, write_correction
from evotrainer.levers.feature_selection import Column, feature_table, learn_linear, table_of, within
from evotrainer.levers.row_features import features
from tests.audited_rows import attempts, long_pays


def audit_of(rows) -> Audit:
    """Return the audit that a person would write: an attempt is true where its answer is."""
    truth = []
    for row in rows:
        left, right = row.messages[0].content.removesuffix("=?").split("+")
        truth.append(float(f"<answer>{int(left) + int(right)}</answer>" in row.messages[1].content))
    return Audit(tuple(rows), tuple(truth))


@pytest.fixture(scope="module")
def found() -> Correction:
    searched = find_correction(audit_of(attempts(long_pays)), 1.0, 3)
    assert searched.correction is not None, searched.reason
    return searched.correction


def test_a_pass_fail_reward_is_gated_by_what_its_false_passes_share(found):
    assert found.kind == "gate"
    assert found.numbers["low"] > found.numbers["null"]
    assert found.numbers["truth_after"] > found.numbers["truth_before"] + 0.05
    steps = {
        name: np.array([features(rewarded_row(row)).get(name, 0.0) for row in attempts(long_pays, seed=9)])
        for name in [*found.features, "num:;"]
    }
    assert abs(np.corrcoef(steps[found.features[0]], steps["num:;"])[0, 1]) > 0.8


def test_what_wrong_attempts_are_paid_for_is_read_off_the_wrong_ones():
    """Of 8 attempts at a problem 5 are right and as long as the wrong ones: among the paid, little tells them apart."""
    audit = audit_of(attempts(long_pays, solve_rate=0.6, problems=24))
    correction = find_correction(audit, 1.0, 3).correction
    assert correction is not None
    first, weight = correction.terms[0]
    paid = [row for row, true in zip(audit.rows, audit.truth, strict=True) if row.reward and not true]
    values = [first.value(features(rewarded_row(row))) for row in paid]
    assert weight < 0 and min(values) == max(values)


def test_its_text_pays_new_attempts_by_the_same_numbers(found):
    text, rows = write_correction(found), attempts(long_pays, seed=5, problems=4)
    check_source(KEY, text)
    assert key_of(text) == KEY
    assert [column for column, _ in read_terms(text)] == [column for column, _ in found.terms]
    paid = RecipeCode({reference(text): text}).rewarded(rows, RewardConfig(correction=reference(text)))
    scores = [
        found.intercept + sum(w * column.value(features(rewarded_row(row))) for column, w in found.terms)
        for row in rows
    ]
    for row, new, score in zip(rows, paid, scores, strict=True):
        assert new.reward == pytest.approx((row.reward or 0.0) / (1 + np.exp(-score)), abs=1e-4)
        assert new.reward_terms["correction"] == pytest.approx((new.reward or 0.0) - (row.reward or 0.0))
    assert run_code(KEY, reference(text), text, [rewarded_row(row) for row in rows]).values == [
        row.reward_terms["correction"] for row in paid
    ]


def test_a_reward_that_pays_the_truth_alone_is_left_alone():
    searched = find_correction(audit_of(attempts(lambda text: 0.0)), 1.0, 3)
    assert searched.correction is None and searched.reason.startswith("nothing to correct")


def test_false_passes_that_follow_no_feature_are_left_alone():
    draws = random.Random(4)
    searched = find_correction(audit_of(attempts(lambda text: float(draws.random() < 0.3))), 1.0, 3)
    assert searched.correction is None and "audit more rows" in searched.reason


def test_too_few_problems_give_no_correction():
    searched = find_correction(audit_of(attempts(long_pays, problems=6)), 1.0, 3)
    assert searched.correction is None and searched.reason.startswith("too few")


def test_a_reward_of_several_values_loses_what_it_pays_for_length():
    rows = [
        row.model_copy(update={"reward": (row.reward or 0.0) + 0.15 * row.num_tokens})
        for row in attempts(lambda text: 0.0)
    ]
    correction = find_correction(audit_of(rows), 1.0, 3).correction
    assert correction is not None and correction.kind == "subtract"
    assert correction.numbers["agreement"] > 0.95
    assert all(name.startswith(("length:", "num:", "repeat:", "has:", "pair:")) for name in correction.features)


def test_a_column_needs_support_at_several_problems():
    shown = [{"rare": float(place < 8), "usual": float(place % 2)} for place in range(64)]
    table = table_of(shown, np.arange(64) // 8)
    assert table.columns == (Column("usual"),)


def test_a_permutation_stays_within_problems():
    problems, target = np.repeat(np.arange(8), 8), np.random.default_rng(0).random(64)
    (shuffled,) = stats.shuffles(target, problems, 1, 1)
    assert not np.array_equal(shuffled, target)
    for one in range(8):
        assert sorted(shuffled[problems == one]) == sorted(target[problems == one])


def test_what_differs_between_problems_alone_is_no_behaviour():
    rows = attempts(long_pays)
    table = feature_table(rows, np.unique([row.problem_id for row in rows], return_inverse=True)[1])
    difficulty = np.array(
        [float(row.problem_id) if row.problem_id.isdigit() else len(row.messages[0].content) for row in rows]
    )
    assert learn_linear(table, difficulty + table.problems).chosen == ()
    assert np.allclose(within(difficulty, table.problems), 0)
