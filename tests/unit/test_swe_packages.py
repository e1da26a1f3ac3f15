"""Rows that name a folder of installed packages: two rows need two versions of one package, and each gets its own."""

from pathlib import Path

import pytest

from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.rows import anchored, parse_row
from evotrainer.domains.swe.runners import create_runner
from evotrainer.errors import DataError

pytestmark = pytest.mark.parts

TESTS = """import pathlib
import depot
from total import total

def test_total():
    assert total() == depot.COUNT == EXPECTED

def test_packages_stay():
    try:
        (pathlib.Path(depot.__file__).parent / "more.py").write_text("")
    except OSError:
        return
    raise AssertionError("the folder was written")
"""
ANSWER = "--- a/total.py\n+++ b/total.py\n@@ -1,2 +1,3 @@\n import depot\n \n+\n"
TOTAL = "import depot\n\ndef total():\n    return depot.COUNT\n"


def row(name: str, expected: int, **values) -> dict:
    tests = {"tests/test_total.py": TESTS.replace("EXPECTED", str(expected))}
    wanted = [f"tests/test_total.py::{test}" for test in ("test_total", "test_packages_stay")]
    own = {"id": name, "problem": name, "answer": ANSWER, "files": {"total.py": TOTAL}}
    return {**own, "hidden_tests": tests, "fail_to_pass": wanted, **values}


def packages(folder: Path, name: str, count: int) -> str:
    package = folder / name / "depot"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f"COUNT = {count}\n")
    return name


def test_each_row_imports_its_own_packages(tmp_path: Path):
    for count in (1, 2):
        made = row(f"r{count}", count, packages=packages(tmp_path, f"depot-{count}", count))
        problem = problem_of(parse_row(made, f"{tmp_path / 'rows.jsonl'}:1"), "swe", "train")
        repository = open_repository(problem, True)
        changes = problem.data["hidden_tests"]
        run = create_runner("pytest").run(Snapshot(repository, changes), problem.data["fail_to_pass"])
        assert [result.status for result in run.results.values()] == ["passed", "passed"], run
        assert repository.key != open_repository(problem.model_copy(update={"data": _without(problem)}), True).key


def _without(problem) -> dict:
    return {key: value for key, value in problem.data.items() if key != "packages"}


def test_a_row_that_is_moved_keeps_its_packages(tmp_path: Path):
    made = row("r1", 1, packages=packages(tmp_path, "depot", 1))
    place = f"{tmp_path / 'rows.jsonl'}:1"
    assert anchored(made, place)["packages"] == str(tmp_path / "depot") == parse_row(made, place).data["packages"]


@pytest.mark.parametrize(
    ("files", "values", "told"),
    [
        ([], {"packages": "none"}, "'packages' names no folder"),
        (["pytest/__init__.py"], {}, "holds pytest: take it out"),
        (["deep/fast.cpython-36m-x86_64-linux-gnu.so"], {}, r"is of another Python than 3\.\d+"),
        ([], {"test_runner": "light"}, "light imports nothing installed"),
    ],
)
def test_packages_that_do_not_serve_are_refused_with_the_place(tmp_path: Path, files, values, told):
    made = row("r1", 1, packages=packages(tmp_path, "own", 1))
    for name in files:
        (tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "own" / name).touch()
    with pytest.raises(DataError, match=f"rows.jsonl:7: .*{told}"):
        parse_row(made | values, f"{tmp_path / 'rows.jsonl'}:7")
