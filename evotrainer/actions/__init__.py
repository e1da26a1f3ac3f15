"""Which kind of action a tool call is, read from a table that a person can extend: table.yaml.

The table knows the tools of our environments and those of common scaffolds, so that foreign trajectories are read like
ours. Texts of shell are parsed (shell.py), programs looked up (programs.py), git has its own page (git.py). A tool that
the table does not name is of kind other: nothing is guessed from a name. `harness.turn_kinds` adds rows in the table's
own form; they come first.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from evotrainer.actions.action import LETTERS, Action, Kind
from evotrainer.actions.kinds import TurnKinds

__all__ = ["LETTERS", "Action", "Kind", "TurnKinds", "standard_kinds", "turn_kinds"]


@cache
def standard_kinds() -> TurnKinds:
    """Return the table without own rows, read once."""
    return TurnKinds()


def turn_kinds(own: Mapping[str, Any]) -> TurnKinds:
    """Return the table with these rows in front; raises ConfigError where they have not the table's form."""
    return TurnKinds(own) if own else standard_kinds()
