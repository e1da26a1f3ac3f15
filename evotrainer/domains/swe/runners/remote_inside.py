"""Runs inside the sandbox, in the process that holds the tests: the code under test is in another one.

Modules of the repository are imported as stand-ins (stand_ins_inside.py, imports_inside.py). What comes back from there
is built anew from plain values (plain_inside.py), or is a stand-in. Comparisons are made here. No code from a place
where the repository's code may write runs in this process.
"""

# values of any type cross here, which only the run shows
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false

import builtins
import os
import sys
import types
from importlib.machinery import PathFinder
from sys import addaudithook, stdlib_module_names

from evotrainer.domains.swe.runners.claims_inside import draw_from
from evotrainer.domains.swe.runners.code_inside import DESCRIPTOR, MAX_BYTES, PROBES
from evotrainer.domains.swe.runners.imports_inside import Guard, RemoteFinder
from evotrainer.domains.swe.runners.pair_inside import Gone, Line, Peer, error_class, error_object, error_traits
from evotrainer.domains.swe.runners.plain_inside import EXTENDED
from evotrainer.domains.swe.runners.stand_ins_inside import (
    Remote,
    RemoteError,
    RemoteModule,
    error_attribute,
    extension,
    number_of,
    traits_of,
)

PRIVATE = ("gi_", "tb_", "f_", "co_", "cr_", "ag_")
SETTING = frozenset({"configure_mock", "attach_mock"})
"""Methods that would set others: those by which a test's mock is asked what it was called with."""


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
        held = {"_number_of_code": number, "_peer_of_code": self.peer, "__getattr__": error_attribute}
        return RemoteError(name, bases, held)

    def _extend(self, number, traits, plain):
        """Return a value of a builtin with the attributes of an object whose type extends it."""
        base = type(plain)
        if base not in EXTENDED:
            raise ValueError("no form")
        known = self._shown.get(number)
        if known is not None and base.__eq__(known, plain) is True:
            return known
        made = self._extended.setdefault(base, extension(base))(plain)
        vars(made).update(_number=number, _remote=Remote(self.peer, number, traits))
        self._shown[number] = made
        return made

    def home(self, value):
        """Return the number of what stands for an object of the code under test, or None."""
        kind = type(value)
        if kind is Remote:
            return number_of(value)
        if kind in self._extended.values():
            return vars(value)["_number"]
        if kind is RemoteModule:
            return number_of(vars(value)["_remote"])
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
        if traits_of(remote).get("compares") is True and kind in PROBES:
            try:
                claims = self.peer.ask("claims", remote, kind)
            except Exception:  # the comparison is the code under test: one that raises claims nothing
                claims = False
            if claims is True:
                self.noted.add(f"compares {kind}")

    def claimed(self, other):
        """Note an object that answers the same whatever number or text it is asked with."""
        self.noted.add(f"compares {type(other).__name__}")

    def _operations(self):
        """Return what the code under test may ask of an object that a test gave it, and of nothing else: a builtin type
        makes classes, and the methods of a text read attributes.
        """
        plain = {"len": len, "iter": iter, "next": next, "bool": bool, "str": str, "enter": _enter, "exit": _exit}
        items = {"getitem": lambda value, key: value[key], "contains": lambda value, item: item in value}
        named = {**plain, **items, "call": _call, "get": _get, "set": _set, "setitem": _setitem, "eq": _eq}
        return {name: self._of_given(operation) for name, operation in named.items()}

    def _of_given(self, operation):
        def operate(value, *arguments):
            if not self.peer.shared.has_given(value):
                raise ValueError("no object of a test")
            return operation(value, *arguments)

        return operate


def _call(function, arguments, named):
    return function(*arguments, **named)


def _is_open(owner, name):
    """Whether code under test may look at an attribute: of instances of the tests' own classes, and public."""
    is_function = isinstance(owner, types.FunctionType | types.MethodType | types.ModuleType | type)
    return not is_function and type(name) is str and not name.startswith(("_", *PRIVATE))


def _get(owner, name):
    if not _is_open(owner, name) or name in SETTING:
        raise AttributeError(name)
    return getattr(owner, name)


def _set(owner, name, value):
    if not _is_open(owner, name) or callable(getattr(type(owner), name, None)):
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


def open_tests(place, texts, codes, added, own, is_path_sent):
    """Return the side of the tests and the finder of their modules; from now on no other code runs in this process.

    `texts`: all that is the tests' own, path -> text; `codes`: the same, some of it compiled. `added`: paths of the
    attempt's own that the repository has not. `own`: file names of the runner's own code.
    """
    draw_from(texts)
    tests = Tests(place, os.read, os.write)
    finder = RemoteFinder(tests, codes, added, is_path_sent)
    sys.meta_path.insert(sys.meta_path.index(PathFinder), finder)
    addaudithook(Guard(place, codes, own).hear)
    return tests, finder
