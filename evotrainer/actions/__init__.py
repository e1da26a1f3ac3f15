"""Which action a tool call is, read from a table that a person can extend: table.yaml.

The table holds the tools of our environments and of common scaffolds, so that foreign trajectories are read like ours.
Shell text is parsed (shell.py), programs are looked up (programs.py), git commands are read in git.py. A tool that the
table does not name is `other`: names are never guessed. `harness.actions` adds rows in the table's form, which take
precedence.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from evotrainer.actions.classifier import ActionClassifier
from evotrainer.actions.table import LETTERS, Action, Kind

__all__ = ["LETTERS", "Action", "Kind", "ActionClassifier", "standard_classifier", "action_classifier"]


@cache
def standard_classifier() -> ActionClassifier:
    """Return the table without own rows, read once."""
    return ActionClassifier()


def action_classifier(own: Mapping[str, Any]) -> ActionClassifier:
    """Return the table with these rows in front; raises ConfigError where they have not the table's form."""
    return ActionClassifier(own) if own else standard_classifier()
