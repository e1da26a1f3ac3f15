"""The rule engine as a trainer agent: findings and lineage to ranked interventions, without any key.

Proposals come in this order, each group by calibrated probability: further steps in directions that succeeded, rules
whose conditions hold, explorations of factors never tried. A direction that failed is not tried again. After failed
versions in a row removals come first, then families that did not fail. Hypotheses hold the numbers that they rest on.

A *direction* is a factor with, for each changed key, the sign of the change, or the new value where it is no number.
Down-weighting follows a Beta posterior whose prior weighs as much as `PRIOR_TRIALS` outcomes.
"""

import contextlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.agents.base import ProposalContext
from evotrainer.agents.rule_table import RULES, STILL, Rule
from evotrainer.campaign.lineage import best_chain, came_true, find, gain, recipe_gain
from evotrainer.campaign.memory import similar, track_record
from evotrainer.campaign.repository import texts_of
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import families_of
from evotrainer.config.interventions import Diff, holds
from evotrainer.config.validation import multiplied
from evotrainer.errors import ConfigError
from evotrainer.records import Intervention, Prediction, VersionRecord
from evotrainer.search.base import MARK, RULE, Escalation, escalation

AUTHOR = "rules"


class RulesAgent:
    """Rules of rule_table.py, ranked by their record."""

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return continuations, fired rules and explorations, lawful and not known to fail."""
        seen, modes = self.observed(context)
        fired = [rule for rule in RULES if not rule.is_exploration and _fires(rule, seen, modes)]
        tried = {record.intervention.factor for record in context.records if record.intervention}
        fresh = [rule for rule in RULES if rule.is_exploration and rule.factor not in tried]
        rest = [rule for rule in RULES if rule.is_exploration and rule.factor in tried]
        escalated = escalation(context.records, context.config)
        proposals = _continue(context)
        for tier in (fired, fresh, rest):
            ranked = sorted(tier, key=lambda rule: -_credence(rule, context, modes))
            proposals += [made for rule in ranked if (made := _apply(rule, context, seen, modes)) is not None]
        if escalated is None:
            return _lawful(proposals, context)
        removing = removals(context, escalated)
        places = context.config.search.candidates_per_generation
        return escalated_order(_lawful([*removing, *proposals], context), escalated, places)

    def observed(self, context: ProposalContext) -> tuple[dict[str, float], set[str]]:
        """Return the numbers and the modes of findings that the conditions of rules are held against."""
        return context.reading, {finding.mode for finding in context.report.findings}


def _fires(rule: Rule, reading: dict[str, float], modes: set[str]) -> bool:
    """Return whether all conditions hold, or a finding names one of the rule's modes."""
    return _holds(rule, reading) or bool(modes.intersection(rule.modes))


def _holds(rule: Rule, reading: dict[str, float]) -> bool:
    return bool(rule.when) and all(holds(condition, reading) for condition in rule.when)


def _apply(rule: Rule, context: ProposalContext, seen: dict[str, float], modes: set[str]) -> Intervention | None:
    """Return the rule's intervention on the incumbent's recipe, or None where its step leads nowhere.

    The rule goes by what is `seen`; what its intervention promises is set from the reading (controls.py).
    """
    setting = rule.step(context.config, seen)
    try:
        return context.change(
            setting,
            author=AUTHOR,
            hypothesis=_hypothesis(rule, setting, seen),
            prediction=Prediction(
                metric=rule.metric,
                direction=rule.direction,
                size=rule.size,
                low=rule.low,
                high=rule.high,
                probability=_credence(rule, context, modes),
            ),
            still=rule.controls,
            evidence=sorted(modes.intersection(rule.modes)) + [f"{RULE}{rule.name}"],
            triggers=rule.when if _holds(rule, seen) else (),
        )
    except ConfigError:
        return None


def _credence(rule: Rule, context: ProposalContext, modes: set[str]) -> float:
    """Return a rule's probability after this campaign's record and the like cases of earlier ones."""
    found = similar(context.memory.cases, context.config.domain.name, modes, context.report.metrics)
    return calibrated(rule.probability, context.records, rule.factor, track_record(found, rule.factor))


def _continue(context: ProposalContext) -> list[Intervention]:
    """Return one more step along each direction that paid, most recent first."""
    proposals = []
    for record, setting in continuations(context.records, context.config, context.incumbent):
        try:
            proposals.append(_one_more(context, record, setting))
        except ConfigError:
            continue
    return proposals


def _one_more(context: ProposalContext, record: VersionRecord, setting: dict) -> Intervention:
    assert record.intervention is not None
    gained = recipe_gain(record) or 0.0
    size = round(max(0.005, gained / 2), 4)
    return context.change(
        setting,
        author=AUTHOR,
        hypothesis=f"if {_spell(setting)} then score moves by {size:+g} because the last step of "
        f"{record.intervention.factor}, in {record.spec.version}, moved it by {gained:+.3f}, and half as much may be "
        "left",
        prediction=Prediction(
            metric="score",
            direction="up",
            size=size,
            low=round(-2 * size, 4),
            high=round(3 * size, 4),
            probability=calibrated(0.55, context.records, record.intervention.factor),
        ),
        still=STILL,
        evidence=[f"paid:{record.spec.version}"],
    )


def removals(context: ProposalContext, escalated: Escalation) -> list[Intervention]:
    """Return interventions that take back what the chain to the incumbent added, the newest addition first."""
    flat, proposals = flatten(config_to_dict(context.config)), []
    for version in reversed(best_chain(context.records)):
        added = find(context.records, version).intervention
        setting = {} if added is None else {key: old for key, (old, new) in added.diff.items() if flat[key] == new}
        if not setting:
            continue
        because = f"{len(escalated.failed)} versions failed in a row, and what {version} added may hold them back"
        with contextlib.suppress(ConfigError):  # a removal that is no lawful step from this recipe
            proposals.append(taken_back(context, setting, because, f"{MARK}removal of {version}"))
    return proposals


def taken_back(context: ProposalContext, setting: Mapping[str, Any], because: str, evidence: str) -> Intervention:
    """Return the intervention that takes an addition back; raises ConfigError where that is no lawful step."""
    return context.change(
        setting,
        author=AUTHOR,
        hypothesis=f"if {_spell(setting)} then score moves by +0.005 because {because}",
        prediction=Prediction(metric="score", direction="up", size=0.005, low=-0.05, high=0.05, probability=0.3),
        evidence=[evidence],
        files=texts_of(setting.values(), context.records),
    )


def escalated_order(proposals: Sequence[Intervention], escalated: Escalation, places: int) -> list[Intervention]:
    """Return removals, then proposals of families that did not fail; the others too where `places` would stay empty."""
    other = [one for one in proposals if _is_marked(one) or not families_of(one.diff) & escalated.families]
    is_enough = len({one.intervention_id for one in other}) >= places
    return sorted(other if is_enough else proposals, key=lambda one: not _is_marked(one))


def _is_marked(intervention: Intervention) -> bool:
    return any(item.startswith(MARK) for item in intervention.evidence)


def _lawful(proposals: Sequence[Intervention], context: ProposalContext) -> list[Intervention]:
    """Return the proposals without duplicates, tried recipes and failed directions."""
    failed = failed_directions(context.records, context.incumbent)
    kept: dict[str, Intervention] = {}
    for proposal in proposals:
        if direction(proposal.diff) in failed:
            continue
        try:
            context.check(proposal)
        except ConfigError:
            continue
        kept.setdefault(proposal.intervention_id, proposal)
    return list(kept.values())


def _hypothesis(rule: Rule, setting: Mapping[str, Any], reading: Mapping[str, float]) -> str:
    """Return 'if X then Y moves by D because Z', with the numbers of the reading in Z."""

    def number(match: re.Match[str]) -> str:
        name, spec = match.groups()
        return format(reading[name], spec) if name in reading else "an unmeasured share"

    because = re.sub(r"\{([\w.]+):([^}]+)\}", number, rule.because)
    return f"if {_spell(setting)} then {rule.metric} moves by {rule.size:+g} because {because}"


def _spell(setting: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in setting.items())


PRIOR_TRIALS = 4.0

Direction = tuple[tuple[str, Any], ...]


def direction(diff: Diff) -> Direction:
    """Return the direction of a diff: equal for learning rates x2 and x4, unlike for x2 and /2."""
    return tuple((key, _sign(old, new)) for key, (old, new) in sorted(diff.items()))


def failed_directions(records: Sequence[VersionRecord], incumbent: str) -> dict[Direction, str]:
    """Return {direction: version} of what was tried and did not pay.

    Trained versions count for the whole campaign, ones that a backtest refused for the same incumbent only: replay on
    other evidence may accept them.
    """
    failed = {}
    for record in records:
        if record.intervention is None or record.spec.kind == "merge" or not record.was_trial:
            continue
        lost = record.verdict.outcome in ("rejected", "invalid", "failed") or (gain(record) or 0.0) < 0
        counts = record.spec.incumbent == incumbent if record.was_refused else lost
        if counts:
            failed[direction(record.intervention.diff)] = record.spec.version
    return failed


def continuations(
    records: Sequence[VersionRecord], config: Config, incumbent: str
) -> list[tuple[VersionRecord, dict[str, Any]]]:
    """Return settings one more step along the numeric directions that paid, with the version that showed it.

    A direction paid when its version was promoted on the way to the incumbent, or was kept with a gain over it: too
    small a step to show, perhaps. Where fresh training seeds say that the recipe is no better, one seed was lucky.
    """
    chain = set(best_chain(records))
    flat = flatten(config_to_dict(config))
    found = []
    for record in reversed(records):
        if record.intervention is None or record.spec.kind == "merge" or record.attribution == "NOT_FIRED":
            continue
        promoted = record.verdict.outcome == "promoted" and record.spec.version in chain
        hopeful = record.verdict.outcome == "kept" and record.spec.incumbent == incumbent
        if promoted or (hopeful and (gain(record) or 0.0) > 0):
            setting = _further(record.intervention.diff)
            if setting and any(flat[key] != value for key, value in setting.items()):
                found.append((record, setting))
    return found


def calibrated(
    prior: float, records: Sequence[VersionRecord], factor: str, remembered: tuple[float, float] = (0.0, 0.0)
) -> float:
    """Return a rule's credence after earlier hits and misses; those on its own factor count double.

    `remembered` are the weights of like cases of earlier campaigns in which the factor paid, and did not.
    """
    hits, misses = remembered
    for record in records:
        hit = came_true(record)
        if record.intervention is None or hit is None:
            continue
        weight = 1.0 if factor in record.intervention.factor.split("+") else 0.5
        hits += weight * hit
        misses += weight * (not hit)
    return round((PRIOR_TRIALS * prior + hits) / (PRIOR_TRIALS + hits + misses), 3)


def _further(diff: Diff) -> dict[str, Any]:
    """Return the setting one step beyond, by the same ratio; empty where a key is no positive number."""
    numbers = (int, float)
    setting = {}
    for key, (old, new) in diff.items():
        if isinstance(old, bool) or not isinstance(old, numbers) or not isinstance(new, numbers) or old * new <= 0:
            return {}
        setting[key] = multiplied(key, new, new / old)
    return setting


def _sign(old: Any, new: Any) -> Any:
    if isinstance(old, bool) or not isinstance(old, int | float) or not isinstance(new, int | float):
        return new
    return (new > old) - (new < old)
