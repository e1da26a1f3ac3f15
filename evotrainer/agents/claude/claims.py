"""What a model claims of rows from elsewhere, and what the rows themselves say of it.

A claim names its rows by two SELECTs: those that show the fault, and those that could have shown it. Both are run here,
and every number of a finding is counted here. A claim without rows, of too few, or of rows outside of its own ground is
refused with the reason. What no rows can prove is the statement: a person reads it beside the rows.

A critical finding of the rules may be doubted, with rows that show its sound explanation, among them half of those
that the finding names. It is a warning then, and the doubt stands under it: texts of a policy that persuade a model can
lower a finding, and never hide it (docs/decisions/013-a-doubt-lowers-a-finding.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from evotrainer.agents.claude.tools import Arguments, Refusals, Result, Tool
from evotrainer.agents.claude.untrusted import one_line
from evotrainer.errors import EvidenceError
from evotrainer.evidence.query import QueryResult
from evotrainer.records import READER, Finding

MAX_CLAIMS = 8
MAX_EXAMPLES = 20
MIN_ROWS = {"warning": 2, "critical": 5}
"""Fewest attempts that must show a fault, by severity."""
DOUBTED, LOWERED = "critical", "warning"
"""The severity that may be doubted, and what it is then: a warning stops nobody, and `invalid` is proven."""
EXPLAINED_SHARE = 0.5
"""Share of the rows that a finding names that its doubt must show."""
MIN_PROBLEMS = {"warning": 1, "critical": 2}
MAX_MESSAGE_CHARACTERS = 600

Query = Callable[[str], QueryResult]


class Claim(Arguments):
    """One fault, with the rows that show it."""

    mode: str = Field(pattern=r"^[a-z][a-z0-9_]{2,39}$", description="its name: one of the list where one fits")
    severity: Literal["warning", "critical"] = Field(
        description="critical: what a competent engineer would stop the run for"
    )
    statement: str = Field(
        min_length=20, max_length=MAX_MESSAGE_CHARACTERS, description="what is wrong, in plain words"
    )
    affected: str = Field(
        min_length=1, max_length=4000, description="SELECT that gives the trajectory_id of each attempt that shows it"
    )
    ground: str = Field(
        min_length=1,
        max_length=4000,
        description="SELECT that gives the trajectory_id of each attempt that could have shown it, those included",
    )


class Doubt(Arguments):
    """A sound explanation of a critical finding of the rules."""

    mode: str = Field(description="the name of the finding")
    reason: str = Field(
        min_length=20, max_length=MAX_MESSAGE_CHARACTERS, description="what explains it, so that nobody stops for it"
    )
    rows: str = Field(
        min_length=1,
        max_length=4000,
        description="SELECT that gives the trajectory_id of attempts that show this, of half that the finding names "
        "or more",
    )


class ReportArguments(Arguments):
    """All faults, and doubts of the rules' critical findings; none where the run is sound and nobody said otherwise."""

    claims: list[Claim] = Field(max_length=MAX_CLAIMS)
    doubts: list[Doubt] = Field(default=[], max_length=MAX_CLAIMS)


@dataclass(frozen=True)
class _Attempt:
    """What the numbers of a claim are counted from."""

    problem_id: str
    reward: float | None
    correct: float | None


class Claims:
    """The claims of a conversation that its rows bear, as findings, and doubts of what the rules found.

    `query` answers a SELECT over the rows.
    """

    def __init__(self, query: Query, version: str, rules: Sequence[Finding] = ()) -> None:
        self._query, self._version, self._rules, self._refusals = query, version, rules, Refusals()
        self._attempts: dict[str, _Attempt] | None = None
        self.findings: list[Finding] = []
        self.doubts: dict[str, str] = {}
        self.refused = self._refusals.reasons

    def tool(self) -> Tool:
        """Return the tool that ends the conversation."""
        return Tool(
            "report",
            "Report what is wrong with the run, each fault once, worst first; an empty list for a sound run. Numbers "
            "are counted from your two SELECTs. Doubt a critical finding of the rules where you can show what explains "
            "it. Ends the work.",
            ReportArguments,
            self.report,
            refuse=self.refuse,
        )

    def report(self, given: ReportArguments) -> Result:
        """Keep the claims that their rows bear; ask for the list again where some do not."""
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
        return self.refuse(reasons) if reasons else Result("thank you", is_final=True)

    def doubted(self) -> list[Finding]:
        """Return the findings of the rules, those in doubt as warnings with the reason."""
        return [
            one.model_copy(update={"severity": LOWERED, "doubt": self.doubts[one.mode]})
            if one.severity == DOUBTED and one.mode in self.doubts
            else one
            for one in self._rules
        ]

    def refuse(self, reasons: list[str]) -> Result:
        """Ask for the list again with the reasons; in the end what stands is kept."""
        return self._refusals.answer(reasons, "Send the whole list again", "what stands is kept")

    def _finding(self, claim: Claim) -> Finding:
        shown, ground = self._ids(claim.affected, "affected"), self._ids(claim.ground, "ground")
        if outside := [name for name in shown if name not in set(ground)]:
            raise EvidenceError(f"{len(outside)} of the affected rows are not in ground, like {outside[0]}")
        problems = {self.attempts[name].problem_id for name in shown}
        if len(shown) < MIN_ROWS[claim.severity] or len(problems) < MIN_PROBLEMS[claim.severity]:
            raise EvidenceError(
                f"{len(shown)} rows of {len(problems)} problems show it: {claim.severity} needs at least "
                f"{MIN_ROWS[claim.severity]} of {MIN_PROBLEMS[claim.severity]}"
            )
        others = [name for name in ground if name not in set(shown)]
        numbers = {"affected": len(shown), "ground": len(ground)}
        numbers |= self._means("affected", shown) | self._means("others", others)
        return Finding(
            mode=claim.mode,
            severity=claim.severity,
            diagnostic=READER,
            version=self._version,
            message=f"{one_line(claim.statement, MAX_MESSAGE_CHARACTERS)} ({_counted(numbers)})",
            numbers=numbers,
            trajectory_ids=shown[:MAX_EXAMPLES],
        )

    def _doubt(self, doubt: Doubt) -> str:
        """Return the reason of a doubt with the count of what shows it."""
        found = [one for one in self._rules if one.mode == doubt.mode and one.severity == DOUBTED]
        if not found:
            raise EvidenceError("no critical finding of the rules has this name")
        shown = self._ids(doubt.rows, "rows")
        if len(shown) < MIN_ROWS["warning"]:
            raise EvidenceError(f"{len(shown)} rows show it: a doubt needs at least {MIN_ROWS['warning']}")
        for one in found:
            left = [name for name in one.trajectory_ids if name not in set(shown)]
            if len(left) > (1 - EXPLAINED_SHARE) * len(one.trajectory_ids):
                raise EvidenceError(
                    f"it leaves {len(left)} of {len(one.trajectory_ids)} rows that the finding names unexplained, like "
                    f"{left[0]}: rows must give at least half of them"
                )
        return f"{one_line(doubt.reason, MAX_MESSAGE_CHARACTERS)} ({len(shown)} attempts, like {shown[0]})"

    def _ids(self, sql: str, part: str) -> list[str]:
        """Return the ids that a SELECT gives, each once, in its order."""
        answer = self._query(sql)
        if answer.is_cut:
            raise EvidenceError(f"{part} gives more than {len(answer.rows)} rows: give each trajectory_id once")
        if "trajectory_id" not in answer.columns:
            raise EvidenceError(f"{part} gives no column trajectory_id")
        place = answer.columns.index("trajectory_id")
        found = list(dict.fromkeys(str(row[place]) for row in answer.rows))
        if unknown := [name for name in found if name not in self.attempts]:
            raise EvidenceError(f"{part} gives {one_line(unknown[0], 60)!r}, which is no trajectory_id of these rows")
        return found

    @property
    def attempts(self) -> dict[str, _Attempt]:
        """Every attempt of the rows by id."""
        if self._attempts is None:
            answer = self._query("SELECT trajectory_id, problem_id, reward, correct FROM all_trajectories")
            self._attempts = {row[0]: _Attempt(*row[1:]) for row in answer.rows}
        return self._attempts

    def _means(self, part: str, names: list[str]) -> dict[str, float]:
        """Return mean reward and outcome of attempts, where they are recorded."""
        found: dict[str, float] = {}
        for name in ("reward", "correct"):
            given: list[Any] = [getattr(self.attempts[one], name) for one in names]
            known = [float(value) for value in given if value is not None]
            if known:
                found[f"{part}_{name}"] = round(sum(known) / len(known), 6)
        return found


def _counted(numbers: dict[str, float]) -> str:
    """Return what was counted, in words."""
    parts = [f"{numbers['affected']:g} of {numbers['ground']:g} attempts"]
    for name in ("reward", "correct"):
        if f"affected_{name}" in numbers:
            other = numbers.get(f"others_{name}")
            against = "" if other is None else f", {other:.2f} of the others"
            parts.append(f"mean {name} {numbers[f'affected_{name}']:.2f}{against}")
    return "; ".join(parts)
