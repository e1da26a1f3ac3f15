"""Runs inside the sandbox where hidden tests are in one process with the code that they test: whether functions and
classes of what judges them are still those that they were. Modules that tests may import beside them are not compared.
"""

import types
from sys import modules

JUDGES = frozenset({"builtins", "unittest", "pytest", "_pytest", "pluggy", "evotrainer"})
METHODS = (types.FunctionType, staticmethod, classmethod, property)
KINDS = (*METHODS, types.BuiltinFunctionType, type, tuple)


class Kept:
    """Functions, classes and methods of the modules that judge, as they are now."""

    def __init__(self):
        modules.pop(__name__, None)
        self._held = [one for name, module in list(modules.items()) for one in _held(name, module)]

    def replaced(self):
        """Return those that stand in their places no more, in the words of `TestRun.reached`."""
        return {f"reaches {place}.{name}" for place, held, name, value in self._held if held.get(name) is not value}


def _held(place, module):
    """Yield (place, names, name, value) of each function and class of a module that judges, and of its methods."""
    if place.partition(".")[0] not in JUDGES:
        return
    for name, value in list(vars(module).items()):
        if not isinstance(value, KINDS):
            continue
        yield place, vars(module), name, value
        if isinstance(value, type) and value.__module__ == place and place != "builtins":
            for method, code in list(vars(value).items()):
                if isinstance(code, METHODS):
                    yield f"{place}.{name}", vars(value), method, code
