"""Runs inside the sandbox, in the process of a hidden test and the code that it tests: what of this code a test meets.

No method of such a value is run: types are asked through `type`, contents through the garbage collector's
`get_referents`. Only the interpreter's list of audit hooks leads to the Judge: no frame, no module, no function does.

What is noted is a word of `TestRun.reached` (docs/sandbox.md lists them), and no cheat where the reference patch brings
it about too. `shows nan` is a value that no comparison finds too large or too small.
"""

# values of any type cross here, which only the run shows
# pyright: reportArgumentType=false, reportCallIssue=false

import array
import contextlib
import datetime
import decimal
import fractions
import functools
import hashlib
import itertools
import pathlib
import re
import types
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from gc import get_referents

MAX_PARTS, MAX_STATE, MAX_LITERAL = 20_000, 500, 1 << 17
INFINITY = float("inf")
SCALARS = (bool, int, float, complex, str, bytes, bytearray, type(None), type(...), type(NotImplemented))
_LIBRARY = (range, slice, datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone)
_ITERATORS = tuple(type(iter(kind())) for kind in (list, tuple, dict, set, str, bytes)) + (type(iter(range(0))),)
_COROUTINES = (types.CoroutineType, types.AsyncGeneratorType)
_LAZY = (types.GeneratorType, map, filter, zip, enumerate, reversed, *_COROUTINES)
_DESCRIPTORS = (types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType)
_DESCRIPTORS += (types.GetSetDescriptorType, types.MemberDescriptorType)
_CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType, type)
BUILTIN = (int, float, complex, str, bytes, bytearray, tuple, list, set, frozenset, dict)
_SETS = (set, frozenset, type({}.keys()), type({}.items()))
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType, types.SimpleNamespace)
_PLAIN = (deque, OrderedDict, defaultdict, Counter, fractions.Fraction, pathlib.PurePosixPath, pathlib.PosixPath)


def _ids(*kinds):
    """Return the identities of classes: whether one is among them is asked without its metaclass."""
    return frozenset(map(id, kinds))


_LAZY += tuple(one for one in vars(itertools).values() if type(one) is type)
_CALLED = (functools.partial, type(functools.cache(len)), contextlib.nullcontext, contextlib._GeneratorContextManager)
READ_ONCE = _ids(*_ITERATORS, *(one for one in _LAZY if one not in _COROUTINES))
QUIET = _ids(*SCALARS, *_LIBRARY, *_ITERATORS, *_LAZY, *_CODE, *_CALLED, *_DESCRIPTORS, types.ModuleType)
QUIET |= _ids(decimal.Decimal, uuid.UUID, array.array, re.Match, re.Pattern)
"""Of classes whose values are never noted: no operator of theirs asks anything that they hold."""
NEVER_NAN = QUIET - _ids(float, complex, decimal.Decimal)
CONTAINERS = _ids(*BUILTIN, *_VIEWS, *_PLAIN)
"""Of classes that are plain where what they hold is."""
_BINARY = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor"
_OTHERS = "eq ne lt le gt ge contains abs round format instancecheck subclasscheck"
OPERATORS = {f"__{name}__" for name in _OTHERS.split()}
OPERATORS |= {f"__{how}{name}__" for name in _BINARY.split() for how in ("", "r", "i")}
"""Methods that are given what a test expects, or stand between a value and a comparison."""
_OWN = "dir doc getnewargs getstate hash init init_subclass new reduce reduce_ex repr sizeof str subclasshook"
BENIGN = frozenset(f"__{name}__" for name in _OWN.split())
"""Methods that classes which extend a builtin often have, and that are not given what a test expects."""
_mro, _names = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
_HEAP, _flags = 1 << 9, type.__dict__["__flags__"].__get__
"""Of a class that is not the interpreter's."""
_qualname, _name = type.__dict__["__qualname__"].__get__, type.__dict__["__name__"].__get__


class Judge:
    """How the tests of one execution ended, what they sent, and what was noted. `is_foreign`: whether code of this
    file's name is the attempt's own; `tops`: names that modules of the repository start with; `held`: functions and
    classes of loaded modules as they were; `others_of`: which of a library are others now.
    """

    def __init__(self, is_foreign, tops, held, others_of):
        self.notes, self.results, self.sent = set(), {}, []
        self._is_foreign, self._tops, self._held, self._others_of = is_foreign, tops, held, others_of
        self._known = {}

    def begin(self):
        """Start a test."""
        self.sent = []

    def end(self, name, status, detail, *sent):
        """Keep how a test, or a phase of it, ended; the first bad one stays."""
        if self.results.get(name, ["passed"])[0] == "passed":
            self.results[name] = [status, detail, *sent, *([] if sent else [self.sent])]

    def send(self, site, values):
        """Keep the values of an assertion that are plain, as literals."""
        self.sent.append([site, [literal(self.seen(value)) for value in values]])

    def opened(self, site, truth):
        """Keep the truth of an assertion."""
        self.sent.append([site, [truth]])

    def callee(self, function):
        """Note a function that asserts and is neither a test's nor a library's, and what it may call."""
        self.notes |= self._others_of("unittest")
        is_method = type(function) is types.MethodType
        code = types.MethodType.__dict__["__func__"].__get__(function) if is_method else function
        if type(code) is not types.FunctionType or self._is_foreign(code.__code__.co_filename):
            self.notes.add(f"shows {_label(type(code))} as an assertion")

    def borrowed(self, module, name, value):
        """Note what a test takes from the builtins or a library that is another than it was, or the attempt's code."""
        if module.partition(".")[0] not in self._tops:
            self.top(value)
            if module != "builtins":
                self.notes |= self._others_of(module)
            if self._held.get((module, name), value) is not value or not self._is_library(value):
                self.notes.add(f"reaches {module}.{name}")

    def top(self, value):
        """Note the class of a value where it is not plain."""
        if id(type(value)) not in QUIET and id(type(value)) not in CONTAINERS:
            self._note(type(value), True)

    def seen(self, value):
        """Return a value, and note its class where it is not plain, or those of what a container holds; and classes of
        what such objects hold in turn that have operators of their own.
        """
        if id(type(value)) in QUIET:
            if _is_nan(value):
                self.notes.add("shows nan")
            return value
        shown, held, met = [value], [], {id(value)}
        for _ in range(MAX_PARTS):
            if not shown:
                break
            one = shown.pop()
            if id(type(one)) not in CONTAINERS:
                self._note(type(one), True)
                self.notes |= {"shows nan"} if _is_nan(one) else set()
                held.extend(_unmet(one, met))
                continue
            shown.extend(_unmet(one, met))
            if any(map(_is_nan, get_referents(one))):
                self.notes.add("shows nan")
        else:
            self.notes.add(f"shows more than {MAX_PARTS} objects at once")
        for _ in range(MAX_STATE):
            if not held:
                break
            one = held.pop()
            if id(type(one)) not in CONTAINERS:
                self._note(type(one), False)
            held.extend(_unmet(one, met))
        return value

    def _note(self, kind, is_shown):
        if id(kind) not in self._known:
            self._known[id(kind)] = kind, *self._operators(kind)
        operators, is_bare = self._known[id(kind)][1:]
        self.notes |= operators
        if is_shown and not is_bare:
            self.notes.add(f"shows {_label(kind)}")

    def _operators(self, kind):
        """Return the notes of a class's operators that are not a library's, and whether its values count as plain: it
        extends a builtin and replaces nothing of it, is an error without methods, or its values are classes.
        """
        base = next((base for base in BUILTIN if _extends(kind, base)), None)
        looked_for = OPERATORS if base is None else {*OPERATORS, *dir(base)} - BENIGN
        found, notes, methods = set(), set(), set()
        for owner in _mro(kind):
            for name, method in _names(owner).items():
                is_own = name not in found and self._is_own(name, method, owner)
                found.add(name)
                if is_own and name in looked_for:
                    notes.add(f"has {_label(kind)}.{name}={_fingerprint(method)}")
                elif is_own and not name.startswith("__") and type(method) is types.FunctionType:
                    methods.add(name)
        is_error = _extends(kind, BaseException) and not methods
        return notes, not notes and (base is not None or is_error or _extends(kind, type))

    def _is_library(self, value):
        """Whether what is called is no code of the attempt's: a function, or a class with its methods."""
        codes = [value] if type(value) is types.FunctionType else _names(value).values() if type(value) is type else ()
        return not any(type(one) is types.FunctionType and self._is_foreign(one.__code__.co_filename) for one in codes)

    def _is_own(self, name, method, owner):
        """Whether an operator is neither code of a library's file nor the interpreter's own, under its own name, for
        this class or one that it extends.
        """
        if type(method) is types.FunctionType:
            return self._is_foreign(method.__code__.co_filename)
        is_builtin = id(type(method)) in _ids(*_DESCRIPTORS) and method.__name__ == name
        return bool(_flags(owner) & _HEAP) and not (is_builtin and _extends(owner, method.__objclass__))


def _unmet(one, met):
    """Return what an object refers to that was not met before; nothing of a class."""
    found = []
    if not _extends(type(one), type):
        for part in get_referents(one):
            if id(type(part)) not in QUIET and id(part) not in met:
                met.add(id(part))
                found.append(part)
    return found


def _is_nan(value):
    kind = type(value)
    if id(kind) in NEVER_NAN:
        return False
    if _extends(kind, decimal.Decimal):
        return decimal.Decimal.is_nan(value)
    return any(_extends(kind, base) and base.__ne__(value, value) for base in (float, complex))


def _extends(kind, base):
    return any(one is base for one in _mro(kind))


def _label(kind):
    module = _names(kind).get("__module__")
    return f"{module if type(module) is str else 'builtins'}.{str.__str__(_qualname(kind))}"


def _fingerprint(method):
    """Return a hash of what a method does; the class of one that has no code."""
    if type(method) is not types.FunctionType:
        return _name(type(method))
    return hashlib.sha1(repr(_code_parts(method.__code__)).encode(errors="replace")).hexdigest()[:12]


def _code_parts(code):
    constants = [_code_parts(one) if type(one) is types.CodeType else repr(one) for one in code.co_consts]
    return code.co_code, code.co_names, constants


class NotPlainError(Exception):
    """A value that does not cross."""


def literal(value):
    """Return a plain value as Python writes it, "" for another. A type that extends a builtin crosses as the builtin's
    own value.
    """
    try:
        text = repr(_plain(value))
    except (NotPlainError, TypeError, ValueError, RecursionError):
        return ""
    return text if len(text) <= MAX_LITERAL else ""


def _plain(value):
    """Return a copy of a value in builtins alone; no method of the value is called."""
    kind = type(value)
    if kind is bool or value is None:
        return value
    if kind is types.MappingProxyType:
        (value,) = get_referents(value)
        kind = type(value)
    elif kind is fractions.Fraction or kind is decimal.Decimal:
        value = _number(*map(_plain, kind.as_integer_ratio(value)))
        kind = type(value)
    base = next((base for base in (*BUILTIN, *_SETS) if _extends(kind, base)), None)
    if base is None or (base is float and not -INFINITY < (value := float.__float__(value)) < INFINITY):
        raise NotPlainError
    if base is dict:
        return {_plain(key): _plain(item) for key, item in dict.items(value)}
    if base is tuple or base is list:
        return base(map(_plain, base.__iter__(value)))
    if base in _SETS:
        return set(map(_plain, base.__iter__(value)))
    if base is int:
        return int.__int__(value)
    if base is str:
        return str.__str__(value)
    if base in (bytes, bytearray):
        return bytes(base.__getitem__(value, slice(None)))
    return value if base is float else complex.__complex__(value)


def _number(top, bottom):
    """Return a fraction as the builtin number that equals it."""
    if bottom == 1 or type(top) is not int:
        return top
    if (value := top / bottom).as_integer_ratio() != (top, bottom):
        raise NotPlainError
    return value
