"""Attacks on the answer: forged results, objects that equal everything, patched modules; on every backend."""

import pytest

from evotrainer.sandbox import Limits, Program, Sandbox, values_equal
from tests.sandbox_attacks import QUICK


def test_frame_walking_finds_no_answer_and_no_way_out(sandbox: Sandbox) -> None:
    source = """
import gc, os, socket, sys
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if isinstance(value, list) and value and all(isinstance(v, int) for v in value):
            for number in value:
                try: os.write(number, b'{"status": 0, "cpu_seconds": 0}')
                except OSError: pass
    frame = frame.f_back
for thing in gc.get_objects():
    if isinstance(thing, socket.socket):
        try: thing.send(b'{"status": 0, "cpu_seconds": 0}'); print("reached the parent")
        except OSError: pass
sys.exit(3)
"""
    execution = sandbox.run(Program(source))
    assert (execution.outcome, execution.stdout) == ("nonzero_exit", "")


@pytest.mark.parametrize(
    "source",
    [
        "class Equal:\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "class Equal(int):\n    def __eq__(self, other): return True\ndef f(): return Equal(41)",
        "class Equal(str):\n    def __eq__(self, other): return True\ndef f(): return Equal('42')",
        "class Equal(list):\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "class Equal(dict):\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "def f(): return {42: 42}",
        "import json\njson.dumps = lambda *a, **k: '[' * 100000\ndef f(): return 42",
        "import os\ndef f(): os._exit(0)",
        "import os\nos._exit(0)\ndef f(): return 42",
        "def f():\n    print('\"ready\"'); print('{\"value\": 42}')\n    return 41",
        "import os\ndef f():\n    os.write(1, b'{\"value\": 42}\\n')\n    os._exit(0)",
    ],
)
def test_no_trick_passes_for_the_answer(sandbox: Sandbox, source: str) -> None:
    execution = sandbox.run(Program(source, function="f"))
    assert execution.outcome in ("ok", "no_result", "not_json", "nonzero_exit"), execution.stderr
    assert not (execution.outcome == "ok" and values_equal(42, execution.value))


@pytest.mark.parametrize(
    "line",
    ['{"failed": "x"}', '"ready"', '{"error": ["memory"]}', "[" * 5000, "\\xff\\x00", '{"value": NaN}', "9" * 9000],
)
def test_a_forged_result_is_an_answer_never_a_failure_of_the_sandbox(sandbox: Sandbox, line: str) -> None:
    source = f"import os\ndef f():\n    os.write(3, {line!r}.encode() + b'\\n')\n    os._exit(1)"
    execution = sandbox.run(Program(source, function="f"))
    assert (execution.outcome, execution.value) == ("nonzero_exit", None)


CALLS = ((0,), (1,), (2,))
TRUE_VALUES = (10, 11, 12)


@pytest.mark.parametrize(
    "source",
    [
        "import os\ndef f(x):\n    if x: os._exit(0)\n    return 10",
        "import os\ndef f(x):\n    os.write(3, b'{\"value\": 11}\\n')\n    return 10",
        "import os\ndef f(x):\n    os.write(3, b'{\"value\": 10}\\n' * 3 + b'{\"end\": true}\\n')\n    os._exit(0)",
        "import os\ndef f(x):\n    os.write(3, b'\"ready\"\\n')\n    return 10 + x",
        "import os\ndef f(x):\n    os.write(3, b'{\"value\": ')\n    return 10 + x",
        "import os\ndef f(x):\n    os.close(3)\n    return 10 + x",
        "import sys\ndef f(x):\n    for frame in walk():\n        frame.f_locals.get('request', {}).pop('calls', 0)\n"
        "    return 10\ndef walk(frame=sys._getframe()):\n    while frame: yield frame; frame = frame.f_back",
        "given = []\ndef f(x):\n    given.append(x)\n    return given[0] + 10",
        "def f(x, later=[10, 10, 10]): return later.pop()",
        "import threading\ndef f(x):\n    threading.Thread(target=exit).start()\n    return [10] * 3",
        "class Any(int):\n    def __eq__(self, other): return True\ndef f(x): return Any(10)",
        "import gc\ndef f(x):\n    for a in gc.get_objects():\n        if a == [x]: a[0] = 0\n    return 10",
    ],
)
def test_no_trick_between_calls_passes_for_the_answers(sandbox: Sandbox, source: str) -> None:
    execution = sandbox.run(Program(source, function="f", calls=CALLS))
    assert not (execution.outcome == "ok" and values_equal(TRUE_VALUES, execution.values)), execution


def test_a_program_that_sees_all_calls_still_has_to_answer_them(sandbox: Sandbox) -> None:
    """The arguments of later calls can be found in memory; what they should give is not there."""
    source = """
import gc
def f(x):
    for thing in gc.get_objects():
        if isinstance(thing, dict) and "calls" in thing:
            return [sorted(thing), thing["calls"]]
"""
    first, *_ = sandbox.run(Program(source, function="f", calls=((7,), ("last",)))).values
    assert first == [["calls", "can_execute", "files", "function", "prelude", "source"], [[7], ["last"]]]


def test_a_call_cannot_spend_the_limits_of_the_next_one_unseen(sandbox: Sandbox) -> None:
    source, limits = "import time\ndef f(x):\n    time.sleep(1)\n    return x", Limits(wall_seconds=2.5)
    assert sandbox.run(Program(source, function="f", calls=CALLS), limits).outcome == "timeout"
    assert sandbox.run(Program(source, function="f", arguments=(1,)), limits).value == 1


def test_exit_handlers_run_and_cannot_change_a_given_value(sandbox: Sandbox) -> None:
    source = "import atexit, os\natexit.register(lambda: os.write(3, b'{\"value\": 42}\\n'))\ndef f(): return 41"
    assert sandbox.run(Program(source, function="f")).value == 41


def test_patched_modules_harm_neither_the_clock_nor_the_next_program(sandbox: Sandbox) -> None:
    source = """
import builtins, json, os, sys, time, threading, atexit
time.time = time.monotonic = time.perf_counter = lambda: 0.0
json.dumps = json.loads = lambda *a, **k: 'null'
os._exit = lambda status: None
sys.exit = sys.stdout.flush = threading._shutdown = atexit._run_exitfuncs = lambda *a: None
builtins.print = builtins.open = builtins.len = None
sys.modules.clear()
while True: pass
"""
    patched = sandbox.run(Program(source), QUICK)
    assert patched.outcome == "timeout"
    assert patched.seconds >= QUICK.wall_seconds
    execution = sandbox.run(Program("import json, time\nprint(json.dumps([1]), time.time() > 1e9, len('ab'))"))
    assert execution.stdout == "[1] True 2\n"


def test_a_crash_is_an_outcome(sandbox: Sandbox) -> None:
    execution = sandbox.run(Program("import ctypes\nctypes.string_at(0)"))
    assert execution.outcome == "killed"
    assert sandbox.run(Program("import os\nos.abort()")).outcome == "killed"
