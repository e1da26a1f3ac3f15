"""What a campaign leaves behind: a ledger row a version, a case a scored candidate, a skill where a recipe is proven.

A skill is distilled only where the recipe is proven by what its hypothesis predicts (attribution FIRED), since one
lucky training seed is no evidence. A skill that was tried gains a success by the same rule. It gains a failure where
its version was refused or worse, or its recipe was tested and not proven, and nothing where the outcome is open.
Successes with an open leak are invalid: a skill with no other success is quarantined until the first valid one.

A case pairs the findings before a change with its result, so findings and metrics are those of the report that the
change was proposed on (findings.json of its version: the incumbent's fresh rollout), never of the audit after training.
A version without a score, or measured with an open leak, is no case.
"""

from collections.abc import Mapping, Sequence

from evotrainer.campaign.leak_response import is_superseded
from evotrainer.campaign.lineage import recipe_gain
from evotrainer.campaign.memory.cards import with_cards
from evotrainer.campaign.memory.skills import changes_of, skill_name, triggers_of, with_trial
from evotrainer.campaign.memory.store import Memory
from evotrainer.records import (
    LEARNED_EFFECT,
    Case,
    HarnessReport,
    LedgerRow,
    RememberedCard,
    SearchTrace,
    Skill,
    SkillTrial,
    VersionRecord,
)

SKILL_AUTHOR = "skill:"
"""Author of an intervention that applies a skill: this and the skill's name."""

_LOST = ("rejected", "invalid", "failed")


def remember(
    memory: Memory,
    campaign: str,
    domain: str,
    records: Sequence[VersionRecord],
    observed: Mapping[str, HarnessReport],
    searches: Sequence[SearchTrace],
    cards: Sequence[RememberedCard] = (),
) -> Memory:
    """Return the memory with a campaign appended; one that it holds already changes nothing.

    `observed` are, by version, the reports that it was proposed on. `cards` are what its harness left.
    """
    if campaign in memory.campaigns:
        return memory
    skills = {skill.name: skill for skill in memory.skills}
    for record in records:
        for skill in _learned(record, campaign, domain, skills, _is_invalid(record, records)):
            skills[skill.name] = skill
    scored = [record for record in records if record.verdict.score is not None and not is_superseded(record, records)]
    cases = [
        _case(record, campaign, domain, observed.get(record.spec.version)) for record in scored if record.intervention
    ]
    return Memory(
        ledger=[*memory.ledger, *(_row(record, campaign, domain) for record in records)],
        cases=[*memory.cases, *cases],
        skills=[skills[name] for name in sorted(skills)],
        searches=[
            *memory.searches,
            *(one.model_copy(update={"version": f"{campaign}/{one.version}"}) for one in searches),
        ],
        cards=with_cards(memory.cards, cards),
    )


def _learned(
    record: VersionRecord, campaign: str, domain: str, skills: dict[str, Skill], is_invalid: bool
) -> list[Skill]:
    """Return the skills that a version changes: the one it tried, or the one it teaches."""
    intervention = record.intervention
    succeeded = _succeeded(record)
    if intervention is None or record.spec.kind != "candidate" or succeeded is None:
        return []
    trial = SkillTrial(
        campaign=campaign,
        version=record.spec.version,
        domain=domain,
        campaign_seed=record.spec.campaign_seed,
        succeeded=succeeded,
        difference=recipe_gain(record) or 0.0,
        is_invalid=succeeded and is_invalid,
    )
    tried = intervention.author.removeprefix(SKILL_AUTHOR)
    is_trial = intervention.author.startswith(SKILL_AUTHOR) and tried in skills
    name = tried if is_trial else skill_name(intervention.factor, changes_of(intervention))
    known = skills.get(name)
    if known is None:
        return [_distilled(name, record, campaign, [trial])] if succeeded else []
    grown = with_trial(known, trial)
    # Effect, ratios and reason measured with a leak must not stand beside a success without it.
    is_first_clean = known.successes == 0 < grown.successes
    return [_distilled(name, record, campaign, grown.trials) if is_first_clean else grown]


def _distilled(name: str, record: VersionRecord, campaign: str, trials: list[SkillTrial]) -> Skill:
    """Return what a version whose recipe is proven teaches, with the trials that the lesson has."""
    intervention, claim = record.intervention, record.confirmation.recipe if record.confirmation else None
    assert intervention is not None
    assert claim is not None and claim.low is not None and claim.high is not None, "FIRED stands on a proven recipe"
    modes, conditions = triggers_of(intervention)
    seeds = f"{len(claim.candidate)} fresh training seeds against {len(claim.reference)} of {claim.against}"
    return Skill(
        name=name,
        factor=intervention.factor,
        modes=modes,
        conditions=conditions,
        changes=changes_of(intervention),
        expected_low=claim.low,
        expected_high=claim.high,
        hypothesis=intervention.hypothesis,
        validation=f"recipe proven in {campaign} {record.spec.version} on {seeds}, worst {claim.minimum:.4f}",
        trials=trials,
    )


def _succeeded(record: VersionRecord) -> bool | None:
    """Return whether the recipe paid; None where that is open, or was no trial of it."""
    if record.attribution == "FIRED":
        return True
    if not record.was_trial:
        return None
    if record.verdict.outcome in _LOST or record.attribution == "NOT_FIRED":
        return False
    return None


def _is_invalid(record: VersionRecord, records: Sequence[VersionRecord]) -> bool:
    return record.verdict.outcome == "invalid" or is_superseded(record, records)


def _row(record: VersionRecord, campaign: str, domain: str) -> LedgerRow:
    intervention = record.intervention
    return LedgerRow(
        campaign=campaign,
        version=record.spec.version,
        domain=domain,
        kind=record.spec.kind,
        parents=record.spec.parents,
        factor=intervention.factor if intervention else "",
        diff=intervention.diff if intervention else {},
        outcome=record.verdict.outcome,
        score=record.honest_score,
        difference=recipe_gain(record),
        tokens=sum(value for name, value in record.cost.items() if name.endswith("_tokens")),
        dollars=sum(value for name, value in record.cost.items() if name.endswith("_dollars")),
    )


def _case(record: VersionRecord, campaign: str, domain: str, observed: HarnessReport | None) -> Case:
    intervention, backtest = record.intervention, record.backtest
    assert intervention is not None
    return Case(
        campaign=campaign,
        version=record.spec.version,
        domain=domain,
        campaign_seed=record.spec.campaign_seed,
        findings=sorted({finding.mode for finding in observed.findings}) if observed else [],
        metrics=dict(observed.metrics) if observed else {},
        factor=intervention.factor,
        change=skill_name(intervention.factor, changes_of(intervention)),
        outcome=record.verdict.outcome,
        difference=recipe_gain(record),
        predicted=backtest.predicted_effect - backtest.numbers.get(LEARNED_EFFECT, 0.0) if backtest else None,
        numbers=dict(backtest.numbers) if backtest else {},
    )
