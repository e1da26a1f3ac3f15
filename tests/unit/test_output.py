"""Tables and lines of commands: they fit 80 columns of a terminal, and nothing of a value is lost."""

import re

import pytest

from cli.output import print_line, print_rows

LONG = "because the run ends only 0.0086 nats from its start: its steps are too small for its token budget"


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize(
    "columns",
    [["version", "hypothesis"], ["version", "hypothesis", "score"], ["version", *"abcdefghi", "hypothesis"]],
    ids=len,
)
def test_a_table_fits_and_keeps_every_word(columns: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    row = [LONG if name == "hypothesis" else f"{name}-value" for name in columns]
    print_rows(columns, [row])
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(len, shown.splitlines())) <= 80
    assert all(word in shown for cell in row for word in cell.split())


def test_a_value_that_looks_like_markup_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(["name", "value"], [["a", "[bold]x[/bold]"]])
    assert "[bold]x[/bold]" in capsys.readouterr().out


def test_a_long_line_goes_on_indented(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(f"  hypothesis: {LONG}")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("  hypothesis") and second.startswith("    ") and len(first) <= 80


def test_a_pipe_is_as_wide_as_columns_says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TTY_COMPATIBLE")
    monkeypatch.setenv("COLUMNS", "60")
    print_rows(["version", "change"], [["v001", "algorithm.learning_rate 6.4e-05 -> 0.000128 " * 3]])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 60
    monkeypatch.delenv("COLUMNS")
    print_rows(["version", "change"], [["v001", "algorithm.learning_rate 6.4e-05 -> 0.000128 " * 3]])
    assert max(map(len, capsys.readouterr().out.splitlines())) > 120
