"""Files and values that a person hands over and that cannot be used: one line with the cause and what to do instead."""

import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cli.main import app

ROW = {"qid": "p", "chat": [{"role": "user", "content": "1+1"}, {"role": "assistant", "content": "2"}], "score": 1}
GOOD = "problem_id: qid\nmessages: chat\nreward: score\n"
ALIASES = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghi"))
MAPPINGS = {
    ALIASES: ":1: anchors and aliases (&name, *name) are not read: write each value out",
    f"problem_id: qid\na: {'[' * 3000}{']' * 3000}\n": ":2: nested too deeply: at most 20 levels",
    "".join(f"{' ' * depth}a:\n" for depth in range(40)): ":21: nested too deeply: at most 20 levels",
    "a: b\n" * 300_000: " is over 1048576 bytes",
    "problem_id: [qid\n  : x\n": " cannot be read as YAML: line 2: did not find expected ',' or ']'",
    "when: 2024-99-99\n": " cannot be read as YAML: month must be in 1..12",
    "problem_id: {a: b}\n": ": 'problem_id' is mapped to no name",
    "- a\n": " maps no columns",
    GOOD.replace("problem_id", "problem_idd"): " names 'problem_idd', no column of ours: did you mean problem_id?",
}
"""Mapping files, and what is said of each."""


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(ROW)}\n" for _ in range(2)))
    return path


def refused(capsys: pytest.CaptureFixture[str], *arguments: Any) -> str:
    """Return the one line of an error."""
    with pytest.raises(SystemExit) as left:
        app(list(map(str, arguments)))
    out, said = capsys.readouterr()
    assert (left.value.code, out) == (1, "")
    assert said.startswith("error: ") and said.count("\n") == 1 and "a fault of the program" not in said
    return said


@pytest.mark.parametrize(("text", "told"), MAPPINGS.items(), ids=[told[:40] for told in MAPPINGS.values()])
def test_a_mapping_that_cannot_be_used_is_refused_by_name(
    rows: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    path = rows.with_name("columns.yaml")
    path.write_text(text)
    said = refused(capsys, "diagnose", "--trajectories", rows, "--map", path)
    assert said.startswith(f"error: {path}{told}")


@pytest.mark.parametrize("option", ["--map", "--checks"])
def test_a_settings_file_that_is_none_is_named(rows: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    pipe, text = rows.with_name("pipe"), rows.with_name("latin.yaml")
    os.mkfifo(pipe)
    text.write_bytes(b"a: \xff\n")
    told = {
        rows.with_name("absent.yaml"): "does not exist: check its name",
        rows.parent: "is a folder: name a file in it",
        pipe: "is a pipe, no plain file: write what it gives to a file first",
        text: "is no UTF-8 text: save it as UTF-8",
    }
    for path, words in told.items():
        said = refused(capsys, "diagnose", "--trajectories", rows, option, path)
        assert said == f"error: {path} {words}\n"


def test_a_check_of_ones_own_that_cannot_be_judged_is_named(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, attempts = rows.with_name("own.yaml"), rows.with_name("attempts.jsonl")
    own.write_text("mine: {shows: nocolumn > 3}\n")
    attempts.write_text(json.dumps({"prompt": "p", "response": "r", "reward": 1.0}))
    with pytest.raises(SystemExit, match="0"):
        app(["diagnose", "--trajectories", str(attempts), "--checks", str(own)])
    assert "unjudged mine: not judged for lack of nocolumn" in capsys.readouterr().out


def test_a_version_and_a_file_are_not_taken_at_once(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "diagnose", "demo", "v001", "--trajectories", rows)
    assert "say one thing to diagnose: NAME VERSION, or --trajectories FILE" in said


@pytest.mark.parametrize("command", [["diagnose"], ["intervention", "check", "change.py"]])
def test_an_empty_path_is_not_the_current_folder(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert "the path is empty: name a file or a folder" in refused(capsys, *command, "--trajectories", "")


ESCAPES = {"\x1b[31m": "<U+001B>[31m", "\x9b31m": "<U+009B>31m", "\u202e": "<U+202E>"}


@pytest.mark.parametrize("escape", ESCAPES)
def test_escapes_of_names_are_shown_and_not_obeyed(rows: Path, capsys: pytest.CaptureFixture[str], escape: str) -> None:
    shown, quoted, mapping = ESCAPES[escape], repr(escape)[1:-1], rows.with_name("columns.yaml")
    mapping.write_text(json.dumps({"problem_id": escape}))
    found = [
        refused(capsys, "diagnose", "--trajectories", rows, "--from", escape),
        refused(capsys, "report", escape),
        refused(capsys, "diagnose", "--trajectories", rows, "--map", mapping),
    ]
    path = rows.with_name(f"x{escape}.jsonl")
    path.write_text(f"{json.dumps({escape: 1})}\n" * 2)
    found.append(refused(capsys, "diagnose", "--trajectories", path))
    assert f"x{quoted}.jsonl" in found[-1]
    assert all((shown in said or quoted in said) and escape not in said for said in found)


@pytest.mark.parts
@pytest.mark.parametrize("escape", ["\x1b[31m", "\x9b31m", "\x7f"])
def test_escapes_in_rows_are_shown_in_notes_and_findings_and_are_json_in_values(
    rows: Path, capsys: pytest.CaptureFixture[str], escape: str
) -> None:
    call = {"name": f"{escape}tool", "arguments": {"q": 1}}
    said = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "x", "tool_calls": [call]}]
    row = {"problem_id": "p", "messages": said, "reward_terms": {f"{escape}term": 1.0}, f"{escape}col": 1}
    lines = [json.dumps({**row, "trajectory_id": f"{escape}{n}", "reward": n % 2, "correct": 5}) for n in range(16)]
    rows.write_text("\n".join(lines))
    for options in ([], ["--json"]):
        with pytest.raises(SystemExit, match="0"):
            app(["diagnose", "--trajectories", str(rows), *options])
        out, notes = capsys.readouterr()
        assert escape not in out + notes
