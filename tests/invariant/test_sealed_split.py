"""The test split is sealed by code: nobody but the certify stage can load it, and that stage only once."""

import ast
from pathlib import Path

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.domains.problem_sets.sealed import load_sealed
from evotrainer.errors import DataError
from tests.repositories_on_disk import commit, git

ROOT = Path(__file__).parents[2]
PACKAGES = ("benchmarks", "cli", "conf", "evotrainer", "flows", "harness_plugins", "tasks")
READERS = {
    "load_sealed": {"tasks/certify.py", "benchmarks/worlds/measure.py"},
    "read_split": {"evotrainer/domains/problem_sets/sealed.py"},
    "split_rows": {
        "cli/data.py",  # a person checks and verifies their own files
        "evotrainer/domains/problem_sets/overlap.py",  # compares the held splits with what is trained on
        "evotrainer/training/warm_up.py",  # refuses demonstrations of problems that are judged on
        "flows/workspace/checks.py",  # before a campaign: counts and checks rows, and the characters in them
        "flows/workspace/preflight.py",  # before a campaign: samples answers to train problems
    },
}
"""Who may import what can reach a row of the sealed split."""


@pytest.fixture
def problems(tmp_path: Path) -> tuple[Path, DomainConfig]:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "test.jsonl").write_text('{"id": "a", "problem": "1+1=?", "answer": "2"}\n')
    return tmp_path, DomainConfig(data_path="set")


def test_loading_the_sealed_split_by_name_is_refused(problems):
    root, domain = problems
    with pytest.raises(DataError, match="is sealed: only the certify stage reads it"):
        load_problems(root, domain, "test")


def test_the_certify_stage_reads_it_until_a_certificate_exists(problems):
    root, domain = problems
    certificate = root / "certificate.json"
    assert [problem.answer for problem in load_sealed(root, domain, certificate)] == ["2"]
    certificate.write_text("{}")
    with pytest.raises(DataError, match="was read before"):
        load_sealed(root, domain, certificate)


def test_a_certificate_that_was_removed_from_the_branch_is_remembered(problems):
    root, domain = problems
    git(root, "init")
    commit(root, "made", {"certificate.json": "{}"})
    commit(root, "removed", {"certificate.json": None})
    with pytest.raises(DataError, match="was read before"):
        load_sealed(root, domain, root / "certificate.json")


@pytest.mark.parametrize("name", READERS)
def test_only_named_modules_import_a_reader_of_the_sealed_split(name):
    importing = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}
    }
    assert importing == READERS[name]
