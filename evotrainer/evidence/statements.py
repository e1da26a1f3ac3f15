"""What a query may be: exactly one SELECT, as DuckDB's own parser reads it."""

from collections.abc import Sequence

import duckdb

from evotrainer.errors import EvidenceError

TOO_DEEP = "the query is nested too deeply: write it with fewer brackets or terms"


def check_select(sql: str) -> None:
    """Raise EvidenceError unless the text is exactly one SELECT."""
    try:
        check_statements(duckdb.extract_statements(sql))
    except duckdb.OutOfMemoryException:
        raise EvidenceError(TOO_DEEP) from None
    except duckdb.Error as error:
        line = first_line(error)
        raise EvidenceError(line if line == TOO_DEEP else f"this is not SQL: {line}") from None


def check_statements(statements: Sequence[duckdb.Statement]) -> None:
    """Raise EvidenceError unless these are exactly one SELECT."""
    if len(statements) != 1:
        raise EvidenceError(f"a query is exactly one SELECT statement, this text holds {len(statements)}")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise EvidenceError(f"a query is a SELECT statement, this one is {statements[0].type.name}: nothing is written")


def first_line(error: Exception) -> str:
    """Return the first line of an error's message; of one that is meant for who sets DuckDB up, what to write."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return TOO_DEEP if "Max expression depth" in line else line


def lock(connection: duckdb.DuckDBPyConnection, paths: list[str], memory_megabytes: int) -> None:
    """Allow a query these files alone, and lock the configuration."""
    connection.execute("SET enable_progress_bar = false")  # it would be printed into the answer
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET threads = 1")
    connection.execute(f"SET memory_limit = '{memory_megabytes}MB'")
    connection.execute("SET temp_directory = ''")
    connection.execute("SET allowed_paths = ?", [paths])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
