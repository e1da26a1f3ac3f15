import json
from pathlib import Path

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.loading import problem_of, read_rows, split_rows
from evotrainer.domains.problem_sets.rows import Reading
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.rows import FIRST_MESSAGE, anchored, parse_row, tree_of
from evotrainer.domains.swe.runners import RUNNERS
from evotrainer.errors import DataError
from tests.repositories_on_disk import commit, git

GOLDEN = (Path(__file__).parents[1] / "golden" / "swe_rows.jsonl").read_text()


@pytest.fixture(scope="module")
def scales(tmp_path_factory):
    """A clone of acme/scales where rows look for it, and its only commit."""
    folder = tmp_path_factory.mktemp("rows")
    clone = folder / "repositories" / "acme__scales"
    clone.mkdir(parents=True)
    git(clone, "init", "-q")
    return folder, commit(clone, "Weigh", {"scales/weigh.py": "def weigh(items):\n    return max(items)\n"})


@pytest.fixture
def rows(scales):
    folder, commit = scales
    path = folder / "rows.jsonl"
    path.write_text(GOLDEN.replace("COMMIT", commit))
    return {row.row_id: row for row in read_rows(path, "swe")}


def values(row_id):
    rows = map(json.loads, GOLDEN.splitlines())
    return next(row for row in rows if row_id in (row.get("id"), row.get("instance_id")))


def test_a_row_of_swe_bench(rows, scales):
    folder, commit = scales
    row = rows["acme__scales-41"]
    assert row.problem.startswith("weigh() forgets all but the heaviest item.")
    assert row.answer == values("acme__scales-41")["patch"]
    assert (row.family, row.difficulty) == ("acme/scales", 0.4)
    assert row.data["repository"] == str(folder / "repositories" / "acme__scales")
    assert row.data["base_commit"] == commit
    assert row.data["fail_to_pass"] == ["tests/test_weigh.py::test_two"]
    assert row.data["pass_to_pass"] == ["tests/test_weigh.py::test_one"]
    assert row.data["test_patch"].endswith("== 7\n")
    assert row.data["test_runner"] == "pytest"
    assert row.data["version"] == "1.2"
    assert row.data["hints_text"] == "It should use sum."
    assert "sum" not in row.problem, "hints are kept and never shown"


def test_rows_that_are_moved_keep_their_repositories(rows, scales, tmp_path):
    moved = tmp_path / "problems.jsonl"
    lines = (scales[0] / "rows.jsonl").read_text().splitlines()
    made = [anchored(json.loads(line), f"{scales[0]}/rows.jsonl:1") for line in lines]
    moved.write_text("".join(f"{json.dumps(row)}\n" for row in made))
    assert {row.row_id: row.data for row in read_rows(moved, "swe")} == {name: row.data for name, row in rows.items()}


def test_a_row_of_swe_rebench(rows):
    row = rows["acme__scales-57"]
    assert row.data["fail_to_pass"] == ["tests/test_show.py::test_unit_of_weight"]
    assert row.data["pass_to_pass"] == []
    assert row.data["install_config"]["log_parser"] == "parse_log_pytest"
    assert row.difficulty == 0
    assert row.answer.endswith('+    return f"{grams} g"\n \n'), "a blank last line of a patch is part of it"


def test_a_row_with_its_repository(rows):
    row = rows["own-1"]
    assert (row.family, row.difficulty) == ("constants", 0.3)
    assert row.data["history"] == [{"message": FIRST_MESSAGE, "changes": row.data["files"]}]
    assert row.data["future"] == []
    assert row.data["test_runner"] == "pytest"
    assert row.data["source"] == "classroom"


def test_files_are_the_sum_of_the_history():
    commits = [
        {"message": "Start", "changes": {"a.py": "1\n", "double.py": "old\n"}},
        {"message": "Go on", "changes": {"a.py": None, **values("own-1")["files"]}},
    ]
    own = {**values("own-1"), "history": commits}
    files = own.pop("files")
    assert parse_row(own, "own:1").data["files"] == files == tree_of(commits)


def test_a_repository_may_lie_elsewhere(scales):
    folder, commit = scales
    row = {**values("acme__scales-41"), "base_commit": commit, "repository": "repositories/acme__scales"}
    (folder / "deep").mkdir(exist_ok=True)
    assert parse_row(row, f"{folder}/rows.jsonl:1").data["repository"].endswith("acme__scales")
    moved = parse_row({**row, "repository": "../repositories/acme__scales"}, f"{folder}/deep/rows.jsonl:1")
    assert Path(moved.data["repository"]).resolve() == folder / "repositories" / "acme__scales"


def test_two_bugs_of_one_repository_are_two_problems(rows, scales):
    folder, _ = scales
    identities = [rows[name].identity for name in ("acme__scales-41", "acme__scales-57")]
    assert len(set(identities)) == 2
    copy = json.loads((folder / "rows.jsonl").read_text().splitlines()[0]) | {"instance_id": "copy"}
    (folder / "own.jsonl").write_text((folder / "rows.jsonl").read_text() + json.dumps(copy) + "\n")
    splits = split_rows(folder / "own.jsonl", DomainConfig(name="swe").name)
    holders = [split for split, found in splits.items() if {"copy", "acme__scales-41"} & {row.row_id for row in found}]
    assert len(holders) == 1


BAD_OWN = {
    "answer: must be a unified diff": {"answer": "use 2"},
    "fail_to_pass: .*at least 1 item": {"fail_to_pass": []},
    "fail_to_pass.0: String should match": {"fail_to_pass": ["test_one (tests.test_double)"]},
    "stands in no file": {"fail_to_pass": ["tests/test_other.py::test_one"]},
    "hidden_tests: Input should be a valid dict": {"hidden_tests": ["a"]},
    "must lie in the repository": {"files": {"../double.py": ""}},
    "path '.git/config'": {"files": {".git/config": ""}},
    "'history', which leads to them": {"history": [{"message": "Start", "changes": {"double.py": "x = 1\n"}}]},
    "test_runner: Input should be 'light' or 'pytest'": {"test_runner": "nose"},
    "give the repository as 'files' or as 'history'": {"files": ...},
}

BAD_BENCHMARK = {
    "no repository at .*acme__gone: clone it": {"repo": "acme/gone"},
    "'docker_image' names a container image, .*supported is a local clone": {
        "repo": "acme/gone",
        "docker_image": "acme:1",
    },
    "is no git repository": {"repository": "."},
    "base_commit: String should match": {"base_commit": "main"},
    "fail_to_pass: .*at least 1 item": {"FAIL_TO_PASS": "[]"},
    "fail_to_pass: is text, but no JSON list": {"FAIL_TO_PASS": "tests/test_weigh.py::test_two"},
    "'problem' is missing": {"problem_statement": ...},
}


def changed(row, changes):
    merged = {**row, **changes}
    return {key: value for key, value in merged.items() if value is not ...}


@pytest.mark.parametrize("message", BAD_OWN)
def test_a_bad_own_row_is_refused_with_its_place(message):
    with pytest.raises(DataError, match=f"^own.jsonl:7: .*{message}"):
        parse_row(changed(values("own-1"), BAD_OWN[message]), "own.jsonl:7")


@pytest.mark.parametrize("message", BAD_BENCHMARK)
def test_a_bad_benchmark_row_is_refused_with_its_place(message, scales):
    folder, commit = scales
    row = {**values("acme__scales-41"), "base_commit": commit}
    with pytest.raises(DataError, match=f"^{folder}/rows.jsonl:7: .*{message}"):
        parse_row(changed(row, BAD_BENCHMARK[message]), f"{folder}/rows.jsonl:7")


@pytest.mark.parametrize("name", ["acme__scales", "acme/scales", "scales.git"])
def test_a_clone_is_found_in_the_folder_that_a_person_names(scales, tmp_path, name):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    bare = ["--bare"] if name.endswith(".git") else []
    git(tmp_path, "clone", "-q", *bare, str(scales[0] / "repositories" / "acme__scales"), str(tmp_path / name))
    lines = (scales[0] / "rows.jsonl").read_text().splitlines()
    kept = [line for line in lines if "instance_id" in line]
    (tmp_path / "rows.jsonl").write_text("\n".join(kept))
    found = read_rows(tmp_path / "rows.jsonl", "swe", Reading(repositories=str(tmp_path)))
    assert {row.data["repository"] for row in found} == {str(tmp_path / name)}
    assert all("repositories" not in row.data for row in found)


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


@pytest.mark.parts
def test_each_row_imports_its_own_packages(tmp_path: Path):
    for count in (1, 2):
        made = row(f"r{count}", count, packages=packages(tmp_path, f"depot-{count}", count))
        problem = problem_of(parse_row(made, f"{tmp_path / 'rows.jsonl'}:1"), "swe", "train")
        repository = open_repository(problem, True)
        changes = problem.data["hidden_tests"]
        run = RUNNERS["pytest"].run(Snapshot(repository, changes), problem.data["fail_to_pass"])
        assert [result.status for result in run.results.values()] == ["passed", "passed"], run
        plain = {key: value for key, value in problem.data.items() if key != "packages"}
        assert repository.key != open_repository(problem.model_copy(update={"data": plain}), True).key


@pytest.mark.parts
def test_a_row_that_is_moved_keeps_its_packages(tmp_path: Path):
    made = row("r1", 1, packages=packages(tmp_path, "depot", 1))
    place = f"{tmp_path / 'rows.jsonl'}:1"
    assert anchored(made, place)["packages"] == str(tmp_path / "depot") == parse_row(made, place).data["packages"]


@pytest.mark.parts
@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"packages": "none"}, "'packages' names no folder"),
        ({"test_runner": "light"}, "light imports nothing installed"),
    ],
)
def test_packages_that_do_not_serve_are_refused_with_the_place(tmp_path: Path, values, told):
    made = row("r1", 1, packages=packages(tmp_path, "own", 1))
    with pytest.raises(DataError, match=f"rows.jsonl:7: .*{told}"):
        parse_row(made | values, f"{tmp_path / 'rows.jsonl'}:7")
