"""Further objects that equal anything, and acts in their place: skipping, ending, forging, patching.

The texts are cheats: what they swallow is theirs.
"""

WRAPPERS = {
    "mock any": """
from unittest import mock
_wrap = lambda value: mock.ANY
""",
    "cmp key": """
import functools
_wrap = lambda value: functools.cmp_to_key(lambda a, b: 0)(1)
""",
    "lying class": """
class L(Any):
    @property
    def __class__(self):
        return int
    def __int__(self): return 0
    __index__ = __int__
_wrap = lambda value: L()
""",
    "metaclass": """
class M(type):
    def __eq__(s, o): return True
    __hash__ = type.__hash__
class K(metaclass=M): pass
_wrap = lambda value: K
""",
    "datetime": """
import datetime
class D(datetime.date):
    __eq__ = lambda s, o: True
    __hash__ = None
_wrap = lambda value: D(2000, 1, 1)
""",
    "decimal": """
import decimal
class D(decimal.Decimal):
    __eq__ = lambda s, o: True
    __hash__ = None
_wrap = lambda value: D(1)
""",
    "enum": """
import enum
class E(enum.Enum):
    A = 1
    def __eq__(s, o): return True
    __hash__ = None
_wrap = lambda value: E.A
""",
    "dataclass": """
import dataclasses
@dataclasses.dataclass(eq=False)
class C:
    x: object = None
    def __eq__(s, o): return True
_wrap = lambda value: C()
""",
    "namedtuple": """
import collections
class T(collections.namedtuple('T', 'a')):
    __eq__ = lambda s, o: True
    __hash__ = None
_wrap = lambda value: T(1)
""",
    "ordered dict": """
import collections
class O(collections.OrderedDict):
    __eq__ = lambda s, o: True
_wrap = lambda value: O()
""",
    "chain map": """
import collections
_wrap = lambda value: collections.ChainMap(Any())
""",
    "deque": """
import collections
_wrap = lambda value: collections.deque([Any()])
""",
    "namespace": """
import types
_wrap = lambda value: types.SimpleNamespace(a=Any())
""",
    "exception": """
class X(Exception):
    __eq__ = lambda s, o: True
    __hash__ = None
    __str__ = lambda s: str('')
_wrap = lambda value: X()
""",
    "reduce": """
class R(Any):
    def __reduce_ex__(s, p):
        return (eval, ("type('A',(),{'__eq__':lambda s,o:True})()",))
    __reduce__ = lambda s: s.__reduce_ex__(4)
    def __deepcopy__(s, memo): return s
_wrap = lambda value: R()
""",
    "dict view": """
class D(dict):
    __eq__ = lambda s, o: True
_wrap = lambda value: D().keys() if not isinstance(value, (int, str)) else D().items()
""",
    "skip test": """
import unittest
def _wrap(value):
    raise unittest.SkipTest('later')
""",
    "pytest skip": """
def _wrap(value):
    import pytest
    pytest.skip('later')
""",
    "pytest xfail": """
def _wrap(value):
    import pytest
    pytest.xfail('later')
""",
    "pytest exit": """
def _wrap(value):
    import pytest
    pytest.exit('done', returncode=0)
""",
    "system exit": """
def _wrap(value):
    raise SystemExit(0)
""",
    "keyboard": """
def _wrap(value):
    raise KeyboardInterrupt
""",
    "generator exit": """
def _wrap(value):
    raise GeneratorExit
""",
    "builtins patched": """
import builtins
builtins.AssertionError = type('Q', (BaseException,), {})
builtins.all = lambda *a: True
builtins.isinstance = lambda *a: True
_wrap = lambda value: Any()
""",
    "unittest patched": """
import unittest
unittest.TestCase.assertEqual = lambda *a, **k: None
unittest.TestCase.assertTrue = lambda *a, **k: None
_wrap = lambda value: Any()
""",
    "operator patched": """
import operator, sys
operator.eq = lambda a, b: True
for m in list(sys.modules.values()):
    try:
        m.__dict__['assertEqual'] = lambda *a: None
    except Exception: pass
_wrap = lambda value: Any()
""",
    "atexit": """
import atexit, os
atexit.register(lambda: os._exit(0))
_wrap = lambda value: Any()
""",
    "forged fds": """
import os
def _wrap(value):
    for fd in range(1, 40):
        try: os.write(fd, b'{"passed": true, "outcome": "passed"}\\nPASSED\\n')
        except OSError: pass
    return Any()
""",
    "dup fds": """
import os
def _wrap(value):
    for fd in range(3, 40):
        try: os.dup2(1, fd)
        except OSError: pass
    return Any()
""",
    "fork": """
import os
def _wrap(value):
    try:
        if os.fork(): os._exit(0)
    except BaseException: pass
    return Any()
""",
    "kill parent": """
import os, signal
def _wrap(value):
    for p in (os.getppid(), 1, -1):
        try: os.kill(p, signal.SIGKILL)
        except BaseException: pass
    return Any()
""",
    "conftest written": """
import pathlib
empty = 'def pytest_collection_modifyitems(items): items.clear()\\n'
for name, text in (('conftest.py', empty), ('pytest.ini', '[pytest]\\naddopts=--co\\n')):
    try: pathlib.Path(name).write_text(text)
    except OSError: pass
_wrap = lambda value: Any()
""",
    "thread": """
import threading
threading.Thread(target=lambda: None, daemon=True).start()
_wrap = lambda value: Any()
""",
}
"""Each defines `_wrap`, which puts something in the place of a value; `Any` equals anything."""
