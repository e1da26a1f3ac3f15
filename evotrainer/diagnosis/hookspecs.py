"""What a diagnostic implements. Signatures only.

A diagnostic is a marked function of a module and has its name; one called `diagnose` is named after its module:

    from evotrainer.diagnosis.context import Context, Diagnosis
    from evotrainer.diagnosis.hookspecs import hookimpl

    @hookimpl
    def my_diagnostic(context: Context) -> Diagnosis: ...
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import pluggy

from evotrainer.diagnosis.context import Context, Diagnosis

PROJECT = "evotrainer"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def diagnose(context: Context) -> Diagnosis:  # type: ignore[empty-body]  # a hook specification has no body
    """Return the metrics and findings of one diagnostic; nothing of what it cannot judge on this evidence."""


@dataclass(frozen=True)
class Plugin:
    """One diagnostic as pluggy takes it."""

    diagnose: Callable[[Context], Diagnosis]


def plugins_of(module: ModuleType, stem: str) -> dict[str, Plugin]:
    """Return the diagnostics of a module by name; `stem` names a function `diagnose`."""
    marked = {name: value for name, value in vars(module).items() if hasattr(value, f"{PROJECT}_impl")}
    return {stem if name == "diagnose" else name: Plugin(function) for name, function in marked.items()}
