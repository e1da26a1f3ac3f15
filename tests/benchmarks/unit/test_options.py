"""Options of the benches: a bad value is one line that says what is allowed, before anything is computed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app
from evotrainer.errors import ConfigError

RUN = CliRunner()


@pytest.mark.parametrize(
    ("command", "option", "value", "fault"),
    [
        ("gate", "--problems", "abc", "'abc' is no whole number"),
        ("gate", "--problems", "77,,5", "'' is no whole number"),
        ("gate", "--problems", "1", "1 is out of range; give whole numbers from 2 to 1e+06"),
        ("gate", "--problems", "77,77", "77 is there twice"),
        ("coevolution", "--seeds", "-3", "-3 is out of range; give whole numbers from 0"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_with_what_can(
    command: str, option: str, value: str, fault: str, tmp_path: Path
) -> None:
    shown = RUN.invoke(app, [command, option, value, "--out", str(tmp_path / "out")])
    assert isinstance(shown.exception, ConfigError) and fault in str(shown.exception)
    assert not (tmp_path / "out").exists() and not shown.output


@pytest.mark.parametrize("command", ["gate", "failure-modes", "coevolution", "aa-tests"])
def test_a_file_is_no_folder_for_results(command: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    shown = RUN.invoke(app, [command, "--out", str(tmp_path / "file")])
    assert shown.exit_code == 2 and "is a file" in shown.output
