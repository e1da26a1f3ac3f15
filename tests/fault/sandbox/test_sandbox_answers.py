"""Attacks on the answer: forged results, objects that equal everything, patched modules; on every backend."""

import pytest

from evotrainer.sandbox import Program, Sandbox, values_equal
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
    assert (execution.outcome, execution.exit_status, execution.stdout) == ("nonzero_exit", 3, "")


@pytest.mark.parametrize(
    "source",
    [
        "class Equal:\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "class Equal(int):\n    def __eq__(self, other): return True\ndef f(): return Equal(41)",
        "class Equal(str):\n    def __eq__(self, other): return True\ndef f(): return Equal('42')",
        "class Equal(list):\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "class Equal(dict):\n    def __eq__(self, other): return True\ndef f(): return Equal()",
        "def f(): return 42.0",
        "def f(): return '42'",
        "def f(): return {42}",
        "def f(): return {42: 42}",
        "def f(): print(42)",
        "import json\njson.dumps = lambda *a, **k: '[' * 100000\ndef f(): return 42",
        "import os\ndef f(): os._exit(0)",
        "import sys\ndef f(): sys.exit(0)",
        "import os\nos._exit(0)\ndef f(): return 42",
        "def f():\n    print('\"ready\"'); print('{\"value\": 42}')\n    return 41",
        "import os\ndef f():\n    os.write(1, b'{\"value\": 42}\\n')\n    os._exit(0)",
    ],
)
def test_no_trick_passes_for_the_answer(sandbox: Sandbox, source: str) -> None:
    execution = sandbox.run(Program(source, function="f"))
    assert execution.outcome in ("ok", "no_result", "nonzero_exit"), execution.stderr
    assert not (execution.outcome == "ok" and values_equal(42, execution.value))


@pytest.mark.parametrize(
    "line",
    ['{"failed": "x"}', '"ready"', '{"error": ["memory"]}', "[" * 5000, "\\xff\\x00", '{"value": NaN}', "9" * 9000],
)
def test_a_forged_result_is_an_answer_never_a_failure_of_the_sandbox(sandbox: Sandbox, line: str) -> None:
    source = f"import os\ndef f():\n    os.write(3, {line!r}.encode() + b'\\n')\n    os._exit(1)"
    execution = sandbox.run(Program(source, function="f"))
    assert (execution.outcome, execution.value) == ("nonzero_exit", None)


def test_exit_handlers_run_and_cannot_change_a_given_value(sandbox: Sandbox) -> None:
    source = "import atexit, os\natexit.register(lambda: os.write(3, b'{\"value\": 42}\\n'))\ndef f(): return 41"
    assert sandbox.run(Program(source, function="f")).value == 41


def test_leaving_early_with_status_0_gives_only_what_was_written(sandbox: Sandbox) -> None:
    execution = sandbox.run(Program("import os\nprint('lost')\nos._exit(0)\nprint('42')"))
    assert (execution.outcome, execution.stdout) == ("ok", "")


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
    assert (execution.outcome, execution.signal, execution.exit_status) == ("killed", 11, None)
    assert sandbox.run(Program("import os\nos.abort()")).outcome == "killed"
