"""Installed environments of verifiers by name: `domain.name=evotrainer.domains.verifiers.environments:gsm8k`.

A name is loaded by `verifiers.load_environment` when it is asked for; a dash in it is written as an underscore.
"""

from typing import Any

from evotrainer.domains.base import Domain
from evotrainer.domains.verifiers.domain import wrap


def __getattr__(name: str) -> Domain:
    if name.startswith("_"):
        raise AttributeError(name)
    return wrap(lambda: _load(name), name)


def _load(name: str) -> Any:
    import importlib

    from evotrainer.errors import ConfigError

    try:
        return importlib.import_module("verifiers").load_environment(name.replace("_", "-"))
    except ImportError as error:
        raise ConfigError(f"environment '{name}' cannot be loaded ({error}): install verifiers and it") from None
