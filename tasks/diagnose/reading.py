"""What a model says of rows of another system, beside what the checks say of them (docs/claude.md)."""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from evotrainer.agents.claude.access import prices_of, tokens_of
from evotrainer.agents.claude.agent import first_use
from evotrainer.agents.claude.questions import Bodies, ask_all, foretold, plan_questions, requests
from evotrainer.agents.claude.reader import read_run
from evotrainer.agents.record import AgentRecord
from evotrainer.config import Config
from evotrainer.diagnosis.checks import Check
from evotrainer.diagnosis.conditions import Conditions, Evidence
from evotrainer.diagnosis.judgement import in_order
from evotrainer.errors import BudgetError, EvidenceError
from evotrainer.evidence.foreign.reading import ForeignRows
from evotrainer.records import HarnessReport, Reading
from tasks.diagnose.foreign import diagnosed

RECORD_SUFFIX = ".reading"
MAX_ROWS = 10_000
"""Most rows of an answer to one question."""


def read_by_model(
    path: Path, foreign: ForeignRows, evidence: Evidence, own: Sequence[Check], config: Config, reads: bool
) -> HarnessReport:
    """Return the report on rows: `own` checks may put questions to the model, and with `reads` it reads for itself.

    Questions and answers stand in `path` with the suffix `.reading`. The same rows read again ask nothing twice.

    Raises:
        EvidenceError: the folder of the rows cannot be written.
        AgentError: the model cannot be asked, or declined.
        BudgetError: the questions, or the next one, could cost more than budget.total.dollars leaves.

    """
    place = path.resolve()
    record_path = place.with_name(f"{place.name}{RECORD_SUFFIX}")
    if not os.access(place.parent, os.W_OK):
        raise EvidenceError(f"a reading is kept beside the rows, and {place.parent} cannot be written: copy the rows")
    with AgentRecord(record_path) as record:
        bodies = _foretold(evidence, own, config)
        try:
            evidence, checks, lines = _answered(foreign, evidence, own, bodies, config, record)
            report = diagnosed(foreign, evidence, checks)
            if reads:
                query = partial(evidence.conditions.select, max_rows=MAX_ROWS)
                found = read_run(config, record, evidence, report, query)
                report = report.model_copy(update={"findings": in_order(found)})
        except BudgetError:
            raise BudgetError(
                f"a reading may cost ${config.budget.total.dollars:g}, ${record.dollars:.2f} are spent, and the next "
                "question could go beyond: raise it with --set budget.total.dollars=N, what was answered is kept"
            ) from None
    reading = Reading(
        model=config.trainer.model,
        endpoint=config.trainer.chat_url or config.trainer.base_url,
        questions=lines,
        reads=[_read(call) for call in record.calls],
        refused=record.refused,
        answers=record.num_answers,
        tokens=record.tokens,
        dollars=record.dollars if any(vars(prices_of(config.trainer)).values()) else None,
        record=str(record_path),
    )
    return report.model_copy(update={"reading": reading})


def _foretold(evidence: Evidence, own: Sequence[Check], config: Config) -> Bodies:
    """Return what the checks will ask, and tell on stderr what it can cost at most."""
    query = partial(evidence.conditions.select, max_rows=MAX_ROWS)
    bodies = [(one, requests(config, one, query)) for one in plan_questions(own, evidence)]
    if every := [body for _, questions in bodies for body in questions.values()]:
        most, tokens = foretold(config, every), sum(map(tokens_of, every))
        told = f"{len(every)} questions to {config.trainer.model}, at most {tokens:,} tokens read and ${most:.2f}"
        print(f"note: {told}", file=sys.stderr)
    return bodies


def _answered(
    foreign: ForeignRows, evidence: Evidence, own: Sequence[Check], bodies: Bodies, config: Config, record: AgentRecord
) -> tuple[Evidence, Sequence[Check], list[str]]:
    """Return evidence with a column of answers a question, the checks on it, and a line a question for a person."""
    if not bodies:
        return evidence, own, []
    found = ask_all(record, first_use(config, record), own, bodies, evidence)
    table = evidence.table
    for name, column in found.columns.items():
        table = table.append_column(name, column)
    tables = {"attempts": table, "messages": foreign.messages}
    return Evidence(Conditions(tables), evidence.version), found.checks, found.lines


def _read(call: dict[str, Any]) -> str:
    """Return what one call read: a SELECT, or the attempts that it opened."""
    given = call["input"] if isinstance(call["input"], dict) else {}
    return " ".join(str(given.get("sql") or f"{call['tool']} {given.get('ids', given)}").split())
