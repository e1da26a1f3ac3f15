"""What `rules` proposes after failed versions in a row: removals first, then families that did not fail."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.agents.base import ProposalContext
from evotrainer.agents.criteria import limits_of, success_of
from evotrainer.campaign.code_files import texts_of
from evotrainer.campaign.lineage import best_chain, find
from evotrainer.config import config_to_dict, flatten
from evotrainer.config.factors import families_of
from evotrainer.config.interventions import build
from evotrainer.errors import ConfigError
from evotrainer.records import Intervention, Prediction
from evotrainer.search.escalation import MARK, Escalation


def removals(context: ProposalContext, escalated: Escalation) -> list[Intervention]:
    """Return interventions that take back what the chain to the incumbent added, the newest addition first."""
    flat, reading, proposals = flatten(config_to_dict(context.config)), context.reading(), []
    for version in reversed(best_chain(context.records)):
        added = find(context.records, version).intervention
        setting = {} if added is None else {key: old for key, (old, new) in added.diff.items() if flat[key] == new}
        if not setting:
            continue
        because = f"{len(escalated.failed)} versions failed in a row, and what {version} added may hold them back"
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
        author="rules",
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
    """Return removals, then proposals of families that did not fail; the others too where `places` would stay empty."""
    other = [one for one in proposals if _is_marked(one) or not families_of(one.diff) & escalated.families]
    is_enough = len({one.intervention_id for one in other}) >= places
    return sorted(other if is_enough else proposals, key=lambda one: not _is_marked(one))


def _is_marked(intervention: Intervention) -> bool:
    return any(item.startswith(MARK) for item in intervention.evidence)
