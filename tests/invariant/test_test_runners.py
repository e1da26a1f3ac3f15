"""The light runner says what real pytest says, of tests that pass, fail, raise, hang, leave, or do not import."""

import pytest

from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.hidden_tests import graded, hidden_ids
from evotrainer.domains.swe.runners import RUNNERS
from evotrainer.domains.swe.runners.kinds import LightRunner
from evotrainer.sandbox import Execution
from tests.frozen_problems import by_family
from tests.swe_problems import calc_problem

MIXED = """
import os
import sys
import calc
import texts
from tests.support import SEVEN
from support_beside import EIGHT


def test_passes():
    assert calc.add(SEVEN, 0) + 1 == EIGHT


def test_fails():
    assert calc.add(2, 3) == 5, "sum"


def test_raises():
    calc.add(1)


def test_leaves():
    sys.exit(0)


def test_patches_a_module():
    texts.shout = None
    assert texts.shout is None


def test_reads_its_own_file():
    with open(os.path.join(os.path.dirname(__file__), "data.txt")) as file:
        assert file.read() == "seven"


def helper_is_no_test():
    raise AssertionError
"""
FILES = {
    "tests/__init__.py": "",
    "tests/test_mixed.py": MIXED.replace("from support_beside import EIGHT", "from tests.support_beside import EIGHT"),
    "tests/support.py": "SEVEN = 7\n",
    "tests/support_beside.py": "EIGHT = 8\n",
    "tests/data.txt": "seven",
    "checks/test_mixed_too.py": MIXED.replace("from tests.support import SEVEN", "from support import SEVEN"),
    "checks/support.py": "SEVEN = 7\n",
    "checks/support_beside.py": "EIGHT = 8\n",
    "checks/data.txt": "seven",
    "checks/test_broken.py": "import nothing_of_this_name\n\n\ndef test_never():\n    pass\n",
    "checks/test_syntax.py": "def test_never(:\n",
}


def statuses(runner: str, snapshot: Snapshot, node_ids) -> dict[str, str]:
    return {name: result.status for name, result in RUNNERS[runner].run(snapshot, node_ids).results.items()}


def test_both_runners_collect_and_end_alike():
    snapshot = Snapshot(open_repository(calc_problem(), sanitize=True), FILES)
    collected = {runner: sorted(RUNNERS[runner].collect(snapshot, "")) for runner in ("light", "pytest")}
    functions = [name for name in collected["light"] if "broken" not in name]
    assert functions == [name for name in collected["pytest"] if "broken" not in name]
    assert len(functions) == 2 + 2 * 6 + 1
    light = statuses("light", snapshot, collected["light"])
    assert light == statuses("pytest", snapshot, collected["light"])
    assert {name.partition("::")[2]: status for name, status in light.items() if "mixed.py" in name} == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_raises": "failed",
        "test_leaves": "failed",
        "test_patches_a_module": "passed",
        "test_reads_its_own_file": "passed",
    }
    assert light["checks/test_broken.py::test_never"] == light["checks/test_syntax.py"] == "error"


SMALL = list(by_family("swe", "train").values())[::3]


@pytest.mark.parametrize("problem", SMALL, ids=lambda problem: problem.family)
def test_both_runners_grade_built_in_problems_alike(problem):
    snapshot = graded(problem, Snapshot(open_repository(problem, sanitize=True), {}))
    light = statuses("light", snapshot, hidden_ids(problem))
    assert light == statuses("pytest", snapshot, hidden_ids(problem))
    assert set(light.values()) == {"passed", "failed"} or set(light.values()) == {"failed"}


def test_what_only_pytest_knows():
    text = """import pytest


@pytest.fixture
def seven(tmp_path):
    (tmp_path / "x").write_text("7")
    return int((tmp_path / "x").read_text())


@pytest.mark.parametrize("more", [1, 2])
def test_sums(seven, more, monkeypatch, capsys):
    monkeypatch.setenv("MORE", str(more))
    print(seven)
    assert capsys.readouterr().out == "7\\n"


class TestClass:
    def test_method(self):
        assert self


@pytest.mark.skip
def test_skipped():
    pass


@pytest.mark.xfail
def test_expected_to_fail():
    assert False


def test_without_fixture(nowhere):
    pass
"""
    snapshot = Snapshot(open_repository(calc_problem(), sanitize=True), {"tests/test_rich.py": text})
    node_ids = RUNNERS["pytest"].collect(snapshot, "tests/test_rich.py")
    assert {name.partition("::")[2]: status for name, status in statuses("pytest", snapshot, node_ids).items()} == {
        "test_sums[1]": "passed",
        "test_sums[2]": "passed",
        "TestClass::test_method": "passed",
        "test_skipped": "skipped",
        "test_expected_to_fail": "skipped",
        "test_without_fixture": "error",
    }
    assert RUNNERS["pytest"].collect(snapshot, "tests/test_rich.py::test_sums") == node_ids[:2]


@pytest.mark.parametrize(("cpu_seconds", "num_executions"), [(0.1, 1), (9.0, 7)])
def test_code_that_sleeps_takes_one_wall_clock_and_not_one_for_each_test(cpu_seconds: float, num_executions: int):
    """What uses its processor may be one endless test among others, which are found by halves."""
    executed = []

    class Sleeping(LightRunner):
        def _execute(self, snapshot, names, judged):
            executed.append(names)
            return Execution("timeout", "", "", None, seconds=20.0, cpu_seconds=cpu_seconds)

    names = [f"test_a.py::test_{number}" for number in range(4)]
    snapshot = Snapshot(open_repository(calc_problem(), sanitize=True), {})
    run = Sleeping().run(snapshot, names)
    assert {name: result.status for name, result in run.results.items()} == dict.fromkeys(names, "timeout")
    assert len(executed) == num_executions
