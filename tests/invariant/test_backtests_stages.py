"""The propose and backtest stages on a small real campaign: equal inputs, equal pools; slots take different factors."""

import json
import shutil
from pathlib import Path

import pytest

from conf.compose import write_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records, write_records
from evotrainer.config import Config, config_to_dict, load_config
from evotrainer.config.interventions import apply, with_values
from evotrainer.engines import create_rollout_engine
from evotrainer.records import Backtest, HarnessReport, Proposal
from tasks import backtest as backtest_stage
from tasks import propose as propose_stage
from tasks import rollout as rollout_stage
from tests.base_policies import link_base_policy
from tests.campaign_writer import base_and_baseline, make_intervention
from tests.composed_version import compose_version
from tests.plain_records import version_spec
from tests.version_files import write_problems

SETTINGS = {
    "sampling.max_response_tokens": 8,
    "sampling.group_size": 4,
    "sampling.problems_per_step": 8,
    "budget.rollout_problems": 30,
    "budget.probe_problems": 6,
    "budget.probe_rollouts": 16,
    "engine.device": "cpu",
}
METRICS = {"dead_group_ratio": 0.4, "kl": 0.004, "clip_fraction": 0.0, "truncation_rate": 0.01, "entropy": 0.5}


def make_campaign(root: Path, policy: Path, problems, **settings) -> CampaignFiles:
    """Return a campaign whose base policy is `policy`, with problem files."""
    files = CampaignFiles(root)
    write_campaign(files, with_values(Config(), SETTINGS | settings))
    link_base_policy(files, policy)
    write_problems(files.data / "math", train=problems[:100], probe=problems[100:])
    return files


def start(files: CampaignFiles, version: str, kind: str, records, *, incumbent="v000", slot=0, parents=None) -> None:
    """Write what the flow and the diagnose stage leave behind, and the rollout."""
    own = files.version(version)
    spec = version_spec(
        version, kind, incumbent, generation=2, slot=slot, parents=parents or [incumbent], campaign_seed=0
    )  # type: ignore[arg-type]
    own.inputs.mkdir(parents=True)
    own.spec.write(spec)
    write_records(own.lineage, records)
    report = HarnessReport(version=version, harness_version="h", metrics=METRICS)
    own.findings.write(report)
    if kind != "baseline":
        rollout_stage.run(files, version)


def read(files: CampaignFiles, version: str) -> tuple[Proposal, Backtest]:
    own = files.version(version)
    return (own.proposal.read(), own.backtest.read())


def run(files: CampaignFiles, version: str) -> tuple[Proposal, Backtest]:
    propose_stage.run(files, version)
    backtest_stage.run(files, version)
    return read(files, version)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory, digit_policy, digit_problems, lineage):
    """A campaign with a baseline and the two slots of one generation."""
    files = make_campaign(tmp_path_factory.mktemp("campaign"), digit_policy, digit_problems)
    start(files, "v001", "baseline", lineage[:1])
    run(files, "v001")
    for slot, version in enumerate(("v002", "v003")):
        start(files, version, "candidate", lineage, slot=slot)
        run(files, version)
    return files


def test_a_baseline_has_no_choice_and_passes(campaign):
    proposal, backtest = read(campaign, "v001")
    assert proposal.chosen is None
    assert proposal.pool == []
    assert backtest.accepted
    expected = config_to_dict(load_config(campaign.config))
    assert config_to_dict(load_config(campaign.version("v001").config)) == expected
    assert config_to_dict(compose_version(campaign, "v001")) == expected


def test_slots_see_one_pool_and_take_different_factors(campaign):
    (one, _), (other, _) = read(campaign, "v002"), read(campaign, "v003")
    assert one.pool == other.pool
    assert one.backtests == other.backtests
    chosen = [next(p for p in one.pool if p.intervention_id == name) for name in (one.chosen, other.chosen)]
    assert chosen[0].factor != chosen[1].factor
    assert len(one.pool) == load_config(campaign.config).trainer.pool_size


def test_the_recipe_is_the_parent_with_the_diff_of_the_choice(campaign):
    parent = load_config(campaign.config)
    for version in ("v002", "v003"):
        proposal, backtest = read(campaign, version)
        chosen = next(p for p in proposal.pool if p.intervention_id == proposal.chosen)
        child = load_config(campaign.version(version).config)
        assert config_to_dict(child) == config_to_dict(apply(parent, chosen.diff))
        assert config_to_dict(child) == config_to_dict(compose_version(campaign, version))
        assert backtest.intervention_id == proposal.chosen


def test_a_second_run_writes_the_same_bytes(campaign, tmp_path):
    own = campaign.version("v002")
    paths = [own.proposal.path, own.config, own.backtest.path, campaign.intervention("v002")]
    before = [path.read_bytes() for path in paths]
    run(campaign, "v002")
    assert [path.read_bytes() for path in paths] == before
    assert str(campaign.root) not in "".join(text.decode() for text in (before[0], before[2], before[3]))


def test_a_score_only_search_sees_no_findings_and_is_not_gated(tmp_path, digit_policy, digit_problems, lineage):
    blind = {"search.name": "hillclimb", "search.use_findings": False, "search.use_backtests": False}
    files = make_campaign(tmp_path, digit_policy, digit_problems, **blind)
    start(files, "v002", "candidate", lineage)
    proposal, backtest = run(files, "v002")
    assert all(tag.startswith("rule:explore") for one in proposal.pool for tag in one.evidence)
    assert proposal.chosen == proposal.pool[0].intervention_id
    assert backtest.accepted


def two_candidates(files: CampaignFiles, writer, policy: Path, second_on: str = "v000") -> CampaignFiles:
    """Write a v002 that doubled the learning rate and has a policy, and a v003 with smaller batches."""
    writer.config = parent = load_config(files.config)
    one = make_intervention(parent, {"algorithm.learning_rate": 1.28e-4}, "score", 0.05)
    other = make_intervention(parent, {"sampling.problems_per_step": 4}, "score", 0.02)
    base_and_baseline(writer, 0.05)
    writer.add("v002", 0.4, generation=2, intervention=one, incumbent="v000")
    writer.add("v003", 0.4, generation=2, slot=1, intervention=other, incumbent=second_on)
    shutil.copytree(policy, files.version("v002").model)
    policy_hash = create_rollout_engine(parent, policy).policy_id
    summary = {"trained": True, "policy_hash": policy_hash}
    files.version("v002").training_summary.path.write_text(json.dumps(summary))
    return files


@pytest.mark.parametrize(("second_on", "rate"), [("v000", 1.28e-4), ("v002", 6.4e-5)])
def test_a_continuation_is_cooled_once_what_trained_on_at_a_raised_rate_brought_nothing(
    tmp_path, digit_policy, digit_problems, campaign_writer, second_on, rate
):
    made = make_campaign(tmp_path, digit_policy, digit_problems, init="parent")
    files = two_candidates(made, campaign_writer, digit_policy, second_on)
    start(files, "v004", "continuation", read_records(campaign_writer.files), incumbent="v002")
    proposal, backtest = run(files, "v004")
    assert load_config(files.version("v004").config).algorithm.learning_rate == rate
    assert backtest.accepted and [one.change for one in proposal.pool] == (
        ["algorithm.learning_rate 0.000128 -> 6.4e-05"] if second_on == "v002" else []
    )


@pytest.mark.parametrize("incumbent", ["v000", "v002"])
def test_a_merge_takes_the_union_and_is_judged_beside_the_incumbent(
    tmp_path, digit_policy, digit_problems, campaign_writer, incumbent
):
    files = two_candidates(make_campaign(tmp_path, digit_policy, digit_problems), campaign_writer, digit_policy)
    start(files, "v004", "merge", read_records(campaign_writer.files), parents=["v002", "v003"], incumbent=incumbent)
    proposal, backtest = run(files, "v004")
    assert proposal.pool[0].parents == ["v002", "v003"]
    recipe = load_config(files.version("v004").config)
    assert (recipe.algorithm.learning_rate, recipe.sampling.problems_per_step) == (1.28e-4, 4)
    assert backtest == proposal.backtests[0]
    assert sorted(backtest.family.split("+")) == (["algorithm", "sampling"] if incumbent == "v000" else ["sampling"])
    assert proposal.pool[0].prediction.size == pytest.approx(0.07 if incumbent == "v000" else 0.02)


def test_a_slot_without_a_candidate_is_closed_untrained(campaign, tmp_path):
    root = tmp_path / "copy"
    shutil.copytree(campaign.root, root)
    files = CampaignFiles(root)
    spec = files.version("v003").spec.read()
    files.version("v003").spec.write(spec.model_copy(update={"slot": 99}))
    propose_stage.run(files, "v003")
    backtest_stage.run(files, "v003")
    proposal, backtest = read(files, "v003")
    assert proposal.chosen is None
    assert not backtest.accepted
    assert "lawful proposals left" in backtest.reason
    recipe = load_config(files.version("v003").config)
    assert recipe == load_config(files.config) == compose_version(files, "v003")
