"""From findings and lineage to this version's recipe: a ranked pool, its backtests, one choice.

    findings.json, lineage ─► trainer agent ─► laws ─► pool ─► backtests ─► search strategy ─► choice of this slot
                                                                            └─► apply ─► config.yaml, conf/intervention/

The recipe is the parent's under the diff of the choice; the diff is written as a file of Hydra for people, too. Where
nothing lawful is left to propose, the version is written with its parent's recipe and no choice: the backtest refuses
it, and the campaign goes on to its certificate.
"""

from collections.abc import Callable
from pathlib import Path

from conf.compose import load_campaign, write_intervention, write_unchanged
from evotrainer.agents import AgentRecord
from evotrainer.backtests.inputs import all_sources
from evotrainer.campaign.gates import given_up
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.ledger import spent_dollars, write_tokens
from evotrainer.campaign.repository import save_config, write_code
from evotrainer.config import Config
from evotrainer.config.interventions import apply
from evotrainer.records import Proposal
from tasks.propose.kinds import Choice, NothingToTryError, Request, baseline, candidate, merged

KINDS: dict[str, Callable[[Request], Choice]] = {
    "warm_up": lambda asked: Choice(BASE_VERSION),
    "baseline": baseline,
    "continuation": lambda asked: Choice(asked.spec.incumbent),
    "merge": merged,
    "candidate": candidate,
}
"""{kind of a version: what finds its recipe}; a warm-up has the campaign's and does not train it, a continuation trains
its incumbent's recipe on."""
_UNCHANGED = {
    "warm_up": "worked answers teach the asked form",
    "baseline": "the campaign's recipe, unchanged, beats the base policy",
    "continuation": "the incumbent's recipe, unchanged, gains from more training",
}
"""{kind: what is claimed of a recipe that changes nothing}."""


def run(files: CampaignFiles, version: str) -> None:
    """Write proposal.json, agent.jsonl, the diff in conf/intervention/, config.yaml and code/ of the version."""
    own, campaign = files.version(version), load_campaign(files)

    def note(record: AgentRecord) -> None:  # what was answered is paid for, whatever comes of it
        write_tokens(own, "propose", record.tokens, **record.costs)

    price = campaign.budget.total.accelerator_price
    source = _source(files, campaign, version)
    with AgentRecord(own.agent_answers, lambda: spent_dollars(files, own, price), note, source) as record:
        note(record)
        asked = Request(files, own.spec.read(), campaign, record)
        try:
            if reason := given_up(own):
                raise NothingToTryError(reason)
            choice = KINDS[asked.spec.kind](asked)
        except NothingToTryError as none:
            choice = Choice(asked.spec.incumbent, none.pool, reason=str(none))
        _write(asked, choice)


def _source(files: CampaignFiles, campaign: Config, version: str) -> Path | None:
    """Return the record of the version in the campaign that is replayed."""
    replayed = campaign.trainer.replay_from
    return CampaignFiles(files.root / replayed).version(version).agent_answers if replayed else None


def _write(asked: Request, choice: Choice) -> None:
    files, spec, pool, chosen = asked.files, asked.spec, choice.pool, choice.chosen
    recipe = asked.recipe(choice.base)
    if chosen is None:
        write_unchanged(files, spec.version, choice.base_file, choice.reason or _UNCHANGED[spec.kind])
    else:
        write_intervention(files, spec.version, chosen, choice.base_file)
        recipe = apply(recipe, chosen.diff)
    proposal = Proposal(
        version=spec.version,
        pool=pool.candidates if chosen else [],
        backtests=list(choice.backtests),
        chosen=chosen.intervention_id if chosen else None,
        refused=[*pool.refused, *([choice.reason] if choice.reason else [])],
        agent=asked.campaign.trainer.name,
        diagnosis=pool.diagnosis,
    )
    asked.own.proposal.write(proposal)
    save_config(asked.own.config, in_force(recipe, spec))
    write_code(asked.own.code, recipe, all_sources(asked.records, proposal.pool))
