"""Real campaigns of a domain under two searches: equal budget, shared work, scores of the sealed split."""

from pathlib import Path

import pytest

from benchmarks.coevolution.bench import RUN
from benchmarks.search.domains import DomainPlan, run_domain
from benchmarks.search.measure import SearchRun
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.errors import LineageError
from evotrainer.records import Problem
from tests.benchmarks.integration.test_coevolution import SMALL, _write_problems

ROOT = Path(__file__).resolve().parents[3]
ARMS = ("hillclimb", "gear_fixed")


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory, digit_policy: Path, digit_problems: list[Problem]) -> DomainPlan:
    root = tmp_path_factory.mktemp("searches")
    data = _write_problems(root / "digits", digit_problems)
    own = (*SMALL, f"policy.path={digit_policy}", f"domain.data_path={data}")
    return DomainPlan(root / "out", "math", ARMS, (3,), "rules", 2, own)


@pytest.fixture(scope="module")
def runs(plan: DomainPlan) -> list[SearchRun]:
    return list(run_domain(ROOT, plan))


def test_every_search_has_the_same_budget_and_its_own_campaign(plan, runs):
    assert [(run.arm, run.seed) for run in runs] == [(arm, 3) for arm in ARMS]
    for run in runs:
        records = read_records(CampaignFiles(plan.out / run.arm / "seed-3"))
        assert run.num_trained == 2 == len(run.curve)
        assert run.num_trained + run.untrained == len(records) - 1
        assert run.area == pytest.approx(sum(run.curve) / 2)
        assert run.curve[-1] == pytest.approx(run.best) and 0 <= run.best <= 1
        assert run.false <= run.num_promoted and run.cpu_seconds > 0


def test_fresh_attempts_are_charged_to_the_gate_that_asked_for_them(runs):
    hillclimb, gear = runs
    assert hillclimb.evaluations == 2
    assert gear.evaluations >= 2


def test_what_is_finished_is_read_and_other_code_is_refused(plan, runs):
    path = plan.out / "hillclimb" / "seed-3" / RUN
    before = path.stat().st_mtime_ns
    assert list(run_domain(ROOT, plan)) == runs and path.stat().st_mtime_ns == before
    (plan.out / "foundation" / "code.txt").write_text("other\n")
    with pytest.raises(LineageError, match="other code"):
        next(run_domain(ROOT, plan))
