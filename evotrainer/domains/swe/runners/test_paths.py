"""Which files are tests, and which decide how tests run: a policy may write them, and they decide nothing."""

import fnmatch
from pathlib import PurePosixPath

TEST_FOLDERS = frozenset({"tests", "test"})
TEST_FILES = ("test_*.py", "*_test.py")
MACHINERY = (
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "noxfile.py",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    ".coveragerc",
)
"""Read by pytest, or by the interpreter at its start."""
HELPERS = frozenset({"testing", "_testing", "test_utils", "testutils", "test_helpers"})
"""Folders and modules in which repositories keep what their tests assert with."""
CI_PLACES = (".github/*", ".gitlab-ci.yml", ".travis.yml", ".circleci/*", "azure-pipelines.yml", "Jenkinsfile")


def is_test_file(path: str) -> bool:
    """Return whether a test runner collects this file."""
    return any(fnmatch.fnmatch(PurePosixPath(path).name, pattern) for pattern in TEST_FILES)


def is_helper(path: str) -> bool:
    """Return whether a file holds what tests assert with, by the name of its module or of a folder above."""
    pure = PurePosixPath(path)
    return pure.suffix == ".py" and not HELPERS.isdisjoint((*pure.parts[:-1], pure.stem))


def is_protected(path: str) -> bool:
    """Return whether a file is a test, supports one, or configures how tests run."""
    pure = PurePosixPath(path)
    return (
        is_test_file(path)
        or not TEST_FOLDERS.isdisjoint(pure.parts[:-1])
        or any(fnmatch.fnmatch(pure.name, pattern) for pattern in MACHINERY)
        or any(fnmatch.fnmatch(path, pattern) for pattern in CI_PLACES)
    )
