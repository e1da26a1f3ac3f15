"""Worked episodes for the warm start of the embedded policies, by domain, with the vocabulary they are written in."""

import importlib
from collections.abc import Iterator
from types import ModuleType

from evotrainer.domains.problem_sets.base import Demonstration
from evotrainer.errors import ConfigError

DEMONSTRATIONS = {
    "math": "evotrainer.domains.math.problems.demonstrations",
    "code": "evotrainer.domains.code.problems.demonstrations",
    "swe": "evotrainer.domains.swe.problems.demonstrations",
}


def demonstrations(domain: str, seed: int) -> Iterator[Demonstration]:
    """Yield demonstrations of a domain without end; raises ConfigError that lists the choices."""
    return _module(domain).demonstrations(seed)


def pieces(domain: str) -> tuple[str, ...]:
    """Return the texts of several characters that are one token each to the embedded policy of a domain."""
    return tuple(_module(domain).PIECES)


def _module(domain: str) -> ModuleType:
    if domain not in DEMONSTRATIONS:
        raise ConfigError(f"domain '{domain}' has no demonstrations: choose one of {', '.join(DEMONSTRATIONS)}")
    return importlib.import_module(DEMONSTRATIONS[domain])
