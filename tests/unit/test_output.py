"""Tables and lines of commands: they fit 80 columns of a terminal, and nothing of a value is lost."""

import io
import json
import re
import sys

import pytest
from rich.console import Console

from cli.common import print_json, print_line, print_rows
from cli.program import escaped_streams
from tasks.running.progress import Progress

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


@pytest.mark.parametrize("width", ["80", "20"])
def test_cells_and_headers_show_escapes_beside_the_styling_of_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with escaped_streams():
        print_rows(["[/a]\x1b[31m", "b\x07"], [["\x1b]0;t\x07", "\x9b1m"], ["[b]x[/b]", None]])
        print_line("\x1b[2J")
        print("a\tb\x1b[0m\udcff", file=sys.stderr)
    out, said = capsys.readouterr()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert (plain != out) is (width == "80")  # a table has bold headers, blocks have none
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", plain)
    assert all(
        shown in plain for shown in ("[b]x[/b]", "<U+001B>]0;t<U+0007>", "<U+009B>1m", "b<U+0007>", "<U+001B>[2J")
    )
    assert said == "a\tb<U+001B>[0m<U+DCFF>\n"


def test_a_picture_that_is_drawn_anew_keeps_its_escapes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with escaped_streams(), Progress().console.status("working"):
        pass
    said = capsys.readouterr().err
    assert "\x1b[" in said and "<U+001B>" not in said


def test_an_interrupted_command_leaves_no_waiting_line() -> None:
    shown = Progress(Console(file=io.StringIO(), force_terminal=True, width=80))
    shown.show("v001 train 6 s")
    shown.close()
    text = shown.console.file.getvalue()
    assert text.endswith("\x1b[?25h\r\x1b[1A\x1b[2K"), "the cursor is shown and the line is gone"
    shown.show("v001 train 8 s")
    assert shown.console.file.getvalue() == text


def test_a_value_with_escapes_stays_json(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"a\x1b\x9b\x7f": ["\u202e\U000e0041", "é\n"]}
    with escaped_streams():
        print_json(value)
    out = capsys.readouterr().out
    assert json.loads(out) == value and "é" in out and not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", out)
