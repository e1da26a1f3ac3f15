"""Exit statuses and JSON shapes of commands, which programs rely on: a change here is a change for them."""

import errno
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.main import get_command

from cli.main import app
from cli.program import Program
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.diagnosis.conditions import Conditions
from evotrainer.errors import EvidenceError, LineageError
from tasks.plan.pipeline import Stage, write_pipeline

pytestmark = pytest.mark.parts


ROOT = Path(__file__).resolve().parents[2]
SUMMARY = (
    "campaign versions open incumbent score greedy_score policy running_pid noise_floor harness certificate root "
    "disk disk_bytes"
)
VALUES = [
    ("campaign list", [SUMMARY]),
    ("campaign status demo", f"{SUMMARY} outcomes waiting ended_by_gate spent recipes"),
    (
        "lineage demo",
        [
            "spec intervention backtest verdict findings metrics harness_version config_hash policy_hash cost rescored "
            "rescored_under confirmation ended_by"
        ],
    ),
    ("diff demo v001 v002", "first second changes metrics outcomes named"),
    ("harness demo", "name line revisions decisions cards gaps"),
    (
        "report demo",
        "campaign settings confidence incumbent best_chain reigns noise_floor gain versions skills certificate "
        "harness costs",
    ),
    ("query demo SELECT|1|AS|n,|2|AS|m", ["n m"]),
    ("query demo --|two|numbers\nSELECT|1|AS|n,|2|AS|m", ["n m"]),
    ("why demo v002", "version lines gate_answers"),
    ("gate demo", []),
    ("config seed", ["name default allowed meaning factor"]),
    (
        "diagnose demo v002",
        "version harness_version metrics findings gaps guards seconds looked_for unjudged overview reading",
    ),
    ("export demo exported", "campaign version policy folder"),
    ("campaign delete old --yes", "campaign deleted"),
    ("memory", "skills cases"),
]
"""Commands, and what they answer with: names of an object, [names of each object of a list], or an empty list."""
ERRORS = [
    ("campaign run Demo", "'Demo' cannot name a campaign"),
    ("campaign run num_versions=2", "'num_versions=2' is a setting, and the name of the campaign comes before"),
    ("campaign stop demo", "campaign 'demo' does not run"),
    ("campaign schedule night", "say when night starts"),
    ("campaign schedule", "no Prefect server answers"),
    ("why demo third", "'third' is not a version: write it like v003"),
    ("certificate demo", "campaign 'demo' has no certificate yet"),
    ("query demo DROP|TABLE|versions", "a query is a SELECT statement"),
    ("query demo SELECT|nothing|FROM|versions", '"nothing" not found'),
    ("query demo --|a|comment|alone", "a query is exactly one SELECT statement, this text holds 0"),
    ("query demo SELECT|1\udcff", "the query is no UTF-8 text (character 9): write it in UTF-8 or ASCII"),
    (f"query demo SELECT|{'(' * 5000}1{')' * 5000}", "nested too deeply: write it with fewer brackets"),
    (f"report {'a' * 5000}", f"'{'a' * 80}' cannot name a campaign"),
    ("config nosuch", "no key contains 'nosuch'"),
    ("gate demo v002 approve", "v002"),
    ("memory nosuch", "there is no skill or factor 'nosuch'"),
    ("data check nosuch.jsonl", "nosuch.jsonl does not exist"),
    ("intervention check nosuch.yaml", "say what to examine it on"),
    ("export demo here --version v042", "no version v042"),
    ("reproduce nosuch certificate", "there is no campaign 'nosuch': did you mean demo?"),
    ("reproduce demo v042", "v042 of campaign 'demo' is not closed"),
]
CHECKS = [
    ("doctor", ["name state message"]),
    ("campaign check new domain.data_path=nosuch.jsonl", ["name state message"]),
]
"""Checks that find something in the checkout of these tests: they print their value, and end with status 1."""
MISTYPED = [
    "diagnose demo",
    "query demo --nosuch",
    "nosuch",
    "lineage",
    "lineage demo --nosuch",
    "gate demo v002 maybe",
]


@pytest.fixture(scope="module")
def checkout(written_campaign: CampaignFiles, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A main checkout with the closed campaign `demo`."""
    main = tmp_path_factory.mktemp("checkout")
    root = main / "campaigns" / "demo"

    def git(*arguments: str, folder: Path = main) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)

    for name in ("flows/campaign.py", ".dvc/config"):
        (main / name).parent.mkdir()
        (main / name).touch()
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "code")
    git("worktree", "add", "--quiet", "-b", "campaign/demo", str(root))
    shutil.copytree(written_campaign.root, root, dirs_exist_ok=True)
    pipeline = root / "versions" / "v002" / "dvc.yaml"
    write_pipeline(pipeline, [Stage("train", ["spec.json"], ["model"])], "v002", "../..", "versions/v002/dvc.yaml")
    for name, text in (("model.safetensors", "weights"), ("tokenizer_config.json", "{}"), ("config.json", "{}")):
        model = root / "versions" / "v007" / "model"
        model.mkdir(exist_ok=True)
        (model / name).write_text(text)
    git("add", ".", folder=root)
    git("commit", "--quiet", "--message", "versions", folder=root)
    for version in CampaignFiles(root).version_names():
        git("tag", f"version/demo/{version}", "campaign/demo")
    git("branch", "campaign/old")
    return main


@pytest.fixture
def here(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9")
    return checkout


def status_of(program: Program, *arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        program(list(arguments))
    return int(left.value.code or 0)


def words(command: str) -> list[str]:
    return [word.replace("|", " ") for word in command.split(" ")]


def shape(value: Any) -> Any:
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return " ".join(value) if isinstance(value, dict) else type(value).__name__


@pytest.mark.parametrize(("command", "expected"), VALUES, ids=[command for command, _ in VALUES])
def test_a_value_is_one_json_value_of_this_shape(
    here: Path, capsys: pytest.CaptureFixture[str], command: str, expected: Any
) -> None:
    assert status_of(app, *words(command), "--json") == 0
    assert shape(json.loads(capsys.readouterr().out)) == expected


def test_a_status_prints_its_score_as_tables_do(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(app, "campaign", "status", "demo", "--json") == 0
    score = json.loads(capsys.readouterr().out)["score"]
    assert status_of(app, "campaign", "status", "demo") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("demo: not running: `evotrainer campaign run demo`")
    assert re.search(rf"\nscore: {score:.4f}, the mean over \d+ attempts", shown)
    assert not {"None", "has_certificate", "running_pid", "False"} & set(re.split(r"\W+", shown))


@pytest.mark.parametrize(("command", "expected"), CHECKS, ids=[command for command, _ in CHECKS])
def test_a_check_that_finds_something_is_status_1_and_a_value(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, expected: Any
) -> None:
    if command.startswith("campaign"):
        monkeypatch.chdir(ROOT)  # settings are composed from conf/
    assert status_of(app, *words(command), "--json") == 1
    assert shape(json.loads(capsys.readouterr().out)) == expected


def test_a_campaign_that_is_not_here_does_not_hide_the_others(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["git", "branch", "campaign/away", "HEAD"], cwd=here, check=True)
    try:
        assert status_of(app, "campaign", "list", "--json") == 0
    finally:
        subprocess.run(["git", "branch", "-D", "campaign/away"], cwd=here, check=True, capture_output=True)
    out, said = capsys.readouterr()
    away, demo = [row for row in json.loads(out) if row["campaign"] != "old"]
    assert (away["campaign"], away["versions"], away["incumbent"]) == ("away", 0, None)
    assert (demo["campaign"], demo["versions"], demo["incumbent"]) == ("demo", 9, "v007")
    assert "note: away: its folder is not here" in said


@pytest.mark.parametrize(("command", "error"), ERRORS, ids=[command[:60] for command, _ in ERRORS])
def test_an_error_is_status_1_and_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], command: str, error: str
) -> None:
    assert status_of(app, *words(command)) == 1
    out, said = capsys.readouterr()
    assert said.startswith("error: ") and error in said and said.count("\n") == 1
    assert out == "" and "a fault of the program" not in said


@pytest.mark.parametrize("command", MISTYPED)
def test_a_mistyped_command_is_status_2(here: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert status_of(app, *command.split()) == 2
    out, said = capsys.readouterr()
    assert out == "" and said.startswith("error: ") and "--help" in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("raised", "status", "line"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (EvidenceError("a row\nis missing"), 1, "error: a row is missing"),
        (EvidenceError(f"'{'a' * 9000}' is not there"), 1, f"error: '{'a' * 79}... is not there"),
        (
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/a/b"),
            1,
            "error: [Errno 28] No space left on device: '/a/b'. The disk is full: free some space, "
            "then repeat the same command",
        ),
        (
            LineageError("git add failed in /a: fatal: Unable to create '/a/.git/index.lock': Read-only file system."),
            1,
            "error: git add failed in /a: fatal: Unable to create '/a/.git/index.lock': Read-only file system. "
            "The disk is read-only: make it writable, then repeat the same command",
        ),
        (MemoryError(), 1, "error: there is not enough memory for this: ask for less"),
        (KeyError("k"), 1, "error: KeyError: 'k' (a fault of the program: repeat with --debug)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_ends_a_command_is_one_line(
    raised: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = Program("a test")

    @program.command()
    def fail() -> None:
        raise raised

    assert status_of(program, "fail") == status
    assert capsys.readouterr().err == f"{line}\n"


def test_an_interrupt_during_a_query_is_an_interrupt(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise RuntimeError("Query interrupted")  # as DuckDB has it

    conditions = Conditions({"attempts": pa.table({"a": [1]})})
    program = Program("a test")
    program.command("ask")(lambda: conditions._run(interrupted))
    assert status_of(program, "ask") == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("lineage d", {"demo"}),
        ("why demo v00", {f"v00{number}" for number in range(9)}),
        ("campaign run x search.mer", {"search.merge="}),
        ("campaign st", {"status", "stop"}),
    ],
)
def test_a_shell_completes_names_and_keys(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, offered: set[str]
) -> None:
    monkeypatch.setenv("_EVOTRAINER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"evotrainer {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    with pytest.raises(SystemExit, match="0"):
        app(prog_name="evotrainer")
    assert set(capsys.readouterr().out.split()) == offered


WITHOUT = {
    "campaign run": "it runs for hours and ends in `key: value` lines; `campaign status --json` has them",
    "follow": "it runs until the run ends; what it finds is JSON for --notify",
    "mcp": "it runs until it is interrupted",
    "serve": "it runs until it is interrupted",
    "script": "it prints the script",
    "view": "it serves a page until it is interrupted",
    "data build": "`data verify --json` says what is there",
    "data export": "it writes JSON lines",
}


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def test_every_command_but_those_named_has_json() -> None:
    lacking = {
        name for name, command in commands(get_command(app)) if not any("--json" in one.opts for one in command.params)
    }
    assert lacking == set(WITHOUT)
