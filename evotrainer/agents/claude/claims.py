"""What a model claims of rows of another system, and what the rows themselves say of it.

A claim is a check (diagnosis/checks.py): a condition for the attempts that show the fault, and one for those that could
have. Its numbers are counted here, by the same engine as those of all checks. A claim of too few rows is refused with
the reason. What no rows can prove is the statement: a person reads it beside the rows.

A critical finding of the checks may be doubted, with rows that show its sound explanation, among them half of those
that the finding names. It is a warning then, and the doubt stands under it: texts of a policy that persuade a model can
lower a finding, and never hide it (docs/decisions.md).
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from evotrainer.agents.claude.tools import Arguments, Submission
from evotrainer.campaign.untrusted import one_line
from evotrainer.diagnosis.checks import COUNTED, CRITICAL_PROBLEMS, CRITICAL_ROWS, MIN_COUNTED, Check, run_checks
from evotrainer.diagnosis.conditions import MAX_CHARACTERS, Evidence, floats
from evotrainer.errors import EvidenceError
from evotrainer.records import READER, Finding

MAX_CLAIMS = 8
DOUBTED, LOWERED = "critical", "warning"
"""The severity that may be doubted, and what it is then: a warning stops nobody, and `invalid` is proven."""
EXPLAINED_SHARE = 0.5
"""Share of the rows that a finding names that its doubt must show."""
MAX_MESSAGE_CHARACTERS = 600


class Claim(Arguments):
    """One fault, with the rows that show it."""

    mode: str = Field(pattern=r"^[a-z][a-z0-9_]{2,39}$", description="its name: one of the list where one fits")
    severity: Literal["warning", "critical"] = Field(
        description="critical: what a competent engineer would stop the run for"
    )
    statement: str = Field(
        min_length=20, max_length=MAX_MESSAGE_CHARACTERS, description="what is wrong, in plain words"
    )
    shows: str = Field(
        min_length=1, max_length=MAX_CHARACTERS, description="SQL condition over attempts: these show the fault"
    )
    among: str = Field(
        default="TRUE", max_length=MAX_CHARACTERS, description="SQL condition: these could have shown it"
    )


class Doubt(Arguments):
    """A sound explanation of a critical finding of the rules."""

    mode: str = Field(description="the name of the finding")
    reason: str = Field(
        min_length=20, max_length=MAX_MESSAGE_CHARACTERS, description="what explains it, so that nobody stops for it"
    )
    shows: str = Field(
        min_length=1,
        max_length=MAX_CHARACTERS,
        description="SQL condition over attempts: these show it, half of those that the finding names or more",
    )


class ReportArguments(Arguments):
    """All faults, and doubts of the rules' critical findings; none where the run is sound and nobody said otherwise."""

    claims: list[Claim] = Field(max_length=MAX_CLAIMS)
    doubts: list[Doubt] = Field(default=[], max_length=MAX_CLAIMS)


class Claims(Submission[ReportArguments]):
    """The claims of a conversation that its rows bear, as findings, and doubts of what the checks found."""

    name, arguments = "report", ReportArguments
    description = (
        "Report what is wrong with the run, each fault once, worst first; an empty list for a sound run. Numbers are "
        "counted from your two conditions. Doubt a critical finding of the checks where you can show what explains it. "
        "Ends the work."
    )
    again = "Send the whole list again"

    def __init__(self, evidence: Evidence, rules: Sequence[Finding] = ()) -> None:
        super().__init__()
        self._evidence, self._rules = evidence, rules
        self.findings: list[Finding] = []
        self.doubts: dict[str, str] = {}

    def take(self, given: ReportArguments) -> list[str]:
        """Keep the claims and doubts that their rows bear; return what is wrong with the others."""
        self.findings, self.doubts, reasons = [], {}, []
        for claim in given.claims:
            try:
                self.findings.append(self._finding(claim))
            except EvidenceError as error:
                reasons.append(f"{claim.mode}: {error}")
        for doubt in given.doubts:
            try:
                self.doubts[doubt.mode] = self._doubt(doubt)
            except EvidenceError as error:
                reasons.append(f"doubt of {doubt.mode}: {error}")
        return reasons

    def doubted(self) -> list[Finding]:
        """Return the findings of the checks, those in doubt as warnings with the reason."""
        return [
            one.model_copy(update={"severity": LOWERED, "doubt": self.doubts[one.mode]})
            if one.severity == DOUBTED and one.mode in self.doubts
            else one
            for one in self._rules
        ]

    def _finding(self, claim: Claim) -> Finding:
        statement = one_line(claim.statement, MAX_MESSAGE_CHARACTERS).replace("{", "{{").replace("}", "}}")
        counted = "{shows} of {among} attempts, {problems} problems; mean reward {paid}, {others} of the others"
        says = f"{statement} ({counted})"
        [verdict] = run_checks(
            [Check(claim.mode, claim.shows, claim.among, COUNTED, (), claim.severity, says)], self._evidence
        )
        if verdict.unjudged is not None:
            raise EvidenceError("; ".join(verdict.unjudged.advice))
        shown, problems = len(verdict.shown), self._evidence.num_problems(verdict.shown)
        if verdict.finding is None or verdict.finding.severity != claim.severity:
            least = (CRITICAL_ROWS, CRITICAL_PROBLEMS) if claim.severity == "critical" else (MIN_COUNTED, 1)
            raise EvidenceError(
                f"{shown} rows of {problems} problems show it: {claim.severity} needs at least {least[0]} of {least[1]}"
            )
        return verdict.finding.model_copy(update={"diagnostic": READER})

    def _doubt(self, doubt: Doubt) -> str:
        """Return the reason of a doubt with the count of what shows it."""
        found = [one for one in self._rules if one.mode == doubt.mode and one.severity == DOUBTED]
        if not found:
            raise EvidenceError("no critical finding of the checks has this name")
        places = np.flatnonzero(floats(self._evidence.conditions.evaluate([doubt.shows])[0]) > 0)
        if len(places) < MIN_COUNTED:
            raise EvidenceError(f"{len(places)} rows show it: a doubt needs at least {MIN_COUNTED}")
        shown = set(self._evidence.table["trajectory_id"].take(places).to_pylist())
        for one in found:
            left = [name for name in one.trajectory_ids if name not in shown]
            if len(left) > (1 - EXPLAINED_SHARE) * len(one.trajectory_ids):
                raise EvidenceError(
                    f"it leaves {len(left)} of {len(one.trajectory_ids)} rows that the finding names unexplained, like "
                    f"{left[0]}: shows must hold for at least half of them"
                )
        first = self._evidence.ids(places[:1])[0]
        return f"{one_line(doubt.reason, MAX_MESSAGE_CHARACTERS)} ({len(places)} attempts, like {first})"
