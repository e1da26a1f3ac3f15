"""Rollouts of other systems, by the names of these systems; `evotrainer` is the form of docs/evidence.md."""

from collections.abc import Mapping
from typing import Any

from evotrainer.errors import EvidenceError
from evotrainer.evidence.formats.base import RolloutFormat
from evotrainer.evidence.formats.inspect import INSPECT
from evotrainer.evidence.formats.nemo_rl import NEMO_RL
from evotrainer.evidence.formats.openai import OPENAI
from evotrainer.evidence.formats.plain import PLAIN
from evotrainer.evidence.formats.shapes import listed
from evotrainer.evidence.formats.text_pairs import OPENRLHF, VERL
from evotrainer.evidence.formats.trl import TRL
from evotrainer.evidence.formats.verifiers import PRIME_RL, VERIFIERS

__all__ = ["FORMATS", "JSON_ONLY", "NEAR_OURS", "OWN", "RolloutFormat", "find_format", "format_of", "recognised"]

OWN = "evotrainer"

FORMATS: dict[str, RolloutFormat] = {
    OWN: RolloutFormat(
        "problem_id, messages, and reward or correct",
        lambda row: {"problem_id", "messages"} <= row.keys() and not {"reward", "correct", "error"}.isdisjoint(row),
        lambda values, _graded: dict(values),
        lambda row: row.model_dump(),
    ),
    "inspect": INSPECT,
    "prime_rl": PRIME_RL,
    "verifiers": VERIFIERS,
    "trl": TRL,
    "verl": VERL,
    "nemo_rl": NEMO_RL,
    "openrlhf": OPENRLHF,
    "openai": OPENAI,
    "plain": PLAIN,
}
"""In the order in which a row is recognised."""

NEAR_OURS = frozenset({"advantages", "errors", "is_correct", "max_tokens", "rewards", "trajectories", "truncated"})
"""Names that formats read and that are none of our columns, though like one."""

JSON_ONLY = ("inspect", "nemo_rl", "prime_rl", "verifiers")
"""Formats with objects whose keys differ from row to row: they are no columns of Parquet."""


def find_format(name: str) -> RolloutFormat:
    """Return a format by name; raises EvidenceError that lists the choices."""
    if name not in FORMATS:
        raise EvidenceError(f"'{name}' is no format of rollouts: choose from {', '.join(FORMATS)}")
    return FORMATS[name]


def format_of(row: dict[str, Any]) -> str | None:
    """Return the name of the first format that a row has; None for none."""
    return next((name for name, known in FORMATS.items() if known.is_row(row)), None)


def recognised(values: Mapping[str, Any], where: str) -> str:
    """Return the name of the format of a row; raises EvidenceError with the keys found and those of each format."""
    row = dict(values)
    name = format_of(row)
    if name is None:
        known = "; ".join(f"{name} ({known.keys})" for name, known in FORMATS.items())
        raise EvidenceError(
            f"{where}: the row has the keys {listed(row)}, of no known format: {known}; name one with "
            "--from, or the columns with --map FILE"
        )
    return name
