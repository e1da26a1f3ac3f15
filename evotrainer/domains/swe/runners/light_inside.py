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
    Finder,
    Fresh,
    HiddenLoader,
    OutOfTime,
    code_of,
    failed_line,
    line_of,
    out_of_time,
)
from evotrainer.domains.swe.runners.judge_inside import HiddenModule, Judge
from evotrainer.domains.swe.runners.watch_inside import Watch


def run(tests, sources, judged, seconds, changed, added, has_secrets):
    """Run tests, (token, path, module, folder, function) each; return {token: [status, detail, what it sent]} and what
    was reached.

    `sources`: test files that are not hidden, path -> text; `judged`: those that are, or help tests, path -> [code,
    error, whether it is hidden]. `changed`: the attempt's own files; `added`: those that the repository has not.
    """
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    place = str(Path.cwd())
    codes = {path: code_of(file, f"{place}/{path}") for path, file in judged.items()}
    codes |= {path: _compiled(text, f"{place}/{path}") for path, text in sources.items()}
    watch = Watch(place, [path for path in judged if judged[path][2]], changed, has_secrets) if judged else None
    judge = Judge(watch.is_foreign if watch else str)
    loaders = {f"{place}/{path}": HiddenLoader(codes[path], judge.names()) for path in judged}
    Finder(place, loaders, [f"{place}/{path}" for path in added] if judged else ())
    fresh, results, reached = Fresh(place), {}, set()
    signal.signal(signal.SIGPROF, out_of_time)
    for token, path, module, folder, function in tests:
        judge.sent = sent = []
        try:
            fresh.begin(folder)
            signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)
            made = HiddenModule(module) if path in judged else types.ModuleType(module)
            lines = sources[path].splitlines() if path in sources else []
            results[token] = [*_outcome(codes[path], f"{place}/{path}", made, function, lines, judge), sent]
        except OutOfTime:
            results[token] = ["timeout", "timeout", sent]
        signal.setitimer(signal.ITIMER_PROF, 0)
        reached |= watch.reached() if watch else set()
    return [results, sorted(reached | judge.notes)]


def _compiled(text, path):
    try:
        return compile(text, path, "exec")
    except (SyntaxError, ValueError) as error:
        return line_of(error)


def _outcome(code, path, module, function, lines, judge):
    if isinstance(code, str):
        return ["error", code]
    try:
        test = _load(code, path, module, judge).get(function)
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
        return ["failed", failed_line(error, path, lines)]
    return ["passed", ""]


def _load(code, path, module, judge):
    """Run a test file as `module`; return what its names stand for."""
    name, names = module.__name__, object.__getattribute__(module, "__dict__")
    package = name.rpartition(".")[0]
    if package:
        importlib.import_module(package)
    names |= {"__file__": path, "__package__": package, **judge.names()}
    sys.modules[name] = module
    exec(code, names)
    return names
