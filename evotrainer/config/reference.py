"""Every key of the configuration with its type, default, allowed values and meaning, read from the schema itself.

The meaning is the string below a field in the source, or the docstring of the group where there is none.
"""

import ast
import dataclasses
import inspect
import math
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evotrainer.config.factors import FACTORS
from evotrainer.config.limits import CHOICES, OWN, RANGE
from evotrainer.config.schema import Config


@dataclass(frozen=True)
class Key:
    """One key of the configuration."""

    name: str
    """Flat, like algorithm.learning_rate."""
    default: Any
    allowed: str
    """Choices, range or type, as a person reads it."""
    meaning: str
    factor: str
    """The factor that changes it; empty for a protected key."""


def reference(schema: Any = Config, prefix: str = "") -> Iterator[Key]:
    """Yield all keys in the order of the schema."""
    meanings = _meanings(schema)
    factors = {key: name for name, factor in FACTORS.items() for key in factor.keys}
    for field in dataclasses.fields(schema):
        name = f"{prefix}{field.name}"
        if dataclasses.is_dataclass(field.type):
            yield from reference(field.type, f"{name}.")
            continue
        factory = field.default_factory
        default = field.default if factory is dataclasses.MISSING else factory()
        yield Key(name, default, _allowed(field), meanings.get(field.name, ""), factors.get(name, ""))


def _allowed(field: dataclasses.Field[Any]) -> str:
    metadata = field.metadata
    if CHOICES in metadata:
        return " | ".join([*metadata[CHOICES], *(["package.module:NAME"] if metadata.get(OWN) else [])])
    if RANGE in metadata:
        low, high = metadata[RANGE]
        return f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
    return getattr(field.type, "__name__", str(field.type)) if isinstance(field.type, type) else str(field.type)


def _meanings(schema: Any) -> dict[str, str]:
    """Return {field: the string below it} of a dataclass."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(schema))).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, str] = {}
    for line, after in zip(definition.body, definition.body[1:], strict=False):
        is_field = isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
        if is_field and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found[line.target.id] = " ".join(str(after.value.value).split())  # pyright: ignore[reportAttributeAccessIssue]
    return found
