"""From an audit's file to a proposal and its backtest, or to one line that says why there is none."""

from pathlib import Path

import pytest

from evotrainer.agents import ProposalContext
from evotrainer.algorithm.code import RecipeCode
from evotrainer.backtests.replay import replay
from evotrainer.config import Config, HarnessConfig
from evotrainer.config.interventions import apply
from evotrainer.levers.audit import audit_rows
from evotrainer.records import HarnessReport, Intervention, Trajectory
from evotrainer.search.base import is_first
from tasks.propose.levers import AUTHOR, Levers, pull_levers
from tests.audited_rows import attempts, audit_file, long_pays
from tests.evolving_campaign import record

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
