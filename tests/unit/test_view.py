"""The terminal view of a campaign: what it shows of running stages, and when it ends."""

import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.locks import claim_lock, marked_running
from evotrainer.campaign.repository import StoredVersion
from evotrainer.report.running import live_state
from evotrainer.report.watch import frame, sparkline, watch

pytestmark = pytest.mark.parts


def unchanged() -> None:
    """All results are as they were recorded."""


@pytest.fixture(scope="module")
def files(written_campaign: CampaignFiles, tmp_path_factory: pytest.TempPathFactory) -> CampaignFiles:
    """The written campaign in the place of a worktree."""
    root = tmp_path_factory.mktemp("main") / "campaigns" / "demo"
    shutil.copytree(written_campaign.root, root)
    return CampaignFiles(root)


@pytest.fixture
def training(files: CampaignFiles, tmp_path: Path) -> CampaignFiles:
    """The campaign with a version more, whose training goes on."""
    root = tmp_path / "main" / "campaigns" / "demo"
    shutil.copytree(files.root, root)
    found = CampaignFiles(root)
    spec = StoredVersion(found.version("v008")).spec.read()
    StoredVersion(found.version("v009")).spec.write(spec.model_copy(update={"version": "v009"}))
    log, tracked = (root / "scratch" / name for name in ("logs/v009/train.log", "train/v009/tracking/signals.jsonl"))
    log.parent.mkdir(parents=True)
    tracked.parent.mkdir(parents=True)
    log.write_text("> sh tasks/stage.sh train v009\nstep 7  reward 0.700  900 tokens/s  9 s left\x1b[31m\n")
    lines = [
        json.dumps(
            {"step": step, "time": 100.0 + step, "reward": step / 10, "entropy": 1 - step / 10, "num_tokens": 900}
        )
        for step in range(8)
    ]
    tracked.write_text("\n".join(lines) + '\n{"step": 8, "ti')
    return found


def test_running_training_is_shown_from_its_files(training: CampaignFiles) -> None:
    log, lock = training.root / "scratch/logs/v009/train.log", training.root.parents[1] / "scratch/locks/demo.lock"
    with claim_lock(lock, "the campaign"):
        assert live_state(training).stages == [], "a log alone is an old one"
    with claim_lock(lock, "the campaign"), marked_running(log):
        state = live_state(training)
    (stage,) = state.stages
    assert (stage.subject, stage.stage, len(stage.signals), stage.tokens_per_second) == ("v009", "train", 8, 900.0)
    console = Console(width=80, record=True, force_terminal=True)
    console.print(frame(training, state, 80))
    shown = console.export_text()
    assert max(map(len, shown.splitlines())) <= 80
    assert "v009 train" in shown and "▁" in shown and "0.000 → 0.700" in shown and "900" in shown
    assert "\x1b" not in shown and "v008" in shown and "22% of the attempts are cut" not in shown.splitlines()[0]


def test_watching_ends_with_the_campaign(training: CampaignFiles) -> None:
    console, lock = (
        Console(width=80, record=True, force_terminal=True),
        claim_lock(training.root.parents[1] / "scratch" / "locks" / "demo.lock", "the campaign"),
    )
    lock.__enter__()
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            lock.__exit__(None, None, None)

    watch(training, console, unchanged, pause)
    assert len(pauses) == 2


def test_a_curve_of_blocks_fits_its_width() -> None:
    assert sparkline([0, 1, 2, 3], 8) == "▁▃▆█"
    assert len(sparkline(range(1000), 36)) <= 36
    assert sparkline([5.0], 4) == "▁"
