"""What could not be judged is said: declared needs, what meets them, and what a person is told to record."""

import ast
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.config import ELSEWHERE, SHARED_PLUGINS, HarnessConfig
from evotrainer.diagnosis.harness import Harness
from evotrainer.diagnosis.needs import HOW_TO_RECORD, advice
from evotrainer.domains import DOMAINS
from evotrainer.evidence.foreign import export_rows
from evotrainer.evidence.frames import empty_signals, frame_of_rows
from evotrainer.evidence.schema import FEATURES, TRAJECTORIES
from evotrainer.records import HarnessReport, Message, ToolCall
from evotrainer.records.checks import MEANINGS
from tasks.diagnose.stage import PLUGINS, diagnose_rows
from tests.evidence_rows import healthy_rows

EVIDENCE = (Path(__file__).parents[2] / "docs" / "evidence.md").read_text(encoding="utf-8")
NOT_OF_A_ROW = {"group", "tools"}
"""Columns of a frame that are made of others: the number of a group, the tools of actions."""


@pytest.fixture(scope="module")
def harness() -> Harness:
    return Harness(PLUGINS, HarnessConfig(plugins=[*SHARED_PLUGINS, *DOMAINS, ELSEWHERE]))


def _makes_findings(name: str, harness: Harness) -> bool:
    tree = ast.parse(harness.source_of(name).read_text())
    called = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    return bool(called & {"finding", "proven", "caught"})


def test_every_diagnostic_that_finds_something_declares_what_it_needs(harness: Harness):
    made = {name for name in harness.diagnostics if _makes_findings(name, harness)}
    without = {name for name in made if not harness.needs[name]}
    assert without == {"versions", "answers", "patches"} & made
    assert len(made - without) > 35


def test_needs_are_known_and_have_an_advice(harness: Harness):
    wanted = {need for modes in harness.needs.values() for needs in modes.values() for need in needs}
    unknown = {need for need in wanted - HOW_TO_RECORD.keys() if need.removeprefix("check_") not in MEANINGS}
    assert unknown == set()
    assert HOW_TO_RECORD.keys() <= wanted
    assert all(advice(need) for need in wanted)


def test_every_need_is_documented(harness: Harness):
    table = EVIDENCE.partition("## What could not be judged")[2].partition("\n## ")[0]
    wanted = {need for modes in harness.needs.values() for needs in modes.values() for need in needs}
    assert {need for need in wanted if not need.startswith("check_") and f"`{need}`" not in table} == set()


def test_every_column_that_a_diagnostic_reads_is_documented(harness: Harness):
    frame = frame_of_rows(healthy_rows(0, num_groups=2))
    columns = {*frame.columns, *empty_signals().columns, *TRAJECTORIES.names, *FEATURES.names}
    read = {name for name in harness.covered & columns if not name.startswith(("check_", "term_"))} - NOT_OF_A_ROW
    assert {name for name in read if f"`{name}`" not in EVIDENCE} == set()
    assert len(read) > 30


def test_every_check_that_a_diagnostic_reads_has_a_meaning(harness: Harness):
    wanted = {need for modes in harness.needs.values() for needs in modes.values() for need in needs}
    assert {need.removeprefix("check_") for need in wanted if need.startswith("check_")} <= MEANINGS.keys()


def _report(folder: Path, **gone: object) -> HarnessReport:
    trained = {"advantage": 0.1, "in_loss": True}
    rows = [row.model_copy(update=trained | gone) for row in healthy_rows(0, num_groups=12)]
    export_rows(rows, folder / "rows.jsonl")
    return diagnose_rows(folder / "rows.jsonl")


@pytest.mark.parametrize(
    ("gone", "mode"),
    [
        ({"advantage": None}, "advantage_mismatch"),
        ({"in_loss": None}, "over_filtering"),
        ({"reward_terms": {}}, "constant_term"),
        ({"format_ok": None}, "format_gate"),
        ({"stop_reason": "unknown", "is_truncated": False}, "truncation"),
        ({"extra": {}}, "weak_family"),
    ],
)
def test_a_mode_is_looked_for_where_its_column_is_recorded_alone(tmp_path: Path, gone: dict[str, object], mode: str):
    whole, lacking = _report(tmp_path), _report(tmp_path, **gone)
    assert mode in whole.looked_for and mode not in {one.mode for one in whole.unjudged}
    assert mode not in lacking.looked_for
    told = [one for one in lacking.unjudged if one.mode == mode]
    assert told and all(one.missing and len(one.missing) == len(one.advice) for one in told)


def test_no_mode_is_both_looked_for_and_unjudged_and_none_is_left_out(tmp_path: Path):
    report = _report(tmp_path)
    unjudged = {one.mode for one in report.unjudged}
    assert unjudged.isdisjoint(report.looked_for)
    declared = Harness(PLUGINS, HarnessConfig()).needs
    assert unjudged | set(report.looked_for) >= {mode for modes in declared.values() for mode in modes}


def test_the_command_line_says_what_silence_means(tmp_path: Path):
    row = {"problem_id": "p", "messages": [{"role": "user", "content": "1+1"}], "correct": 1}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    said = CliRunner().invoke(app, ["diagnose", "--trajectories", str(tmp_path / "rows.jsonl")]).stdout
    assert "nothing found among the" in said
    assert "dead_groups" in said.partition("unjudged")[2]
    assert "give `reward` for each attempt" in said
    assert "no findings" not in said


def test_contamination_is_unjudged_where_all_rows_are_of_one_split(tmp_path: Path):
    call = Message(role="assistant", content="", tool_calls=[ToolCall(name="python", arguments={"code": "print(x)"})])
    report = _report(tmp_path, split="train", messages=[Message(role="user", content="Print x."), call])
    assert "contamination" not in report.looked_for
    assert "contamination" in {one.mode for one in report.unjudged}
