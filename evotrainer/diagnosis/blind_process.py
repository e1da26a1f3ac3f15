"""Asks diagnostics of a person's own in a new process, which never held a validation row.

A forked child keeps all that its parent holds: an evaluation holds its rows beside the frames of a context. Here a new
Python starts with a context that has lost them, and asks as ever, in children that open no stored file.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.plugin_process import Answer, DiagnosticLimits, program_folders, run_in_child
from evotrainer.errors import HarnessError

Ask = Callable[[str, Path, Context], Diagnosis]
"""Name and file of a diagnostic, context -> what it says; a function of a module."""
_START = "from evotrainer.diagnosis.blind_process import _answer; _answer()"


def ask_blind(ask: Ask, sources: Mapping[str, Path], context: Context, limits: DiagnosticLimits) -> dict[str, Answer]:
    """Return the answers of diagnostics, by name, where neither validation rows nor stored files are to be had.

    Evidence without validation rows is judged in a forked child: files are all that is closed there.
    """
    found = {name: path.resolve() for name, path in sources.items()}
    if not len(context.validation):
        return _asked(ask, found, context, limits)
    blind = replace(context, validation=context.validation.iloc[[]])
    given = pickle.dumps((ask, found, blind, limits))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", _START], input=given, stdout=subprocess.PIPE, env=environment)
    if done.returncode:
        raise HarnessError(f"the process that asks {', '.join(sources)} without validation rows ended, see above")
    return pickle.loads(done.stdout)


def _answer() -> None:
    """Answer what came on standard input: the other end of `ask_blind`."""
    sys.stdout.buffer.write(pickle.dumps(_asked(*pickle.load(sys.stdin.buffer))))


def _asked(ask: Ask, sources: Mapping[str, Path], context: Context, limits: DiagnosticLimits) -> dict[str, Answer]:
    folders = [*program_folders(), *{str(path.parent) for path in sources.values()}]
    asked = {name: partial(ask, name, path, context) for name, path in sources.items()}
    return run_in_child(asked, limits, folders)
