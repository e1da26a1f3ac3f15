"""Evidence on disk: Parquet a step, written once, byte for byte the same for the same rows.

    <directory>/trajectories/step_00000.parquet    features/...    tokens/...    signals.parquet    digests.json

A file appears whole or not at all, and its SHA-256 goes to digests.json: a file that was altered, cut or lost
afterwards is named in an error and never read. Nothing here knows which stage a directory belongs to.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evotrainer.actions import ActionClassifier
from evotrainer.campaign.documents import write_atomic
from evotrainer.errors import EvidenceError
from evotrainer.evidence.digests import RESTORE, checked_files, record_digest
from evotrainer.evidence.features import feature_columns
from evotrainer.evidence.schema import (
    SCHEMAS,
    check_schema,
    features_table,
    signals_from_values,
    signals_values,
    to_table,
    trajectory_values,
)
from evotrainer.records import Signals, TokenTurn, Trajectory

_COMPRESSION = "zstd"


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
    write_table(directory, _step_path("features", step), features_table(feature_columns(rows, classifier)))
    if tokens:
        write_table(directory, _step_path("tokens", step), to_table("tokens", [turn.model_dump() for turn in tokens]))


def write_signals(directory: Path, signals: Sequence[Signals]) -> None:
    """Write the training signals of a whole run, one row an optimiser step."""
    write_table(directory, "signals.parquet", to_table("signals", [signals_values(row) for row in signals]))


def read_tokens(directory: Path) -> list[TokenTurn]:
    """Return all sampled turns of an evidence directory, by step; empty where none were stored."""
    return [TokenTurn(**values) for values in read_table(directory, "tokens").to_pylist()]


def read_signals(directory: Path) -> list[Signals]:
    """Return the training signals of an evidence directory, by step; empty where it holds none."""
    return [signals_from_values(values) for values in read_table(directory, "signals").to_pylist()]


def read_table(directory: Path, name: str) -> pa.Table:
    """Return all rows of trajectories, features, tokens or signals as one Arrow table, files checked."""
    tables = [read_file(path, name) for path in checked_files(directory, name)]
    return pa.concat_tables(tables) if tables else to_table(name, [])


def _step_path(name: str, step: int) -> str:
    return f"{name}/step_{step:05d}.parquet"


def write_table(directory: Path, relative: str, table: pa.Table) -> None:
    """Write one file of a directory and record its hash."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression=_COMPRESSION)
    data = sink.getvalue().to_pybytes()
    write_atomic(directory / relative, data)
    record_digest(directory, relative, data)


def read_file(path: Path, name: str) -> pa.Table:
    """Return one file of table `name`, with its schema checked."""
    try:
        table = pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise EvidenceError(f"{path} is not readable as Parquet ({reason}): {RESTORE}") from None
    check_schema(name, table.schema, str(path))
    return table


@dataclass(frozen=True)
class Label:
    """Whose rows they are."""

    campaign: str
    version: str


def copy_evidence(source: Path, target: Path, old: Label, new: Label) -> None:
    """Write to `target` all evidence of `source` under new names, byte for byte as if it had been sampled under them.

    Names stand in five columns and nowhere else in a row: no draw depends on them (seeds.py).
    """
    for name in SCHEMAS:
        for path in checked_files(source, name):
            # Read back, a schema carries the numbers of Parquet fields: the cast takes them off, as in a first writing.
            table = _renamed(read_file(path, name), old, new).cast(SCHEMAS[name])
            write_table(target, path.relative_to(source).as_posix(), table)


def _renamed(table: pa.Table, old: Label, new: Label) -> pa.Table:
    version = re.escape(old.version)
    patterns = {
        "campaign": (f"^{re.escape(old.campaign)}$", new.campaign),
        "version": (f"^{version}$", new.version),
        "trajectory_id": (rf"^{version}\.", f"{new.version}."),
        "group_id": (rf"^{version}\.", f"{new.version}."),
        "policy_id": (rf"\+{version}\.", f"+{new.version}."),
    }
    for place, column in enumerate(table.schema.names):
        if column in patterns:
            pattern, text = patterns[column]
            values = [None if value is None else re.sub(pattern, text, value) for value in table[column].to_pylist()]
            table = table.set_column(place, table.schema.field(place), pa.array(values, pa.string()))
    return table
