"""One row of the map: keys, where they take effect, flags, and what does not go."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evotrainer.config import Config


@dataclass(frozen=True)
class Flag:
    """A flag of OpenRLHF's command line. `values` returns its values, () for a switch, None where it is left out."""

    name: str
    values: Callable[[Config], tuple[Any, ...] | None]


@dataclass(frozen=True)
class Note:
    """Something to know about some settings: `what` names them, `text` says what differs or what to choose instead."""

    holds: Callable[[Config], bool]
    what: str
    text: str


@dataclass(frozen=True)
class Option:
    """A row."""

    keys: tuple[str, ...]
    place: str
    """Where it takes effect: flags, agent, prompts or watch."""
    how: str
    flags: tuple[Flag, ...] = ()
    refused: tuple[Note, ...] = ()
    differs: tuple[Note, ...] = ()


def one(name: str, value: Callable[[Config], Any]) -> Flag:
    """Return a flag with one value, left out where that is None."""

    def values(config: Config) -> tuple[Any, ...] | None:
        found = value(config)
        return None if found is None else (found,)

    return Flag(name, values)


def switch(name: str, holds: Callable[[Config], bool]) -> Flag:
    """Return a flag without a value, given where `holds`."""
    return Flag(name, lambda config: () if holds(config) else None)
