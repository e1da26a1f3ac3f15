"""Runs inside the sandbox: plain test functions, each on freshly imported modules. Its text is sent there.

Hidden tests run apart from the code that they test, which another process holds (remote_inside.py). Where they cannot,
and for the repository's own tests, both are in this process. Tests are compiled before any code under test is
imported, and hidden ones are watched (watch_inside.py). What is then returned may be forged by the code under test: the
parent compares with planted tests.
"""

import importlib
import os
import random
import signal
import sys
import traceback
import types
from pathlib import Path

from evotrainer.domains.swe.runners.fresh_inside import REPEAT_SECONDS, Fresh, out_of_time
from evotrainer.domains.swe.runners.pair_inside import Gone, OutOfTime

OWN = ("program.py", "light_inside.py")


def run(tests, sources, support, seconds, hidden, changed, added, is_apart):
    """Run tests, (token, path, module, folder, function) each; return {token: [status, detail]} and what was reached.

    `sources`: their files and hidden ones, path -> text; `support`: further files that are the tests' own. `hidden`:
    paths to be watched. `changed`: the attempt's own; `added`: those of them that the repository has not.
    """
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    place = str(Path.cwd())
    codes = {path: _compiled(text, path) for path, text in sources.items()}
    own = (changed, added)
    side = Apart(place, support | sources, codes, added) if is_apart else Together(place, codes, hidden, *own)
    signal.signal(signal.SIGPROF, out_of_time)
    results = {}
    for token, path, module, folder, function in tests:
        try:
            side.begin(folder, seconds)
            results[token] = _outcome(codes[path], path, side.kind(module), function, sources[path])
        except OutOfTime:
            results[token] = ["timeout", "timeout"]
        except Gone:  # the code under test has left, and this run with it
            raise SystemExit from None
        signal.setitimer(signal.ITIMER_PROF, 0)
    return [results, side.reached()]


class Together:
    """Tests and the code under test in this process."""

    def __init__(self, place, codes, hidden, changed, added):
        self._fresh, self._watch, self.kind = Fresh(place), None, types.ModuleType
        self._kept, self._replaced = None, set()
        if hidden:
            from evotrainer.domains.swe.runners.hidden_inside import HiddenLoader, HiddenModule
            from evotrainer.domains.swe.runners.kept_inside import Kept
            from evotrainer.domains.swe.runners.watch_inside import start

            self.kind = HiddenModule
            self._fresh.finder.added = frozenset(f"{place}/{path}" for path in added)
            self._fresh.finder.loaders = {f"{place}/{path}": HiddenLoader for path in hidden}
            self._watch = start(place, {path: codes[path] for path in hidden}, changed, HiddenLoader)
            self._kept = Kept()

    def begin(self, folder, seconds):
        """Set a test up."""
        self._look()
        self._fresh.begin(folder)
        signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)

    def reached(self):
        """Return what the code under test was heard to do."""
        self._look()
        return [] if self._watch is None else sorted({*self._watch.noted(), *self._replaced})

    def _look(self):
        if self._kept is not None:
            self._replaced |= self._kept.replaced()


class Apart:
    """Tests here, the code under test in the process beside."""

    def __init__(self, place, texts, codes, added):
        from evotrainer.domains.swe.runners.imports_inside import TestModule
        from evotrainer.domains.swe.runners.remote_inside import open_tests

        self._place, self._paths, self.kind = place, list(sys.path), TestModule
        self._tests, self._finder = open_tests(place, texts, texts | codes, added, OWN, is_path_sent=False)

    def begin(self, folder, seconds):
        """Set a test up on both sides."""
        self._finder.forget()
        os.chdir(self._place)
        sys.path[:] = list(dict.fromkeys([f"{self._place}/{folder}", *self._paths]))
        random.seed(0)
        signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)
        self._tests.begin(folder, seconds)

    def reached(self):
        """Return what the code under test was heard to do."""
        return self._tests.reached()


def _compiled(text, path):
    try:
        return compile(text, path, "exec")
    except (SyntaxError, ValueError) as error:
        return error


def _outcome(code, path, module, function, source):
    if isinstance(code, BaseException):
        return ["error", _line(code)]
    try:
        test = _load(code, path, module).get(function)
    except (OutOfTime, Gone):
        raise
    except BaseException as error:  # a module may raise anything, SystemExit too: its tests are errors
        return ["error", _line(error)]
    if not isinstance(test, types.FunctionType):
        return ["missing", ""]
    try:
        test()
    except (OutOfTime, Gone):
        raise
    except BaseException as error:  # whatever a test raises, it has failed
        return ["failed", _failure(error, path, source)]
    return ["passed", ""]


def _load(code, path, module):
    """Run a test file as `module`; return what its names stand for."""
    name, names = module.__name__, module.__dict__
    package = name.rpartition(".")[0]
    if package:
        importlib.import_module(package)
    module.__file__, module.__package__ = str(Path.cwd() / path), package
    sys.modules[name] = module
    exec(code, names)
    return names


def _failure(error, path, source):
    """The line of the test where an assertion failed; for other errors the error."""
    if isinstance(error, AssertionError):
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        if frames and frames[-1].lineno:
            return source.splitlines()[frames[-1].lineno - 1].strip()
    return _line(error)


def _line(error):
    try:
        text = " ".join(str(error).split())
    except Exception:  # the error's __str__ may be the policy's own code: its type alone is shown then
        text = ""
    return (type(error).__name__ + ": " + text if text else type(error).__name__)[:200]
