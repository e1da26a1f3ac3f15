"""The trainer agent: one conversation a generation, whose candidates are lawful interventions.

Where nothing lawful comes of a conversation, the pool is empty and the version is closed untrained, as for every
agent. The rules never step in: a pool has one author, or no comparison of authors would mean anything.
"""

from collections.abc import Callable
from typing import Any

from evotrainer.agents.base import ProposalContext, RevisionContext
from evotrainer.agents.claude.candidates import Proposals, backtest_tool, recipe_tools
from evotrainer.agents.claude.conversation import Conversation
from evotrainer.agents.claude.diagnostics import Drafts
from evotrainer.agents.claude.inquiry import evidence_tools, lineage_tool, reading_tools
from evotrainer.agents.claude.metering import Meter
from evotrainer.agents.claude.prompts import AUTHOR_OF_DIAGNOSTICS, PROPOSER, proposal_opening, revision_opening
from evotrainer.agents.claude.tools import Tool
from evotrainer.agents.record import AgentRecord, Answer
from evotrainer.config import Config
from evotrainer.records import DiagnosticDraft, Intervention

Send = Callable[[dict[str, Any]], Answer]


class ClaudeAgent:
    """Asks a model that inquires with tools, through the record."""

    def __init__(self, record: AgentRecord, send: Send | None = None) -> None:
        self._record, self._send = record, send

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return the candidates that the model proposed and the laws allow.

        Raises:
            AgentError: the model cannot be asked, declined, or its budget is spent.
            AgentUnavailableError: its endpoint gives no whole answer.

        """
        proposals = Proposals(context)
        tools = [*_proposer_tools(context), proposals.tool()]
        self._converse(context.config, PROPOSER, tools, proposal_opening(context))
        self._record.refused += proposals.refused
        self._record.diagnosis = proposals.diagnosis
        return proposals.candidates

    def draft(self, context: RevisionContext) -> list[DiagnosticDraft]:
        """Return the diagnostics that the model wrote for gaps; raises as `propose` does."""
        drafts = Drafts(context)
        tools = [*evidence_tools(context.query), lineage_tool(context.records), drafts.tool()]
        self._converse(context.config, AUTHOR_OF_DIAGNOSTICS, tools, revision_opening(context))
        self._record.refused += drafts.refused
        return drafts.written

    def _converse(self, config: Config, system: str, tools: list[Tool], opening: str) -> None:
        send = self._send or first_use(config, self._record)
        Conversation(config.trainer, self._record, send, system, tools, tools[-1].name).run(opening)


def _proposer_tools(context: ProposalContext) -> list[Tool]:
    """Return the tools that a campaign allows: one that searches by scores shows recipe and lineage alone."""
    if context.workbench is None:
        return [*recipe_tools(context), lineage_tool(context.records)]
    found = [*evidence_tools(context.workbench.query), *reading_tools(context), *recipe_tools(context)]
    return [*found, backtest_tool(context, context.workbench.backtest)]


def first_use(config: Config, record: AgentRecord) -> Send:
    """Return what sends questions; the client is made with the first: a replay needs neither SDK nor key."""
    clients: list[Send] = []

    def send(question: dict[str, Any]) -> Answer:
        if not clients:
            from evotrainer.agents.claude.client import MessagesClient  # the SDK takes seconds to import

            meter = Meter(config.trainer, config.budget.total.dollars, lambda: record.spent)
            clients.append(MessagesClient(config.trainer, meter).send)
        return clients[0](question)

    return send
