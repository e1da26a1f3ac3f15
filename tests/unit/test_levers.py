"""What an owner's reward pays beyond the truth: found where it is there, and left alone where a guard fails."""

import random
from pathlib import Path

import numpy as np
import pytest

from evotrainer.agents import ProposalContext
from evotrainer.algorithm.code import RecipeCode
from evotrainer.algorithm.code.rows import rewarded_row
from evotrainer.algorithm.code.worker import run_code
from evotrainer.backtests.replay import replay
from evotrainer.campaign.leak_response import stricter_access
from evotrainer.config import Config, HarnessConfig, RewardConfig
from evotrainer.config.code import check_source, key_of, reference
from evotrainer.config.interventions import apply
from evotrainer.diagnosis import stats
from evotrainer.domains import find_domain
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.levers.ablation import DEPENDENT, Pair, dependence
from evotrainer.levers.audit import Audit, audit_rows
from evotrainer.levers.correction import KEY, Correction, find_correction, read_terms, write_correction
from evotrainer.levers.feature_selection import Column, feature_table, learn_linear, table_of, within
from evotrainer.levers.row_features import features
from evotrainer.records import AccessPolicy, HarnessReport, Intervention, Trajectory
from evotrainer.search.base import is_first
from tasks.propose.pool import AUTHOR, Levers, pull_levers
from tests.audited_rows import attempts, audit_file, long_pays
from tests.evolving_campaign import record


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
    assert run_code(KEY, reference(text), text, [rewarded_row(row) for row in rows]) == [
        row.reward_terms["correction"] for row in paid
    ]


def test_false_passes_that_follow_no_feature_are_left_alone():
    draws = random.Random(4)
    searched = find_correction(audit_of(attempts(lambda text: float(draws.random() < 0.3))), 1.0, 3)
    assert searched.correction is None and "audit more rows" in searched.reason


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


ROWS = attempts(long_pays)


def campaign(**levers: object) -> Config:
    """Return a campaign whose audit is the file audit.jsonl."""
    config = Config(harness=HarnessConfig(levers=str(levers.pop("levers", "audited"))))
    config.domain.audit_path = str(levers.pop("audit_path", "audit.jsonl"))
    return config


def pulled(
    root: Path, config: Config, rows: list[Trajectory] = ROWS, recipe: Config | None = None, records=(), trained=()
) -> Levers:
    report = HarnessReport(version="v002", harness_version="h")
    context = ProposalContext(recipe or config, "v001", 2, report, list(records))
    return pull_levers(root, config, context, rows, list(records), trained)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audited")
    audit_file(folder, ROWS)
    return folder


@pytest.fixture(scope="module")
def proposed(root: Path) -> Intervention:
    return pulled(root, campaign()).proposals[0]


def closed(proposed: Intervention) -> list:
    return [record("v000", ""), record("v001", ""), record("v002", "", intervention=proposed)]


def with_correction(proposed: Intervention) -> Config:
    return apply(campaign(), proposed.diff)


def test_an_audit_grades_whole_groups_of_train_problems_up_to_its_limit(root):
    config = campaign()
    config.budget.audit_rows = 70
    audit = audit_rows(root, config, ROWS)
    assert len(audit.rows) == 64 and len({row.group_id for row in audit.rows}) == 8
    assert [row for row in ROWS if row in audit.rows] == list(audit.rows)
    false_passes = [row for row in audit.rows if row.correct and long_pays(row.messages[1].content)]
    assert 0 < sum(not row.correct for row in audit.corrected if row.reward) <= len(false_passes)


def test_what_is_found_is_proposed_first_and_pays_the_truth_more(root, proposed):
    assert proposed.author == AUTHOR and proposed.factor == "code_correction" and is_first(proposed)
    true = audit_rows(root, campaign(), ROWS).corrected
    before = replay(true, campaign())
    after = replay(true, with_correction(proposed), RecipeCode(proposed.files))
    assert after.quality > 1.05 * before.quality


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (campaign(audit_path="missing.jsonl"), "missing.jsonl has no missing.jsonl"),
        (campaign(levers="none"), None),
        (campaign(audit_path=""), None),
    ],
)
def test_without_an_audit_there_is_at_most_one_line(root, config, said):
    levers = pulled(root, config)
    assert levers.proposals == ()
    assert len(levers.notes) == (said is not None)
    if said:
        assert levers.notes[0].startswith(f"{AUTHOR}: no audit") and str(said) in levers.notes[0]


def test_an_audit_of_other_problems_says_so(root):
    (root / "other.jsonl").write_text('{"id": "x", "problem": "1+1=?", "answer": "2"}\n')
    assert "names none of the 256 attempts' problems" in pulled(root, campaign(audit_path="other.jsonl")).notes[0]


def test_training_attempts_of_closed_versions_are_audited_as_well(root):
    few = [row for row in ROWS if row.problem_id < "sum-06"]
    assert "too few" in pulled(root, campaign(), few).notes[0]
    trained = attempts(long_pays, seed=4, step=3)
    (made,) = pulled(root, campaign(), few, trained=trained).proposals
    assert f"{len(few) + 256} audited attempts" in made.hypothesis


def test_an_honest_reward_is_left_alone_with_a_line(root):
    levers = pulled(root, campaign(), attempts(lambda text: 0.0))
    assert levers.proposals == () and "abstains: nothing to correct" in levers.notes[0]


def test_beside_a_correction_in_force_no_other_is_searched(root, proposed):
    assert pulled(root, campaign(), recipe=with_correction(proposed), records=closed(proposed)) == Levers()


def test_the_same_features_are_not_corrected_for_twice(root, proposed):
    levers = pulled(root, campaign(), records=closed(proposed))
    assert levers.proposals == () and levers.notes[0].endswith("was corrected for in v002 already")


STRICT = AccessPolicy(name="strict", strictness=1, answers=[DEPENDENT], wording="without it")
PROBLEMS, ATTEMPTS = 32, 4


def pair(rng: np.random.Generator, given: float, without: float, spread: float = 0.0) -> Pair:
    """Return attempts with and without access at these rates; problems differ in difficulty by `spread`."""
    ease = rng.normal(0, spread, PROBLEMS)

    def counts(rate: float) -> ScoreTable:
        rates = 1 / (1 + np.exp(-(np.log(rate / (1 - rate)) + ease)))
        right = rng.binomial(ATTEMPTS, rates)[:, None] > np.arange(ATTEMPTS)
        return ScoreTable(tuple(map(str, range(PROBLEMS))), right.astype(float))

    return counts(given), counts(without)


def alarms(own: tuple[float, float], base: tuple[float, float], runs: int = 400) -> float:
    rng = np.random.default_rng(5)
    found = [dependence("v001", STRICT, pair(rng, *own, 1.0), pair(rng, *base, 1.0)) for _ in range(runs)]
    return sum(map(bool, found)) / runs


def test_a_version_that_lives_on_the_access_is_found():
    assert alarms((0.93, 0.02), (0.25, 0.24)) > 0.95


@pytest.mark.parametrize(
    ("own", "base"),
    [
        ((0.25, 0.24), (0.25, 0.24)),
        ((0.70, 0.68), (0.25, 0.24)),
        ((0.60, 0.12), (0.25, 0.05)),
        ((0.05, 0.05), (0.25, 0.24)),
    ],
    ids=["nothing learned", "a skill that stays", "what all need falls alike", "a run that broke"],
)
def test_healthy_versions_raise_no_alarm_beyond_two_in_a_hundred(own, base):
    assert alarms(own, base) <= 0.02


def test_the_finding_asks_the_campaign_for_the_stricter_access():
    (found,) = dependence(
        "v001", STRICT, pair(np.random.default_rng(0), 0.93, 0.02), pair(np.random.default_rng(1), 0.25, 0.24)
    )
    assert found.severity == "invalid" and found.reads_validation
    assert found.numbers["retention"] < 0.1 < found.numbers["retention_of_base"]
    ladder = find_domain("swe").access
    assert stricter_access(ladder, ladder[0], [found]) == ladder[-1]
