"""`evotrainer data verify --domain swe`: real rows over a real clone, graded as an answer is."""

import json
import re

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.domains.problem_sets.check import weak_problems
from evotrainer.errors import ConfigError
from tests.repositories_on_disk import commit, git
from tests.swe_problems import CALC, FIXED, GOLD

pytestmark = pytest.mark.parts


TEST = """from calc import add


def test_add():
    assert add(2, 3) == 5


def test_none():
    assert add(2, 0) == 2
"""
TEST_PATCH = "--- /dev/null\n+++ b/test_calc.py\n@@ -0,0 +1,9 @@\n" + "".join(
    f"+{line}\n" for line in TEST.splitlines()
)
ADD, NONE = "test_calc.py::test_add", "test_calc.py::test_none"


@pytest.fixture(scope="module")
def row(tmp_path_factory):
    """A sound row, and the folder whose clone it means."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        folder = tmp_path_factory.mktemp("rows")
        (folder / "calc").mkdir()
        git(folder / "calc", "init", "-q")
        yield (
            folder,
            {
                "instance_id": "calc-1",
                "repo": "a/calc",
                "repository": "calc",
                "base_commit": commit(folder / "calc", "Sums", {"calc.py": CALC}),
                "problem_statement": "add() gives wrong sums",
                "patch": GOLD,
                "test_patch": TEST_PATCH,
                "FAIL_TO_PASS": [ADD],
                "PASS_TO_PASS": [NONE],
            },
        )


def verified(row, *changes):
    """Verify a file of the sound row with changes, a line each; return status and printed lines."""
    folder, sound = row
    lines = [json.dumps({**sound, "instance_id": f"calc-{number}", **each}) for number, each in enumerate(changes, 1)]
    (folder / "rows.jsonl").write_text("\n".join(lines))
    result = CliRunner().invoke(app, ["data", "verify", str(folder / "rows.jsonl"), "--domain", "swe"])
    return result.exit_code, result.output.splitlines()


def test_a_row_whose_verdicts_mean_nothing_is_named_with_its_place_and_reason(row):
    status, lines = verified(
        row,
        {},
        {"base_commit": "f" * 40},
        {"patch": GOLD.replace("a - b", "a * b")},
        {"test_patch": TEST_PATCH.replace("/dev/null", "a/test_calc.py").replace("-0,0", "-1,1")},
        {"FAIL_TO_PASS": ["test_calc.py::test_gone"]},
        {"patch": GOLD.replace("a + b", "b + b")},
        {"FAIL_TO_PASS": [NONE]},
    )
    assert status == 1
    assert lines[-1] == ("7 problems, 6 of them weak; passes without work: 1; reference fails: 1; tests cannot run: 4")
    wanted = [
        "no git repository with the commit",
        "answer is no patch",
        "test_patch does not fit",
        "test_gone' does not exist",
        r"fails 2 of 2 tests: test_calc.py::test_add \(failed",
        "an empty answer passes",
    ]
    assert len(lines) == 7
    for number, (line, reason) in enumerate(zip(lines[:-1], wanted, strict=True), start=2):
        assert line.startswith(f"{row[0]}/rows.jsonl:{number}: calc-{number}: ")
        assert re.search(reason, line), line


def test_a_row_with_its_repository_is_verified_too(row):
    own = {
        "id": "own",
        "problem": "Sums are wrong.",
        "answer": GOLD,
        "files": {"calc.py": CALC},
        "hidden_tests": {"test_calc.py": TEST},
        "fail_to_pass": [ADD],
        "pass_to_pass": [NONE],
    }
    path = row[0] / "own.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in (own, own | {"id": "mended", "files": {"calc.py": FIXED}})))
    result = CliRunner().invoke(app, ["data", "verify", str(path), "--domain", "swe", "--json"])
    found = json.loads(result.output)
    assert [(weak["row_id"], weak["place"]) for weak in found["weak"]] == [("mended", f"{path}:2")]


GOOD = {
    "id": "good",
    "problem": "Write f.",
    "function": "f",
    "reference": "def f(x): return x",
    "hidden": [{"input": [1], "output": 1}],
}
ROWS = [
    GOOD,
    GOOD | {"id": "wrong", "problem": "Write another f.", "hidden": [{"input": [1], "output": 2}]},
    GOOD | {"id": "gift", "problem": "Do nothing.", "reference": "", "hidden": [{"input": [1], "output": None}]},
]


def run(tmp_path, rows, *options):
    (tmp_path / "train.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return CliRunner().invoke(app, ["data", "verify", str(tmp_path), *options])


def test_weak_problems_are_named(tmp_path):
    result = run(tmp_path, ROWS)
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"{tmp_path}/train.jsonl:2: wrong: reference fails: the reference solution fails its hidden tests",
        f"{tmp_path}/train.jsonl:3: gift: passes without work: an empty answer passes its hidden tests",
        "3 problems, 2 of them weak; passes without work: 1; reference fails: 1",
    ]
    found = json.loads(run(tmp_path, ROWS, "--json").output)
    assert (found["problems"], [weak["row_id"] for weak in found["weak"]]) == (3, ["wrong", "gift"])


def test_other_domains_are_refused():
    with pytest.raises(ConfigError, match="'math' cannot be verified: they have no tests to run"):
        list(weak_problems([], "math"))
