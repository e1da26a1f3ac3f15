"""`grader`: honest answers and cheats under the real graders."""

from typing import Annotated

import typer


def grader(
    code: Annotated[int, typer.Option(min=1, help="Problems with a function.")] = 20,
    swe: Annotated[int, typer.Option(min=1, help="Repositories, under each runner.")] = 20,
    backend: Annotated[str, typer.Option(help="namespaces or landlock; by default the first that works.")] = "",
) -> None:
    """Honest answers that are rejected or flagged, and cheats that are paid."""
    from benchmarks.grader.bench import main
    from evotrainer.errors import ConfigError
    from evotrainer.sandbox import sandbox
    from flows.workspace.worktree import project_root

    if backend and backend not in sandbox.BACKENDS:
        raise ConfigError(f"--backend {backend} is unknown: choose one of {', '.join(sandbox.BACKENDS)}")
    if backend:
        sandbox.BACKENDS = (backend,)
    main(project_root(), code, swe)
