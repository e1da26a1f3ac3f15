"""The tool that writes diagnostics. What it checks is form alone: whether one enters is the retrospective gate's word.

A draft that cannot be a card is refused with the reason, at most `MAX_REFUSALS` times; then those that can stand.
"""

from pydantic import Field

from evotrainer.agents.base import RevisionContext
from evotrainer.agents.claude.tools import Arguments, Refusals, Result, Tool
from evotrainer.errors import EvidenceError, HarnessError
from evotrainer.records import DiagnosticDraft


class WriteArguments(Arguments):
    """Diagnostics, at most one a gap; none where the evidence shows nothing."""

    diagnostics: list[DiagnosticDraft] = Field(max_length=6)


class Drafts:
    """What the agent wrote so far, and what was refused."""

    def __init__(self, context: RevisionContext) -> None:
        self._context, self._refusals = context, Refusals()
        self.written: list[DiagnosticDraft] = []
        self.refused = self._refusals.reasons

    def tool(self) -> Tool:
        """Return the tool that ends the conversation."""
        return Tool(
            "write",
            "Write diagnostics, at most one a gap. Ends the work.",
            WriteArguments,
            self.write,
            refuse=self.refuse,
        )

    def write(self, given: WriteArguments) -> Result:
        """Keep the well-formed drafts of a list; ask for it again where some are not."""
        self.written, reasons = [], []
        for draft in given.diagnostics:
            try:
                self._check(draft)
                self.written.append(draft)
            except (HarnessError, EvidenceError) as error:
                reasons.append(f"{draft.name}: {error}")
        return self.refuse(reasons) if reasons else Result(self._done(), is_final=True)

    def refuse(self, reasons: list[str]) -> Result:
        """Ask for the list again with the reasons; in the end what stands goes to the gate."""
        return self._refusals.answer(reasons, "Write the whole list again", self._done())

    def _done(self) -> str:
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
