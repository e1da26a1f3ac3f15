"""Every candidate of a pool trained for real: as the campaign trains a version, once, and read when finished."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.coevolution import bench
from benchmarks.regret.measured.bench import RegretPlan, run_regret
from benchmarks.regret.measured.pools import stored_pools
from benchmarks.regret.measured.records import MeasuredCampaign
from benchmarks.work_cache.store import WorkStore
from conf.compose import load_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredVersion, save_config
from evotrainer.config.interventions import apply, build
from evotrainer.records import Backtest, Intervention, Prediction, Problem, Proposal, VersionSpec
from tasks.train.stage import run as train
from tests.benchmarks.integration.test_coevolution import SMALL, _write_problems

ROOT = Path(__file__).resolve().parents[3]
RATES = (1e-3, 3e-3, 1e-2)


def _candidates(files: CampaignFiles) -> list[Intervention]:
    promise = Prediction(metric="score", direction="up", size=0.1, low=0.0, high=0.2, probability=0.5)
    words = {"author": "rules", "hypothesis": "larger steps", "success": [], "limits": [], "parents": ["v000"]}
    parent = load_campaign(files)
    return [build(parent, {"algorithm.learning_rate": rate}, prediction=promise, **words) for rate in RATES]


def _backtest(one: Intervention, accepted: bool) -> Backtest:
    return Backtest(
        intervention_id=one.intervention_id,
        family="algorithm",
        accepted=accepted,
        reason="",
        predicted_effect=0.01,
        usable_groups_before=0.5,
        usable_groups_after=0.5,
        order_violations=0.0,
        mistruncated_correct=0.0,
    )


def _write_slot(files: CampaignFiles, version: str, pool: list[Intervention], index: int, generation: int) -> None:
    stored = StoredVersion(files.version(version))
    spec = VersionSpec(
        campaign=files.root.name,
        version=version,
        generation=generation,
        slot=index,
        kind="candidate",
        parents=["v000"],
        incumbent="v000",
        campaign_seed=3,
    )
    stored.spec.write(spec)
    backtests = [_backtest(one, accepted=place < 2) for place, one in enumerate(pool)]
    chosen = pool[index].intervention_id
    stored.proposal.write(
        Proposal(version=version, pool=pool, backtests=backtests, chosen=chosen, agent="rules", refused=[])
    )
    stored.backtest.write(backtests[index])
    save_config(stored.files.config, apply(load_campaign(files), pool[index].diff))


def _campaign(files: CampaignFiles, store: WorkStore) -> None:
    """Stand in for a campaign: two slots of one generation, the first of which is trained by its stage."""
    pool = _candidates(files)
    _write_slot(files, "v001", pool, 0, generation=1)
    _write_slot(files, "v002", pool, 1, generation=1)
    train(files, "v001")


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory, digit_policy: Path, digit_problems: list[Problem]) -> RegretPlan:
    root = tmp_path_factory.mktemp("regret")
    data = _write_problems(root / "digits", digit_problems)
    return RegretPlan(
        root / "out", "math", (3,), 2, (*SMALL, f"policy.path={digit_policy}", f"domain.data_path={data}")
    )


@pytest.fixture(scope="module")
def measured(plan: RegretPlan) -> Callable[[], list[MeasuredCampaign]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "run_campaign", _campaign)
        list(run_regret(ROOT, plan))
    return lambda: list(run_regret(ROOT, plan))


def _files(plan: RegretPlan) -> CampaignFiles:
    return CampaignFiles(plan.out / "seed-3")


def test_every_candidate_is_trained_a_refused_one_too_and_all_are_scored_alike(plan, measured):
    ((pool,),) = [one.pools for one in measured()]
    assert (pool.version, pool.incumbent, pool.seed) == ("v001", "v000", 3)
    assert [one.intervention.diff["algorithm.learning_rate"][1] for one in pool.candidates] == list(RATES)
    assert [one.backtest.accepted for one in pool.candidates] == [True, True, False]
    assert pool.chosen == [one.intervention.intervention_id for one in pool.candidates[:2]]
    assert len({one.policy_hash for one in pool.candidates}) == 3
    assert {len(one.scores) for one in pool.candidates} == {len(pool.incumbent_scores)} == {2}


def test_what_the_campaign_trained_is_the_same_policy_and_is_not_trained_again(plan, measured):
    files, ((pool,),) = _files(plan), [one.pools for one in measured()]
    trained = StoredVersion(files.version("v001")).training_summary.read()
    assert pool.candidates[0].policy_hash == trained.policy_hash
    lines = [json.loads(line) for line in (files.root / "measured.jsonl").read_text().splitlines()]
    assert [line["reused"] for line in lines if line["kind"] == "trainings"] == [True, False, False]


def test_a_finished_pool_is_read(plan, measured, monkeypatch):
    before = measured()
    (_files(plan).root / "run.json").unlink()
    monkeypatch.setattr(bench, "run_campaign", lambda files, store: None)
    monkeypatch.setattr("benchmarks.regret.measured.training.train", None)
    assert measured() == before


def test_slots_share_a_pool_within_a_generation_only(plan, measured, tmp_path):
    measured()
    files = CampaignFiles(tmp_path)
    shutil.copytree(_files(plan).root / "conf", tmp_path / "conf")
    pool = _candidates(files)
    for place, (version, generation) in enumerate({"v002": 2, "v003": 2, "v004": 3}.items()):
        _write_slot(files, version, pool, place, generation)
    ids = [one.intervention_id for one in pool]
    found = [(one.spec.version, list(one.chosen)) for one in stored_pools(files)]
    assert found == [("v002", ids[:2]), ("v004", ids[2:])]
