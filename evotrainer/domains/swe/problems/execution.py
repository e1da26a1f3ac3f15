"""Running generated functions, to know what they return: our own source, never what a policy wrote."""

from collections.abc import Sequence
from random import Random
from typing import Any

from evotrainer.domains.swe.problems.vocabulary import WORDS

RAISED = "raised"

_VALUES = range(-4, 13)
_RANGES = {"number": (1, 12), "low": (1, 3), "high": (4, 7), "optional": (2, 5)}

Scope = dict[str, Any]
"""What a source text defines."""


def load(source: str) -> Scope:
    """Run `source` and return what it defines."""
    scope: Scope = {}
    exec(source, scope)
    return scope


def value_of(scope: Scope, name: str, arguments: tuple[Any, ...]) -> str:
    """Return what a call gives, written as a literal, or RAISED; types tell apart (`1`, `1.0` and `True` differ)."""
    try:
        return repr(scope[name](*arguments))
    except Exception:  # a bug may raise anything
        return RAISED


def draw_arguments(rng: Random, kinds: tuple[str, ...]) -> tuple[Any, ...]:
    """Draw what a function is called with; an optional parameter is left out half of the time."""
    words = rng.sample(WORDS, 4) if not {"text", "texts", "table"}.isdisjoint(kinds) else []
    given = [kind for kind in kinds if kind != "optional" or rng.random() < 0.5]
    return tuple(_draw_value(rng, kind, words) for kind in given)


def _draw_value(rng: Random, kind: str, words: Sequence[str]) -> Any:
    if kind == "numbers":
        return rng.choices(_VALUES, k=rng.randint(3, 5))
    if kind == "text":
        return _padded(rng, words[0])
    if kind == "texts":
        return [_padded(rng, word) for word in words[:3]]
    if kind == "table":
        keys = [word.lower() if rng.random() < 0.6 else word for word in words[: rng.randint(2, 4)]]
        return {key: rng.randint(1, 9) for key in keys}
    return rng.randint(*_RANGES[kind])


def _padded(rng: Random, word: str) -> str:
    return rng.choice((word, f" {word}", f"{word} "))
