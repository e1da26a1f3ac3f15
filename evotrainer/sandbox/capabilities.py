"""The backends that work on this machine, found by starting each and running one program."""

import os
import sys
from dataclasses import dataclass, field

from evotrainer.errors import SandboxError
from evotrainer.sandbox.program import Program
from evotrainer.sandbox.sandbox import BACKENDS, Backend, Sandbox


@dataclass(frozen=True)
class Capabilities:
    """The backends that work, in order of preference, and why the others do not."""

    kernel: str
    architecture: str
    landlock_abi: int
    working: tuple[Backend, ...]
    refused: dict[str, str] = field(default_factory=dict)
    """Backend -> the call that the kernel refused."""

    @property
    def chosen(self) -> Backend | None:
        """The backend that Sandbox() takes, or None: then no untrusted program runs."""
        return self.working[0] if self.working else None


def capabilities() -> Capabilities:
    """Try all backends; takes about a second."""
    working: list[Backend] = []
    refused: dict[str, str] = {}
    for backend in BACKENDS:
        try:
            with Sandbox(backend) as sandbox:
                execution = sandbox.run(Program("print(6 * 7)"))
        except SandboxError as error:
            refused[backend] = str(error)
        else:
            if execution.stdout == "42\n":
                working.append(backend)
            else:
                refused[backend] = f"a program ended as {execution.outcome}: {execution.stderr.strip()[-200:]}"
    machine = os.uname()
    return Capabilities(machine.release, machine.machine, _landlock_abi(), tuple(working), refused)


def _landlock_abi() -> int:
    if sys.platform != "linux":
        return 0
    from evotrainer.sandbox.landlock import abi_version

    return abi_version()
