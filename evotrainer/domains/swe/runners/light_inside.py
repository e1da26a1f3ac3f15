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
    Judging,
    OutOfTime,
    failed_line,
    line_of,
    out_of_time,
)


def run(tests, seconds, *judged):
    """Run tests, (token, path, module, folder, function) each; return {token: [status, detail, what it sent]} and what
    was noted. `judged`: how (Judging).
    """
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    judging, fresh, results = Judging(*judged), Fresh(str(Path.cwd())), {}
    signal.signal(signal.SIGPROF, out_of_time)
    for token, path, module, folder, function in tests:
        sent = judging.begin()
        try:
            fresh.begin(folder)
            signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)
            results[token] = [*_outcome(path, module, function), sent]
        except OutOfTime:
            results[token] = ["timeout", "timeout", sent]
        signal.setitimer(signal.ITIMER_PROF, 0)
        judging.look()
    return [results, judging.notes()]


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
