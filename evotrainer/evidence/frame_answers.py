"""Inside the query process: one number for each query and input, from frames that came with the request.

Opening a database costs more than most queries. One holds an input's frames while all queries are asked, each through a
connection of its own in a read-only transaction under its own time limit, so that no query affects the next. An error
is the answer of that query alone. Only the end of the process affects others, and query_frames then asks again.

An error of DuckDB is reported by its class alone. Its message may hold any text of any size from any row, chosen by the
query with error(), and the answer goes into a report that people and agents read.
"""

import math
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, BinaryIO

import duckdb
import pyarrow as pa

from evotrainer.errors import EvidenceError
from evotrainer.evidence.statements import check_statements, lock

_WATCH_SECONDS = 0.05


def answer_frames(request: dict[str, Any], data: BinaryIO) -> dict[str, Any]:
    """Return {"answers": one dict an input of {query: {"value"} or {"error"}}, "seconds": {query: sum}}."""
    seconds = dict.fromkeys(request["queries"], 0.0)
    answers = []
    with duckdb.connect(
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    ) as database:
        lock(database, [], request["memory_megabytes"])
        for sizes in request["inputs"]:
            tables = {name: pa.ipc.open_stream(data.read(size)).read_all() for name, size in sizes.items()}
            filled = _attempt(partial(_fill, database, tables), request)
            found = {}
            for name, sql in request["queries"].items():
                started = time.perf_counter()
                asked = partial(_answer, sql, database, request["query_seconds"])
                found[name] = filled if "error" in filled else _attempt(asked, request)
                seconds[name] += time.perf_counter() - started
            for name in tables:
                database.execute(f"DROP TABLE IF EXISTS {name}")
            answers.append(found)
    return {"answers": answers, "seconds": seconds}


def _attempt(work: Callable[[], float | None], request: dict[str, Any]) -> dict[str, Any]:
    """Return {"value"} or {"error"}."""
    try:
        return {"value": work()}
    except EvidenceError as error:
        return {"error": str(error)}
    except duckdb.InterruptException:
        return {"error": f"the query took more than {request['query_seconds']:g} s of processor time"}
    except (MemoryError, duckdb.OutOfMemoryException):
        return {"error": f"the query needs more than {request['memory_megabytes']} MB"}
    except duckdb.Error as error:
        return {"error": f"the query failed with DuckDB's {type(error).__name__}"}


def _fill(database: duckdb.DuckDBPyConnection, tables: dict[str, pa.Table]) -> None:
    for name, table in tables.items():
        database.register("arrow_source", table)
        database.execute(f"CREATE TABLE {name} AS SELECT * FROM arrow_source")
        database.unregister("arrow_source")


def _answer(sql: str, database: duckdb.DuckDBPyConnection, seconds: float) -> float | None:
    check_statements(duckdb.extract_statements(sql))
    return _number(_fetch(sql, database, seconds))


def _fetch(sql: str, database: duckdb.DuckDBPyConnection, seconds: float) -> list[Any]:
    """Return at most two rows of a query's result."""
    with database.cursor() as own:
        own.execute("BEGIN TRANSACTION READ ONLY")
        done = threading.Event()
        threading.Thread(target=_interrupt, args=(own, seconds, done), daemon=True).start()
        try:
            return own.execute(sql).fetchmany(2)
        finally:
            done.set()


def _interrupt(db: duckdb.DuckDBPyConnection, seconds: float, done: threading.Event) -> None:
    """End a query after so much processor time: wall-clock time would end correct queries on a busy machine."""
    started = time.process_time()
    while not done.wait(_WATCH_SECONDS):
        if time.process_time() - started > seconds:
            db.interrupt()


def _number(rows: list[Any]) -> float | None:
    """Return the one finite number of a result, None for NULL: not measured on this evidence."""
    if len(rows) != 1 or len(rows[0]) != 1:
        shape = "no row" if not rows else "several rows" if len(rows) > 1 else f"{len(rows[0])} columns"
        raise EvidenceError(f"the query gave {shape}: a metric is one number")
    value = rows[0][0]
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not math.isfinite(value):
        raise EvidenceError(f"the query gave a {type(value).__name__} that is no finite number")
    return float(value)
