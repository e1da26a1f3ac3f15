"""What `rules` proposes after failed versions in a row: removals, other families, and what other domains taught."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.agents.base import ProposalContext
from evotrainer.agents.promises import limits_of, success_of
from evotrainer.campaign.code_files import texts_of
from evotrainer.campaign.lineage import best_chain, find
from evotrainer.config import config_to_dict, flatten
from evotrainer.config.factors import Family, families_of
from evotrainer.config.interventions import build
from evotrainer.errors import ConfigError
from evotrainer.records import Intervention, Prediction
from evotrainer.search.escalation import MARK, Escalation

AUTHOR = "rules"
_OFF = (0, 0.0, False, "none", "")


def removals(context: ProposalContext, escalated: Escalation) -> list[Intervention]:
    """Return interventions that take back what the chain to the incumbent added, the newest addition first."""
    flat, reading, proposals = flatten(config_to_dict(context.config)), context.reading(), []
    for version in reversed(best_chain(context.records)):
        added = find(context.records, version).intervention
        setting = {} if added is None else {key: old for key, (old, new) in added.diff.items() if flat[key] == new}
        if not setting:
            continue
        because = (
            f"{len(escalated.failed)} versions failed in a row, and what {version} added may be what holds them back"
        )
        with contextlib.suppress(ConfigError):  # a removal that is no lawful step from this recipe
            proposals.append(taken_back(context, setting, because, f"{MARK}removal of {version}", reading))
    return proposals


def taken_back(
    context: ProposalContext, setting: Mapping[str, Any], because: str, evidence: str, reading: Mapping[str, float]
) -> Intervention:
    """Return the intervention that takes an addition back; raises ConfigError where that is no lawful step."""
    changes = ", ".join(f"{key}={value}" for key, value in setting.items())
    return build(
        context.config,
        setting,
        author=AUTHOR,
        hypothesis=f"if {changes} then score moves by +0.005 because {because}",
        prediction=Prediction(metric="score", direction="up", size=0.005, low=-0.05, high=0.05, probability=0.3),
        success=success_of(reading),
        limits=limits_of("score", reading, context.report.guards),
        evidence=[evidence],
        parents=[context.incumbent],
        files=texts_of(setting.values(), context.records),
        table=context.factors,
    )


def escalated_order(proposals: Sequence[Intervention], escalated: Escalation, places: int) -> list[Intervention]:
    """Return proposals of families that did not fail, those that remove before those that add.

    The others too, where these are fewer than the `places` of a generation.
    """
    other = [one for one in proposals if not _families(one) & escalated.families or _is_marked(one)]
    is_enough = len({one.intervention_id for one in other}) >= places
    chosen = [_marked(one) if _removes(one) else one for one in (other if is_enough else proposals)]
    return sorted(chosen, key=lambda one: not _is_marked(one))


def _removes(intervention: Intervention) -> bool:
    """Return whether a change switches something off."""
    return all(new in _OFF and old not in _OFF for old, new in intervention.diff.values())


def _marked(intervention: Intervention) -> Intervention:
    if _is_marked(intervention):
        return intervention
    return intervention.model_copy(update={"evidence": [*intervention.evidence, f"{MARK}removal"]})


def _is_marked(intervention: Intervention) -> bool:
    return any(item.startswith(MARK) for item in intervention.evidence)


def _families(intervention: Intervention) -> set[Family]:
    return families_of(intervention.diff)
