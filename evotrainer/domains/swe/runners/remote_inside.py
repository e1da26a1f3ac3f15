"""Runs inside the sandbox, in the process that holds the tests: the code under test is in another one.

Modules of the repository are imported as stand-ins, whose names, calls and operators are asked there. What comes back
is built anew from plain values (plain_inside.py), or is a stand-in. A comparison is made here: a stand-in equals no
plain value, whatever its class says, and two stand-ins are equal where their class says so and they hold the same.
No code from a place where the repository's code may write runs in this process.
"""

# values of any type cross here, which only the run shows
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false

import builtins
import os
import sys
import types
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder
from sys import _getframe, addaudithook, stdlib_module_names

from evotrainer.domains.swe.runners.code_inside import DESCRIPTOR, MAX_BYTES, OPERATORS, PROBES
from evotrainer.domains.swe.runners.pair_inside import Gone, Line, Peer, error_class, error_object, error_traits
from evotrainer.domains.swe.runners.plain_inside import EXTENDED

OWN_NAMES = frozenset({"__class__", "__slots__"})
ORDERED = ("lt", "le", "gt", "ge")
REFLECTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor")
UNARY = ("len", "iter", "next", "str", "repr", "hash", "enter", "int", "float", "reversed", "dir")
PRIVATE = ("gi_", "tb_", "f_", "co_", "cr_", "ag_")


class Remote:
    """An object of the other process."""

    __slots__ = ("_number", "_peer", "_traits")

    def __init__(self, peer, number, traits):
        _set_peer(self, peer)
        _set_number(self, number)
        _set_traits(self, traits)

    def __getattribute__(self, name):
        """Return an attribute, asked there."""
        return object.__getattribute__(self, name) if name in OWN_NAMES else _ask(self, "get", name)

    def __setattr__(self, name, value):
        """Set an attribute there."""
        _ask(self, "set", name, value)

    def __delattr__(self, name):
        """Delete an attribute there."""
        _ask(self, "del", name)

    def __call__(self, *arguments, **named):
        """Call it there."""
        return _ask(self, "call", arguments, named)

    def __eq__(self, other):
        """Return whether it equals another of its process; nothing else does."""
        if type(other) is Remote:
            return _number(self) == _number(other) or _ask(self, "equal", other) is True
        _peer(self).shared.side.compared(self, other)
        return False

    def __bool__(self):
        """Return what it counts for there."""
        return _ask(self, "bool") is True

    def __exit__(self, kind, error, trace):
        """Leave it as a context."""
        return _ask(self, "exit", error)

    def __contains__(self, item):
        """Return whether one of its items, where it has such, equals a value."""
        try:
            items = iter(self)
        except TypeError:
            return _ask(self, "contains", item) is True
        return any(one is item or one == item for one in items)

    def __instancecheck__(self, value):
        """Return whether a value is of this class."""
        return _peer(self).ask("is", value, self) is True

    def __subclasscheck__(self, kind):
        """Return whether a class extends this one."""
        return _peer(self).ask("extends", kind, self) is True


_number, _peer, _traits = (vars(Remote)[name].__get__ for name in ("_number", "_peer", "_traits"))
_set_number, _set_peer, _set_traits = (vars(Remote)[name].__set__ for name in ("_number", "_peer", "_traits"))


def _ask(remote, operation, *arguments):
    return _peer(remote).ask(operation, remote, *arguments)


def _operation(name):
    return lambda self, *arguments: _ask(self, name, *arguments)


def _reflected(name):
    return lambda self, other: _peer(self).ask(name, other, self)


def _ordered(name):
    def compare(self, other):
        if type(other) is not Remote:
            raise TypeError(f"an object of the code under test is not ordered against {type(other).__name__}")
        return _ask(self, name, other) is True

    return compare


for _name in (*OPERATORS, *UNARY, "round", "format", "divmod"):
    if _name not in (*ORDERED, "contains"):
        setattr(Remote, f"__{_name.rstrip('_')}__", _operation(_name))
for _name in REFLECTED:
    setattr(Remote, f"__r{_name.rstrip('_')}__", _reflected(_name))
for _name in ORDERED:
    setattr(Remote, f"__{_name}__", _ordered(_name))


class RemoteError(type):
    """A class of exceptions of the other process."""

    def __getattr__(cls, name):
        """Return an attribute of the class, asked there."""
        number = vars(cls).get("_number_of_code")
        if number is None or name.startswith("__"):
            raise AttributeError(name)
        return vars(cls)["_peer_of_code"].ask("get", Remote(vars(cls)["_peer_of_code"], number, {}), name)


def _error_attribute(self, name):
    """Return an attribute of an exception, asked there."""
    number = vars(self).get("_number_of_code")
    if number is None or name.startswith("__"):
        raise AttributeError(name)
    peer = type(self)._peer_of_code
    return peer.ask("get", Remote(peer, number, {}), name)


class RemoteModule(types.ModuleType):
    """A module of the other process."""

    def __getattr__(self, name):
        """Return what the module names, asked there."""
        if name in ("__path__", "__file__", "__spec__", "__wrapped__") or "_of_code" not in vars(self):
            raise AttributeError(name)
        number = vars(self)["_functions"].get(name)
        return vars(self)["_of_code"](name) if number is None else vars(self)["_side"].show(number, {}, None)

    def __setattr__(self, name, value):
        """Name a value there; what importing sets stays here."""
        if name.startswith("__") or isinstance(value, types.ModuleType) or "_remote" not in vars(self):
            types.ModuleType.__setattr__(self, name, value)
        else:
            vars(self)["_functions"].pop(name, None)
            setattr(vars(self)["_remote"], name, value)

    def __delattr__(self, name):
        """Delete a name there."""
        vars(self)["_functions"].pop(name, None)
        delattr(vars(self)["_remote"], name)


class Tests:
    """The side of the tests: what it shows of the other, and what it lets the other ask."""

    __test__ = False

    def __init__(self, place, read, write):
        self.place, self.noted, self._shown, self._extended = place, set(), {}, {}
        self._places = dict(os.environ), place
        self.peer = Peer(Line(DESCRIPTOR, read, write, MAX_BYTES), self, self._operations())

    def begin(self, folder, seconds):
        """Start a test: nothing that crossed before is known any more."""
        self.peer.shared.clear()
        self._shown.clear()
        self.peer.first("begin", folder, seconds)
        self._places = dict(os.environ), self.place

    def clock(self, seconds):
        """Start the clock of the code under test."""
        self.peer.first("clock", seconds)

    def reached(self):
        """Return what the code under test was heard to do, in the words of `TestRun.reached`."""
        try:
            heard = self.peer.ask("noted")
        except Gone:
            heard = []
        return sorted(self.noted | {text for text in heard if type(text) is str})

    def before(self):
        """Let the code under test have the environment and the current directory as the tests have made them."""
        places = dict(os.environ), os.getcwd()  # noqa: PTH109 - before each question: a Path costs more
        if places != self._places:
            self._places = places
            self.peer.first("places", *places)

    def traits(self, value):
        """Return what the code under test is told of an object."""
        return error_traits(self.peer.shared, value) or {}

    def show(self, number, traits, plain):
        """Return the stand-in of an object of the code under test; the same one for the same number."""
        if type(number) is not int or type(traits) is not dict:
            raise ValueError("no form")
        if plain is not None:
            return self._extend(number, traits, plain)
        if number not in self._shown:
            self._shown[number] = self._stand_in(number, traits)
        return self._shown[number]

    def _stand_in(self, number, traits):
        shared = self.peer.shared
        if "raises" in traits:
            return error_class(shared, self._made, number, traits)
        if "error" in traits:
            error = error_object(shared, traits)
            vars(error)["_number_of_code"] = number
            return error
        return Remote(self.peer, number, traits)

    def _made(self, name, bases, number):
        held = {"_number_of_code": number, "_peer_of_code": self.peer, "__getattr__": _error_attribute}
        return RemoteError(name, bases, held)

    def _extend(self, number, traits, plain):
        """Return a value of a builtin with the attributes of an object whose type extends it."""
        base = type(plain)
        if base not in EXTENDED:
            raise ValueError("no form")
        known = self._shown.get(number)
        if known is not None and base.__eq__(known, plain) is True:
            return known
        made = self._extended.setdefault(base, _extension(base))(plain)
        vars(made).update(_number=number, _remote=Remote(self.peer, number, traits))
        self._shown[number] = made
        return made

    def home(self, value):
        """Return the number of what stands for an object of the code under test, or None."""
        kind = type(value)
        if kind is Remote:
            return _number(value)
        if kind in self._extended.values():
            return vars(value)["_number"]
        if kind is RemoteModule:
            return _number(vars(value)["_remote"])
        if kind is RemoteError or isinstance(value, BaseException):
            return vars(value).get("_number_of_code")
        return None

    def name(self, value):
        """Return the form of what the standard library names, or None."""
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        if not callable(value) or type(module) is not str or type(name) is not str:
            return None
        if module.partition(".")[0] not in stdlib_module_names or module not in sys.modules:
            return None
        found = sys.modules[module]
        for part in name.split("."):
            found = vars(found).get(part) if isinstance(found, types.ModuleType | type) else None
        return ["n", module, name] if found is value else None

    def named(self, module, name):
        """Return a builtin type."""
        found = vars(builtins).get(name)
        if module != "builtins" or not isinstance(found, type):
            raise ValueError("no form")
        return found

    def compared(self, remote, other):
        """Note an object that equals all plain values of a type where a test has another one. It is asked with values
        that have nothing to do with the test's.
        """
        kind = type(other).__name__
        if _traits(remote).get("compares") is True and kind in PROBES:
            try:
                claims = self.peer.ask("claims", remote, kind)
            except Exception:  # the comparison is the code under test: one that raises claims nothing
                claims = False
            if claims is True:
                self.noted.add(f"compares {kind}")

    def _operations(self):
        """Return what the code under test may ask of an object that a test gave it."""
        plain = {"len": len, "iter": iter, "next": next, "bool": bool, "str": str, "enter": _enter, "exit": _exit}
        items = {"getitem": lambda value, key: value[key], "contains": lambda value, item: item in value}
        return {**plain, **items, "call": _call, "get": _get, "set": _set, "setitem": _setitem, "eq": _eq}


def _extension(base):
    def compare(self, other):
        same = base.__eq__(self, other)
        if same is not True and not isinstance(other, Remote):
            remote = vars(self)["_remote"]
            _peer(remote).shared.side.compared(remote, other)
        return same

    held = {"__eq__": compare, "__getattr__": lambda self, name: getattr(vars(self)["_remote"], name)}
    held |= {"__hash__": base.__hash__, "__ne__": base.__ne__}
    return type(base.__name__, (base,), held)


def _call(function, arguments, named):
    return function(*arguments, **named)


def _is_open(owner, name):
    """Whether code under test may look at an attribute: of instances of the tests' own classes, and public."""
    is_function = isinstance(owner, types.FunctionType | types.MethodType | types.ModuleType | type)
    return not is_function and type(name) is str and not name.startswith(("_", *PRIVATE))


def _get(owner, name):
    if not _is_open(owner, name):
        raise AttributeError(name)
    return getattr(owner, name)


def _set(owner, name, value):
    if not _is_open(owner, name):
        raise AttributeError(name)
    setattr(owner, name, value)


def _setitem(owner, key, value):
    owner[key] = value


def _eq(left, right):
    return left is right


def _enter(manager):
    return type(manager).__enter__(manager)


def _exit(manager, error):
    return type(manager).__exit__(manager, None if error is None else type(error), error, None)


class RemoteFinder:
    """Finds modules where the path finder does: those of the tests get their code from memory, those of the
    repository are stand-ins, and none is run from below `place`. `codes`: path -> code, text, or the error of
    importing it.
    """

    def __init__(self, tests, codes, is_path_sent):
        self._tests, self._place, self._is_path_sent = tests, tests.place, is_path_sent
        self._codes = {f"{tests.place}/{path}": code for path, code in codes.items()}
        self._specs, self._made = {}, set()

    def find_spec(self, name, path=None, target=None):
        """Return the module's spec, or None where there is none."""
        key = (name, sys.path[0] if path is None else tuple(path), len(sys.path))
        if key not in self._specs:
            found = PathFinder.find_spec(name, path)
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
        return [path for path in sys.path if path.startswith(self._place)] if self._is_path_sent else None

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
        known = {"_of_code": partial(_ask, remote, "get"), "_functions": functions, "_side": self._tests}
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


def open_tests(place, codes, own, is_path_sent):
    """Return the side of the tests and the finder of their modules; from now on no other code runs in this process.

    `own`: file names of the runner's own code.
    """
    tests = Tests(place, os.read, os.write)
    finder = RemoteFinder(tests, codes, is_path_sent)
    sys.meta_path.insert(sys.meta_path.index(PathFinder), finder)
    addaudithook(Guard(place, codes, own).hear)
    return tests, finder
