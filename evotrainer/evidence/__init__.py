"""Evidence: stored trajectories and signals. Parquet on disk, DuckDB for questions, JSONL for exchange."""

from evotrainer.evidence.foreign import ForeignRows, export_rows, import_rows
from evotrainer.evidence.query import QueryLimits, QueryResult, run_query
from evotrainer.evidence.store import (
    checked_files,
    read_rows,
    read_signals,
    read_table,
    read_tokens,
    write_rows,
    write_signals,
)
from evotrainer.evidence.views import VIEWS, open_evidence

__all__ = [
    "VIEWS",
    "ForeignRows",
    "QueryLimits",
    "QueryResult",
    "checked_files",
    "export_rows",
    "import_rows",
    "open_evidence",
    "read_rows",
    "read_signals",
    "read_table",
    "read_tokens",
    "run_query",
    "write_rows",
    "write_signals",
]
