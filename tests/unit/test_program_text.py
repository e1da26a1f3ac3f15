"""Reading a program out of an answer, and what its text gives away."""

import pytest

from evotrainer.domains.code.program_text import extract_leniently, extract_program, literals, touches_grader


@pytest.mark.parametrize(
    ("response", "program"),
    [
        ("```python\nx\n```", "x\n"),
        ("```\nx\n```", "x\n"),
        ("```py\nx\ny\n```\n", "x\ny\n"),
        ("Here it is:\n```python\nx\n```\nDone.", "x\n"),
        ("x", None),
        ("```python\nx", None),
        ("```python\nx\n```\n```python\ny\n```", None),
        ("```python\n\n```", None),
        ("", None),
        ("```python3 \t\nx\n\ny``` z\n``` \t\n", "x\n\ny``` z\n"),
        ("```python\n```", None),
        ("```python\r\nx\n```", None),
        ("```python\nx\n```\r\n", None),
        ("```python x\ny\n```", None),
        ("```python\nx\n```y", None),
        (" ```python\nx\n ```", None),
        ("```python\nx\n```\n```", None),
        ("```python\n\ufeffx\n```", "x\n"),
    ],
)
def test_the_gate_takes_exactly_one_block(response, program):
    assert extract_program(response) == program


@pytest.mark.parametrize(
    ("response", "program"),
    [
        ("x = 1", "x = 1"),
        ("```python\nx = 1", "\nx = 1"),
        ("x = 1\n```", "x = 1\n"),
        ("```\nx\n```\nor\n```\ny\n```", "\ny\n"),
        ("", None),
        ("```", None),
    ],
)
def test_the_lenient_reading_takes_what_was_meant(response, program):
    assert extract_leniently(response) == program


@pytest.mark.parametrize(
    ("source", "touches"),
    [
        ("import sys\nsys._getframe(1).f_locals", True),
        ("import gc\ngc.get_objects()", True),
        ("import sys\nprint(sys._getframe().f_code.co_name, sys . _getframe(0).f_lineno)", False),
        ("import inspect\nNAME = inspect.currentframe().f_code.co_name", False),
        ("import sys\nsys._getframe().f_code.co_name, sys._getframe(1)", True),
        ("import sys\nsys._getframe().f_code.co_consts", True),
        ("import sys\ngetattr(sys, '_getframe')(0)", True),
        ("try: f()\nexcept E as e: e.__traceback__.tb_frame . f_back", True),
        ("import os\nos._exit(0)", False),
        ("import atexit, unittest, ctypes\nctypes.c_int32(7).value", False),
        ("import sys, os\nout = os.fdopen(1, 'w')\nos.write(1, b'x')", False),
        ("import os\nos.environ['A'] = '1'", False),
        ("time = [0] * 9\ntime[3] = 1\nf_back = 1", False),
        ("class Scene:\n    def get_objects(self): return self.objects", False),
        ("import heapq\nnode.time.start = 1\nos . x = 1", False),
        ("import json\njson . dumps = print", True),
        ("import os\nos.write(3, b'x')", True),
        ("import sys\nsys.setrecursionlimit(10 ** 6)\nsys.stdout.write('x')", False),
        ("# os._exit\nx = time.time() == 3", False),
        ("import os; write; os.caf\u00e9 = 1", True),
        ("write; caf\u00e9os.x = 1", False),
        ("write; os[a] == 1", False),
        ("import sys, time; x = '\ud800'; time.time = 1", True),
        ("\n" * 60_000 + "import sys; sys._getframe", False),
        (
            "import types\nclass HiddenModule(types.ModuleType): pass\njson = HiddenModule('json')\njson.dumps = str",
            False,
        ),
        ("from time import time\nclass time:\n    pass\ntime.zone = 1", False),
        ("import heapq\nclass gc:\n    def get_objects(self): return []\ngc().get_objects()", False),
        ('"""Like conftest: each frame has an f_back, .f_back of sys._getframe."""\nimport sys\nx = 1', False),
        ('def f(x):\n    "conftest"\n    return x', False),
        ('"import sys; sys._getframe(1).f_locals"\nexec(__doc__)', True),
        ("import time as clock\nclock.time = lambda: 0", True),
        ("import os, sys as s\ns.modules['json'] = None", True),
        ("from sys import _getframe as g\ng(1)", True),
        ("__import__('gc').get_objects()", True),
        ("import conftest", True),
        ("import sys\nx = page.modules[0]\nsys.modules['json'] = None", True),
        ("from operator import itemgetter\nkey = itemgetter(1)", False),
        ("\0 (((", False),
    ],
)
def test_reaching_for_the_machinery_is_seen(source, touches):
    assert touches_grader(source) is touches


def test_literals_are_read_of_broken_programs_too():
    assert literals("f(12, 'ab', -3.5, \"c\")\n((") >= {"12", "ab", "3.5", "c"}
    assert literals("(" * 100_000) == frozenset()
    assert "7" not in literals("x" * 60_000 + "\n7")
