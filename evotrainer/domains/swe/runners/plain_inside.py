"""Runs inside the sandbox on both sides of a pair: what crosses between hidden tests and the code that they test.

Values of Python's own types cross as copies, rebuilt from text by structure. Everything else stays where it is and
crosses as a number, which the other side asks through (`Shared.give`). Nothing that comes from the other side is ever
executed. Forms, in JSON:

    null, true, 1, 1.5, "a"                     themselves
    ["i", hex]  ["b", hex]  ["z", re, im]       large integers, bytes, complex numbers
    ["t", items] ["f", items]                   tuples, frozen sets
    ["l"|"s"|"d"|"a", contents, n]              lists, sets, dictionaries, bytearrays: the n-th of this message
    ["=", n]                                    the n-th of the message that this one answers
    ["v", kind, parts]                          values of the standard library, from their parts
    ["h", number, traits]  ["o", number]        an object of the sender; an object of the receiver
    ["x", plain, number, traits]                an object of the sender whose type extends a builtin's, and its value
    ["n", module, name]                         a builtin type; towards the code under test anything of the library
"""

# values of any type cross here, which only the run shows
# pyright: reportOperatorIssue=false

import datetime
import decimal
import fractions
import pathlib
import uuid
from collections import OrderedDict, deque

SMALL = 1 << 62
SCALARS = frozenset({bool, float, str, type(None)})
MUTABLE = {list: "l", set: "s", dict: "d", bytearray: "a"}
BUILTIN = frozenset({int, float, complex, str, bytes, tuple, frozenset, list, set, dict, bytearray, bool, object})
EXTENDED = (int, float, complex, str, bytes, tuple, frozenset, list, set, dict, bytearray)
_iterators = {kind: vars(kind)["__iter__"] for kind in (tuple, frozenset, list, set, dict)}
_decimal, _uuid, _deque = decimal.Decimal, uuid.UUID, deque
LIBRARY = {
    range: ("range", lambda value: [value.start, value.stop, value.step], range),
    slice: ("slice", lambda value: [value.start, value.stop, value.step], slice),
    fractions.Fraction: ("fraction", lambda value: [value.numerator, value.denominator], fractions.Fraction),
    _decimal: ("decimal", lambda value: [str(value)], _decimal),
    datetime.date: ("date", lambda value: [value.isoformat()], datetime.date.fromisoformat),
    datetime.time: ("time", lambda value: [value.isoformat()], datetime.time.fromisoformat),
    datetime.datetime: ("datetime", lambda value: [value.isoformat()], datetime.datetime.fromisoformat),
    datetime.timedelta: (
        "timedelta",
        lambda value: [value.days, value.seconds, value.microseconds],
        datetime.timedelta,
    ),
    pathlib.PosixPath: ("path", lambda value: [str(value)], pathlib.PosixPath),
    pathlib.PurePosixPath: ("pure_path", lambda value: [str(value)], pathlib.PurePosixPath),
    _uuid: ("uuid", lambda value: [value.hex], _uuid),
    _deque: ("deque", lambda value: [list(value), value.maxlen], _deque),
    OrderedDict: ("ordered", lambda value: [[list(pair) for pair in value.items()]], OrderedDict),
}
_MAKERS = {kind: make for kind, _, make in LIBRARY.values()}
_TRUSTED = {"range", "slice"}


class Shared:
    """What has crossed: objects of this side by number, and how objects of the other side are shown here.

    `side` says what differs between the two: `traits(value)`, what the other may know of an object of this one;
    `show(number, traits, plain)`, the stand-in of an object of the other; `home(value)`, the number of a stand-in's
    object, or None; `name(value)`, the form of what both have, or None; `named(module, name)`, what that form means.
    """

    def __init__(self, side):
        self._objects, self._numbers, self.side = [], {}, side

    def clear(self):
        """Forget all that has crossed."""
        self._objects, self._numbers = [], {}

    def find(self, number):
        """Return an object of this side by its number."""
        return self._objects[number]

    def number(self, value):
        """Return the number of an object of this side, which lives from now on as long as this."""
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return number

    def has_given(self, value):
        """Whether the other side was given this very object, and no copy or name of it."""
        number = self._numbers.get(id(value))
        return number is not None and self._objects[number] is value

    def pack(self, value, known=()):
        """Return a value in its form, and the mutable containers in it. `known`: those that the other side has."""
        packer = _Packer(self, known)
        return packer.pack(value), packer.found

    def unpack(self, form, known=()):
        """Return the value of a form, and the mutable containers in it."""
        reader = _Reader(self, known)
        return reader.unpack(form), reader.found

    def give(self, value):
        """Return the form of what does not cross: what is at home on the other side, or stands on this one."""
        home = self.side.home(value)
        if home is not None:
            return ["o", home]
        return self.side.name(value) or ["h", self.number(value), self.side.traits(value)]

    def give_extended(self, value, plain):
        """Return the form of an object whose type extends a builtin's."""
        home = self.side.home(value)
        if home is not None:
            return ["o", home]
        return ["x", plain, self.number(value), self.side.traits(value)]


class _Packer:
    def __init__(self, shared, known):
        self._shared, self.found = shared, []
        self._known = {id(value): ["=", number] for number, value in enumerate(known)}
        self._places = {}

    def pack(self, value):
        kind = type(value)
        if kind in SCALARS:
            return value
        if kind is int:
            return value if -SMALL < value < SMALL else ["i", hex(value)]
        if kind in MUTABLE:
            return self._mutable(value, kind)
        if kind is tuple:
            return ["t", self._items(value)]
        if kind is frozenset:
            return ["f", self._items(value)]
        if kind is bytes:
            return ["b", value.hex()]
        if kind is complex:
            return ["z", value.real, value.imag]
        if kind in LIBRARY:
            name, parts, _ = LIBRARY[kind]
            return ["v", name, self._items(parts(value))]
        if kind is type and value in BUILTIN:
            return ["n", "builtins", value.__name__]
        base = next((base for base in EXTENDED if base in kind.__mro__), None)
        if base is None:
            return self._shared.give(value)
        return self._shared.give_extended(value, self.pack(_plain(value, base)))

    def _items(self, values):
        return [value if type(value) in SCALARS else self.pack(value) for value in values]

    def _mutable(self, value, kind):
        form = self._known.get(id(value)) or self._places.get(id(value))
        if form is not None:
            return form
        self._places[id(value)] = ["@", len(self.found)]
        number = len(self.found)
        self.found.append(value)
        if kind is bytearray:
            return ["a", value.hex(), number]
        contents = [[self.pack(key), self.pack(item)] for key, item in value.items()] if kind is dict else None
        return [MUTABLE[kind], self._items(value) if contents is None else contents, number]


class _Reader:
    def __init__(self, shared, known):
        self._shared, self._known, self.found = shared, known, []

    def unpack(self, form):
        if type(form) is not list:
            if type(form) in SCALARS or type(form) is int:
                return form
            raise ValueError("no form")
        return getattr(self, f"_{_NAMES[form[0]]}")(*form[1:])

    def _items(self, forms):
        return [form if type(form) in SCALARS else self.unpack(form) for form in forms]

    def _int(self, text):
        return int(text, 16)

    def _bytes(self, text):
        return bytes.fromhex(text)

    def _complex(self, real, imag):
        return complex(real, imag)

    def _tuple(self, forms):
        return tuple(self._items(forms))

    def _frozenset(self, forms):
        return frozenset(self._items(forms))

    def _list(self, forms, number):
        value = self._new([])
        value.extend(self._items(forms))
        return value

    def _set(self, forms, number):
        value = self._new(set())
        value.update(self._items(forms))
        return value

    def _dict(self, pairs, number):
        value = self._new({})
        for key, item in pairs:
            value[self.unpack(key)] = self.unpack(item)
        return value

    def _bytearray(self, text, number):
        return self._new(bytearray.fromhex(text))

    def _new(self, value):
        self.found.append(value)
        return value

    def _known_one(self, number):
        return self._known[number]

    def _same(self, number):
        return self.found[number]

    def _library(self, kind, forms):
        parts = self._items(forms)
        if kind not in _TRUSTED and not all(type(part) in (int, str, list, type(None)) for part in parts):
            raise ValueError("no form")
        return _MAKERS[kind](*parts)

    def _theirs(self, number, traits):
        return self._shared.side.show(number, traits, None)

    def _extended(self, plain, number, traits):
        return self._shared.side.show(number, traits, self.unpack(plain))

    def _ours(self, number):
        return self._shared.find(number)

    def _named(self, module, name):
        return self._shared.side.named(module, name)


_NAMES = {
    "i": "int",
    "b": "bytes",
    "z": "complex",
    "t": "tuple",
    "f": "frozenset",
    "l": "list",
    "s": "set",
    "d": "dict",
    "a": "bytearray",
    "=": "known_one",
    "@": "same",
    "v": "library",
    "h": "theirs",
    "x": "extended",
    "o": "ours",
    "n": "named",
}


def _plain(value, base):
    """Return the value of the builtin that a type extends, as the builtin itself sees it."""
    if base is dict:
        return dict(dict.items(value))
    if base in _iterators:
        return base(_iterators[base](value))
    if base is int:
        return int.__int__(value)
    if base is float:
        return float.__float__(value)
    if base is str:
        return str.__str__(value)
    if base is complex:
        return complex.__complex__(value)
    return base.__getitem__(value, slice(None)) if base is bytes else bytearray.copy(value)


def contents(value):
    """Return what a mutable container holds, to be compared by identity."""
    return [*dict.keys(value), *dict.values(value)] if type(value) is dict else list(value)


def is_changed(value, before):
    """Whether a container holds something else than before."""
    now = contents(value)
    if type(value) is bytearray:
        return now != before
    return len(now) != len(before) or any(one is not other for one, other in zip(now, before, strict=True))


def refill(value, new):
    """Put the contents of a new container into one of its kind."""
    if type(value) is not type(new):
        raise ValueError("no form")
    if type(value) in (list, bytearray):
        value[:] = new
    else:
        value.clear()
        value.update(new)
