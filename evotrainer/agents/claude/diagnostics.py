"""The tool that writes diagnostics. It checks form alone: the retrospective gate decides which one enters."""

from pydantic import Field

from evotrainer.agents.base import RevisionContext
from evotrainer.agents.claude.tools import Arguments, Submission
from evotrainer.errors import EvidenceError, HarnessError
from evotrainer.records import DiagnosticDraft


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
            except (HarnessError, EvidenceError) as error:
                reasons.append(f"{draft.name}: {error}")
        return reasons

    def ending(self) -> str:
        """Return what the model is told at the end."""
        return f"{len(self.written)} diagnostics go to the gate"

    def _check(self, draft: DiagnosticDraft) -> None:
        """Raise HarnessError or EvidenceError where a draft cannot be a card."""
        if draft.gap > len(self._context.gaps) or draft.gap in {one.gap for one in self.written}:
            raise HarnessError(f"gap {draft.gap} is none of the {len(self._context.gaps)} given, or has a diagnostic")
        if draft.name in self._context.taken or draft.name in {one.name for one in self.written}:
            raise HarnessError("the name is taken by a metric or a diagnostic: choose another")
        named = {*self._context.columns_of(draft.shows), *self._context.columns_of(draft.among)}
        if lacking := sorted(named - set(self._context.columns)):
            raise HarnessError(f"attempts have no column {', '.join(lacking)}")
        if not named:
            raise HarnessError("its condition names no column")
