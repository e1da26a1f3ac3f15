"""Diagnose files that other systems wrote, as a person would."""

import contextlib
import io
from pathlib import Path

from tasks.diagnose.foreign import diagnose_rows


def read_and_diagnosed(path: Path, source: str = "") -> tuple[tuple[str, str, str], ...]:
    """Return severity, mode and message of what the harness finds in files."""
    with contextlib.redirect_stderr(io.StringIO()):
        report = diagnose_rows(path, source=source)
    return tuple((found.severity, found.mode, found.message) for found in report.findings)
