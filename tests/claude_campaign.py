"""A campaign whose trainer agent asks a model on localhost: real rollouts of the digit policy, one open generation."""

import json
import shutil
from pathlib import Path

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import load_config
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import write_rows
from evotrainer.records import HarnessReport, Message, Proposal
from tests.evidence_rows import change
from tests.invariant.test_backtests_stages import METRICS, make_campaign, start
from tests.plain_records import plain_finding

KEY = "sk-ant-stage-0123456789"
SECRET = "the validation rows say SECRET-7431"
DEAD = plain_finding("dead_groups", version="v002", message="40% of groups have no variance", numbers={"share": 0.4})


def open_campaign(root: Path, policy: Path, problems, url: str, lineage, **settings) -> CampaignFiles:
    """Return a campaign that has come to the propose stage of v002."""
    claude = {
        "trainer.name": "claude",
        "trainer.model": "scripted",
        "trainer.base_url": url,
        "trainer.prices": {"scripted": [4.0, 20.0, 5.0, 0.2]},
        "trainer.max_retries": 1,
        "trainer.pool_size": 4,
    }
    files = make_campaign(root, policy, problems, **(claude | settings))
    start(files, "v002", "candidate", lineage)
    report = HarnessReport(version="v002", harness_version="h", metrics=METRICS, findings=[DEAD])
    files.version("v002").findings.write(report)
    return files


def say(files: CampaignFiles, version: str, lines: list[str]) -> None:
    """Let the policy say these lines in every attempt of a rollout, and plant what no agent may read."""
    rows = list(Rows.read(files.version(version).rollout))
    said = [Message(role="assistant", content=line) for line in lines]
    spoken = change(rows, lambda row: {"messages": [*row.messages, *said]})
    shutil.rmtree(files.version(version).rollout)
    write_rows(files.version(version).rollout, 0, spoken)
    hidden = change(rows, lambda row: {"split": "validation", "messages": [Message(role="user", content=SECRET)]})
    write_rows(files.version(version).validation, 0, hidden)
    (files.data / "math" / "test.jsonl").write_text(json.dumps({"id": "t", "problem": SECRET, "answer": "1"}) + "\n")


def proposal_of(files: CampaignFiles, version: str = "v002") -> Proposal:
    return files.version(version).proposal.read()


def with_trainer(files: CampaignFiles, **settings) -> CampaignFiles:
    config = load_config(files.config)
    for name, value in settings.items():
        setattr(config.trainer, name, value)
    save_config(files.config, config)
    return files
