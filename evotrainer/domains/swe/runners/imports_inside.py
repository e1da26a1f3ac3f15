"""Runs inside the sandbox, beside the tests: how their imports are found, and which code may run there at all.

Test files come from memory, modules of the repository are stand-ins, and an audit hook refuses all other code.
"""

# values of any type cross here, which only the run shows
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false

import os
import sys
import types
from functools import partial
from importlib.machinery import ModuleSpec
from sys import _getframe

from evotrainer.domains.swe.runners.fresh_inside import found_spec
from evotrainer.domains.swe.runners.stand_ins_inside import RemoteModule, ask


class RemoteFinder:
    """Finds modules where the path finder does: those of the tests get their code from memory, those of the
    repository are stand-ins, and none is run from below `place`. `codes`: path -> code, text, or the error of
    importing it. `added`: paths of the attempt's own that the repository has not: none of them takes the place of a
    library that a test imports.
    """

    def __init__(self, tests, codes, added, is_path_sent):
        self._tests, self._place, self._is_path_sent = tests, tests.place, is_path_sent
        self._codes = {f"{tests.place}/{path}": code for path, code in codes.items()}
        self._added = frozenset(f"{tests.place}/{path}" for path in added)
        self._specs, self._made = {}, set()

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None where there is none."""
        key = (name, sys.path[0] if path is None else tuple(path), len(sys.path))
        if key not in self._specs:
            found = found_spec(name, path, self._added, self._place)
            if found is None or not self._is_inside(found):
                return found
            self._specs[key] = found.origin, found.submodule_search_locations
        origin, places = self._specs[key]
        loader = TestLoader(self._codes[origin]) if origin in self._codes else RemoteLoader(self._tests, self._paths())
        self._made.add(name)
        spec = ModuleSpec(name, loader, origin=origin)
        spec.has_location = origin is not None
        spec.submodule_search_locations = None if places is None else list(places)
        return spec

    def forget(self):
        """Forget the stand-ins of modules, so that they are imported again."""
        for name in self._made:
            sys.modules.pop(name, None)
        self._made.clear()

    def _paths(self):
        if not self._is_path_sent:
            return None
        above = os.path.dirname(self._place)  # noqa: PTH120 - from where a repository that is a package is imported
        return [path for path in sys.path if path == above or path.startswith(self._place)]

    def _is_inside(self, spec):
        places = [spec.origin, *(spec.submodule_search_locations or ())]
        return any(os.path.realpath(path).startswith(self._place) for path in places if type(path) is str)


class TestModule(types.ModuleType):
    """A module of the tests."""


class TestLoader:
    """Loads a test file, or what supports one, from memory."""

    def __init__(self, code):
        self._code = code

    def create_module(self, spec):
        """Return an empty module."""
        return TestModule(spec.name)

    def exec_module(self, module):
        """Run the file."""
        if isinstance(self._code, BaseException):
            raise self._code
        code = compile(self._code, module.__file__, "exec") if isinstance(self._code, str) else self._code
        exec(code, vars(module))


class RemoteLoader:
    """Loads the stand-in of a module of the repository."""

    def __init__(self, tests, paths):
        self._tests, self._paths = tests, paths

    def create_module(self, spec):
        """Return a stand-in."""
        return RemoteModule(spec.name)

    def exec_module(self, module):
        """Have the module imported in the other process."""
        remote, functions = self._tests.peer.ask("import", module.__name__, self._paths)
        known = {"_of_code": partial(ask, remote, "get"), "_functions": functions, "_side": self._tests}
        vars(module).update(known, _remote=remote)


class Guard:
    """An audit hook that lets no code run here which is not the tests' or a library's."""

    def __init__(self, place, codes, own):
        self._place, self._known = place, frozenset({*codes, *(f"{place}/{path}" for path in codes)})
        self._own = own

    def hear(self, event, arguments):
        """Judge one audit event."""
        if event == "exec":
            name = arguments[0].co_filename
            if name in self._known or name in self._own or name.startswith("<frozen "):
                return
            if self._is_inside(name) or (not name.startswith("/") and self._is_inside(_getframe(1).f_code.co_filename)):
                raise ImportError(f"{name} runs beside the tests, not in their process")
        elif event == "pickle.find_class" and self._is_inside(_getframe(1).f_code.co_filename):
            raise ImportError("what the code under test may have written is not unpickled in the tests' process")

    def _is_inside(self, name):
        return name in self._known or name.startswith(self._place)
