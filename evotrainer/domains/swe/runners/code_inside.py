"""Runs inside the sandbox, in the process that holds the code under test: it does what the tests beside it ask.

Nothing of the tests is here but the values that they pass: neither their text nor what they expect. Each value that
goes back is the word of the code under test, and the other side takes it for no more than that.
"""

# values of any type cross here, which only the run shows
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false

import contextlib
import importlib
import operator
import os
import signal
import sys
from pathlib import Path
from types import FunctionType

from evotrainer.domains.swe.runners.fresh_inside import REPEAT_SECONDS, Fresh, complete
from evotrainer.domains.swe.runners.pair_inside import Line, OutOfTime, Peer, error_class, error_object, error_traits
from evotrainer.domains.swe.runners.plain_inside import refill

DESCRIPTOR, MAX_BYTES = 5, 1 << 26
COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
MAX_DEPTH = 6
CONTAINERS = (list, set, dict)
PLAIN_STATE = (int, float, complex, str, bytes, tuple, frozenset, list, set, dict, bytearray, type(None))

PROBES = {
    "NoneType": (None,),
    "bool": (False, True),
    "int": (-90210, 31337),
    "float": (-0.625, 1e300),
    "str": ("\0", "~~"),
    "bytes": (b"\0", b"~~"),
    "list": ([-90210], ["~~"]),
    "tuple": ((-90210,), ("~~",)),
    "set": ({-90210}, {"~~"}),
    "frozenset": (frozenset({-90210}), frozenset({"~~"})),
    "dict": ({"\0": 1}, {"~~": 2}),
}
"""Two values of a type, of which an object equals one at most, unless it equals anything."""

# fmt: off
OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift",
    "neg", "pos", "abs", "invert", "index", "getitem", "setitem", "delitem", "lt", "le", "gt", "ge", "contains",
    "iadd", "isub", "imul", "itruediv", "ior", "iand",
)
# fmt: on


def serve(hidden, changed, is_fresh, base):
    """Answer the tests. `hidden`: paths of their files; `changed`: the attempt's own; `is_fresh`: modules are made
    anew for each test; `base`: a folder whose files stand beside those that are
    placed, and paths of it that do not.
    """
    from evotrainer.domains.swe.runners.watch_inside import start

    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - it lives as long as the process
    os.environ |= {"HOME": str(Path.cwd()), "TMPDIR": str(Path.cwd())}
    place = str(Path.cwd())
    if base is not None:
        complete(*base)
    side = Code(place, Fresh(place) if is_fresh else None)
    side.watch = start(place, dict.fromkeys(hidden), changed, None)
    side.peer = Peer(Line(DESCRIPTOR, os.read, os.write, MAX_BYTES), side, side.operations())
    signal.signal(signal.SIGPROF, side.out_of_time)
    side.peer.serve()


class Code:
    """The side of the code under test."""

    def __init__(self, place, fresh):
        self._place, self._fresh, self._given = place, fresh, {}
        self.peer = self.watch = None

    def operations(self):
        """Return what the tests may ask, by name."""
        named = {name: getattr(operator, name) for name in OPERATORS}
        kinds = {"len": len, "iter": iter, "next": next, "str": str, "repr": repr, "bool": bool, "hash": hash}
        numbers = {"int": int, "float": float, "round": round, "format": format, "divmod": divmod, "reversed": reversed}
        names = ("begin", "clock", "places", "import", "call", "exit", "equal", "claims", "trial", "noted")
        own = {name: getattr(self, f"_{name}") for name in names}
        attributes = {"get": self._get, "set": setattr, "del": delattr, "dir": dir, "enter": _enter}
        return {**named, **kinds, **numbers, **own, **attributes, "is": isinstance, "extends": issubclass}

    def out_of_time(self, number, frame):
        """Hear the clock of a test, while code under test works."""
        if self.peer.is_working:
            self.peer.is_working = False
            raise OutOfTime

    def before(self):
        """Do nothing more before a question to the tests."""

    def traits(self, value):
        """Return what the tests are told of an object."""
        traits = error_traits(self.peer.shared, value)
        if traits is None:
            owner = type(value)
            own = [name for name in COMPARISONS if any(name in vars(kind) for kind in _own_classes(owner))]
            traits = {"compares": bool(own)}
        return traits

    def show(self, number, traits, plain):
        """Return the stand-in of an object of the tests."""
        if plain is not None:
            return plain
        if number not in self._given:
            self._given[number] = self._stand_in(number, traits)
        return self._given[number]

    def _stand_in(self, number, traits):
        shared = self.peer.shared
        if "raises" in traits:
            return error_class(shared, _made, number, traits)
        if "error" in traits:
            error = error_object(shared, traits)
            error._number_of_test = number
            return error
        return Given(self.peer, number)

    def home(self, value):
        """Return the number of what came from the tests, or None."""
        if type(value) is Given:
            return object.__getattribute__(value, "_number")
        number = vars(value).get("_number_of_test") if isinstance(value, BaseException) else None
        return number if type(number) is int else None

    def name(self, value):
        """Return no form: what the code under test names, the tests do not look up."""
        return

    def named(self, module, name):
        """Return something of the standard library."""
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        return found

    def _begin(self, folder, seconds):
        self.peer.shared.clear()
        self._given.clear()
        if self._fresh is not None:
            self._fresh.begin(folder)
        self._clock(seconds)

    def _places(self, environ, folder):
        """Take over what the tests made of the environment and the current directory."""
        os.environ.clear()
        os.environ.update(environ)
        os.chdir(folder)

    def _clock(self, seconds):
        signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)

    def _import(self, name, paths):
        """Return a module, and the functions that it names."""
        if paths is not None:  # of the repository; the library and what is installed stay where they are
            elsewhere = [path for path in sys.path if type(path) is str and not path.startswith(self._place)]
            sys.path[:] = [*paths, *elsewhere]
        module = importlib.import_module(name)
        number = self.peer.shared.number
        return module, {name: number(value) for name, value in vars(module).items() if type(value) is FunctionType}

    def _get(self, owner, name):
        if name == "__all__" and not hasattr(owner, "__all__"):
            return [name for name in vars(owner) if not name.startswith("_")]
        return getattr(owner, name)

    def _call(self, function, arguments, named):
        return function(*arguments, **named)

    def _exit(self, manager, error):
        return type(manager).__exit__(manager, None if error is None else type(error), error, None)

    def _equal(self, left, right):
        """Return whether two objects are equal, by their own word and by what they hold."""
        return bool(left == right) and _state(left, MAX_DEPTH) == _state(right, MAX_DEPTH)

    def _claims(self, value, kind):
        """Return whether an object says of all values of a builtin type that it equals them."""
        return all(bool(value == other) for other in PROBES[kind])

    def _trial(self, value, operation, *arguments):
        """Carry out an operation, and have an object hold afterwards what it held before."""
        held = _held(value)
        try:
            return self.peer.operate(operation, *arguments)
        finally:
            _hold(held)

    def _noted(self):
        return self.watch.heard()


class Given:
    """An object of the tests, which may be called, iterated over and looked at through them."""

    def __init__(self, peer, number):
        object.__setattr__(self, "_peer", peer)
        object.__setattr__(self, "_number", number)

    def __getattribute__(self, name):
        """Return an attribute that the tests give."""
        if name == "__class__":
            return Given
        return _ask(self, "get", name)

    def __setattr__(self, name, value):
        """Set an attribute there."""
        _ask(self, "set", name, value)

    def __call__(self, *arguments, **named):
        """Call it there."""
        return _ask(self, "call", arguments, named)

    def __eq__(self, other):
        """Return whether the tests hold the two for equal."""
        return _ask(self, "eq", other)

    def __hash__(self):
        """Return a number that is the same for the same object."""
        return hash(object.__getattribute__(self, "_number"))


def _ask(given, operation, *arguments):
    return object.__getattribute__(given, "_peer").ask(operation, given, *arguments)


def _forward(operation):
    return lambda self, *arguments: _ask(self, operation, *arguments)


for _name in ("len", "iter", "next", "getitem", "setitem", "contains", "bool", "str", "enter"):
    setattr(Given, f"__{_name}__", _forward(_name))
Given.__exit__ = lambda self, kind, error, trace: _ask(self, "exit", error)


def _made(name, bases, number):
    return type(name, bases, {})


def _enter(manager):
    return type(manager).__enter__(manager)


def _held(value):
    """Return the names of an object, and what each holds: itself, and the contents of a container; None for slots."""
    try:
        names = object.__getattribute__(value, "__dict__")
    except Exception:  # slots alone, or a class that has its own
        return None
    if type(names) is not dict:
        return None
    return names, {name: (one, type(one)(one) if type(one) in CONTAINERS else None) for name, one in names.items()}


def _hold(held):
    if held is not None:
        names, kept = held
        for name in names.keys() - kept.keys():
            del names[name]
        for name, (one, contents) in kept.items():
            names[name] = one
            if contents is not None:
                refill(one, contents)


def _own_classes(kind):
    """Return the classes of an object's type that are neither builtin nor the library's."""
    return [base for base in kind.__mro__ if base.__module__.partition(".")[0] not in sys.stdlib_module_names]


def _state(value, depth):
    """Return what an object holds, as tuples of plain values: types and numbers of what is deeper or holds nothing."""
    kind = type(value)
    if depth == 0:
        return kind, id(value)
    if kind in (dict, set, frozenset, list, tuple):
        items = dict.items(value) if kind is dict else kind.__iter__(value)
        parts = [_state(item, depth - 1) for item in items]
        return kind, (frozenset(map(repr, parts)) if kind in (dict, set, frozenset) else tuple(parts))
    if kind in PLAIN_STATE or kind is bool:
        return kind, value
    names = [name for base in kind.__mro__ for name in _slots(base)]
    held = {name: object.__getattribute__(value, name) for name in names if _has(value, name)}
    with contextlib.suppress(AttributeError):  # slots alone
        held |= object.__getattribute__(value, "__dict__")
    plain = [base for base in PLAIN_STATE if isinstance(value, base)]
    inner = [_state(base(base.__iter__(value)) if hasattr(base, "__iter__") else base(value), 1) for base in plain[:1]]
    if not held and not inner and kind.__eq__ is object.__eq__:
        return kind, id(value)
    return kind, tuple((name, _state(held[name], depth - 1)) for name in sorted(held)), tuple(inner)


def _slots(kind):
    names = vars(kind).get("__slots__", ())
    return [names] if isinstance(names, str) else [name for name in names if name not in ("__dict__", "__weakref__")]


def _has(value, name):
    try:
        object.__getattribute__(value, name)
    except AttributeError:
        return False
    return True
