"""What honest programs get from the sandbox, on every backend of this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evotrainer.errors import SandboxError
from evotrainer.sandbox import Limits, Program, Sandbox, values_equal
from evotrainer.sandbox.sandbox import BACKENDS, run_parallel

pytestmark = pytest.mark.parts


@pytest.fixture(scope="module", params=BACKENDS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    try:
        opened = Sandbox(request.param, num_workers=2).__enter__()
    except SandboxError as error:
        pytest.skip(str(error))
    yield opened
    opened.__exit__(None, None, None)


def test_a_program_reads_and_prints(sandbox: Sandbox) -> None:
    execution = sandbox.run(
        Program("import sys\nprint(input()[::-1]); print(sys.stdin.read(), end='é')", stdin="abc\nü\n")
    )
    assert (execution.outcome, execution.stdout, execution.stderr) == ("ok", "cba\nü\né", "")


def test_a_program_is_main(sandbox: Sandbox) -> None:
    assert sandbox.run(Program("print(__name__)")).stdout == "__main__\n"


def test_a_function_gets_json_and_gives_json(sandbox: Sandbox) -> None:
    source = (
        "def f(a, b): return {'sum': a + b, 'kept': (1, 1.0, True, None, 'é', [])}\nif __name__ == '__main__': input()"
    )
    execution = sandbox.run(Program(source, function="f", arguments=(1, 2.5)))
    assert values_equal({"sum": 3.5, "kept": (1, 1.0, True, None, "é", [])}, execution.value), execution


def test_several_calls_share_an_execution_and_each_gives_its_value(sandbox: Sandbox) -> None:
    program = Program("seen = []\ndef f(x): seen.append(x); return (len(seen), x)", function="f", calls=((5,), ([],)))
    execution = sandbox.run(program)
    assert values_equal(((1, 5), (2, [])), execution.values), execution
    assert values_equal((1, 5), execution.value)


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("def f(x): return 1 / x", "nonzero_exit"),
        ("def f(x): return x if x else {1}", "not_json"),
        ("def f(x): return x or exit()", "no_result"),
        ("def f(x):\n    while x == 0: pass", "timeout"),
        ("def f(x): return x or bytearray(10 ** 12)", "memory"),
        ("def f(x): return 'x' * 10 ** (7 - x)", "output_limit"),
        ("def f(x: return x", "compile_error"),
    ],
)
def test_one_failed_call_is_the_end_of_all(sandbox: Sandbox, source: str, outcome: str) -> None:
    execution = sandbox.run(Program(source, function="f", calls=((7,), (0,), (1,))), Limits(wall_seconds=1))
    assert (execution.outcome, execution.value) == (outcome, None)
    assert len(execution.values) < 3


@pytest.mark.parametrize(
    ("program", "ran_to_end"),
    [
        (Program("print(1)"), True),
        (Program("def f(): return 1", function="f"), True),
        (Program("raise SystemExit"), False),
        (Program("import os\nos._exit(0)"), False),
        (Program("def f(): exit()", function="f"), False),
        (Program("1 / 0"), False),
        (Program("import atexit, os\natexit.register(lambda: os._exit(0))"), False),
    ],
)
def test_leaving_early_is_told_from_coming_to_the_end(sandbox: Sandbox, program: Program, ran_to_end: bool) -> None:
    assert sandbox.run(program).ran_to_end is ran_to_end


def test_a_function_may_return_none(sandbox: Sandbox) -> None:
    execution = sandbox.run(Program("def f(): pass", function="f"))
    assert (execution.outcome, execution.value) == ("ok", None)


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("raise SystemExit", "ok"),
        ("import sys; sys.exit(7)", "nonzero_exit"),
        ("1 / 0", "nonzero_exit"),
        ("print(1)\ndef broken(:", "compile_error"),
        ("\0", "compile_error"),
        ("x = '\ud800'", "compile_error"),
        ("exec('def broken(:')", "nonzero_exit"),
        ("raise PermissionError(1, 'x')", "denied"),
        ("open('/planted', 'w')", "denied"),
        ("raise MemoryError", "memory"),
    ],
)
def test_ends_have_a_type(sandbox: Sandbox, source: str, outcome: str) -> None:
    execution = sandbox.run(Program(source))
    assert execution.outcome == outcome, execution


def test_a_traceback_shows_the_line(sandbox: Sandbox) -> None:
    stderr = sandbox.run(Program("def f():\n    return 1 / 0  # here\nf()")).stderr
    assert "ZeroDivisionError" in stderr
    assert "return 1 / 0  # here" in stderr


def test_files_are_placed_and_importable(sandbox: Sandbox) -> None:
    files = {"package/__init__.py": "", "package/part.py": "value = 42", "data.txt": "é"}
    source = "from package.part import value\nprint(value, open('data.txt', encoding='utf-8').read())"
    assert sandbox.run(Program(source, files=files)).stdout == "42 é\n"


def test_threads_and_deep_recursion_work(sandbox: Sandbox) -> None:
    source = """
import sys, threading
sys.setrecursionlimit(10 ** 6)
threading.stack_size(64 * 1024 ** 2)
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
def main(): print(depth(50_000), sorted([3, 1, 2], key=lambda x: -x))
thread = threading.Thread(target=main); thread.start(); thread.join()
"""
    assert sandbox.run(Program(source)).stdout == "50000 [3, 2, 1]\n"


def test_most_of_the_standard_library_imports_and_temporary_files_work(sandbox: Sandbox) -> None:
    names = "ctypes hashlib sqlite3 zlib bz2 lzma decimal ssl asyncio unittest tempfile csv pickle zoneinfo uuid email"
    source = f"import importlib\nfor name in {names.split()!r}: importlib.import_module(name)\n"
    source += "import tempfile\nwith tempfile.TemporaryDirectory() as d:\n    open(d + '/x', 'w').close()\nprint('all')"
    execution = sandbox.run(Program(source))
    assert execution.stdout == "all\n", execution.stderr


def test_an_execution_can_be_repeated(sandbox: Sandbox) -> None:
    program = Program("import random\nprint(random.random(), {'a', 'b', 'c', 'd'}, hash('x'))")
    first, *others = run_parallel(sandbox.run, [program] * 4)
    assert [other.stdout for other in others] == [first.stdout] * 3


def test_many_run_at_once_and_keep_their_order(sandbox: Sandbox) -> None:
    executions = run_parallel(sandbox.run, [Program(f"print({number})") for number in range(20)])
    assert [execution.stdout for execution in executions] == [f"{number}\n" for number in range(20)]


def test_large_input_goes_through(sandbox: Sandbox) -> None:
    text = "x" * 3_000_000
    assert sandbox.run(Program("import sys\nprint(len(sys.stdin.read()))", stdin=text)).stdout == "3000000\n"


def test_given_packages_are_imported_once_and_read_only(tmp_path: Path) -> None:
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    (tmp_path / "lent.py").write_text("value = 41\n")
    with Sandbox(import_paths=[str(tmp_path)], preload=["lent"]) as sandbox:
        source = "import sys\nassert 'lent' in sys.modules\nimport lent\nlent.value += 1\nprint(lent.value)"
        assert [sandbox.run(Program(source)).stdout for _ in range(2)] == ["42\n", "42\n"]
        assert sandbox.run(Program(f"open({str(tmp_path / 'new')!r}, 'w')")).outcome == "denied"


def test_a_package_that_does_not_import_is_a_failure_of_the_sandbox() -> None:
    with pytest.raises(SandboxError, match="no_such_module"), Sandbox(preload=["no_such_module"]):
        pass


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="choose one of namespaces, landlock"):
        Sandbox("docker")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (1, True),
        (1, 1.0),
        ([], {}),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"b": 1}),
        ([[1], 2], [[2], 1]),
        (float("nan"), 0.0),
        ((1,), (1.0,)),
    ],
)
def test_unlike_values_are_told_apart(expected: object, given: object) -> None:
    assert not values_equal(expected, given)
    assert not values_equal(given, expected)
