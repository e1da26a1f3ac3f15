"""Runs inside the sandbox, beside the tests: what stands for objects, errors and modules of the code under test.

Names, calls and operators are asked of the other process. A stand-in equals no plain value, whatever its class says;
two are equal where their class says so and they hold the same.
"""

# values of any type cross here, which only the run shows
# pyright: reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false

import types
from functools import partial

from evotrainer.domains.swe.runners.claims_inside import DIFFERENCES, asked
from evotrainer.domains.swe.runners.code_inside import OPERATORS

OWN_NAMES = frozenset({"__class__", "__slots__"})
TEXT_QUESTIONS = frozenset({"startswith", "endswith"})
ORDERED = ("lt", "le", "gt", "ge")
REFLECTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor")
UNARY = ("len", "iter", "next", "str", "repr", "hash", "enter", "int", "float", "reversed", "dir")


class Remote:
    """An object of the other process."""

    __slots__ = ("_number", "_peer", "_traits")

    def __init__(self, peer, number, traits):
        _set_peer(self, peer)
        _set_number(self, number)
        _set_traits(self, traits)

    def __getattribute__(self, name):
        """Return an attribute, asked there."""
        if name in OWN_NAMES:
            return object.__getattribute__(self, name)
        found = ask(self, "get", name)
        return _text_question(self, found) if name in TEXT_QUESTIONS else found

    def __setattr__(self, name, value):
        """Set an attribute there."""
        ask(self, "set", name, value)

    def __delattr__(self, name):
        """Delete an attribute there."""
        ask(self, "del", name)

    def __call__(self, *arguments, **named):
        """Call it there."""
        return ask(self, "call", arguments, named)

    def __eq__(self, other):
        """Return whether it equals another of its process; nothing else does."""
        if type(other) is Remote:
            return number_of(self) == number_of(other) or ask(self, "equal", other) is True
        peer_of(self).shared.side.compared(self, other)
        return False

    def __bool__(self):
        """Return what it counts for there."""
        return ask(self, "bool") is True

    def __exit__(self, kind, error, trace):
        """Leave it as a context."""
        return ask(self, "exit", error)

    def __contains__(self, item):
        """Return whether one of its items, where it has such, equals a value."""
        try:
            items = iter(self)
        except TypeError:
            return _question(self, lambda ask, value: ask("contains", self, value) is True, item)
        return any(one is item or one == item for one in items)

    def __instancecheck__(self, value):
        """Return whether a value is of this class."""
        return peer_of(self).ask("is", value, self) is True

    def __subclasscheck__(self, kind):
        """Return whether a class extends this one."""
        return peer_of(self).ask("extends", kind, self) is True


number_of, peer_of, traits_of = (vars(Remote)[name].__get__ for name in ("_number", "_peer", "_traits"))
_set_number, _set_peer, _set_traits = (vars(Remote)[name].__set__ for name in ("_number", "_peer", "_traits"))


def ask(remote, operation, *arguments):
    """Have the other process carry out an operation on an object; return what it gives."""
    return peer_of(remote).ask(operation, remote, *arguments)


def _operation(name):
    return lambda self, *arguments: ask(self, name, *arguments)


def _trial(remote):
    """Return what asks as a peer does, but has an object hold afterwards what it held before."""
    return lambda *question: peer_of(remote).ask("trial", remote, *question)


def _question(remote, put, value):
    """Return what an object answers to a value, and note one that says yes to whatever it is asked."""
    answer, claims = asked(partial(put, peer_of(remote).ask), value, partial(put, _trial(remote)))
    if answer is True and claims:
        peer_of(remote).shared.side.claimed(value)
    return answer


def _text_question(remote, method):
    return lambda text, *more: _question(remote, lambda ask, value: ask("call", method, (value, *more), {}), text)


def _difference(name, is_reflected=False):
    def operate(self, other):
        ask = peer_of(self).ask
        sides = (lambda value: (value, self)) if is_reflected else lambda value: (self, value)
        trial = _trial(self)
        answer, claims = asked(lambda value: ask(name, *sides(value)), other, lambda value: trial(name, *sides(value)))
        if claims and not (name == "truediv" and answer == 0):
            peer_of(self).shared.side.claimed(other)
        return answer

    return operate


def _reflected(name):
    return lambda self, other: peer_of(self).ask(name, other, self)


def _ordered(name):
    def compare(self, other):
        if type(other) is not Remote:
            raise TypeError(f"an object of the code under test is not ordered against {type(other).__name__}")
        return ask(self, name, other) is True

    return compare


for _name in (*OPERATORS, *UNARY, "round", "format", "divmod"):
    if _name not in (*ORDERED, "contains"):
        setattr(Remote, f"__{_name.rstrip('_')}__", (_difference if _name in DIFFERENCES else _operation)(_name))
for _name in REFLECTED:
    _made = _difference(_name, is_reflected=True) if _name in DIFFERENCES else _reflected(_name)
    setattr(Remote, f"__r{_name.rstrip('_')}__", _made)
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


def error_attribute(self, name):
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


def extension(base):
    """Return a type of values of a builtin whose further attributes are asked of the object that they came from."""

    def compare(self, other):
        same = base.__eq__(self, other)
        if same is not True and not isinstance(other, Remote):
            remote = vars(self)["_remote"]
            peer_of(remote).shared.side.compared(remote, other)
        return same

    held = {"__eq__": compare, "__getattr__": lambda self, name: getattr(vars(self)["_remote"], name)}
    held |= {"__hash__": base.__hash__, "__ne__": base.__ne__}
    return type(base.__name__, (base,), held)
