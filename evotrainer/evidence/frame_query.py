"""SELECTs that give one number over frames in memory: how a metric written by an agent runs.

The frames go to the query process as Arrow streams on its stdin, so that it opens no file. All queries share one
process, because starting it costs more than answering. When it dies, each query runs again in its own process, and the
one that ended it has the reason as its answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evotrainer.errors import EvidenceError, InfrastructureError
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.query import ask

_START_SECONDS = 20.0
"""Processor time that the process may take to start and to read the frames."""
_PATIENCE = 30.0
"""How much longer than its processor time a process may take on a busy machine."""


@dataclass(frozen=True)
class FrameAnswers:
    """`numbers[i][name]` is the answer of query `name` on input i: a number, None (not measured), or an error text."""

    numbers: list[dict[str, float | None | str]]
    seconds: dict[str, float]


def query_frames(
    inputs: Sequence[Mapping[str, Frame]], queries: Mapping[str, str], seconds: float, memory_megabytes: int
) -> FrameAnswers:
    """Return what each query gives on each input: {table name: frame}; never raises for what a query does.

    Raises:
        InfrastructureError: the machine is too busy for the process to answer.

    """
    if not queries or not inputs:
        return FrameAnswers([{} for _ in inputs], {})
    streams = [{name: _stream(frame) for name, frame in given.items()} for given in inputs]
    try:
        return _ask(streams, queries, seconds, memory_megabytes)
    except EvidenceError:
        if len(queries) == 1:
            # The last output of the process may be the query's own.
            reason = f"the query ended its process: it may need more than {memory_megabytes} MB"
            return FrameAnswers([dict.fromkeys(queries, reason) for _ in inputs], dict.fromkeys(queries, 0.0))
    parts = [query_frames(inputs, {name: sql}, seconds, memory_megabytes) for name, sql in queries.items()]
    merged = [{name: value for part in parts for name, value in part.numbers[i].items()} for i in range(len(inputs))]
    return FrameAnswers(merged, {name: value for part in parts for name, value in part.seconds.items()})


def _ask(
    streams: Sequence[Mapping[str, bytes]], queries: Mapping[str, str], seconds: float, memory_megabytes: int
) -> FrameAnswers:
    request = {
        "queries": dict(queries),
        "inputs": [{name: len(stream) for name, stream in given.items()} for given in streams],
        "query_seconds": seconds,
    }
    data = b"".join(stream for given in streams for stream in given.values())
    allowed = seconds * len(queries) * len(streams) + _START_SECONDS
    try:
        answer = ask(request, memory_megabytes, allowed, data, allowed * _PATIENCE)
    except TimeoutError as error:
        raise InfrastructureError(f"{error}: the machine is too busy; run it again") from None
    if "error" in answer:
        raise EvidenceError(answer["error"])
    return FrameAnswers(
        [{name: _value(found) for name, found in body.items()} for body in answer["answers"]], answer["seconds"]
    )


def _value(found: Mapping[str, Any]) -> float | None | str:
    return found["error"] if "error" in found else found["value"]


def _stream(frame: Frame) -> bytes:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()
