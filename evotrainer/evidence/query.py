"""One SELECT over a campaign's evidence, from a person or a trainer agent. Its text is untrusted.

The statement goes to a process of its own. There it is parsed first: exactly one, and a SELECT. It runs with an empty
environment, no access to any file but the evidence, a locked configuration, a read-only transaction (a SELECT may hide
an INSERT in a common table expression), and limits on memory and time. Locked configuration alone is not enough: COPY
still writes to the allowed paths.

This module imports neither DuckDB nor Arrow, so that a command waits for one process to load them, not for two.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import evotrainer
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError


@dataclass(frozen=True)
class QueryLimits:
    """Limits of one query."""

    seconds: float = 60.0
    memory_megabytes: int = 1024
    max_rows: int = 10_000


@dataclass(frozen=True)
class QueryResult:
    """Plain values, row by row. `is_cut`: there were more rows than the limit."""

    columns: list[str]
    rows: list[list[Any]]
    is_cut: bool


def run_query(
    files: CampaignFiles,
    sql: str,
    limits: QueryLimits | None = None,
    for_agent: bool = False,
    versions: Sequence[str] | None = None,
) -> QueryResult:
    """Return the answer to one SELECT over the views of evidence/views.py, or over the part that an agent may see.

    Args:
        files: the campaign.
        sql: the statement.
        limits: of time, memory and rows.
        for_agent: whether what rests on validation rows is hidden.
        versions: those that are read; all by default. A stage names what is closed: others still change.

    Raises:
        EvidenceError: the statement is refused or fails, a limit is reached, or a stored file is corrupt.

    """
    _check_text(sql)
    limits = limits or QueryLimits()
    named = list(versions) if versions is not None else None
    request = {"root": str(files.root.resolve()), "for_agent": for_agent, "versions": named, "sql": sql}
    try:
        # The process imports this package, not another one that is installed.
        done = subprocess.run(
            [sys.executable, "-s", "-m", "evotrainer.evidence.query_process"],
            input=json.dumps(request | asdict(limits)).encode(),
            capture_output=True,
            timeout=limits.seconds,
            cwd="/",
            env={"PYTHONPATH": str(Path(evotrainer.__file__ or "").resolve().parent.parent)},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EvidenceError(f"the query took more than {limits.seconds:g} s: select fewer rows or columns") from None
    if done.returncode == -signal.SIGSEGV:
        raise EvidenceError("the query ended its process: it is nested too deeply; write it with fewer brackets")
    if done.returncode != 0:
        reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise EvidenceError(
            f"the query's process ended with status {done.returncode} ({reason}): "
            f"it may need more than {limits.memory_megabytes} MB"
        )
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise EvidenceError(answer["error"])
    return QueryResult(answer["columns"], answer["rows"], answer["is_cut"])


def _check_text(sql: str) -> None:
    """Raise EvidenceError for bytes that a terminal handed over and that are no text."""
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        place = f"character {error.start + 1}"
        raise EvidenceError(f"the query is no UTF-8 text ({place}): write it in UTF-8 or ASCII") from None
