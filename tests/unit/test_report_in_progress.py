"""What is said of a campaign while it runs, and of one of which no version is closed yet."""

import html
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.locks import claim_lock
from evotrainer.campaign.running import live_state, marked_running
from evotrainer.report.data import NOT_PLANNED, in_progress_data
from evotrainer.report.page import write_report

BASE = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})


def test_a_campaign_without_a_closed_version_has_a_report_that_says_where_it_stands(
    make_records: Callable[..., Any], campaign_writer: Any
) -> None:
    files = campaign_writer.files
    page = html.unescape(write_report(files).read_text(encoding="utf-8"))
    assert "No version is closed yet" in page and NOT_PLANNED in page
    assert f"not running: evotrainer campaign run {files.root.name} goes on with it" in page and "<script" not in page
    make_records(BASE)
    own = files.version("v000")
    own.verdict.path.unlink()
    own.costs.mkdir(exist_ok=True)
    (own.costs / "evaluate.json").write_text("{}")
    page = html.unescape(write_report(files).read_text(encoding="utf-8"))
    assert "v000, the base policy, is not closed yet: ended stages evaluate" in page
    assert [path.name for path in (files.root / "report").iterdir()] == ["report.html"]
    limits = {"reason": "its run must end after budget.total.hours", "left_out": [], "limits": {}, "next_version": {}}
    (files.root / "budget.json").write_text(json.dumps(limits))
    assert in_progress_data(files)["state"] == "ended at its budget: its run must end after budget.total.hours"


def test_a_running_stage_is_shown_from_its_files(written_campaign: CampaignFiles, tmp_path: Path) -> None:
    root = tmp_path / "main" / "campaigns" / "demo"
    shutil.copytree(written_campaign.root, root)
    files, log = CampaignFiles(root), root / "scratch/logs/v009/train.log"
    log.parent.mkdir(parents=True)
    log.write_text("> sh tasks/stage.sh train v009\nevotrainer: step 7  reward 0.700  900 tokens/s  9 s left\n")
    lock = root.parents[1] / "scratch/locks/demo.lock"
    with claim_lock(lock, "the campaign"):
        assert live_state(files).stages == [], "a log alone is an old one"
        with marked_running(log):
            (stage,) = live_state(files).stages
    assert (stage.subject, stage.stage) == ("v009", "train") and stage.line.startswith("step 7  reward 0.700")
    assert live_state(files).words.startswith("not running")
