"""From findings and lineage to this version's recipe: a ranked pool, its backtests, one choice.

    findings.json, lineage ─► trainer agent ─► laws ─► pool ─► backtests ─► search strategy ─► choice of this slot
                                                                         └─► conf/intervention/vNNN.yaml ─► config.yaml

The slots of a generation derive the same pool from the same evidence and take different ranks of it. A baseline trains
the campaign's own recipe; a merge takes the union of its parents' diffs. The recipe is composed from the written
diff, never taken from memory: what is trained is what stands in the file, and both must agree.

Where the agent has nothing lawful left to propose, the version is written with its parent's recipe and no choice: the
backtest refuses it, and the campaign goes on to its certificate.
"""

from conf.compose import compose_version, load_campaign, write_intervention, write_unchanged
from evotrainer.agents import AgentRecord, ProposalContext, make_agent
from evotrainer.agents.briefed import propose_under
from evotrainer.agents.view import agent_view
from evotrainer.backtests import backtest_pool
from evotrainer.backtests.cached import all_sources, beside_incumbent, load_evidence
from evotrainer.campaign.code_files import sources_of, texts_of, write_code
from evotrainer.campaign.costs import write_tokens
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.lineage import find, taken_recipes
from evotrainer.campaign.memory import load_memory
from evotrainer.campaign.memory.cases import recall
from evotrainer.campaign.recipes import common_base
from evotrainer.campaign.repository import StoredVersion, load_records
from evotrainer.config import Config, config_to_dict, save_config
from evotrainer.config.factors import changed_keys, recipe_hash
from evotrainer.config.interventions import apply, check, intervention_id, merge
from evotrainer.config.written import WrittenIntervention, read_written
from evotrainer.domains import factors_in
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import Backtest, Intervention, Proposal, SearchTrace, VersionRecord, VersionSpec
from evotrainer.search import Brief, brief_of, make_search
from evotrainer.training import check_trainable, create_train_engine
from tasks.propose.code_guards import code_refusals


class NothingToTryError(Exception):
    """No lawful proposal is left for this version; the text says why."""


def run(files: CampaignFiles, version: str) -> None:
    """Write proposal.json, agent.jsonl, the diff in conf/intervention/, config.yaml and code/ of the version."""
    spec = StoredVersion(files.version(version)).spec.read()
    campaign = load_campaign(files)
    with AgentRecord(files.version(version).agent_answers) as record:
        try:
            if spec.kind == "baseline":
                _write_unchanged(files, spec, campaign, campaign, [])
            elif spec.kind == "merge":
                _write_merge(files, spec, campaign)
            else:
                _write_candidate(files, spec, campaign, record)
        except NothingToTryError as reason:
            _write_unchanged(files, spec, campaign, recipe_of(files, campaign, spec.incumbent), [str(reason)])
    costs = {"dollars": record.dollars, "agent_seconds": record.seconds}
    write_tokens(files.version(version), "propose", record.tokens, **costs)


def _write_unchanged(
    files: CampaignFiles, spec: VersionSpec, campaign: Config, recipe: Config, refused: list[str]
) -> None:
    hypothesis = "; ".join(refused) or "the campaign's recipe, unchanged, beats the base policy"
    write_unchanged(files, spec.version, None if spec.incumbent == BASE_VERSION else spec.incumbent, hypothesis)
    proposal = Proposal(
        version=spec.version, pool=[], backtests=[], chosen=None, refused=refused, agent=campaign.trainer.name
    )
    _write(files, spec, proposal, recipe)


def _write_merge(files: CampaignFiles, spec: VersionSpec, campaign: Config) -> None:
    records = load_records(files.version(spec.version).lineage)
    base_version = common_base(records, *spec.parents)
    base = recipe_of(files, campaign, base_version)
    one, other = (
        _since(base, base_version, recipe_of(files, campaign, name), find(records, name), records)
        for name in spec.parents
    )
    union = merge(one, other, base, parents=spec.parents, table=factors_in(base))
    try:
        child = check(union, base, taken_recipes(records), table=factors_in(base))
        check_trainable(child)
    except ConfigError as error:
        raise NothingToTryError(f"the merge of {' and '.join(spec.parents)} is refused: {error}") from None
    change, parent = beside_incumbent(union, child, spec, records)
    if spec.incumbent in spec.parents:
        added = other if spec.incumbent == spec.parents[0] else one
        union = union.model_copy(update={"prediction": added.prediction})
    backtests = _backtests(files, spec, campaign, parent, [change])
    _write_chosen(files, spec, campaign, base_version, base, [union], backtests, 0, [], [])


def _since(
    base: Config, base_version: str, recipe: Config, record: VersionRecord, records: list[VersionRecord]
) -> Intervention:
    """Return what a version changes on an earlier one: its own intervention, or all steps of its branch as one."""
    own = record.intervention
    if own is None:
        raise InterventionError(f"cannot merge {record.spec.version}: it changes nothing")
    if record.spec.incumbent == base_version:
        return own
    diff = changed_keys(base, recipe)
    files = texts_of((new for _, new in diff.values()), records)
    return own.model_copy(update={"diff": diff, "intervention_id": intervention_id(diff), "files": files})


def _write_candidate(files: CampaignFiles, spec: VersionSpec, campaign: Config, record: AgentRecord) -> None:
    records = load_records(files.version(spec.version).lineage)
    parent = recipe_of(files, campaign, spec.incumbent)
    search = make_search(campaign)
    brief = brief_of(search, spec, records, campaign)
    pool, refused, searches = _pool(files, spec, campaign, parent, records, record, brief)
    if brief.rank >= len(pool):
        left = f"the {campaign.trainer.name} agent has only {len(pool)} lawful proposals left"
        raise NothingToTryError("; ".join([left, *refused]))
    backtests = _backtests(files, spec, campaign, parent, pool)
    index = search.select(pool, backtests, brief.rank, campaign)
    _write_chosen(files, spec, campaign, spec.incumbent, parent, pool, backtests, index, refused, searches)


def recipe_of(files: CampaignFiles, campaign: Config, version: str) -> Config:
    """Return a closed version's recipe, composed from its chain of diffs; the base policy stands for the campaign's."""
    return campaign if version == BASE_VERSION else compose_version(files, version)


def _pool(
    files: CampaignFiles,
    spec: VersionSpec,
    campaign: Config,
    parent: Config,
    records: list[VersionRecord],
    record: AgentRecord,
    brief: Brief,
) -> tuple[list[Intervention], list[str], list[SearchTrace]]:
    """Return the first lawful proposals, what was refused with the reason, and what the memory was asked."""
    report = StoredVersion(files.version(spec.version)).findings.read()
    if not campaign.search.use_findings:
        report = report.model_copy(update={"metrics": {}, "findings": [], "gaps": [], "order": "", "guards": []})
    memory = load_memory(files.version(spec.version).memory)
    searches = recall(memory, spec.version, campaign.domain.name, report)
    written = _written(files.version(spec.version), campaign)
    context = ProposalContext(
        parent, spec.incumbent, spec.generation, report, agent_view(records), memory, written=written
    )
    pool: list[Intervention] = []
    refused: list[str] = []
    recipes: dict[str, str] = {}
    for proposal in propose_under(brief, make_agent(campaign, record), context):
        try:
            child = check(proposal, parent, context.taken, table=factors_in(parent))
            check_trainable(child)
            reasons = code_refusals(files, spec, proposal, child, sources_of(records))
        except ConfigError as error:
            reasons = [str(error)]
        if reasons:
            refused.append(f"{proposal.intervention_id}: {'; '.join(reasons)}")
            continue
        twin = recipes.setdefault(recipe_hash(child), proposal.intervention_id)
        if twin != proposal.intervention_id:
            refused.append(f"{proposal.intervention_id}: it gives the recipe that {twin} of this pool gives")
        elif all(proposal.intervention_id != other.intervention_id for other in pool):
            pool.append(proposal)
        if len(pool) == campaign.trainer.pool_size:
            break
    return pool, refused, searches


def _written(own: VersionFiles, campaign: Config) -> list[WrittenIntervention]:
    return [read_written(own.written / f"{name}.yaml") for name in campaign.trainer.interventions]


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
    pool: list[Intervention],
    backtests: list[Backtest],
    index: int,
    refused: list[str],
    searches: list[SearchTrace],
) -> None:
    chosen = pool[index]
    write_intervention(files, spec.version, chosen, None if base_version == BASE_VERSION else base_version)
    config = compose_version(files, spec.version)
    if config_to_dict(config) != config_to_dict(apply(base, chosen.diff)):
        raise InterventionError(f"{files.intervention(spec.version)} does not compose to {base_version} and its diff")
    proposal = Proposal(
        version=spec.version,
        pool=pool,
        backtests=backtests,
        chosen=chosen.intervention_id,
        refused=refused,
        agent=campaign.trainer.name,
        searches=searches,
    )
    _write(files, spec, proposal, config)


def _write(files: CampaignFiles, spec: VersionSpec, proposal: Proposal, config: Config) -> None:
    version_files = files.version(spec.version)
    StoredVersion(version_files).proposal.write(proposal)
    save_config(version_files.config, in_force(config, spec))
    write_code(version_files.code, config, all_sources(load_records(version_files.lineage), proposal.pool))
