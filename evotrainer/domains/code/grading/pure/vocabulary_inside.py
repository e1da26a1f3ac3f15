"""Runs inside the sandbox: what a pure program may name, and whether what programs share is still as it was.

A name has one of these kinds. What Python code could change is never a value that a program holds:

    value   cannot be changed by anybody: C functions and types, numbers, texts; used in any way
    called  Python functions and classes of the standard library, which take attributes: called by name, no more
    single  such a function that would hand what it shares to a further argument: called with one
    plain   such a function that computes with objects it shares: called in programs without operators of their own
    noted   names of `typing`: in annotations only

A program never gets a real module. Each import makes a new one that holds these names alone.
"""

import builtins
import importlib
import operator
import sys
import types

VALUE, CALLED, SINGLE, PLAIN, NOTED = "value", "called", "single", "plain", "noted"

_NAMES = {
    "__future__": "annotations",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    "copy": "copy deepcopy",
    "functools": "cache cmp_to_key lru_cache partial reduce",
    "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "random": "betavariate choice choices gauss getrandbits randint random randrange sample seed shuffle uniform",
    "re": "compile escape findall finditer fullmatch match search split sub subn",
    "string": "ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable punctuation "
    "whitespace",
    "sys": "exit float_info maxsize setrecursionlimit stderr stdin stdout version_info",
    "typing": "Any Callable DefaultDict Deque Dict FrozenSet Generator Hashable Iterable Iterator List Literal Mapping "
    "NoReturn Optional Sequence Set Tuple Type Union",
}
_ALL_OF = ("cmath", "itertools", "math", "operator")
_LEFT_OUT = {"operator": ("attrgetter", "methodcaller")}
"""They read attributes by names that no check of the text sees."""
_BUILTINS = (
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate exit filter "
    "float format frozenset hash hex input int isinstance issubclass iter len list map max min next object oct ord pow "
    "print property quit range repr reversed round set slice sorted staticmethod str sum super tuple zip "
    "NotImplemented Ellipsis ArithmeticError AssertionError AttributeError BaseException EOFError Exception "
    "FloatingPointError IndexError KeyError KeyboardInterrupt LookupError NotImplementedError OverflowError "
    "RuntimeError StopIteration SystemExit TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError "
    "ZeroDivisionError"
)

STREAMS = ("stdin", "stdout", "stderr")
_KINDS = {"typing": NOTED, "copy": SINGLE, "re": PLAIN}
_IMMUTABLE, _HEAP = 1 << 8, 1 << 9
_CONSTANTS = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), type(NotImplemented))


def _kind(module, name, value):
    if module in _KINDS:
        return _KINDS[module]
    if module == "sys" and name in (*STREAMS, "float_info", "version_info"):  # new for each input; or a tuple
        return VALUE
    if isinstance(value, type):
        is_fixed = value.__flags__ & _IMMUTABLE or not value.__flags__ & _HEAP
        return VALUE if is_fixed else CALLED
    is_value = isinstance(value, types.BuiltinFunctionType) or type(value) in _CONSTANTS
    return VALUE if is_value else CALLED


def _names_of(module):
    if module not in _ALL_OF:
        return _NAMES[module].split()
    kept = (types.BuiltinFunctionType, type, *_CONSTANTS)
    names = [name for name in dir(_REAL[module]) if not name.startswith("_")]
    return [name for name in names if isinstance(getattr(_REAL[module], name), kept)]


_REAL = {name: importlib.import_module(name) for name in (*_NAMES, *_ALL_OF)}
MODULES = {
    module: {
        name: _kind(module, name, getattr(_REAL[module], name))
        for name in _names_of(module)
        if name not in _LEFT_OUT.get(module, ())
    }
    for module in _REAL
}
"""Module -> name -> kind."""
BUILTINS = {name: _kind("builtins", name, getattr(builtins, name)) for name in _BUILTINS.split()}
MODULES["builtins"], _REAL["builtins"] = BUILTINS, builtins


_VALUES = {module: {name: getattr(_REAL[module], name) for name in kinds} for module, kinds in MODULES.items()}


def fresh_builtins():
    """Return the builtins of one program: what it may name, and what its statements need."""
    return _VALUES["builtins"] | {"__build_class__": builtins.__build_class__, "__import__": _import}


def fresh_module(name):
    """Return a new module that holds what a program may name of a real one; its streams are those of now."""
    module = types.ModuleType(name)
    vars(module).update(_VALUES[name])
    if name == "sys":
        vars(module).update({stream: getattr(sys, stream) for stream in STREAMS})
    return module


def _import(name, globals=None, locals=None, fromlist=(), level=0):
    if level or name not in MODULES:
        raise ImportError(name)
    return fresh_module(name)


class Shared:
    """What all programs share: contents of modules, of classes, of functions. Says whether it is as it was."""

    def __init__(self):
        """Take down what it is now."""
        found = [
            (module, name)
            for module, kinds in MODULES.items()
            for name in kinds
            if kinds[name] in (CALLED, SINGLE, PLAIN)
        ]
        called = [getattr(_REAL[module], name) for module, name in found]
        functions = [one for one in called if isinstance(one, types.FunctionType)]
        dictionaries = [vars(one) for one in (*_REAL.values(), *called) if not isinstance(one, types.MethodType)]
        self._contents = [(live, list(live), list(live.values())) for live in dictionaries]
        self._codes = [(one, _code_of(one)) for one in functions]

    def is_intact(self):
        """Return whether nothing of it was changed."""
        return all(_is_same(live, keys, values) for live, keys, values in self._contents) and all(
            all(map(operator.is_, _code_of(one), kept)) for one, kept in self._codes
        )


def _is_same(live, keys, values):
    """Return whether a dictionary holds these very objects; no object is asked whether it is equal to another."""
    return (
        len(live) == len(keys) and all(map(operator.is_, live, keys)) and all(map(operator.is_, live.values(), values))
    )


def _code_of(one):
    return one.__code__, one.__defaults__, one.__kwdefaults__
