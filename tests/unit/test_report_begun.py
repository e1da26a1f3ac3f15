"""The report of a campaign of which no version is closed yet."""

import html
import json
from collections.abc import Callable
from typing import Any

from evotrainer.report.page import write_report
from evotrainer.report.running import NOT_PLANNED, begun_data

BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})


def test_a_campaign_without_a_closed_version_has_a_report_that_says_where_it_stands(
    make_records: Callable[..., Any], campaign_writer: Any
) -> None:
    files = campaign_writer.files
    page = html.unescape(write_report(files).read_text(encoding="utf-8"))
    assert "No version is closed yet" in page and NOT_PLANNED in page
    assert "not running: evotrainer campaign run goes on with it" in page and "<script" not in page
    make_records(BASE)
    own = files.version("v000")
    own.verdict.unlink()
    own.costs.mkdir(exist_ok=True)
    (own.costs / "evaluate.json").write_text("{}")
    page = html.unescape(write_report(files).read_text(encoding="utf-8"))
    assert "v000, the base policy, is not closed yet: ended stages evaluate" in page
    assert [path.name for path in (files.root / "report").iterdir()] == ["report.html"]
    limits = {"reason": "its run must end after budget.total.hours", "left_out": [], "limits": {}, "next_version": {}}
    (files.root / "budget.json").write_text(json.dumps(limits))
    assert begun_data(files)["state"] == "ended at its budget: its run must end after budget.total.hours"
