"""Runs inside the sandbox: the repository's modules made anew for each test, read and compiled once."""

import builtins
import copy
import os
import random
import shutil
import sys
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

from evotrainer.domains.swe.runners.pair_inside import OutOfTime

REPEAT_SECONDS = 0.5
"""A test that goes on after its clock has struck hears it again."""


def found_spec(name, path, added, place):
    """Return the spec of a module as the path finder has it, but that no file of `added` takes the place of a library:
    of what stands elsewhere than below `place`.
    """
    spec = PathFinder.find_spec(name, path)
    if spec is None or path is not None or spec.origin not in added:
        return spec
    return PathFinder.find_spec(name, [path for path in sys.path if path and not path.startswith(place)]) or spec


class FoundBefore:
    """Finds the repository's modules where they were found before.

    A test that rewrites a module's file changes no later test.
    """

    def __init__(self, place):
        self.place, self.loaders, self.specs, self.added = place, {}, {}, frozenset()

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None for a module from elsewhere."""
        key = (name, sys.path[0] if path is None else tuple(path))
        if key not in self.specs:
            spec = found_spec(name, path, self.added, self.place)
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


class Fresh:
    """What a test starts with: no module of the repository, builtins, directory and random module as they were."""

    def __init__(self, place):
        self._place, self._paths, self._builtins = place, list(sys.path), builtins.__dict__
        self._originals, self._ours = dict(self._builtins), frozenset(sys.modules)
        self.finder = FoundBefore(place)
        sys.meta_path.insert(sys.meta_path.index(PathFinder), self.finder)

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
