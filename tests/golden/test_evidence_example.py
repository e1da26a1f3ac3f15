"""The documented example file and the harness's report on it."""

import json
from pathlib import Path

import pytest

from tasks.diagnose.foreign import ANY_ROWS, diagnosed, read_evidence

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs/examples/trajectories.jsonl"


def test_the_example_has_the_recorded_report():
    report = diagnosed(*read_evidence(EXAMPLE)).model_dump(mode="json", exclude={"harness_version"})
    expected = json.loads((Path(__file__).parent / "evidence_example_report.json").read_text())
    assert report["findings"] == expected["findings"] and report["overview"] == expected["overview"]
    assert report["metrics"] == pytest.approx(expected["metrics"], rel=1e-5)


def test_what_lacks_a_column_is_not_judged_and_says_so(tmp_path):
    rows = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    for row in rows:
        row["messages"][-1]["content"] = ""
        row["extra"] = {}
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    lacking = {one.mode: one.missing for one in diagnosed(*read_evidence(tmp_path / "rows.jsonl")).unjudged}
    assert "gold answers" in lacking["format_gate"]


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
    from dataclasses import fields

    from evotrainer.config import HarnessConfig
    from evotrainer.diagnosis.harness import Harness
    from evotrainer.diagnosis.thresholds import Thresholds

    text = (ROOT / "docs/harness.md").read_text()
    for name in (*Harness(ROOT / "harness_plugins", HarnessConfig()).diagnostics, *ANY_ROWS):
        assert f"`{name}`" in text, f"docs/harness.md does not describe {name}"
    for limit in fields(Thresholds):
        assert f"{limit.name}={limit.default:g}" in text.split(), f"docs/harness.md has another {limit.name}"


def test_documented_columns_and_modes_are_those_of_the_checks():
    from importlib import import_module

    from evotrainer.diagnosis.reading import COLUMNS

    columns, modes = (ROOT / "docs/evidence.md").read_text(), (ROOT / "docs/failure_modes.md").read_text()
    for name, meaning in COLUMNS.items():
        assert f"| `{name}` | {meaning} |" in columns, f"docs/evidence.md does not describe {name} as its code does"
    for plugin in ANY_ROWS:
        for check in import_module(f"harness_plugins.{plugin}").CHECKS:
            assert f"`{check.mode}`" in modes, f"docs/failure_modes.md does not name {check.mode}"
