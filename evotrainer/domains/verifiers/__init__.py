"""Environments in the manner of verifiers as domains: `wrap` makes one of an environment object.

An installed one has its name here, `domain.name=evotrainer.domains.verifiers:gsm8k`, with a dash written as underscore.
verifiers itself is imported where such a name is asked for. An environment of a person's own needs no more than the
documented interface (episode.py).
"""

import importlib
from typing import Any

from evotrainer.domains.base import Domain
from evotrainer.domains.verifiers.domain import wrap
from evotrainer.errors import ConfigError

__all__ = ["wrap"]


def __getattr__(name: str) -> Domain:
    if name.startswith("_"):
        raise AttributeError(name)
    return wrap(lambda: _load(name), name)


def _load(name: str) -> Any:
    try:
        return importlib.import_module("verifiers").load_environment(name.replace("_", "-"))
    except ImportError as error:
        raise ConfigError(f"environment '{name}' cannot be loaded ({error}): install verifiers and it") from None
