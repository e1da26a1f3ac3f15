"""The names of names.yaml: which columns of other systems may have which role, and what a file is taken for."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from evotrainer.config.yaml_files import load_yaml
from evotrainer.errors import EvidenceError


@cache
def names() -> Mapping[str, Any]:
    """Return the table of names."""
    return load_yaml(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


@cache
def meanings(table: str) -> Mapping[str, str]:
    """Return {a name of others: ours} of a table of synonyms."""
    return {theirs: ours for ours, known in names()[table].items() for theirs in known}


def role_named(name: Any) -> str:
    """Return who speaks under a name of others: assistant, system, tool, or a user for any other."""
    return meanings("speakers").get(str(name).lower(), "user")


def formats() -> Mapping[str, Mapping[str, list[str]]]:
    """Return the formats by name."""
    return names()["formats"]


def find_format(name: str) -> Mapping[str, list[str]]:
    """Return a format by name; raises EvidenceError that lists the choices."""
    if name not in formats():
        raise EvidenceError(f"'{name}' is no format of rollouts: choose from {', '.join(formats())}")
    return formats()[name]


def format_of(row: Iterable[str]) -> str:
    """Return the name of the first format whose keys a row has; plain where it is none."""
    keys = set(row)
    for name, known in formats().items():
        if keys.issuperset(known["keys"]) and not ("any" in known and keys.isdisjoint(known["any"])):
            return name
    return "plain"
