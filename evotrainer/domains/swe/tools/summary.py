"""What `run_tests` tells the policy: a line for each of the first failures, then the count, as pytest ends."""

from collections import Counter

from evotrainer.domains.swe.runners.base import TestRun
from evotrainer.domains.swe.tools.observation import first_line

MAX_FAILURES = 3
_WORDS = {"failed": "failed", "error": "error", "timeout": "timeout", "missing": "not run", "skipped": "skipped"}


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
