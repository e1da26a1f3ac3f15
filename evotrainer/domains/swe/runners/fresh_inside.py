"""Runs inside the sandbox: where the modules of the repository and of its tests come from, made anew for each test."""

import builtins
import linecache
import marshal
import os
import random
import shutil
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from types import CodeType

from evotrainer.domains.swe.runners.helpers_inside import HELPERS, HiddenModule, tell
from evotrainer.domains.swe.runners.watch_inside import Watch

REPEAT_SECONDS = 0.5
"""A test that goes on after its clock has struck hears it again."""


class OutOfTime(BaseException):
    """A test used up its processor time."""


class HiddenLoader:
    """Loads a test file from memory, on whose place an empty file lies. `code`: or the error of compiling it."""

    def __init__(self, code):
        self.run = lambda module: _run(code, module)

    def create_module(self, spec):
        """Return a module that sends who asks."""
        return HiddenModule(spec.name)

    def exec_module(self, module):
        """Run the file."""
        self.run(module)


def _run(code, module):
    if type(module) is not HiddenModule:
        raise ImportError("this module is closed")
    if isinstance(code, str):
        raise SyntaxError(code)
    exec(code, object.__getattribute__(module, "__dict__"))


class Finder:
    """Finds modules as the path finder does. `hidden`: absolute paths of test files -> their loaders. `own`: of Python
    files that the repository has; no other one of its folder takes the place of a library.
    """

    def __init__(self, place, hidden, own):
        self._place, self._hidden, self._own = place, hidden, own
        sys.meta_path.insert(sys.meta_path.index(PathFinder), self)

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None where there is none."""
        spec = PathFinder.find_spec(name, path)
        if spec is not None and path is None and spec.origin not in self._own:
            libraries = [one for one in sys.path if one.startswith("/") and not one.startswith(self._place)]
            spec = PathFinder.find_spec(name, libraries) or spec
        if spec is not None and spec.origin in self._hidden:
            spec.loader = self._hidden[spec.origin]
        return spec


class Fresh:
    """What a test starts with: no module of the repository, builtins, directory and random module as they were."""

    def __init__(self, place):
        self._place, self._paths, self._builtins = place, list(sys.path), builtins.__dict__
        self._originals, self._ours = dict(self._builtins), frozenset(sys.modules)

    def begin(self, folder):
        """Set a test up whose imports start at a folder."""
        for name in sys.modules.keys() - self._ours:
            module = sys.modules[name]
            places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
            if any(isinstance(path, str) and path.startswith(self._place) for path in places):
                del sys.modules[name]
        self._builtins.clear()
        self._builtins.update(self._originals)
        os.chdir(self._place)
        sys.path[:] = list(dict.fromkeys([f"{self._place}/{folder}", *self._paths]))
        random.seed(0)


def _code_of(path, code, error, is_hidden):
    """Return the code of a test file that the parent has compiled, under its path here; or the error, a text."""
    return error or _placed(marshal.loads(bytes.fromhex(code)), path)


def _placed(code, path):
    """Return code under its path here, with helpers in the place of their names."""
    constants = (HELPERS.get(one, one) if type(one) is str else one for one in code.co_consts)
    constants = tuple(_placed(one, path) if type(one) is CodeType else one for one in constants)
    return code.replace(co_filename=path, co_consts=constants)


def complete(base, removed):
    """Put the files of a folder beside those that were changed, but for some."""
    for folder, folders, names in os.walk(base):
        folders[:] = [name for name in folders if name != ".git"]
        place = Path(folder).relative_to(base)
        place.mkdir(parents=True, exist_ok=True)
        for name in names:
            target = place / name
            if str(target) not in removed and not os.path.lexists(target):
                shutil.copy(Path(folder) / name, target, follow_symlinks=False)


def out_of_time(number, frame):
    """Hear the clock of a test."""
    raise OutOfTime


def line_of(error):
    """Return an error in a line."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # the error's __str__ may be the policy's own code: its type alone is shown then
        text = ""
    return (type(error).__name__ + ": " + text if text else type(error).__name__)[:200]


def failed_line(error, path):
    """Return the line of the file at `path` where an assertion failed; for other errors the error."""
    trace, line = error.__traceback__, ""
    while isinstance(error, AssertionError) and trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = linecache.getline(path, trace.tb_lineno).strip()
        trace = trace.tb_next
    return line or line_of(error)


def start_judging(secret, judged, changed, added, has_secrets):
    """Judge the tests of this execution, which tell how they end. Nothing leads to the judge but what is told.

    `secret`: a list with a text that is handed back with the judgement, taken out of it. `judged`: tests that are
    hidden, or help these, path -> [code, error, whether it is hidden]. `changed`: the attempt's own paths; `added`:
    those of them that are modules where the repository has none.
    """
    place = str(Path.cwd())
    codes = {f"{place}/{path}": _code_of(f"{place}/{path}", *file) for path, file in judged.items()}
    there = {f"{folder}/{name}" for folder, _, names in os.walk(place) for name in names if name.endswith(".py")}
    base = there - {f"{place}/{path}" for path in added}
    hidden = {path: is_hidden for path, (_, _, is_hidden) in judged.items()}
    Watch(secret.pop(), (place, hidden, base, {f"{place}/{path}" for path in changed}), has_secrets)
    del globals()["Watch"]
    Finder(place, {path: HiddenLoader(code) for path, code in codes.items()}, base)


def judgement():
    """Return how the tests ended, what was noted, and the secret."""
    box = []
    tell("finish", (box,))
    return box
