"""Runs inside the sandbox: importing hidden tests, whose text is on no disk while the repository's code runs.

Where their files belong stand empty ones, so that they are found as ever. Their code is with the watch
(watch_inside.py), which gives it to the import system alone and hears who looks into a test's module.
"""

import types
from importlib.machinery import SourceFileLoader
from sys import audit

from evotrainer.domains.swe.runners.fresh_inside import found_spec


class HiddenModule(types.ModuleType):
    """The module of a hidden test file: the watch records every access from outside."""

    def __getattribute__(self, name):
        """Return an attribute, and say that it was asked for."""
        attributes = types.ModuleType.__getattribute__(self, "__dict__")
        audit("evotrainer.attribute", attributes.get("__file__"), name)
        return types.ModuleType.__getattribute__(self, name)


class HiddenLoader(SourceFileLoader):
    """Loads a hidden file from the watch."""

    def create_module(self, spec):
        """Return a module that tells who asks."""
        return HiddenModule(spec.name)

    def get_code(self, fullname):
        """Return the code of the file, which the watch gives where an import asks for it."""
        given = []
        audit("evotrainer.code", self.path, given)
        if not given:
            raise ImportError("this module is closed", name=fullname)
        if isinstance(given[0], BaseException):
            raise given[0]
        return given[0]


class HiddenFinder:
    """Finds modules where the path finder does, and gives hidden ones their loader. `paths`: theirs;
    `added`: of files that take no place of a library; both absolute. `place`: the repository's folder.
    """

    def __init__(self, paths, added, place):
        self._paths, self._added, self._place = frozenset(paths), frozenset(added), place

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None where there is none."""
        spec = found_spec(name, path, self._added, self._place)
        if spec is not None and spec.origin is not None and spec.origin in self._paths:
            spec.loader = HiddenLoader(name, spec.origin)
        return spec
