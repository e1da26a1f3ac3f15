"""The pool of a version: what laws and guards of code let in of all that is proposed, and why the rest was refused.

levers of the audit, trainer agent ─► laws ─► guards of code ─► one of a recipe ─► the first pool_size
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from evotrainer.agents import AgentRecord, ProposalContext, make_agent
from evotrainer.agents.agent_view import agent_report, agent_view
from evotrainer.agents.base import propose_under
from evotrainer.algorithm.code.examination import refusals
from evotrainer.campaign.gates import remarks
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.memory import load_memory
from evotrainer.config import Config
from evotrainer.config.code import CODE_KEYS
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import check
from evotrainer.config.written import WrittenIntervention, read_written
from evotrainer.domains import factors_in
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.evidence.query import QueryResult, run_query
from evotrainer.evidence.rows import Rows
from evotrainer.records import Diagnosis, Intervention, Trajectory, VersionRecord, VersionSpec
from evotrainer.search import Brief
from evotrainer.training import check_trainable
from tasks.propose.levers import has_audit, pull_levers

AUDITED_VERSIONS = 2
"""Closed versions whose training attempts are audited beside the rollout."""


@dataclass(frozen=True)
class Pool:
    """Lawful proposals in the agent's order, and what came with them."""

    candidates: list[Intervention]
    refused: list[str] = field(default_factory=list)
    """With the reason of each."""
    diagnosis: Diagnosis | None = None


def shared_pool(files: CampaignFiles, spec: VersionSpec) -> Pool | None:
    """Return the pool that the first slot of the generation wrote; None where this version asks for its own."""
    source = spec.shares.get("propose")
    if source is None:
        return None
    found = files.version(source).proposal.read()
    return Pool(found.pool, found.refused, found.diagnosis)


def agent_pool(
    files: CampaignFiles,
    spec: VersionSpec,
    campaign: Config,
    parent: Config,
    records: list[VersionRecord],
    record: AgentRecord,
    brief: Brief | None,
) -> Pool:
    """Return the first lawful proposals, and what was refused with the reason; without a brief no agent is asked."""
    report = agent_report(files.version(spec.version).findings.read())
    if not campaign.search.use_findings:
        report = report.model_copy(update={"metrics": {}, "findings": [], "gaps": [], "guards": []})
    memory = load_memory(files.version(spec.version).memory)
    written = _written(files.version(spec.version), campaign)
    context = ProposalContext(
        *(parent, spec.incumbent, spec.generation, report, agent_view(records), memory),
        written=written,
        query=_query(files, spec, records) if campaign.search.use_findings else None,
        remarks=remarks(files.version(spec.version)),
    )
    rollout = list(Rows.read(files.version(spec.version).rollout))
    trained = _trained(files, campaign, records) if brief else ()
    levers = pull_levers(files.root, campaign, context, rollout, records, trained)
    asked = propose_under(brief, make_agent(campaign, record), context) if brief else []
    proposals = [*levers.proposals, *asked]
    found = lawful(files, spec, parent, proposals, context.taken, campaign.trainer.pool_size)
    return Pool(found.candidates, [*record.refused, *levers.notes, *found.refused], record.diagnosis)


def _trained(files: CampaignFiles, campaign: Config, records: list[VersionRecord]) -> list[Trajectory]:
    """Return the training attempts of the newest closed versions, where an audit asks for them."""
    if not has_audit(campaign):
        return []
    names = [record.spec.version for record in records if record.policy_hash is not None]
    newest = [name for name in names if name != BASE_VERSION][-AUDITED_VERSIONS:]
    return [row for name in newest for row in Rows.read(files.version(name).training)]


def lawful(
    files: CampaignFiles,
    spec: VersionSpec,
    parent: Config,
    proposals: Sequence[Intervention],
    taken: Mapping[str, str],
    most: int,
) -> Pool:
    """Return the first proposals that laws and guards of code let in, one of a kind, and why others were refused."""
    pool: list[Intervention] = []
    refused: list[str] = []
    recipes: dict[str, str] = {}
    for proposal in proposals:
        try:
            child = let_in(files, spec, parent, proposal, taken)
        except ConfigError as error:
            refused.append(f"{proposal.intervention_id}: {error}")
            continue
        twin = recipes.setdefault(recipe_hash(child), proposal.intervention_id)
        if twin != proposal.intervention_id:
            refused.append(f"{proposal.intervention_id}: it gives the recipe that {twin} of this pool gives")
        elif all(proposal.intervention_id != other.intervention_id for other in pool):
            pool.append(proposal)
        if len(pool) == most:
            break
    return Pool(pool, refused)


def _query(files: CampaignFiles, spec: VersionSpec, records: list[VersionRecord]) -> Callable[[str], QueryResult]:
    """Return what an agent may ask: evidence of closed versions and of the own rollout."""
    versions = [*(record.spec.version for record in records), spec.version]
    return lambda sql: run_query(files, sql, for_agent=True, versions=versions)


def _written(own: VersionFiles, campaign: Config) -> list[WrittenIntervention]:
    return [read_written(own.written / f"{name}.yaml") for name in campaign.trainer.interventions]


def let_in(
    files: CampaignFiles,
    spec: VersionSpec,
    parent: Config,
    proposal: Intervention,
    taken: Mapping[str, str] | None = None,
) -> Config:
    """Return the recipe that a proposal gives; raises ConfigError where a law or a guard of code refuses it."""
    child = check(proposal, parent, taken, table=factors_in(parent))
    check_trainable(child)
    added = {key: new for key, (_, new) in proposal.diff.items() if key in CODE_KEYS and new}
    if not added:
        return child
    rows = Rows.read(files.version(spec.version).rollout)
    problems = load_problems(files.root, child.domain, "train")
    found = {key: refusals(key, proposal.files[new], rows, problems) for key, new in added.items()}
    if reasons := [f"{key} is refused: {reason}" for key, ones in found.items() for reason in ones]:
        raise InterventionError("; ".join(reasons))
    return child
