"""Evidence on disk: Parquet a step, written once, byte for byte the same for the same rows.

    <directory>/trajectories/step_00000.parquet    features/...    tokens/...    signals.parquet    digests.json

A file appears whole or not at all, and its SHA-256 goes to digests.json: a file that was altered, cut or lost
afterwards is named in an error and never read. Nothing here knows which stage a directory belongs to.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evotrainer.actions import ActionClassifier
from evotrainer.campaign.atomic import write_atomic, write_json_atomic
from evotrainer.errors import EvidenceError
from evotrainer.evidence.features import trajectory_features
from evotrainer.evidence.schema import (
    check_schema,
    signals_from_values,
    signals_values,
    to_table,
    token_turn_from_values,
    trajectory_from_values,
    trajectory_values,
)
from evotrainer.records import Signals, TokenTurn, Trajectory

DIGESTS = "digests.json"
_COMPRESSION = "zstd"
_RESTORE = "restore it with `dvc checkout`, or rerun the stage that wrote it"


def write_rows(
    directory: Path,
    step: int,
    rows: Sequence[Trajectory],
    tokens: Sequence[TokenTurn] = (),
    classifier: ActionClassifier | None = None,
) -> None:
    """Write the trajectories of one step with their features and, where given, their sampled tokens.

    Args:
        directory: evidence directory of one stage; created where missing.
        step: optimiser step that the rows belong to; 0 where there is none. A step written again is replaced.
        rows: trajectories, stored in the order given.
        tokens: one entry an assistant turn.
        classifier: classifies tool calls; the standard table by default.

    Raises:
        EvidenceError: an id appears twice, or a value cannot be stored.

    """
    if len({row.trajectory_id for row in rows}) < len(rows):
        raise EvidenceError(f"{directory}: two rows of step {step} share a trajectory_id: make the ids unique")
    write_table(
        directory, _step_path("trajectories", step), to_table("trajectories", [trajectory_values(r) for r in rows])
    )
    write_table(directory, _step_path("features", step), to_table("features", trajectory_features(rows, classifier)))
    if tokens:
        write_table(directory, _step_path("tokens", step), to_table("tokens", [turn.model_dump() for turn in tokens]))


def write_signals(directory: Path, signals: Sequence[Signals]) -> None:
    """Write the training signals of a whole run, one row an optimiser step."""
    write_table(directory, "signals.parquet", to_table("signals", [signals_values(row) for row in signals]))


def read_rows(directory: Path) -> list[Trajectory]:
    """Return all trajectories of an evidence directory, by step; raises EvidenceError for a damaged file."""
    return [trajectory_from_values(values) for values in read_table(directory, "trajectories").to_pylist()]


def read_tokens(directory: Path) -> list[TokenTurn]:
    """Return all sampled turns of an evidence directory, by step; empty where none were stored."""
    return [token_turn_from_values(values) for values in read_table(directory, "tokens").to_pylist()]


def read_signals(directory: Path) -> list[Signals]:
    """Return the training signals of an evidence directory, by step; empty where it holds none."""
    return [signals_from_values(values) for values in read_table(directory, "signals").to_pylist()]


def read_table(directory: Path, name: str) -> pa.Table:
    """Return all rows of trajectories, features, tokens or signals as one Arrow table, files checked."""
    tables = [read_file(path, name) for path in checked_files(directory, name)]
    return pa.concat_tables(tables) if tables else to_table(name, [])


def checked_files(directory: Path, name: str) -> list[Path]:
    """Return the Parquet files of one table, by step, after comparing each with its recorded hash.

    A file that digests.json does not list is ignored: it is being written, or was put there by hand.

    Raises:
        EvidenceError: a listed file is missing or altered, or the list itself is.

    """
    digests = _read_digests(directory)
    if not digests and (directory / "trajectories").is_dir():
        raise EvidenceError(f"{directory / DIGESTS} is missing: {_RESTORE}")
    paths = []
    for relative in sorted(digests):
        if relative == "signals.parquet" if name == "signals" else relative.startswith(f"{name}/"):
            paths.append(directory / relative)
            if not paths[-1].exists():
                raise EvidenceError(f"{paths[-1]} is missing: {_RESTORE}")
            if digests[relative] != _digest(paths[-1].read_bytes()):
                raise EvidenceError(f"{paths[-1]} is corrupt, its hash differs from {DIGESTS}: {_RESTORE}")
    return paths


def _step_path(name: str, step: int) -> str:
    return f"{name}/step_{step:05d}.parquet"


def write_table(directory: Path, relative: str, table: pa.Table) -> None:
    """Write one file of a directory and record its hash."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression=_COMPRESSION)
    data = sink.getvalue().to_pybytes()
    write_atomic(directory / relative, data)
    digests = _read_digests(directory) | {relative: _digest(data)}
    write_json_atomic(directory / DIGESTS, digests)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read_digests(directory: Path) -> dict[str, str]:
    path = directory / DIGESTS
    if not path.exists():
        return {}
    try:
        digests: Any = json.loads(path.read_bytes())
        return {str(name): str(digest) for name, digest in digests.items()}
    except (ValueError, AttributeError):
        raise EvidenceError(f"{path} is corrupt: {_RESTORE}") from None


def read_file(path: Path, name: str) -> pa.Table:
    """Return one file of table `name`, with its schema checked."""
    try:
        table = pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise EvidenceError(f"{path} is not readable as Parquet ({reason}): {_RESTORE}") from None
    check_schema(name, table.schema, str(path))
    return table
