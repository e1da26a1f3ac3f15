"""Runs inside the sandbox: which attributes a pure program may read, set, define, and keep in slots."""

import ast
import io
import string


def _methods(one):
    return {name for name in dir(one) if callable(getattr(one, name))}


_OPERATIONS = (
    "init repr str lt le gt ge eq ne hash len iter next contains getitem setitem delitem call bool add radd iadd sub "
    "rsub isub mul rmul imul truediv floordiv mod pow neg pos abs and or xor lshift rshift invert int float index "
    "enter exit missing reversed"
)
METHODS = frozenset(f"__{name}__" for name in _OPERATIONS.split())
OPERATORS = METHODS - {"__init__", "__repr__", "__str__"}
OWN_NAMES = frozenset({"__hash__"})
_READ_ELSEWHERE = (
    "mro with_traceback detach reconfigure seek tell truncate fileno isatty peek getvalue getbuffer raw read1 readinto "
    "line_buffering write_through newlines obj _field_defaults"
)
_ATTRIBUTES = frozenset(_READ_ELSEWHERE.split())
"""Ways to classes, tracebacks and objects of others, and what streams of an execution alone have."""
STREAM = frozenset({"closed"}).union(*(_methods(one) for one in (io.TextIOWrapper, io.BytesIO)))
"""Not to be set: a stream calls its own `close` when it is destroyed."""
_SUPER = ast.dump(ast.parse("super()", mode="eval").body)
_FRAMES = ("gi_", "cr_", "ag_", "tb_", "f_", "co_", "func_")
FORMATS = ("format", "format_map")
"""Methods of a text that read attributes which it names."""


def leads_out(name):
    """Return whether an attribute is reserved by Python, or leads to what a program must not have."""
    return _is_reserved(name) or name in _ATTRIBUTES or name.startswith(_FRAMES)


def are_slots(node):
    """Return whether a class may have these slots: the text names them."""
    names = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return all(isinstance(name, ast.Constant) and _is_slot(name.value) for name in names)


def is_super(node):
    """Return whether `super()` stands there."""
    return ast.dump(node) == _SUPER


def _is_slot(name):
    return isinstance(name, str) and name not in STREAM and not _is_reserved(name)


def names_no_attribute(node):
    """Return whether a text to be formatted stands there, and its fields read no attribute or item."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    try:
        parts = list(string.Formatter().parse(node.value))
    except ValueError:
        return False
    return all(not set(".[") & set(field or "") and "{" not in (spec or "") for _, field, spec, _ in parts)


def _is_reserved(name):
    return name.startswith("__") and name.endswith("__")
