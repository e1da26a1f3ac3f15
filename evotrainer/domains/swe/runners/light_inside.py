"""Runs inside the sandbox: plain test functions, each on freshly imported modules. Its text is sent there.

What is returned may be forged by the code under test: the parent evaluates what hidden tests send, and plants tests.
"""

import importlib
import os
import signal
import sys
import types
from pathlib import Path

from evotrainer.domains.swe.runners.fresh_inside import (
    REPEAT_SECONDS,
    Fresh,
    OutOfTime,
    failed_line,
    judgement,
    line_of,
    out_of_time,
    start_judging,
)
from evotrainer.domains.swe.runners.helpers_inside import tell


def run(tests, seconds, *judged):
    """Run tests, (token, path, module, folder, function) each; return {token: [status, detail, what it sent]} and what
    was noted. `judged`: how (start_judging).
    """
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    signal.signal(signal.SIGPROF, out_of_time)
    start_judging(*judged)
    fresh = Fresh(str(Path.cwd()))
    for token, path, module, folder, function in tests:
        tell("begin", ())
        try:
            fresh.begin(folder)
            signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)
            tell("end", (token, *_outcome(path, module, function)))
        except OutOfTime:
            tell("end", (token, "timeout", "timeout"))
        signal.setitimer(signal.ITIMER_PROF, 0)
        tell("look", ())
    return judgement()


def _outcome(path, module, function):
    try:
        test = vars(importlib.import_module(module)).get(function)
    except OutOfTime:
        raise
    except BaseException as error:  # a module may raise anything, SystemExit too: its tests are errors
        return ["error", line_of(error)]
    if not isinstance(test, types.FunctionType):
        return ["missing", ""]
    try:
        test()
    except OutOfTime:
        raise
    except BaseException as error:  # whatever a test raises, it has failed
        return ["failed", failed_line(error, f"{Path.cwd()}/{path}")]
    return ["passed", ""]
