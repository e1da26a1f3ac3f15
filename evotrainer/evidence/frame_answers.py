"""Inside the query process: one number for each query and input, from frames that came with the request.

Each query has its own database and its own time limit, so that no query affects the next. An error is the answer of
that query alone. Only the end of the process affects others, and query_frames then asks again.

An error of DuckDB is reported by its class alone. Its message may hold any text of any size from any row, chosen by the
query with error(), and the answer goes into a report that people and agents read.
"""

import math
import threading
import time
from decimal import Decimal
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
    for sizes in request["inputs"]:
        tables = {name: pa.ipc.open_stream(data.read(size)).read_all() for name, size in sizes.items()}
        found = {}
        for name, sql in request["queries"].items():
            started = time.perf_counter()
            found[name] = _answer(sql, tables, request["query_seconds"], request["memory_megabytes"])
            seconds[name] += time.perf_counter() - started
        answers.append(found)
    return {"answers": answers, "seconds": seconds}


def _answer(sql: str, tables: dict[str, pa.Table], seconds: float, megabytes: int) -> dict[str, Any]:
    try:
        check_statements(duckdb.extract_statements(sql))
        return {"value": _number(_fetch(sql, tables, seconds, megabytes))}
    except EvidenceError as error:
        return {"error": str(error)}
    except duckdb.InterruptException:
        return {"error": f"the query took more than {seconds:g} s of processor time"}
    except (MemoryError, duckdb.OutOfMemoryException):
        return {"error": f"the query needs more than {megabytes} MB"}
    except duckdb.Error as error:
        return {"error": f"the query failed with DuckDB's {type(error).__name__}"}


def _fetch(sql: str, tables: dict[str, pa.Table], seconds: float, megabytes: int) -> list[Any]:
    """Return at most two rows of a query's result."""
    with duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}) as db:
        for name, table in tables.items():
            db.register("arrow_source", table)
            db.execute(f"CREATE TABLE {name} AS SELECT * FROM arrow_source")
            db.unregister("arrow_source")
        lock(db, [], megabytes)
        db.execute("BEGIN TRANSACTION READ ONLY")
        done = threading.Event()
        threading.Thread(target=_interrupt, args=(db, seconds, done), daemon=True).start()
        try:
            return db.execute(sql).fetchmany(2)
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
