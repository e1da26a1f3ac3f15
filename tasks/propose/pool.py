"""The pool of a version: what laws and guards of code let in of all that is proposed, and why the rest was refused.

levers of the audit, trainer agent ─► laws ─► guards of code ─► one of a recipe ─► the first pool_size

A lever is tried first, since it rests on what is true and not on what the owner's grader says: what the first rollout
shows is corrected before anything is trained, in the baseline. Where an audit proposes nothing, one line says why. One
correction is in force at a time, and one over features that were tried is not tried again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evotrainer.agents import AgentRecord, ProposalContext, make_agent
from evotrainer.agents.base import agent_report, agent_view, propose_under
from evotrainer.algorithm.code import RecipeCode
from evotrainer.algorithm.code.examination import refusals
from evotrainer.algorithm.rewards import combine
from evotrainer.campaign.gates import remarks
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.memory import load_memory
from evotrainer.campaign.repository import sources_of
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.config.code import CODE_KEYS, CODE_TERMS, reference
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import WrittenIntervention, check, read_written
from evotrainer.domains import factors_in
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.errors import ConfigError, EvoTrainerError, InterventionError
from evotrainer.evidence.query import QueryResult, run_query
from evotrainer.evidence.rows import Rows
from evotrainer.levers.audit import Audit, audit_rows
from evotrainer.levers.correction import KEY, Correction, find_correction, read_terms, write_correction
from evotrainer.records import Diagnosis, Intervention, Prediction, Trajectory, VersionRecord, VersionSpec
from evotrainer.search import Brief
from evotrainer.search.base import LEVER_AUTHOR
from evotrainer.training import check_trainable

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
    records: Sequence[VersionRecord],
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


def _trained(files: CampaignFiles, campaign: Config, records: Sequence[VersionRecord]) -> list[Trajectory]:
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


def _query(files: CampaignFiles, spec: VersionSpec, records: Sequence[VersionRecord]) -> Callable[[str], QueryResult]:
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


AUTHOR = f"{LEVER_AUTHOR}correction"


@dataclass(frozen=True)
class Levers:
    """Interventions that follow from an audit, and a line for each lever that has none."""

    proposals: tuple[Intervention, ...] = ()
    notes: tuple[str, ...] = ()


def has_audit(campaign: Config) -> bool:
    """Tell whether a campaign asks an audit for changes."""
    return campaign.harness.levers != "none" and bool(campaign.domain.audit_path)


def pull_levers(
    root: Path,
    campaign: Config,
    context: ProposalContext,
    rows: Sequence[Trajectory],
    records: Sequence[VersionRecord],
    trained: Sequence[Trajectory] = (),
) -> Levers:
    """Return the levers of an incumbent's rollout.

    Args:
        root: what domain.audit_path starts from.
        campaign: its configuration.
        context: as the trainer agent of this version has it.
        rows: the incumbent's rollout.
        records: all closed versions, with the texts of their code.
        trained: training attempts of closed versions; as many of them are audited as of the rollout, since a rollout of
            the same incumbent says nothing new.

    """
    if not has_audit(campaign):
        return Levers()
    try:
        audit = audit_rows(root, campaign, rows).joined(audit_rows(root, campaign, trained))
        return _correction(campaign, context, audit, records)
    except EvoTrainerError as error:  # a lever that fails is a line, never the end of a campaign
        return Levers(notes=(f"{AUTHOR}: {error}",))


def _correction(campaign: Config, context: ProposalContext, audit: Audit, records: Sequence[VersionRecord]) -> Levers:
    if not audit.rows:
        return Levers(notes=(f"{AUTHOR}: {audit.note}",))
    if context.config.reward.correction:
        return Levers()
    paid = replace(audit, rows=tuple(_paid(audit.rows, context.config, records)))
    seed = derive_seed(campaign.seed, "correction", context.generation)
    found = find_correction(paid, context.config.reward.correct, seed)
    if found.correction is None:
        return Levers(notes=(f"{AUTHOR} abstains: {found.reason}",))
    tried = _tried(records).get(tuple(found.correction.features))
    if tried:
        return Levers(notes=(f"{AUTHOR}: {', '.join(found.correction.features)} was corrected for in {tried} already",))
    try:
        return Levers((_proposed(found.correction, context),))
    except ConfigError as error:
        return Levers(notes=(f"{AUTHOR}: {error}",))


def _paid(rows: Sequence[Trajectory], recipe: Config, records: Sequence[VersionRecord]) -> list[Trajectory]:
    """Return the attempts as the incumbent's recipe pays them without a correction."""
    reward = replace(recipe.reward, correction="")
    paid = []
    for row in rows:
        terms = {name: value for name, value in row.reward_terms.items() if name not in CODE_TERMS}
        paid.append(row.model_copy(update={"reward_terms": terms, "reward": combine(terms, reward)}))
    return RecipeCode(sources_of(records)).rewarded(paid, reward)


def _tried(records: Sequence[VersionRecord]) -> Mapping[tuple[str, ...], str]:
    """Return {features: version} of the corrections that earlier versions tried."""
    return {
        tuple(sorted({column.name for column, _ in read_terms(text)})): record.spec.version
        for record in records
        if record.intervention is not None and KEY in record.intervention.diff
        for text in record.intervention.files.values()
    }


def _proposed(correction: Correction, context: ProposalContext) -> Intervention:
    text, numbers, reading = write_correction(correction), correction.numbers, context.reading
    if not reading["trained"]:  # a baseline is judged as one: no bounds from a policy that nothing has trained yet
        reading = {}
    what = ", ".join(f"{column.title} ({weight:+.2g})" for column, weight in correction.terms)
    how = "multiplies the reward by how likely it is true" if correction.kind == "gate" else "subtracts what is paid"
    return context.change(
        {KEY: reference(text)},
        author=AUTHOR,
        hypothesis=f"if {KEY} {how}, given {what}, then score moves by +0.03 because in "
        f"{numbers['audited_rows']:.0f} audited attempts the reward pays beyond the truth: on problems not looked at "
        f"the agreement is {numbers['agreement']:.2f} (lower bound {numbers['low']:.2f}, permuted labels "
        f"{numbers['null']:.2f}), and reward and truth correlate at {numbers['truth_after']:.2f} in place of "
        f"{numbers['truth_before']:.2f}",
        prediction=Prediction(metric="score", direction="up", size=0.03, low=-0.02, high=0.2, probability=0.6),
        reading=reading,
        evidence=[f"audit:{name}" for name in correction.features],
        files={reference(text): text},
    )
