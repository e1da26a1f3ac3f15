"""What a diagnostic plugin implements. Signatures only.

A plugin is one module with a docstring and one function:

    from evotrainer.diagnosis.context import Context, Diagnosis
    from evotrainer.diagnosis.hookspecs import hookimpl

    @hookimpl
    def diagnose(context: Context) -> Diagnosis: ...

"""

import pluggy

from evotrainer.diagnosis.context import Context, Diagnosis

PROJECT = "evotrainer"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def diagnose(context: Context) -> Diagnosis:  # type: ignore[empty-body]  # a hook specification has no body
    """Return the metrics and findings of one diagnostic; nothing of what it cannot judge on this evidence."""
