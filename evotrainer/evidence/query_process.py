"""The process that answers one query: request as JSON on stdin, answer as JSON on stdout.

query.py starts it. Its limits apply to a whole process, so nothing else runs in it.
"""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

import duckdb

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError
from evotrainer.evidence.views import check_select, connect_evidence, first_line, lock

_INTERPRETER_MEGABYTES = 3072
"""Address space of Python, Arrow and DuckDB beyond the query's own memory: mostly mapped, never touched."""


def main() -> None:
    """Answer the request on stdin."""
    request = json.load(sys.stdin.buffer)
    _limit_process(request["memory_megabytes"], request["seconds"])
    try:
        answer = _answer(request)
    except EvidenceError as error:
        answer = {"error": str(error)}
    except MemoryError:
        answer = {"error": f"the query needs more than {request['memory_megabytes']} MB: select fewer rows or columns"}
    except duckdb.Error as error:
        answer = {"error": f"the query failed: {first_line(error)}"}
    json.dump(answer, sys.stdout, default=str)


def _limit_process(memory_megabytes: int, seconds: float) -> None:
    size = (memory_megabytes + _INTERPRETER_MEGABYTES) << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    check_select(request["sql"])
    files = CampaignFiles(Path(request["root"]))
    connection, paths = connect_evidence(files, request["sql"], request["for_agent"], request["versions"])
    lock(connection, [*map(str, paths)], request["memory_megabytes"])
    connection.execute("BEGIN TRANSACTION READ ONLY")
    cursor = connection.execute(request["sql"])
    rows = cursor.fetchmany(request["max_rows"] + 1)
    columns = [column[0] for column in cursor.description or []]
    return {"columns": columns, "rows": rows[: request["max_rows"]], "is_cut": len(rows) > request["max_rows"]}


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    # The threads of Arrow and DuckDB sometimes deadlock when the interpreter finalises.
    os._exit(0)
