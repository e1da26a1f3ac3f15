"""What a policy is shown: short, the same each time, and in characters that every policy's vocabulary holds.

A character outside printable ASCII stands as a Python escape (é as \\xe9, a tab as \\t), so that nothing is lost and no
episode fails for it. The opening of a control token (<|) is split, so that a file cannot speak as another role.
"""

import re
from collections import Counter
from dataclasses import dataclass

from evotrainer.domains.swe.runners.base import TestRun

MAX_FAILURES = 3
_WORDS = {"failed": "failed", "error": "error", "timeout": "timeout", "missing": "not run", "skipped": "skipped"}
_OTHER = re.compile(r"[^\n -~]")


@dataclass(frozen=True)
class Answer:
    """What a tool says, and whether it could do what it was asked."""

    text: str
    ok: bool = True


def shown(text: str, max_characters: int) -> str:
    """Return a text as the policy may see it, cut at a line's end where one is near, with what was left out counted."""
    text = _OTHER.sub(lambda match: match.group().encode("unicode_escape").decode(), text.rstrip("\n"))
    text = text.replace("<|", "< |")
    if len(text) <= max_characters:
        return text
    kept = text[:max_characters]
    line_end = kept.rfind("\n")
    kept = kept[:line_end] if line_end > max_characters // 2 else kept
    return f"{kept}\n... {len(text) - len(kept)} more characters"


def first_line(text: str, max_characters: int = 120) -> str:
    """Return the first line of a text, cut."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= max_characters else f"{line[: max_characters - 3]}..."


def summary(run: TestRun) -> str:
    """Return e.g. `FAILED tests/test_calc.py::test_add: assert add(2, 3) == 5` and `1 failed, 2 passed`."""
    failures = [(name, result) for name, result in run.results.items() if result.status not in ("passed", "skipped")]
    lines = [
        f"FAILED {name}: {first_line(result.detail or _WORDS[result.status])}"
        for name, result in failures[:MAX_FAILURES]
    ]
    if len(failures) > MAX_FAILURES:
        lines.append(f"... {len(failures) - MAX_FAILURES} more failed")
    counts = Counter(result.status for result in run.results.values())
    ended = [f"{counts[status]} {word}" for status, word in {**_WORDS, "passed": "passed"}.items() if counts[status]]
    return "\n".join([*lines, ", ".join(ended)])
