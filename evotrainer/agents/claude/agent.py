"""The trainer agent: one conversation a generation, whose candidates are lawful interventions.

Where nothing lawful comes of a conversation, the pool is empty and the version is closed untrained, as for every
agent. The rules never step in: a pool has one author, or no comparison of authors would mean anything.
"""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from evotrainer.agents.base import ProposalContext, RevisionContext
from evotrainer.agents.claude.access import Meter
from evotrainer.agents.claude.candidates import Proposals
from evotrainer.agents.claude.chat import ChatClient
from evotrainer.agents.claude.conversation import Conversation
from evotrainer.agents.claude.prompts import AUTHOR_OF_DIAGNOSTICS, PROPOSER, proposal_opening, revision_opening
from evotrainer.agents.claude.tools import Arguments, Submission, Tool, evidence_tools
from evotrainer.agents.record import AgentRecord, Answer
from evotrainer.config import Config
from evotrainer.config.campaign import TrainerConfig
from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.records import DiagnosticDraft, Intervention

Send = Callable[[dict[str, Any]], Answer]


class ClaudeAgent:
    """Asks a model that inquires with tools, through the record."""

    def __init__(self, record: AgentRecord) -> None:
        self._record = record

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return the candidates that the model proposed and the laws allow.

        Raises:
            AgentError: the model cannot be asked, declined, or its budget is spent.
            AgentUnavailableError: its endpoint gives no whole answer.

        """
        proposals = Proposals(context)
        tools = [*(evidence_tools(context.query) if context.query else []), proposals.tool()]
        self._converse(context.config, PROPOSER, tools, proposal_opening(context))
        self._record.refused += proposals.refused
        self._record.diagnosis = proposals.diagnosis
        return proposals.candidates

    def draft(self, context: RevisionContext) -> list[DiagnosticDraft]:
        """Return the diagnostics that the model wrote for gaps; raises as `propose` does."""
        drafts = Drafts(context)
        tools = [*evidence_tools(context.query), drafts.tool()]
        self._converse(context.config, AUTHOR_OF_DIAGNOSTICS, tools, revision_opening(context))
        self._record.refused += drafts.refused
        return drafts.written

    def _converse(self, config: Config, system: str, tools: list[Tool], opening: str) -> None:
        send = first_use(config, self._record)
        Conversation(config.trainer, self._record, send, system, tools, tools[-1].name).run(opening)


def first_use(config: Config, record: AgentRecord) -> Send:
    """Return what sends questions; the client is made with the first: a recorded stage needs neither SDK nor key."""
    clients: list[Send] = []

    def send(question: dict[str, Any]) -> Answer:
        if not clients:
            meter = Meter(config.trainer, config.budget.total.dollars, lambda: record.spent)
            clients.append(_client(config.trainer, meter))
        return clients[0](question)

    return send


def _client(trainer: TrainerConfig, meter: Meter) -> Send:
    if trainer.chat_url:
        return ChatClient(trainer, meter).send
    from evotrainer.agents.claude.client import MessagesClient  # the SDK takes seconds to import

    return MessagesClient(trainer, meter).send


class WriteArguments(Arguments):
    """Diagnostics, at most one a gap; none where the evidence shows nothing."""

    diagnostics: list[DiagnosticDraft] = Field(max_length=6)


class Drafts(Submission[WriteArguments]):
    """What the agent wrote so far."""

    name, arguments = "write", WriteArguments
    description = "Write diagnostics, at most one a gap. Ends the work."
    again = "Write the whole list again"

    def __init__(self, context: RevisionContext) -> None:
        super().__init__()
        self._context = context
        self.written: list[DiagnosticDraft] = []

    def take(self, given: WriteArguments) -> list[str]:
        """Keep the well-formed drafts of a list; return what is wrong with the others."""
        self.written, reasons = [], []
        for draft in given.diagnostics:
            try:
                self._check(draft)
                self.written.append(draft)
            except (ConfigError, EvidenceError) as error:
                reasons.append(f"{draft.name}: {error}")
        return reasons

    def ending(self) -> str:
        """Return what the model is told at the end."""
        return f"{len(self.written)} diagnostics go to the gate"

    def _check(self, draft: DiagnosticDraft) -> None:
        """Raise ConfigError or EvidenceError where a draft cannot be a card."""
        if draft.gap > len(self._context.gaps) or draft.gap in {one.gap for one in self.written}:
            raise ConfigError(f"gap {draft.gap} is none of the {len(self._context.gaps)} given, or has a diagnostic")
        if draft.name in self._context.taken or draft.name in {one.name for one in self.written}:
            raise ConfigError("the name is taken by a metric or a diagnostic: choose another")
        named = {*self._context.columns_of(draft.shows), *self._context.columns_of(draft.among)}
        if lacking := sorted(named - set(self._context.columns)):
            raise ConfigError(f"attempts have no column {', '.join(lacking)}")
        if not named:
            raise ConfigError("its condition names no column")
