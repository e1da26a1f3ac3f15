"""The documented example file and the harness's report on it."""

import json
from pathlib import Path

import pytest

from evotrainer.evidence.foreign import export_rows, import_rows
from tasks.diagnose.stage import diagnose_rows

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs/examples/trajectories.jsonl"


def test_the_example_has_the_recorded_report(capsys):
    report = diagnose_rows(EXAMPLE)
    expected = json.loads((Path(__file__).parent / "evidence_example_report.json").read_text())
    found = report.model_dump()
    assert found["findings"] == expected["findings"]
    assert found["metrics"] == pytest.approx(expected["metrics"], rel=1e-6)
    assert not capsys.readouterr().err


def test_missing_columns_are_noted(tmp_path, capsys):
    rows = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    for row in rows:
        del row["advantage"]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert "advantage_mismatch" not in diagnose_rows(tmp_path / "rows.jsonl").metrics
    assert capsys.readouterr().err == "note: 'advantage' is missing (48 of 48 rows)\n"


def test_the_example_survives_export(tmp_path):
    export_rows(import_rows(EXAMPLE).rows, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == EXAMPLE.read_bytes()


def test_own_limits_are_used():
    assert not diagnose_rows(EXAMPLE, {"min_rows": 100}).findings


def test_documented_columns_are_those_of_the_schema():
    from evotrainer.evidence.schema import SCHEMAS
    from evotrainer.evidence.views import VIEWS

    text = (ROOT / "docs/evidence.md").read_text()
    for schema in SCHEMAS.values():
        for name in schema.names:
            assert f"`{name}`" in text, f"docs/evidence.md does not describe {name}"
    for view in VIEWS:
        assert f"`{view}`" in text


def test_documented_diagnostics_are_those_in_force():
    from dataclasses import fields, replace

    from evotrainer.config import ELSEWHERE, HarnessConfig
    from evotrainer.diagnosis.harness import Harness
    from evotrainer.diagnosis.thresholds import Thresholds

    text = (ROOT / "docs/harness.md").read_text()
    config = HarnessConfig()
    everywhere = replace(config, plugins=[*config.plugins, ELSEWHERE])
    for name in Harness(ROOT / "harness_plugins", everywhere).diagnostics:
        assert f"`{name}`" in text, f"docs/harness.md does not describe {name}"
    for limit in fields(Thresholds):
        assert f"| `{limit.name}` | {limit.default:g} |" in text, f"docs/harness.md has another {limit.name}"
