"""What answers of tools and logs of graders say of a machine: that it failed, lacks something, or ran no test."""

import re
from collections.abc import Sequence

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.records import Trajectory

_MACHINE = re.compile(
    r"\b(?:HTTP[/ \d.]*\s)?5\d\d\s(?:internal|bad gateway|service|gateway|server)|service (?:temporarily )?unavailable"
    r"|connection (?:refused|reset|aborted|closed|error|timed out)|E(?:CONN\w+|TIMEDOUT|HOSTUNREACH|AI_AGAIN)\b"
    r"|(?:upstream|request|read|gateway|socket|operation|execution|tool)\s+(?:timed out|timeout)|timed out after"
    r"|\b(?:read|connect|write|pool|gateway|proxy)-?timeout\b|\bno (?:answer|response|reply) from\b"
    r"|\btimed out (?:in|waiting in|waiting for) (?:(?:the|a|an) )?(?:queue|slot|worker|sandbox|container|machine)\b"
    r"|name resolution|no route to host|broken pipe|no space left|out of memory|cannot allocate memory"
    r"|rate limit|too many requests|(?:sandbox|container|worker|server|backend|daemon)\b.{0,30}\b(?:died|crashed|"
    r"unavailable|unreachable|not running|is down|terminated|lost)|read-only file system|quota exceeded",
    re.I,
)
_ABSENT = re.compile(
    r"no such (?:file|dir|table|module|package)"
    r"|\b(?:file|directory|path|module|command|table|package)\b.{0,60}\bnot found\b|\bnot found:"
    r"|\bcannot (?:find|open|access|stat)\b|\bdoes not exist\b|\bENOENT\b|\bno module named\b"
    r"|\bno (?:matches|results)\b|\bmodule ?not ?found\b|\b0 (?:matches|results)\b",
    re.I,
)
"""What the task is about is not there."""
_NO_TESTS = re.compile(
    r"\b(?:collected 0 items|no tests (?:ran|run|collected|found|to run)|errors? during collection|no test files"
    r"|(?:ran|running|found) 0 tests|0 tests? (?:collected|ran|executed|found))\b",
    re.I,
)
_LACKED = re.compile(
    r"No module named ['\"]?(\w[\w./-]*)|Cannot find (?:module|package) ['\"]([\w@][\w@./-]*)"
    r"|([\w.+-]+): command not found\b|\bsh: (?:\d+: )?([\w.+-]+): not found\b|\bpackage ([\w.]+) does not exist"
    r"|(lib[\w.+-]+\.so[\w.]*): cannot open shared object|no required module provides package (\w[\w./-]*)"
    r"|unresolved import `([\w:]+)|there is no package called \W(\w+)"
)
"""A module, package or command that is not there, by its name."""
_OF_ABSENCE = (
    "No module",
    "Cannot find",
    "not found",
    "not exist",
    "cannot open",
    "no required",
    "unresolved",
    "no package",
)
"""One stands in what _LACKED finds."""
_LOG_CHARS = 1000
_OF_TESTS = ("test", "TEST", "collect")
"""One stands in what _NO_TESTS finds, and is quicker to look for."""


def machine_share(answers: Sequence[str]) -> float:
    """Return the share of answers that name a machine's failure."""
    return _share(answers, _MACHINE)


def absent_share(answers: Sequence[str]) -> float:
    """Return the share of answers that say something is not there."""
    return _share(answers, _ABSENT)


def ran_no_tests(attempt: Transcript) -> bool:
    """Tell whether the last answer of a tool, or a column of the row, says that no test could be collected."""
    return any(map(_says_no_tests, attempt.answers[-1:])) or graded_untested(attempt.row)


def graded_untested(row: Trajectory) -> bool:
    """Tell whether a column of the row says that no test could be collected."""
    return any(_says_no_tests(value) for value in row.extra.values() if isinstance(value, str))


def lacked(attempt: Transcript) -> str:
    """Return the module or command that a column of the row says is not there; empty where the policy wrote it too."""
    for value in attempt.row.extra.values():
        for text in value.values() if isinstance(value, dict) else (value,):
            if not isinstance(text, str) or not any(map(text.__contains__, _OF_ABSENCE)):
                continue
            found = _LACKED.search(text[-_LOG_CHARS:])
            name = next(filter(None, found.groups()), "") if found else ""
            if name and not _is_written(attempt, name):
                return name
    return ""


def _is_written(attempt: Transcript, name: str) -> bool:
    calls = [str(call.arguments) for message in attempt.said for call in message.tool_calls or ()]
    return any(name in text for text in (attempt.text, *calls))


def _says_no_tests(text: str) -> bool:
    end = text[-_LOG_CHARS:]
    return any(map(end.__contains__, _OF_TESTS)) and _NO_TESTS.search(end) is not None


def _share(texts: Sequence[str], pattern: re.Pattern[str]) -> float:
    return sum(bool(pattern.search(text[:1000])) for text in texts) / len(texts) if texts else 0.0
