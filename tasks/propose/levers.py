"""Levers as interventions: what an audit shows, proposed beside the trainer agent's own ideas.

A proposal is no verdict: it passes the laws, the guards of code, the backtest on audited rows and the gate like any
other. It is tried first, since it rests on what is true and not on what the owner's grader says: what the first rollout
shows is corrected before anything is trained, in the baseline. Where nothing is proposed, one line says why, and the
campaign goes on. One correction is in force at a time, and one over features that were tried is not tried again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evotrainer.agents import ProposalContext
from evotrainer.algorithm.code import RecipeCode
from evotrainer.algorithm.rewards import combine
from evotrainer.campaign.repository import sources_of
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.config.code import CODE_TERMS, reference
from evotrainer.errors import ConfigError, EvoTrainerError
from evotrainer.levers.audit import Audit, audit_rows
from evotrainer.levers.correction import KEY, Correction, find_correction, read_terms, write_correction
from evotrainer.records import Intervention, Prediction, Trajectory, VersionRecord
from evotrainer.search.base import LEVER_AUTHOR

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
