"""The diagnose stage: frozen plugins over the rollout and the incumbent's training."""

import json
import shutil
from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config, write_records
from evotrainer.config import Config, RewardConfig
from evotrainer.evidence.store import write_rows, write_signals
from evotrainer.records import HarnessReport
from tasks.diagnose import run
from tests.evidence_rows import change, healthy_rows, trained_rows
from tests.evolving_campaign import record
from tests.own_diagnostics import write_diagnostics
from tests.plain_records import version_spec

ROOT = Path(__file__).parents[2]


def _campaign(root: Path, incumbent: str, config: Config) -> CampaignFiles:
    files = CampaignFiles(root)
    save_config(files.config, config)
    own = files.version("v002")
    own.spec.write(version_spec("v002", "candidate", incumbent))
    write_records(own.lineage, [record("v000", "good"), record("v001", "good")])
    for folder in config.harness.plugins:
        shutil.copytree(ROOT / "harness_plugins" / folder, own.plugins / folder)
    write_rows(own.rollout, 0, healthy_rows(0, config=config, num_groups=40))
    return files


@pytest.fixture
def files(tmp_path) -> CampaignFiles:
    """A campaign whose incumbent trained under a reward of its own."""
    files = _campaign(tmp_path, "v001", Config())
    recipe = Config(reward=RewardConfig(partial=0.2))
    rows, signals = trained_rows(1, config=recipe)
    incumbent = files.version("v001")
    save_config(incumbent.config, recipe)
    for step in range(12):
        write_rows(incumbent.training, step, [row for row in rows if row.step == step])
    write_signals(incumbent.training, signals)
    return files


def _report(files: CampaignFiles) -> HarnessReport:
    run(files, "v002")
    return files.version("v002").findings.read()


def test_a_fault_in_the_incumbents_training_is_found_and_nothing_beside_it(files):
    training = files.version("v001").training
    rows, _ = trained_rows(1, config=Config(reward=RewardConfig(partial=0.2)))
    for step in range(12):
        broken = change([row for row in rows if row.step == step], lambda row: {"advantage": -row.num_tokens / 48})
        write_rows(training, step, broken)
    report = _report(files)
    assert [finding.mode for finding in report.findings] == ["advantage_mismatch"]
    assert report.version == "v002" and report.metrics["num_rows"] == 320 and report.metrics["kl"] > 0


def test_the_base_policy_has_no_training_to_look_at(tmp_path):
    files = _campaign(tmp_path, "v000", Config())
    report = _report(files)
    assert not report.findings
    assert "kl" not in report.metrics


def test_findings_repeat_to_the_byte_and_durations_lie_beside(files):
    run(files, "v002")
    own = files.version("v002")
    first = own.findings.path.read_bytes()
    run(files, "v002")
    assert own.findings.path.read_bytes() == first
    assert json.loads(first)["seconds"] == {}
    assert "dead_groups_seconds" in json.loads((own.root / "costs/diagnose.json").read_text())


def test_the_frozen_plugins_are_used_not_those_of_the_repository(files):
    plugins = files.version("v002").plugins
    for path in plugins.glob("*/[!_]*.py"):
        path.unlink()
    write_diagnostics(plugins, "score", frozen="return Diagnosis({'frozen': 1.0})")
    assert _report(files).metrics == {"frozen": 1.0}
