"""A run that is followed while it writes: its rows are read again whenever its files change.

A step is finished when a later one has rows, or when nothing changed since the last look; then its line is shown, and a
person's own condition is judged. A file that is cut in the middle of a line, half a Parquet file or a folder that is
not there are what a run that writes looks like: the next look reads them. A folder that was moved is followed.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evotrainer.diagnosis.checks import Check
from evotrainer.diagnosis.conditions import Conditions, Evidence, columns_of
from evotrainer.diagnosis.judgement import SEVERITIES
from evotrainer.diagnosis.step_numbers import NUMBERS, StepNumber, StepNumbers, step_numbers
from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.evidence.foreign.files import marks_of
from evotrainer.evidence.foreign.names import find_format
from evotrainer.records import Finding
from tasks.diagnose.foreign import diagnosed, read_evidence
from tasks.running.notify import Event

ROWS = 3
"""Attempts that an event shows."""
TEXT = 400
"""Characters of the end of a text that an event shows."""
NAMES = tuple(one.name for one in NUMBERS)
UNREADABLE = 3
"""Looks in a row that cannot read changed files, after which a notice is sent."""


@dataclass(frozen=True)
class Look:
    """What a look at a run shows beyond earlier ones."""

    numbers: StepNumbers | None = None
    finished: Sequence[int] = ()
    """Places of steps that are shown now: new ones, and those that grew."""
    reddened: Sequence[tuple[StepNumber, int]] = ()
    """Numbers that are red for the first time, and the step."""
    findings: Sequence[Finding] = ()
    events: Sequence[Event] = ()
    trouble: str = ""
    """Why nothing could be read now; empty where that is as before."""
    left_out: Sequence[str] = ()
    """Rows that could not be read at two looks: at one, a line may still be written."""
    has_grown: bool = False


class Following:
    """One run, from look to look."""

    def __init__(
        self,
        path: Path,
        source: str = "",
        columns: Mapping[str, str] | None = None,
        own: Sequence[Check] = (),
        when: str = "",
    ) -> None:
        """Prepare to follow; raises ConfigError or EvidenceError for a condition over what is no number by step."""
        if source:
            find_format(source)
        known = ("step", "attempts", *NAMES)
        for name in columns_of(when) if when else ():
            if name not in known and not name.startswith("reward."):
                raise ConfigError(f"no number by step is called '{name}': choose from {', '.join(known)}")
        self.path, self.when = path, when
        self._holds(None)
        self._how = (source, columns)
        self._own = own
        self._folder = os.open(path, os.O_RDONLY) if path.is_dir() else None
        self._marks: object = None
        self._read: tuple[StepNumbers, Evidence] | None = None
        self._shown: dict[int, int] = {}
        self._causes: set[str] = set()
        self._red: set[str] = set()
        self._trouble, self._failures = "", 0
        self._left_out: set[str] = set()

    def look(self, is_last: bool = False) -> Look:
        """Return what is new since the last look; `is_last`: its last step is finished too."""
        try:
            marks = self._files()
            if marks == self._marks:
                return self._flushed(self._read, False)
            self._marks = marks
            foreign, evidence = read_evidence(self.path, *self._how)
            report = diagnosed(foreign, evidence, self._own)
        except (EvidenceError, OSError) as error:
            return self._unreadable(str(error))
        self._trouble, self._failures = "", 0
        again = [one for one in foreign.skipped if (one in self._left_out or is_last) and self._is_new(one)]
        self._left_out = set(foreign.skipped)
        numbers = step_numbers(evidence)
        before = 0 if self._read is None else self._read[1].num_rows
        self._read = numbers, evidence
        worst = SEVERITIES[:2]
        new = [one for one in report.findings if not one.follows_from and one.severity in SEVERITIES[:3]]
        new = [one for one in new if self._is_new(f"{one.severity} {one.mode}")]
        events = [_of_finding(one, evidence) for one in new if one.severity in worst]
        return self._flushed(self._read, not is_last, new, events, again, evidence.num_rows > before)

    def _flushed(
        self,
        read: tuple[StepNumbers, Evidence] | None,
        is_writing: bool,
        findings: Sequence[Finding] = (),
        events: Sequence[Event] = (),
        left_out: Sequence[str] = (),
        has_grown: bool = False,
    ) -> Look:
        """Return the steps that are finished and not shown as they are now, and what they come to."""
        if read is None:
            return Look()
        numbers, evidence = read
        places = range(len(numbers.steps) - is_writing)
        finished = [one for one in places if self._shown.get(numbers.steps[one]) != numbers.attempts[one]]
        self._shown |= {numbers.steps[one]: numbers.attempts[one] for one in finished}
        reddened = [
            (one, numbers.steps[place])
            for place in finished
            for one in numbers.numbers
            if numbers.red[one.name][place] and one.name not in self._red and not self._red.add(one.name)
        ]
        more = self._condition(numbers, finished, evidence)
        return Look(numbers, finished, reddened, findings, [*events, *more], "", left_out, has_grown)

    def _condition(self, numbers: StepNumbers, places: Sequence[int], evidence: Evidence) -> list[Event]:
        """Return the event of the first of these steps for which the person's condition holds."""
        if not self.when or not places or f"condition {self.when}" in self._causes:
            return []
        found = self._holds(numbers)
        held = [place for place in places if found[place]]
        if not held:
            return []
        self._causes.add(f"condition {self.when}")
        place = held[0]
        named = [one for one in numbers.numbers if one.name in columns_of(self.when)]
        values = {one.name: float(numbers.values[one.name][place] or 0) for one in named}
        shown = ", ".join(f"{name} {value:.4g}" for name, value in values.items())
        of_step = np.flatnonzero(evidence.step == numbers.steps[place])
        worst = of_step[np.argsort(evidence.reward[of_step], kind="stable")][:ROWS]
        return [
            Event(
                kind="condition",
                cause=self.when,
                message=f"it holds at step {numbers.steps[place]}: {shown}",
                step=numbers.steps[place],
                advice="; ".join(one.advice for one in named),
                numbers=values,
                rows=_rows(evidence, worst),
            )
        ]

    def _holds(self, numbers: StepNumbers | None) -> list[bool | None]:
        """Return for which steps the condition holds; raises EvidenceError where it cannot be evaluated."""
        columns = {name: [1.0] for name in (columns_of(self.when) if self.when else ())}  # of a step that is none
        if numbers is not None:
            columns = dict.fromkeys(NAMES, [None] * len(numbers.steps)) | numbers.values
            columns |= {"step": numbers.steps, "attempts": numbers.attempts}
        table = pa.table({name: pa.array(one, pa.float64()) for name, one in columns.items()} or {"step": []})
        return Conditions({"attempts": table}).evaluate([self.when])[0].to_pylist() if self.when else []

    def _files(self) -> list[tuple[str, int, int]]:
        """Return name, size and time of all files, where the folder is now."""
        if self._folder is not None and not self.path.exists():
            held = Path(f"/proc/self/fd/{self._folder}")
            self.path = held.readlink() if held.is_symlink() and held.readlink().exists() else self.path
        elif self._folder is None and self.path.is_dir():
            self._folder = os.open(self.path, os.O_RDONLY)
        return marks_of(self.path)

    def _unreadable(self, reason: str) -> Look:
        """Return why nothing was read, where that is new; an event where it goes on with files that change."""
        self._failures += 1
        is_new = reason != self._trouble
        self._trouble = reason
        if self._failures != UNREADABLE or self._read is None:
            return Look(trouble=reason if is_new else "")
        event = Event("unreadable", "unreadable", f"rows cannot be read any more: {reason}")
        return Look(trouble=reason if is_new else "", events=[event])

    def _is_new(self, cause: str) -> bool:
        is_new = cause not in self._causes
        self._causes.add(cause)
        return is_new


def _of_finding(finding: Finding, evidence: Evidence) -> Event:
    wanted = pa.array(finding.trajectory_ids[:ROWS], pa.string())
    places = np.flatnonzero(np.isin(evidence.texts("trajectory_id"), wanted.to_pylist()))[:ROWS]
    steps = evidence.step[places]
    return Event(
        kind="finding",
        cause=finding.mode,
        message=finding.message,
        severity=finding.severity,
        step=int(steps.max()) if len(steps) and np.isfinite(steps).all() else None,
        advice=finding.message.rpartition(": ")[2],
        numbers=finding.numbers,
        rows=_rows(evidence, places),
    )


def _rows(evidence: Evidence, places: np.ndarray) -> list[dict[str, Any]]:
    names = [
        one
        for one in ("trajectory_id", "problem_id", "step", "reward", "response")
        if one in evidence.table.column_names
    ]
    found = evidence.table.select(names).take(pa.array(places, pa.int64())).to_pylist()
    return [{name: value[-TEXT:] if isinstance(value, str) else value for name, value in one.items()} for one in found]
