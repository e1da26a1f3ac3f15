"""Runs inside the sandbox: plain test functions, each on freshly imported modules. Its text is sent there.

Test sources come as arguments and are compiled before any code under test is imported, so that code which rewrites
files cannot change a later test. Hidden ones are watched (watch_inside.py). What is returned may be forged by the code
under test: the parent compares with planted tests.
"""

import builtins
import copy
import importlib
import os
import random
import signal
import sys
import traceback
import types
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

REPEAT_SECONDS = 0.5
"""A test that goes on after its clock has struck hears it again."""


class OutOfTime(BaseException):
    """A test used up its processor time."""


class FoundBefore:
    """Finds the repository's modules where they were found before: made anew for each test, read and compiled once.

    A test that rewrites a module's file changes no later test.
    """

    def __init__(self, place):
        self.place, self.loaders, self.specs = place, {}, {}

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None for a module from elsewhere."""
        key = (name, sys.path[0] if path is None else tuple(path))
        if key not in self.specs:
            spec = PathFinder.find_spec(name, path)
            if spec is None or type(spec.loader) is not SourceFileLoader or not str(spec.origin).startswith(self.place):
                return spec
            spec.loader = self.loaders.get(spec.origin, CompiledOnce)(spec.loader.name, spec.loader.path)
            self.specs[key] = spec
        return copy.copy(self.specs[key])


class CompiledOnce(SourceFileLoader):
    """Loads a module from its file the first time, and from memory after that."""

    code = None

    def get_code(self, fullname):
        """Return the module's code."""
        if self.code is None:
            self.code = self.source_to_code(self.get_data(self.path), self.path)
        return self.code


def run(tests, sources, seconds, hidden, changed):
    """Run tests, (token, path, module, folder, function) each; return {token: [status, detail]} and what was reached.

    `sources`: their files and hidden ones, path -> text. `hidden`: paths to be watched. `changed`: the attempt's own.
    """
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    place, paths, names = str(Path.cwd()), list(sys.path), builtins.__dict__
    originals, ours = dict(names), frozenset(sys.modules)
    finder, watch, kind = FoundBefore(place), None, types.ModuleType
    sys.meta_path.insert(sys.meta_path.index(PathFinder), finder)
    codes = {path: _compiled(text, path) for path, text in sources.items()}
    if hidden:
        from evotrainer.domains.swe.runners.hidden_inside import HiddenLoader, HiddenModule
        from evotrainer.domains.swe.runners.watch_inside import start

        kind, finder.loaders = HiddenModule, {f"{place}/{path}": HiddenLoader for path in hidden}
        watch = start(place, {path: codes[path] for path in hidden}, changed, HiddenLoader)
    signal.signal(signal.SIGPROF, _out_of_time)
    results = {}
    for token, path, module, folder, function in tests:
        _forget_modules(ours, place)
        names.clear()
        names.update(originals)
        os.chdir(place)
        sys.path[:] = list(dict.fromkeys([f"{place}/{folder}", *paths]))
        random.seed(0)
        signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)
        try:
            results[token] = _outcome(codes[path], path, kind(module), function, sources[path])
        except OutOfTime:
            results[token] = ["timeout", "timeout"]
        signal.setitimer(signal.ITIMER_PROF, 0)
    return [results, [] if watch is None else watch.noted()]


def _out_of_time(number, frame):
    raise OutOfTime


def _compiled(text, path):
    try:
        return compile(text, path, "exec")
    except (SyntaxError, ValueError) as error:
        return error


def _forget_modules(ours, place):
    for name in [name for name in sys.modules if name not in ours]:
        module = sys.modules[name]
        places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
        if any(isinstance(path, str) and path.startswith(place) for path in places):
            del sys.modules[name]


def _outcome(code, path, module, function, source):
    if isinstance(code, BaseException):
        return ["error", _line(code)]
    try:
        test = _load(code, path, module).get(function)
    except OutOfTime:
        raise
    except BaseException as error:  # a module may raise anything, SystemExit too: its tests are errors
        return ["error", _line(error)]
    if not isinstance(test, types.FunctionType):
        return ["missing", ""]
    try:
        test()
    except OutOfTime:
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
    except Exception:  # the error is the tested code's own, and so is its __str__
        text = ""
    return (type(error).__name__ + ": " + text if text else type(error).__name__)[:200]
