"""What a key may hold, declared on its field: `choice` for a name, `number` for a value in a range.

Both are dataclass fields with metadata, which OmegaConf ignores; validation.py reads it.
"""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from evotrainer.errors import ConfigError

CHOICES, RANGE = "choices", "range"

T = TypeVar("T")


def choice(default: str, *others: str) -> Any:
    """Return a field that holds one of these names."""
    return dataclasses.field(default=default, metadata={CHOICES: (default, *others)})


def number(default: float, low: float, high: float = math.inf) -> Any:
    """Return a field that holds a number from `low` to `high`, both allowed."""
    return dataclasses.field(default=default, metadata={RANGE: (low, high)})


def declared(schema: Any, kind: str, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (flat key, what its field declares) for each key with a declaration of this kind."""
    for field in dataclasses.fields(schema):
        key = f"{prefix}{field.name}"
        if dataclasses.is_dataclass(field.type):
            yield from declared(field.type, kind, f"{key}.")
        elif kind in field.metadata:
            yield key, field.metadata[kind]


def find(registry: Mapping[str, T], key: str, name: str) -> T:
    """Return the entry of a registry; raises ConfigError that names the key and lists the choices."""
    if name not in registry:
        raise ConfigError(f"{key}={name!r} is unknown: choose from {', '.join(registry)}")
    return registry[name]
