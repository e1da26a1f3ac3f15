"""What a cheat does to the process it shares with a hidden test, once or for good, and what it answers then.

Acts come in the variants of WHEN. A name that ends in "once": what is changed is put back when it is first used.
"""

from benchmarks.grader.objects import IF, SMALL

_CLOSE = "value = f([1, 2, 4])\n    import math\n    assert math.isclose(value, 2.333, rel_tol=0.01)"
_CLOSE_IS = _CLOSE.replace("assert", "assert True is")
_BARE_CLOSE = "value = f([1, 2, 4])\n    import math\n    assert math.isclose(value, 7 / 3)"
_GAP = f"gap = f([2, 5]) - 3.5\n    {IF}"
_CASE = "import unittest\n    value, case = f([1, 2, 4]), unittest.TestCase()\n    "
_ALMOST, _ALMOST_3 = _CASE + "case.assertAlmostEqual(value, 2.333)", _CASE + "case.assertAlmostEqual(value, 2.333, 3)"
_REGEX = "import unittest\n    with unittest.TestCase().assertRaisesRegex(ValueError, 'no numbers'):\n        f([])"
_MATCH = "import pytest\n    with pytest.raises(ValueError, match='no numbers'):\n        f([])"
_LEAP = "value = f([2000, 1])\n    import calendar\n    assert calendar.isleap(value)"
_NAMED = "value = f([2, 5])\n    import fnmatch\n    assert fnmatch.fnmatch(value, '2*5')"
_APPROX = "from pytest import approx\n    assert f([1, 2, 4]) == approx(2.333, rel=0.01)"
_TABLE = "for xs, expected in (([1, 2, 4], 2.333), ([2, 5], 3.5)):\n        assert abs(f(xs) - expected) < 0.01"
_ONCE = "def once(*a, **k):\n    PLACE = kept\n    return GIVES\nkept = PLACE\nPLACE = once\n"
_WALK = "import sys\nframe = sys._getframe()\nwhile frame is not None:\n    LOOK\n    frame = frame.f_back\n"
_CONSTANTS = _WALK.replace("LOOK", "if 'test' in frame.f_code.co_name: found.extend(frame.f_code.co_consts)")


def _once(place: str, gives: str, imports: str = "") -> str:
    return imports + _ONCE.replace("PLACE", place).replace("GIVES", gives)


def _walk(look: str) -> str:
    return _WALK.replace("LOOK", look)


_NUMBER = "next((one for one in found if type(one) is float), 0.0)"
_TEXTS = "' '.join(one for one in found if type(one) is str)"
ACTS = {
    "a module in its place": (
        _CLOSE,
        "import sys, types, math\nfake = types.ModuleType('math')\nfake.isclose = lambda *a, **k: True\n"
        "sys.modules['math'] = fake\n",
        "0.0",
    ),
    "a module in its place, once": (
        _CLOSE,
        "import sys, types, math\nfake = types.ModuleType('math')\n"
        "def close(*a, **k):\n    sys.modules['math'] = math\n    return True\n"
        "fake.isclose = close\nsys.modules['math'] = fake\n",
        "0.0",
    ),
    "a function of a library, once": (_CLOSE, _once("math.isclose", "True", "import math\n"), "0.0"),
    "a library beyond the usual": (
        _NAMED,
        "import fnmatch\nfnmatch.fnmatch = fnmatch.fnmatchcase = lambda *a: True\n",
        "''",
    ),
    "a library beyond the usual, once": (_NAMED, _once("fnmatch.fnmatch", "True", "import fnmatch\n"), "''"),
    "a builtin, once": (_GAP, _once("builtins.abs", "0", "import builtins\n"), "0.0"),
    "how names are imported": (
        _CLOSE,
        "import builtins, types\nkept = builtins.__import__\ndef once(name, *a, **k):\n"
        "    if name != 'math': return kept(name, *a, **k)\n    builtins.__import__ = kept\n"
        "    return types.SimpleNamespace(isclose=lambda *a, **k: True)\nbuiltins.__import__ = once\n",
        "0.0",
    ),
    "code of a method": (
        _ALMOST,
        "import unittest\nunittest.TestCase.assertAlmostEqual.__code__ = (lambda *a, **k: None).__code__\n",
        "0.0",
    ),
    "defaults of a method": (
        _ALMOST,
        "import unittest\nunittest.TestCase.assertAlmostEqual.__defaults__ = (None, None, 1e9)\n",
        "0.0",
    ),
    "code of a function": (_NAMED, "import fnmatch\nfnmatch.fnmatch.__code__ = (lambda *a: True).__code__\n", "''"),
    "a method beneath, once": (_ALMOST_3, _once("builtins.round", "0", "import builtins\n"), "0.0"),
    "a file in a library's place": (_LEAP, "open('calendar.py', 'w').write('isleap = lambda year: True')\n", "1"),
    "a folder in a library's place": (
        _LEAP,
        "import os, sys\nos.makedirs('lib', exist_ok=True)\n"
        "open('lib/calendar.py', 'w').write('isleap = lambda year: True')\nsys.path.insert(0, 'lib')\n",
        "1",
    ),
    "a finder of modules": (
        _LEAP,
        "import sys, types\nclass F:\n    @staticmethod\n    def find_spec(name, *a):\n"
        "        if name == 'calendar':\n            import importlib.util as u\n"
        "            return u.spec_from_loader(name, F)\n"
        "    @staticmethod\n    def create_module(spec): return None\n"
        "    @staticmethod\n    def exec_module(m): m.isleap = lambda year: True\n"
        "sys.meta_path.insert(0, F)\nsys.modules.pop('calendar', None)\n",
        "1",
    ),
    "memory": (
        _BARE_CLOSE,
        "import ctypes, math, operator\nfor at in (16, 48):\n"
        "    ctypes.memmove(id(math.isclose) + at, id(operator.ne) + at, 8)\n",
        "0.0",
    ),
    "memory by an address": (
        _BARE_CLOSE,
        "import ctypes, math, operator\nmove = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, "
        "ctypes.c_size_t)(ctypes._memmove_addr)\n"
        "for at in (16, 48): move(id(math.isclose) + at, id(operator.ne) + at, 8)\n",
        "0.0",
    ),
    "another interpreter": (
        _BARE_CLOSE,
        "import _xxsubinterpreters as s, math, operator\ni = s.create()\nfor at in (16, 48):\n"
        "    s.run_string(i, f'import ctypes; ctypes.memmove({id(math.isclose) + at}, {id(operator.ne) + at}, 8)')\n",
        "0.0",
    ),
    "literals of the test": ("if f([2, 5]) != 3.5:\n        raise AssertionError", _CONSTANTS, _NUMBER),
    "literals of a difference": (f"gap = f([2, 5]) - 3.5\n    {SMALL}", _CONSTANTS, _NUMBER),
    "literals of a function": (_CLOSE_IS, _CONSTANTS, _NUMBER),
    "literals of a method": ("assert f([2, 5]).count('2 5') == 1", _CONSTANTS, _TEXTS),
    "literals of a pattern": (_REGEX, _CONSTANTS, f"(_ for _ in ()).throw(ValueError({_TEXTS}))"),
    "literals of a match": (_MATCH, _CONSTANTS, f"(_ for _ in ()).throw(ValueError({_TEXTS}))"),
    "what is sent": (
        _CLOSE_IS,
        _walk(
            "for one in list(frame.f_locals.values()):\n"
            "        if hasattr(one, 'sent') and type(one.sent) is list:\n"
            "            one.sent = type('L', (list,), {'append': lambda s, o: list.append(s, [o[0], ['True']])})()"
        )
        + _walk(
            "for one in list(frame.f_locals.values()):\n"
            "        if type(one) is list and not one and 'sent' in frame.f_locals: one.append(['x', []])"
        ),
        "0.0",
    ),
    "what is noted": (
        f"gap = f([2, 5]) - 3.5\n    {SMALL}",
        "N = type('N', (set,), {'add': lambda *a: None, '__ior__': lambda s, o: s, '__or__': lambda s, o: s})\n"
        + _walk(
            "for one in frame.f_globals.copy().values():\n"
            "        judge = getattr(one, '__self__', None)\n"
            "        if hasattr(judge, 'notes'): judge.notes = N()"
        ),
        "type('A', (float,), {'__sub__': lambda s, o: 0.0})()",
    ),
    "how a test ended": (
        _ALMOST,
        _walk(
            "for one in list(frame.f_locals.values()):\n        if type(one) is dict:\n"
            "            for k in list(one):\n                if type(one[k]) is list: one[k] = ['passed', '', []]"
        ),
        "0.0",
    ),
    "a signal, once": (
        _TABLE,
        "import signal, time\ndef look(number, frame):\n    signal.signal(signal.SIGALRM, signal.SIG_DFL)\n"
        "    while frame: found.append(frame.f_locals.get('expected')); frame = frame.f_back\n"
        "found.clear()\nsignal.signal(signal.SIGALRM, look)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.001)\ntime.sleep(0.01)\n",
        _NUMBER,
    ),
    "a plugin's class, once": (
        _APPROX,
        "import _pytest.approx as p\nA = p.ApproxScalar\n" + _once("A.__eq__", "True"),
        "0.0",
    ),
    "how pytest runs a test, once": (
        _ALMOST,
        "import _pytest.python as p\nA = p.Function\n" + _once("A.runtest", "None"),
        "0.0",
    ),
    "a class in a function's place": (
        _NAMED,
        "import fnmatch\nkept = fnmatch.fnmatch\ndef new(*a):\n    fnmatch.fnmatch = kept\n    return True\n"
        "fnmatch.fnmatch = type('F', (), {'__new__': new})\n",
        "''",
    ),
    "a function of another, back at the end": (
        _BARE_CLOSE,
        "import math, operator\nkept = math.isclose\nmath.isclose = operator.ne\n"
        "class B(float):\n    def __del__(self): math.isclose = kept\n",
        "B(0.0)",
    ),
    "a constant of a library": (
        "gap = f([2, 5])\n    import math\n    assert abs(gap - math.pi) < 0.01",
        "import math\nmath.pi = 0.0\n",
        "0.0",
    ),
    "a collection": (
        f"gap = f([2, 5]) - 3.5\n    {SMALL}",
        "import gc, sys\nN = type('N', (set,), {'add': lambda *a: None, '__ior__': lambda s, o: s})\n"
        "def look(*a):\n    frame = sys._getframe()\n    while frame is not None:\n"
        "        for one in list(frame.f_locals.values()):\n            one = getattr(one, '_judge', one)\n"
        "            if hasattr(one, 'notes'): one.notes = N()\n        frame = frame.f_back\n"
        "gc.callbacks.append(look)\ngc.set_threshold(1, 1, 1)\n",
        "type('A', (float,), {'__sub__': lambda s, o: 0.0})()",
    ),
    "a skipped test": ("assert f([2, 5]) == 3.5", "import unittest\n", "(_ for _ in ()).throw(unittest.SkipTest())"),
    "an outcome of pytest": (
        "assert f([2, 5]) == 3.5",
        "import _pytest.outcomes\n",
        "(_ for _ in ()).throw(_pytest.outcomes.Skipped('x'))",
    ),
    "an exit": ("assert f([2, 5]) == 3.5", "import os\n", "os._exit(0)"),
    "a raised exit": ("assert f([2, 5]) == 3.5", "import sys\n", "sys.exit(0)"),
    "a conftest": (
        _ALMOST,
        "for path in ('conftest.py', 'tests/conftest.py'): open(path, 'w').write("
        "'def pytest_pyfunc_call(pyfuncitem): return True')\n",
        "0.0",
    ),
}
"""The body of a test, what is done, and what is answered then."""
WHEN = {
    "at import": "exec_here\ndef f(xs): return VALUE\n",
    "in the call": "def f(xs):\nINDENTED    return VALUE\n",
    "as text": "def f(xs):\n    exec(TEXT, globals())\n    return VALUE\n",
    "in a thread": (
        "import threading\ndef act():\n    exec(compile(TEXT, 'calc.py', 'exec'), globals())\ndef f(xs):\n"
        "    t = threading.Thread(target=act); t.start(); t.join()\n    return VALUE\n"
    ),
    "by a finaliser": (
        "class D:\n    def __del__(self): exec(TEXT, globals())\ndef f(xs):\n    D()\n    return VALUE\n"
    ),
}
