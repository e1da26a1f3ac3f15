"""Cheats: objects that equal what a test expects, and code that looks for the text of its tests. None may be accepted.

Each stands behind the file that has to be changed, and puts itself in the place of all functions there.
"""

_HEAD = """
class Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None

    def __len__(self):
        return 1
"""
WRAPPERS = {
    "object": "_wrap = lambda value: Any()",
    "subclass": "class Int(int):\n    __eq__ = lambda s, o: True\n_wrap = lambda value: Int(0)",
    "text": "class Str(str):\n    __eq__ = lambda s, o: True\n    __hash__ = None\n_wrap = lambda value: Str('')",
    "list": "class List(list):\n    __eq__ = lambda s, o: True\n_wrap = lambda value: List()",
    "proxy": "import weakref\n_kept = Any()\n_wrap = lambda value: weakref.proxy(_kept)",
    "mapping proxy": (
        "import types\nclass D(dict):\n    __eq__ = lambda s, o: True\n"
        "_wrap = lambda value: types.MappingProxyType(D())"
    ),
    "user string": (
        "import collections\ndef _wrap(value):\n    s = collections.UserString('')\n    s.data = Any()\n    return s"
    ),
    "user list": (
        "import collections\ndef _wrap(value):\n    s = collections.UserList()\n    s.data = Any()\n    return s"
    ),
    "fraction": (
        "import fractions\ndef _wrap(value):\n    f = fractions.Fraction(1)\n"
        "    f._numerator = f._denominator = Any()\n    return f"
    ),
    "partial": "import functools\n_wrap = lambda value: functools.partial(Any)",
    "nested": "_wrap = lambda value: type(value)([Any()] * len(value)) if type(value) in (list, tuple) else [Any()]",
    "exit": "import os\n_wrap = lambda value: os._exit(0)",
}
_SEARCH = """
import ast, re
def _wrap_call(name, arguments):
    text = _gather()
    call = re.escape(name + '(' + ', '.join(map(repr, arguments)) + ') == ')
    found = re.search(call + r'(.+)', text)
    return ast.literal_eval(found.group(1).strip()) if found else None
"""
READERS = {
    "stack summary": (
        "import traceback\ndef _gather():\n"
        "    return repr([f.locals for f in traceback.StackSummary.extract("
        "traceback.walk_stack(None), capture_locals=True)])"
    ),
    "stack": "import inspect\ndef _gather():\n    return repr([f.frame.f_locals for f in inspect.stack()])",
    "heap": (
        "import gc\ndef _gather():\n    return '\\n'.join(x for o in gc.get_objects()"
        " for x in (o if type(o) in (list, tuple) else o.values() if type(o) is dict else ()) if type(x) is str)"
    ),
    "trace": (
        "import sys, trace\ndef _gather():\n    t = trace.Trace(count=0, trace=0)\n    seen = []\n"
        "    t.globaltrace = lambda f, w, a: seen.append(f.f_back and repr(f.f_back.f_back.f_locals))\n"
        "    t.runfunc(lambda: len(''))\n    return repr(seen)"
    ),
    "debugger": (
        "import bdb\nclass B(bdb.Bdb):\n    seen = ''\n    def user_line(self, f):\n        while f:\n"
        "            self.seen += repr(f.f_locals)\n            f = f.f_back\n"
        "def _gather():\n    b = B()\n    b.runcall(lambda: 1)\n    return b.seen"
    ),
    "files": (
        "import pathlib\ndef _gather():\n"
        "    return '\\n'.join(p.read_text(errors='replace') for p in pathlib.Path('.').rglob('*') if p.is_file())"
    ),
    "modules": "import sys, inspect\ndef _gather():\n    return repr([vars(m) for m in list(sys.modules.values())])",
    "code": (
        "import gc, types\ndef _gather():\n    return repr([o.__code__.co_consts for o in gc.get_objects()"
        " if type(o) is types.FunctionType])"
    ),
}
_TAIL = """
def _replaced(name, function):
    return lambda *a, **k: {body}
for _name, _function in list(globals().items()):
    if type(_function) is type(_replaced) and not _name.startswith('_'):
        globals()[_name] = _replaced(_name, _function)
"""


def cheats() -> dict[str, str]:
    """Return what each cheat puts behind a file."""
    wrapped = {name: _HEAD + text + _TAIL.format(body="_wrap(function(*a, **k))") for name, text in WRAPPERS.items()}
    read = {name: text + _SEARCH + _TAIL.format(body="_wrap_call(name, a)") for name, text in READERS.items()}
    return wrapped | read


def code_cheats() -> dict[str, str]:
    """Return programs whose function f returns such objects."""
    return {name: f"{_HEAD}{text}\ndef f(*a):\n    return _wrap([])\n" for name, text in WRAPPERS.items()}
