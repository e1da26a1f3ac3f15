"""A look at files of somebody else in a process of its own, which may be ended: it prints one line of JSON."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from evotrainer.errors import PolicyError

WAIT_SECONDS = 300.0
"""For a process that limits its own processor time, on a machine that gives it little."""


def look_apart(main: Path, module: str, *arguments: str) -> dict[str, Any]:
    """Return what `python -m module` prints; raises TimeoutError where its time was over.

    Raises:
        PolicyError: the answer holds an error, or there is none.
        TimeoutError: the process was ended by its limit of processor time.

    """
    command = [sys.executable, "-m", module, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_SECONDS, cwd=main, check=False)
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise TimeoutError
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise PolicyError(
            f"{arguments[0]} ends the process that looks at it ({lines[-1][:200]}): restore the directory"
        )
    answer = json.loads(done.stdout.splitlines()[-1])
    if "error" in answer:
        raise PolicyError(answer["error"])
    return answer
