"""Evidence under another name: the same rows, as they would have been written for another campaign and version.

Names stand in the columns below and nowhere else in a row: no draw depends on them (seeds.py). The copy is byte for
byte what writing the rows under the new names gives.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from evotrainer.evidence.digests import checked_files
from evotrainer.evidence.schema import SCHEMAS
from evotrainer.evidence.store import read_file, write_table


@dataclass(frozen=True)
class Label:
    """Whose rows they are."""

    campaign: str
    version: str


def copy_evidence(source: Path, target: Path, old: Label, new: Label) -> None:
    """Write to `target` all rows, features, tokens and signals of `source` under the new names."""
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
