"""A baseline with an audit: the first rollout corrects the recipe before anything is trained, or it stays as it is."""

from pathlib import Path

import pytest

from evotrainer.actions import action_classifier
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import load_config
from evotrainer.evidence.store import write_rows
from evotrainer.records import Backtest, Proposal
from tests.audited_rows import attempts, audit_file, long_pays
from tests.invariant.test_backtests_stages import make_campaign, run, start


def planned(root: Path, policy: Path, problems, lineage, pays, levers: str) -> tuple[CampaignFiles, Proposal, Backtest]:
    """Return a campaign whose baseline is proposed and backtested on attempts that `pays` was paid for."""
    settings = {"harness.levers": levers, "domain.audit_path": "audit.jsonl", "sampling.max_response_tokens": 64}
    files = make_campaign(root / "campaign", policy, problems, **settings)
    start(files, "v001", "baseline", lineage[:1])
    rows = [row.model_copy(update={"version": "v001"}) for row in attempts(pays)]
    audit_file(files.root, rows)
    write_rows(files.version("v001").rollout, 0, rows, [], action_classifier({}))
    return files, *run(files, "v001")


def test_a_baseline_trains_the_recipe_less_what_it_pays_wrongly(tmp_path, digit_policy, digit_problems, lineage):
    files, proposal, backtest = planned(tmp_path, digit_policy, digit_problems, lineage, long_pays, "audited")
    assert proposal.choice is not None and list(proposal.choice.diff) == ["reward.correction"]
    assert proposal.choice.success == [] and proposal.choice.limits == []
    assert backtest.accepted and backtest.intervention_id == proposal.chosen
    recipe = load_config(files.version("v001").config)
    assert recipe.reward.correction and (files.version("v001").code / "").is_dir()


@pytest.mark.parametrize(("pays", "levers"), [(lambda text: 0.0, "audited"), (long_pays, "none")])
def test_it_stays_as_it_is_where_nothing_is_found_or_nobody_may_propose(
    tmp_path, digit_policy, digit_problems, lineage, pays, levers
):
    files, proposal, backtest = planned(tmp_path, digit_policy, digit_problems, lineage, pays, levers)
    assert proposal.chosen is None and backtest.accepted
    assert load_config(files.version("v001").config).reward.correction == ""
    assert [line.startswith("lever:correction abstains") for line in proposal.refused] == [True] * (levers == "audited")
