"""A model's reading of rows of another system, beside what the checks say of them (docs/claude.md)."""

import os
import sys
from functools import partial
from pathlib import Path

from evotrainer.agents.claude.reader import read_run
from evotrainer.agents.record import AgentRecord
from evotrainer.config import Config
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.judgement import in_order
from evotrainer.errors import BudgetError, EvidenceError
from evotrainer.records import HarnessReport

RECORD_SUFFIX = ".reading"
MAX_ROWS = 10_000
"""Most rows of an answer to one question."""


def read_by_model(path: Path, evidence: Evidence, report: HarnessReport, config: Config) -> HarnessReport:
    """Return the report with what the model of `config.trainer` finds in the rows; tells on stderr what it cost.

    Questions and answers stand in `path` with the suffix `.reading`. The same rows read again ask nothing twice.

    Raises:
        EvidenceError: the folder of the rows cannot be written.
        AgentError: the model cannot be asked, or declined.
        BudgetError: the next question could cost more than budget.total.dollars leaves.

    """
    place = path.resolve()
    record_path = place.with_name(f"{place.name}{RECORD_SUFFIX}")
    if not os.access(place.parent, os.W_OK):
        raise EvidenceError(f"a reading is kept beside the rows, and {place.parent} cannot be written: copy the rows")
    with AgentRecord(record_path) as record:
        query = partial(evidence.conditions.select, max_rows=MAX_ROWS)
        try:
            found = read_run(config, record, evidence, report, query)
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
