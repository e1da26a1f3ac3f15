"""One sandbox a process, started when it is first needed: graders and environments of all episodes share it.

Who needs other modules inside has one of its own.
"""

import atexit
from functools import cache

from evotrainer.sandbox.sandbox import Sandbox


@cache
def shared_sandbox(
    preload: tuple[str, ...] = (), import_paths: tuple[str, ...] = (), readable_paths: tuple[str, ...] = ()
) -> Sandbox:
    """Return the process's running sandbox of this kind; raises SandboxError where none can be had."""
    sandbox = Sandbox(preload=preload, import_paths=import_paths, readable_paths=readable_paths)
    sandbox.__enter__()
    atexit.register(sandbox.__exit__, None, None, None)
    return sandbox
