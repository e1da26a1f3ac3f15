"""What a key may hold, declared on its field: `choice` for a name, `number` for a value in a range.

Both are dataclass fields with metadata, which OmegaConf ignores; validation.py reads it. `own_choice` is a name of a
registry or, as `package.module:NAME`, an object of a person's own. Such keys are protected: what an agent writes never
names code to import. `code` is a function by the hash of its text, which only the sandbox runs (code.py).
"""

import dataclasses
import importlib
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from evotrainer.errors import ConfigError

CHOICES, RANGE, OWN, CODE = "choices", "range", "own", "code"
OWN_SIGN = ":"
"""Separates module and attribute in the name of an object of a person's own."""

T = TypeVar("T")


def choice(default: str, *others: str) -> Any:
    """Return a field that holds one of these names."""
    return dataclasses.field(default=default, metadata={CHOICES: (default, *others)})


def own_choice(default: str, *others: str) -> Any:
    """Return a field that holds one of these names, or `package.module:NAME` of a person's own."""
    return dataclasses.field(default=default, metadata={CHOICES: (default, *others), OWN: True})


def number(default: float, low: float, high: float = math.inf) -> Any:
    """Return a field that holds a number from `low` to `high`, both allowed."""
    return dataclasses.field(default=default, metadata={RANGE: (low, high)})


def code(function: str) -> Any:
    """Return a field that holds a file with a function of this name, as file:<sha256>; empty for none."""
    return dataclasses.field(default="", metadata={CODE: function})


def declared(schema: Any, kind: str, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (flat key, what its field declares) for each key with a declaration of this kind."""
    for field in dataclasses.fields(schema):
        key = f"{prefix}{field.name}"
        if dataclasses.is_dataclass(field.type):
            yield from declared(field.type, kind, f"{key}.")
        elif kind in field.metadata:
            yield key, field.metadata[kind]


def load_named(registry: Mapping[str, T], key: str, name: str) -> T:
    """Return the entry of a registry, or import `package.module:NAME`; raises ConfigError where there is neither."""
    module, _, attribute = name.partition(OWN_SIGN)
    if not attribute:
        return find(registry, key, name)
    here = str(Path.cwd())
    sys.path.append(here)  # a file of the checkout is a module too: its root is where commands and stages run
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"{key}={name!r} cannot be imported ({error}): put its file into the root of the checkout, where commands "
            "are typed, install its package, or correct the name"
        ) from None
    finally:
        sys.path.remove(here)


def lazy(place: str) -> Callable[..., Any]:
    """Return a callable that imports `module:attribute` and calls it, each time it is called."""
    module, _, attribute = place.partition(OWN_SIGN)
    return lambda *values: attrgetter(attribute)(importlib.import_module(module))(*values)


def find(registry: Mapping[str, T], key: str, name: str) -> T:
    """Return the entry of a registry; raises ConfigError that names the key and lists the choices."""
    if name not in registry:
        raise ConfigError(f"{key}={name!r} is unknown: choose from {', '.join(registry)}")
    return registry[name]
