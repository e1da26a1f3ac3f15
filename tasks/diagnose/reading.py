"""A model's reading of rows from elsewhere, beside what the harness says of them (docs/claude.md)."""

import os
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from evotrainer.agents.claude.reader import read_run
from evotrainer.agents.record import AgentRecord
from evotrainer.config import Config
from evotrainer.diagnosis.finding_order import in_order
from evotrainer.errors import BudgetError, EvidenceError
from evotrainer.evidence.foreign import import_rows
from evotrainer.evidence.query import QueryLimits, query_directory
from evotrainer.evidence.store import write_rows
from evotrainer.records import HarnessReport

RECORD_SUFFIX = ".reading"
MAX_IDS = 1_000_000
"""Most rows that a claim may name."""


def read_by_model(
    path: Path, report: HarnessReport, config: Config, source: str = "", columns: Mapping[str, str] | None = None
) -> HarnessReport:
    """Return the report with what the model of `config.trainer` finds in the rows; tells on stderr what it cost.

    Questions and answers stand in `path` with the suffix `.reading`. The same rows read again ask nothing twice.

    Raises:
        EvidenceError: a row is malformed, or their folder cannot be written.
        AgentError: the model cannot be asked, or declined.
        BudgetError: the next question could cost more than budget.total.dollars leaves.

    """
    place = path.resolve()
    record_path = place.with_name(f"{place.name}{RECORD_SUFFIX}")
    if not os.access(place.parent, os.W_OK):
        raise EvidenceError(f"a reading is kept beside the rows, and {place.parent} cannot be written: copy the rows")
    rows = import_rows(path, source, columns).rows
    with tempfile.TemporaryDirectory() as folder, AgentRecord(record_path) as record:
        write_rows(Path(folder), 0, rows)
        query = partial(query_directory, Path(folder), limits=QueryLimits(max_rows=MAX_IDS))
        try:
            found = read_run(config, record, rows, report, query)
        except BudgetError:
            raise BudgetError(
                f"a reading may cost ${config.budget.total.dollars:g}, ${record.dollars:.2f} are spent, and the next "
                "question could go beyond: raise it with --set budget.total.dollars=N, what was answered is kept"
            ) from None
    print(
        f"note: read by {config.trainer.model}: {record.tokens:,} tokens, ${record.dollars:.2f}; "
        f"questions and answers: {record_path}",
        file=sys.stderr,
    )
    for reason in record.refused:
        print(f"note: {reason}", file=sys.stderr)
    return report.model_copy(update={"findings": in_order(found, report.order)})
