"""What a diagnostic implements.

A diagnostic is a marked function of a module and has its name; one called `diagnose` is named after its module:

    from evotrainer.diagnosis.context import Context, Diagnosis
    from evotrainer.diagnosis.hookspecs import hookimpl

    @hookimpl
    def my_diagnostic(context: Context) -> Diagnosis: ...

It returns metrics and findings; nothing of what it cannot judge on this evidence.
"""

from collections.abc import Callable
from types import ModuleType

from evotrainer.diagnosis.context import Context, Diagnosis

Diagnostic = Callable[[Context], Diagnosis]


def hookimpl(function: Diagnostic) -> Diagnostic:
    """Mark a function as a diagnostic."""
    vars(function)["is_diagnostic"] = True
    return function


def plugins_of(module: ModuleType, stem: str) -> dict[str, Diagnostic]:
    """Return the diagnostics of a module by name; `stem` names a function `diagnose`."""
    marked = {name: value for name, value in vars(module).items() if hasattr(value, "is_diagnostic")}
    return {stem if name == "diagnose" else name: function for name, function in marked.items()}
