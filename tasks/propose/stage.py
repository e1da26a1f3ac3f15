"""From findings and lineage to this version's recipe: a ranked pool, its backtests, one choice.

    findings.json, lineage ─► trainer agent ─► laws ─► pool ─► backtests ─► search strategy ─► choice of this slot
                                                                         └─► conf/intervention/vNNN.yaml ─► config.yaml

The slots of a generation derive the same pool from the same evidence and take different ranks of it. A baseline trains
the campaign's own recipe, less what an audit shows that it pays wrongly; a merge takes the union of its parents' diffs.
The recipe is composed from the written diff, never taken from memory: what is trained is what stands in the file, and
both must agree.

Where the agent has nothing lawful left to propose, the version is written with its parent's recipe and no choice: the
backtest refuses it, and the campaign goes on to its certificate.

An agent that asks a model is asked once a generation: later slots take the pool that the first one wrote.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from conf.compose import compose_version, load_campaign, write_intervention, write_unchanged
from evotrainer.agents import AgentRecord, ProposalContext
from evotrainer.agents.view import agent_report, agent_view
from evotrainer.backtests import backtest_pool
from evotrainer.backtests.cached import all_sources, beside_incumbent, load_evidence
from evotrainer.campaign.code_files import sources_of, texts_of, write_code
from evotrainer.campaign.costs import spent_dollars, write_tokens
from evotrainer.campaign.gates import given_up, refused_candidates
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.lineage import find, has_won, taken_recipes
from evotrainer.campaign.recipes import common_base
from evotrainer.campaign.repository import StoredVersion, load_records, save_config
from evotrainer.config import Config, config_to_dict
from evotrainer.config.factors import changed_keys
from evotrainer.config.interventions import apply, check, intervention_id, merge
from evotrainer.domains import factors_in
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.evidence.store import read_rows
from evotrainer.records import Backtest, Intervention, Proposal, VersionRecord, VersionSpec
from evotrainer.search import SearchStrategy, brief_of, make_search
from evotrainer.training import check_trainable, create_train_engine
from tasks.propose.levers import has_audit, pull_levers
from tasks.propose.pool import Pool, agent_pool, lawful, shared_pool

_UNCHANGED = {
    "baseline": "the campaign's recipe, unchanged, beats the base policy",
    "continuation": "the incumbent's recipe, unchanged, gains from more training",
}
"""{kind: what is claimed of a recipe that changes nothing}."""


class NothingToTryError(Exception):
    """No lawful proposal is left for this version; the text says why."""

    def __init__(self, reason: str, pool: Pool | None = None):
        super().__init__(reason)
        self.pool = pool or Pool([])


def run(files: CampaignFiles, version: str) -> None:
    """Write proposal.json, agent.jsonl, the diff in conf/intervention/, config.yaml and code/ of the version."""
    spec = StoredVersion(files.version(version)).spec.read()
    campaign = load_campaign(files)
    own = files.version(version)

    def note(record: AgentRecord) -> None:  # what was answered is paid for, whatever comes of it
        write_tokens(own, "propose", record.tokens, **record.costs)

    source = _source(files, campaign, version)
    price = campaign.budget.total.accelerator_price
    with AgentRecord(own.agent_answers, lambda: spent_dollars(files, own, price), note, source) as record:
        note(record)
        _propose(files, spec, campaign, record)


def _propose(files: CampaignFiles, spec: VersionSpec, campaign: Config, record: AgentRecord) -> None:
    try:
        if reason := given_up(files.version(spec.version)):
            raise NothingToTryError(reason)
        if spec.kind == "baseline":
            _write_baseline(files, spec, campaign)
        elif spec.kind == "continuation":
            _write_unchanged(files, spec, campaign, recipe_of(files, campaign, spec.incumbent), "", Pool([]))
        elif spec.kind == "merge":
            _write_merge(files, spec, campaign)
        else:
            _write_candidate(files, spec, campaign, record)
    except NothingToTryError as none:
        recipe = recipe_of(files, campaign, spec.incumbent)
        _write_unchanged(files, spec, campaign, recipe, str(none), none.pool)


def _source(files: CampaignFiles, campaign: Config, version: str) -> Path | None:
    """Return the record of the version in the campaign that is replayed."""
    replayed = campaign.trainer.replay_from
    return CampaignFiles(files.root / replayed).version(version).agent_answers if replayed else None


def _write_unchanged(
    files: CampaignFiles, spec: VersionSpec, campaign: Config, recipe: Config, reason: str, pool: Pool
) -> None:
    hypothesis = reason or _UNCHANGED[spec.kind]
    write_unchanged(files, spec.version, None if spec.incumbent == BASE_VERSION else spec.incumbent, hypothesis)
    proposal = Proposal(
        version=spec.version,
        pool=[],
        backtests=[],
        chosen=None,
        refused=[*pool.refused, *([reason] if reason else [])],
        agent=campaign.trainer.name,
        diagnosis=pool.diagnosis,
    )
    _write(files, spec, proposal, recipe)


def _write_baseline(files: CampaignFiles, spec: VersionSpec, campaign: Config) -> None:
    """Write the campaign's recipe, corrected where an audit of the first rollout shows that it pays wrongly.

    A correction that a law, a guard or its backtest refuses leaves the recipe as it is, and costs no version.
    """
    pool, backtests = Pool([]), []
    if has_audit(campaign):
        records = load_records(files.version(spec.version).lineage)
        report = agent_report(StoredVersion(files.version(spec.version)).findings.read())
        context = ProposalContext(campaign, spec.incumbent, spec.generation, report, agent_view(records))
        levers = pull_levers(files.root, campaign, context, read_rows(files.version(spec.version).rollout), records)
        pool = lawful(files, spec, campaign, levers.proposals, context.taken, sources_of(records))
        pool = replace(pool, refused=[*levers.notes, *pool.refused])
        backtests = _backtests(files, spec, campaign, campaign, pool.candidates)
    if backtests and backtests[0].accepted:
        _write_chosen(files, spec, campaign, BASE_VERSION, campaign, pool, backtests, 0)
    else:
        refused = [f"{one.intervention_id}: {one.reason}" for one in backtests]
        _write_unchanged(files, spec, campaign, campaign, "", replace(pool, refused=[*pool.refused, *refused]))


def _write_merge(files: CampaignFiles, spec: VersionSpec, campaign: Config) -> None:
    records = load_records(files.version(spec.version).lineage)
    base_version = common_base(records, *spec.parents)
    base = recipe_of(files, campaign, base_version)
    one, other = (
        _since(base, base_version, find(records, name), records, partial(recipe_of, files, campaign, name))
        for name in spec.parents
    )
    have_won = all(has_won(find(records, name)) for name in spec.parents)
    union = merge(one, other, base, parents=spec.parents, table=factors_in(base), have_won=have_won)
    try:
        child = check(union, base, taken_recipes(records), table=factors_in(base))
        check_trainable(child)
    except ConfigError as error:
        raise NothingToTryError(f"the merge of {' and '.join(spec.parents)} is refused: {error}") from None
    if union.intervention_id in refused_candidates(files.version(spec.version)):
        raise NothingToTryError(f"a person sent the merge of {' and '.join(spec.parents)} back")
    change, parent = beside_incumbent(union, child, spec, records)
    if spec.incumbent in spec.parents:
        added = other if spec.incumbent == spec.parents[0] else one
        union = union.model_copy(update={"prediction": added.prediction})
    backtests = _backtests(files, spec, campaign, parent, [change])
    _write_chosen(files, spec, campaign, base_version, base, Pool([union]), backtests, 0)


def _since(
    base: Config, base_version: str, record: VersionRecord, records: list[VersionRecord], recipe: Callable[[], Config]
) -> Intervention:
    """Return what a version changes on an earlier one: its own intervention, or all steps of its branch as one.

    `recipe` gives the version's own, composed from all files of its chain: asked for only where the branch is longer.
    """
    own = record.intervention
    if own is None:
        raise InterventionError(f"cannot merge {record.spec.version}: it changes nothing")
    if record.spec.incumbent == base_version:
        return own
    diff = changed_keys(base, recipe())
    files = texts_of((new for _, new in diff.values()), records)
    return own.model_copy(update={"diff": diff, "intervention_id": intervention_id(diff), "files": files})


def _write_candidate(files: CampaignFiles, spec: VersionSpec, campaign: Config, record: AgentRecord) -> None:
    records = load_records(files.version(spec.version).lineage)
    parent = recipe_of(files, campaign, spec.incumbent)
    search = make_search(campaign)
    brief = brief_of(search, spec, records, campaign)
    pool = shared_pool(files, spec) or agent_pool(files, spec, campaign, parent, records, record, brief)
    count = len(pool.candidates)
    if brief.rank >= count:
        raise NothingToTryError(f"the {campaign.trainer.name} agent has only {count} lawful proposals left", pool)
    backtests = _backtests(files, spec, campaign, parent, pool.candidates)
    index = _select(search, pool, backtests, brief.rank, campaign, refused_candidates(files.version(spec.version)))
    _write_chosen(files, spec, campaign, spec.incumbent, parent, pool, backtests, index)


def _select(
    search: SearchStrategy, pool: Pool, backtests: list[Backtest], rank: int, campaign: Config, refused: set[str]
) -> int:
    """Return the slot's candidate: that of its rank, or the next of its own that no person sent back.

    Slots of a generation take every n-th candidate of one order, so that what is sent back in one is in no other.
    """
    for place in range(rank, len(pool.candidates), campaign.search.candidates_per_generation):
        index = search.select(pool.candidates, backtests, place, campaign)
        if pool.candidates[index].intervention_id not in refused:
            return index
    raise NothingToTryError(f"a person sent all {len(refused)} candidates of this slot back", pool)


def recipe_of(files: CampaignFiles, campaign: Config, version: str) -> Config:
    """Return a closed version's recipe, composed from its chain of diffs; the base policy stands for the campaign's."""
    return campaign if version == BASE_VERSION else compose_version(files, version)


def _backtests(
    files: CampaignFiles, spec: VersionSpec, campaign: Config, parent: Config, pool: list[Intervention]
) -> list[Backtest]:
    evidence = load_evidence(files, spec, campaign, pool)
    return backtest_pool(pool, parent, evidence, create_train_engine(campaign).replay_step)


def _write_chosen(
    files: CampaignFiles,
    spec: VersionSpec,
    campaign: Config,
    base_version: str,
    base: Config,
    pool: Pool,
    backtests: list[Backtest],
    index: int,
) -> None:
    chosen = pool.candidates[index]
    write_intervention(files, spec.version, chosen, None if base_version == BASE_VERSION else base_version)
    config = compose_version(files, spec.version)
    if config_to_dict(config) != config_to_dict(apply(base, chosen.diff)):
        raise InterventionError(f"{files.intervention(spec.version)} does not compose to {base_version} and its diff")
    proposal = Proposal(
        version=spec.version,
        pool=pool.candidates,
        backtests=backtests,
        chosen=chosen.intervention_id,
        refused=pool.refused,
        agent=campaign.trainer.name,
        diagnosis=pool.diagnosis,
    )
    _write(files, spec, proposal, config)


def _write(files: CampaignFiles, spec: VersionSpec, proposal: Proposal, config: Config) -> None:
    version_files = files.version(spec.version)
    StoredVersion(version_files).proposal.write(proposal)
    save_config(version_files.config, in_force(config, spec))
    write_code(version_files.code, config, all_sources(load_records(version_files.lineage), proposal.pool))
