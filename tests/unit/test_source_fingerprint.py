"""What a source stands on: modules of the package, found through what it imports, and through what those import."""

import hashlib
from pathlib import Path

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.harness import Harness
from evotrainer.diagnosis.source_fingerprint import source_fingerprint

PLUGINS = Path(__file__).parents[2] / "harness_plugins"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of its own: one imports two by name, two imports deep.three; four is imported by no one."""
    texts = {
        "__init__": "",
        "one": "from evotrainer import two\n",
        "two": "import evotrainer.deep.three\n",
        "deep/__init__": "from evotrainer.one import x\n",
        "deep/three": "",
        "four": "",
    }
    for name, text in texts.items():
        path = tmp_path / "evotrainer" / f"{name}.py"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    monkeypatch.setattr("evotrainer.diagnosis.source_fingerprint.ROOT", tmp_path / "evotrainer")
    return tmp_path / "evotrainer"


def _stands_on(folder: Path, text: str) -> dict[str, str]:
    source = folder.parent / "source.py"
    source.write_text(text)
    return source_fingerprint([source])


def test_modules_are_found_through_modules_and_packages_and_circles(package):
    found = _stands_on(package, "import json\nfrom evotrainer.one import some_name\n")
    assert list(found) == ["evotrainer", "evotrainer.deep", "evotrainer.deep.three", "evotrainer.one", "evotrainer.two"]
    assert found["evotrainer.two"] == hashlib.sha256((package / "two.py").read_bytes()).hexdigest()


def test_an_import_in_a_function_counts_and_strangers_do_not(package):
    text = "import evotrainerx.one\nfrom .one import x\ndef f():\n    from evotrainer.four import y\n"
    assert list(_stands_on(package, text)) == ["evotrainer", "evotrainer.four"]


@pytest.mark.parametrize("text", ["def (", "\0", "x = 1\n"])
def test_what_is_no_python_or_imports_nothing_stands_on_nothing(package, text):
    assert _stands_on(package, text) == {}


def test_a_changed_definition_shows_and_its_neighbour_does_not(package):
    before = _stands_on(package, "import evotrainer.one\n")
    (package / "four.py").write_text("x = 1\n")
    assert _stands_on(package, "import evotrainer.one\n") == before
    (package / "deep" / "three.py").write_text("x = 1\n")
    after = _stands_on(package, "import evotrainer.one\n")
    assert {name for name in after if after[name] != before[name]} == {"evotrainer.deep.three"}


def test_the_harness_version_follows_the_list_of_behaviour_columns(monkeypatch):
    version = Harness(PLUGINS, HarnessConfig()).version
    known = source_fingerprint([PLUGINS / "score" / "solve_rate.py"])
    assert "evotrainer.evidence.frames" in known

    def changed(sources):
        return source_fingerprint(sources) | {"evotrainer.evidence.frames": "another text"}

    monkeypatch.setattr("evotrainer.diagnosis.harness.source_fingerprint", changed)
    assert Harness(PLUGINS, HarnessConfig()).version != version
