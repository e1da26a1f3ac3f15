"""The hand-written part of the large repositories: files on disk, a registry, a pipeline, and their pytest suites.

Tests use what real suites use: conftest fixtures, tmp_path, parametrize with ids, classes, raises, monkeypatch.
"""

from dataclasses import dataclass

SOURCES = {
    "depot/__init__.py": '''"""Figures of a depot: one package an area, a pipeline over them, results on disk."""

__version__ = "1.4.0"
''',
    "depot/core/__init__.py": '''"""What all areas share."""

from depot.core.errors import DepotError, UnknownFigure
from depot.core.records import Figure
from depot.core.store import Store

__all__ = ["DepotError", "Figure", "Store", "UnknownFigure"]
''',
    "depot/core/errors.py": '''"""What can go wrong."""


class DepotError(Exception):
    """Base of all errors of the depot."""


class UnknownFigure(DepotError):
    """A figure that no area computes."""

    def __init__(self, name):
        super().__init__(f"no figure {name}")
        self.name = name
''',
    "depot/core/records.py": '''"""Records as they are stored."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Figure:
    """A named number, and how often it was computed."""

    name: str
    value: int
    count: int = 1

    def merged(self, other):
        """Return the newer value with both counts."""
        return Figure(self.name, other.value, self.count + other.count)

    def to_line(self):
        """Return the figure as one line of JSON, keys in order."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_line(cls, line):
        """Return the figure that a line holds."""
        return cls(**json.loads(line))
''',
    "depot/core/store.py": '''"""Figures in a file, one line each; the newest line of a name counts."""

from depot.core.records import Figure


class Store:
    """A file of figures, which is made when the first one is added."""

    def __init__(self, path):
        self.path = path

    def add(self, figure):
        """Append a figure, merged with the one of its name."""
        known = self.read().get(figure.name)
        figure = known.merged(figure) if known else figure
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(figure.to_line() + "\\n")

    def read(self):
        """Return the figures by name, the newest of each."""
        if not self.path.exists():
            return {}
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return {figure.name: figure for figure in map(Figure.from_line, lines)}

    def compact(self):
        """Rewrite the file with one line a name, sorted."""
        figures = self.read()
        lines = [figures[name].to_line() for name in sorted(figures)]
        self.path.write_text("".join(line + "\\n" for line in lines), encoding="utf-8")
''',
    "depot/core/pipeline.py": '''"""Computing figures by name and storing them."""

import os

from depot.core.errors import UnknownFigure
from depot.core.records import Figure
from depot.registry import FIGURES


def run(names, values, store):
    """Compute the named figures of the values, store each, and return them in the order of the names."""
    figures = []
    for name in names:
        if name not in FIGURES:
            raise UnknownFigure(name)
        figure = Figure(name, FIGURES[name](values))
        store.add(figure)
        figures.append(figure)
    return figures


def default_names():
    """Return the names in DEPOT_FIGURES, separated by commas, or all of them, sorted."""
    given = os.environ.get("DEPOT_FIGURES", "")
    return [name.strip() for name in given.split(",") if name.strip()] or sorted(FIGURES)
''',
    "pyproject.toml": """[project]
name = "depot"
version = "1.4.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["."]
""",
    "README.md": "# depot\n\nFigures of a depot. Run the tests with `python -m pytest`.\n",
}

TESTS = {
    "tests/conftest.py": '''import pytest

from depot.core import Store


@pytest.fixture
def store(tmp_path):
    """A store whose file does not exist yet."""
    return Store(tmp_path / "figures.jsonl")


@pytest.fixture(scope="session")
def values():
    return (7, 2, 9, 4, 11, 3)
''',
    "tests/core/test_records.py": """import pytest

from depot.core import Figure


@pytest.mark.parametrize("count", [1, 3])
def test_a_line_gives_the_figure_back(count):
    figure = Figure("tax", 4, count)
    assert Figure.from_line(figure.to_line()) == figure


def test_keys_are_in_order():
    assert Figure("tax", 4).to_line() == '{"count": 1, "name": "tax", "value": 4}'


class TestMerging:
    def test_value_is_the_newer_one(self):
        assert Figure("tax", 4).merged(Figure("tax", 6)).value == 6

    def test_counts_add_up(self):
        assert Figure("tax", 4, 2).merged(Figure("tax", 6, 3)).count == 5
""",
    "tests/core/test_store.py": """import pytest

from depot.core import Figure


@pytest.fixture
def filled(store):
    for name, value in (("b", 2), ("a", 1), ("b", 5)):
        store.add(Figure(name, value))
    return store


def test_an_empty_store_reads_as_nothing(store):
    assert store.read() == {}
    assert not store.path.exists()


def test_the_newest_value_counts(filled):
    assert {name: figure.value for name, figure in filled.read().items()} == {"a": 1, "b": 5}


def test_lines_are_kept_until_compacted(filled):
    assert len(filled.path.read_text().splitlines()) == 3


def test_compacting_keeps_counts_and_sorts(filled):
    filled.compact()
    assert [line.split('"name": ')[1][1] for line in filled.path.read_text().splitlines()] == ["a", "b"]
    assert filled.read()["b"].count == 2
""",
    "tests/core/test_default_names.py": """import pytest

from depot.core.pipeline import default_names
from depot.registry import FIGURES


@pytest.mark.parametrize(
    ("given", "expected"),
    [pytest.param("a,b", ["a", "b"], id="two"), pytest.param(" a , ,b", ["a", "b"], id="spaces")],
)
def test_names_come_from_the_environment(monkeypatch, given, expected):
    monkeypatch.setenv("DEPOT_FIGURES", given)
    assert default_names() == expected


def test_all_names_without_it(monkeypatch):
    monkeypatch.delenv("DEPOT_FIGURES", raising=False)
    assert default_names() == sorted(FIGURES)
""",
}

STATIC_NODE_IDS = (
    "tests/core/test_records.py::test_a_line_gives_the_figure_back[1]",
    "tests/core/test_records.py::test_a_line_gives_the_figure_back[3]",
    "tests/core/test_records.py::test_keys_are_in_order",
    "tests/core/test_records.py::TestMerging::test_value_is_the_newer_one",
    "tests/core/test_records.py::TestMerging::test_counts_add_up",
    "tests/core/test_store.py::test_an_empty_store_reads_as_nothing",
    "tests/core/test_store.py::test_the_newest_value_counts",
    "tests/core/test_store.py::test_lines_are_kept_until_compacted",
    "tests/core/test_store.py::test_compacting_keeps_counts_and_sorts",
    "tests/core/test_default_names.py::test_names_come_from_the_environment[two]",
    "tests/core/test_default_names.py::test_names_come_from_the_environment[spaces]",
    "tests/core/test_default_names.py::test_all_names_without_it",
)


@dataclass(frozen=True)
class CoreBug:
    """A bug in the hand-written part: one line, the hidden tests that it fails, and what a user reports."""

    path: str
    right: str
    wrong: str
    failing: tuple[str, ...]
    issue: str


CORE_BUGS = (
    CoreBug(
        "depot/core/store.py",
        '        with self.path.open("a", encoding="utf-8") as stream:',
        '        with self.path.open("w", encoding="utf-8") as stream:',
        (
            "tests/core/test_store.py::test_the_newest_value_counts",
            "tests/core/test_store.py::test_lines_are_kept_until_compacted",
            "tests/core/test_store.py::test_compacting_keeps_counts_and_sorts",
        ),
        "Figures get lost: after I compute a second one, the file holds only that.",
    ),
    CoreBug(
        "depot/core/records.py",
        "        return Figure(self.name, other.value, self.count + other.count)",
        "        return Figure(self.name, self.value, self.count + other.count)",
        (
            "tests/core/test_records.py::TestMerging::test_value_is_the_newer_one",
            "tests/core/test_store.py::test_the_newest_value_counts",
        ),
        "Computing a figure again does not change what the store says of it.",
    ),
    CoreBug(
        "depot/core/pipeline.py",
        '    return [name.strip() for name in given.split(",") if name.strip()] or sorted(FIGURES)',
        '    return [name for name in given.split(",") if name.strip()] or sorted(FIGURES)',
        ("tests/core/test_default_names.py::test_names_come_from_the_environment[spaces]",),
        'DEPOT_FIGURES="tax, rent" says there is no figure " rent".',
    ),
)
