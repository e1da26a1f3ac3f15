"""Any agent under a brief: it sees less, may change less, and does not repeat what a typed failure has closed.

    keep                         the agent's own continuations stand
    discard                      proposals in that direction come last
    crash, overrun, blocked ...  proposals in that direction are dropped, on the incumbent that showed it
    harness_abort                hidden: the recipe may be tried again

A direction is a factor with the sign of each change (track_record.py). The laws of interventions.py hold besides, over
all versions, whatever the agent was shown: a repeated recipe is refused.
"""

from collections.abc import Sequence
from dataclasses import replace

from evotrainer.agents.base import Agent, ProposalContext
from evotrainer.agents.track_record import direction
from evotrainer.campaign.trials import label_of
from evotrainer.records import Intervention, VersionRecord
from evotrainer.search.base import Brief
from evotrainer.search.specialists import AUTHOR_SIGN


def propose_under(brief: Brief, agent: Agent, context: ProposalContext) -> list[Intervention]:
    """Return what an agent proposes under a brief, the most promising first."""
    shown = [record for record in context.records if brief.visible is None or record.spec.version in brief.visible]
    proposals = agent.propose(replace(context, records=shown, brief=brief))
    if not brief.specialist:
        return proposals
    closed = {direction(change.diff) for change in _changes(context.records, brief.closed)}
    discarded = {
        direction(record.intervention.diff)
        for record in shown
        if record.intervention and record.spec.incumbent == context.incumbent and label_of(record) == "discard"
    }
    left = [_signed(one, brief.specialist) for one in proposals if direction(one.diff) not in closed]
    return sorted(left, key=lambda one: direction(one.diff) in discarded)


def _changes(records: Sequence[VersionRecord], versions: object) -> list[Intervention]:
    named = set(versions)  # type: ignore[call-overload]
    return [record.intervention for record in records if record.spec.version in named and record.intervention]


def _signed(intervention: Intervention, specialist: str) -> Intervention:
    return intervention.model_copy(update={"author": f"{intervention.author}{AUTHOR_SIGN}{specialist}"})
