"""The gate before training: the full backtest of the chosen intervention, with a probe rollout where it needs one.

The propose stage ranked its pool on cached evidence alone. This stage judges the one choice again and adds what costs
tokens. A baseline has nothing to be judged against and passes; a version without any choice is refused. A score-only
search (search.use_backtests=false) has its backtest recorded and its candidate trained all the same. A continuation at
a lower learning rate is not replayed: one step prefers the larger rate.
"""

from evotrainer.backtests import Probe, backtest
from evotrainer.backtests.inputs import beside_incumbent, load_inputs
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.ledger import write_tokens
from evotrainer.campaign.repository import load_records
from evotrainer.config import Config, load_config
from evotrainer.engines import create_rollout_engine, policy_path
from evotrainer.records import WITHOUT_RECIPE, Backtest, Intervention, VersionSpec
from evotrainer.training import replay_steps

BASELINE = Backtest(
    intervention_id="", family="", accepted=True, reason="the campaign's own recipe: there is nothing to replay against"
)


def run(files: CampaignFiles, version: str) -> None:
    """Write backtest.json of the version."""
    own = files.version(version)
    spec, proposal = own.spec.read(), own.proposal.read()
    chosen = proposal.choice
    if chosen is not None and spec.kind == "continuation":
        result = proposal.backtests[0]
    elif chosen is not None:
        result = _backtest(files, spec, chosen)
    elif spec.kind in (*WITHOUT_RECIPE, "baseline", "continuation"):
        result = BASELINE
    else:
        result = BASELINE.model_copy(update={"accepted": False, "reason": "; ".join(proposal.refused)})
    own.backtest.write(result)
    write_tokens(own, "backtest", int(result.numbers.get("probe_tokens", 0)))


def _backtest(files: CampaignFiles, spec: VersionSpec, chosen: Intervention) -> Backtest:
    own, campaign = files.version(spec.version), load_config(files.config)
    child = load_config(own.config)
    evidence = load_inputs(files, spec, campaign, [chosen])
    change, parent = beside_incumbent(chosen, child, spec, load_records(own.lineage))
    result = backtest(change, parent, child, evidence, replay_steps, _probe(files, spec, campaign))
    if result.accepted or campaign.search.use_backtests:
        return result
    return result.model_copy(update={"accepted": True, "reason": f"not gated by search.use_backtests; {result.reason}"})


def _probe(files: CampaignFiles, spec: VersionSpec, campaign: Config) -> Probe:
    engine = create_rollout_engine(campaign, policy_path(files, campaign, spec.incumbent))
    return Probe(engine, spec.campaign, spec.version, spec.campaign_seed)
