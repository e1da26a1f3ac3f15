"""The budget of a whole campaign: what was spent, what a version is expected to take, how many fit, when it is over."""

import json
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest

from evotrainer.campaign.allowance import (
    budget_summary,
    clock_path,
    gate_hours,
    hours_left,
    is_over,
    read_allowance,
    summarise_budget,
    within_budget,
)
from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.layout import CERTIFICATE, CampaignFiles, Subject
from evotrainer.campaign.ledger import Amounts, held_accelerators, note_path, read_ledger, spent
from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, load_config
from evotrainer.config.campaign import end_of_run
from evotrainer.config.validation import validated
from evotrainer.errors import ConfigError
from evotrainer.records import TrainingSummary
from flows.workspace.budget import run_clock
from flows.workspace.worktree import Workspace
from tasks.running.budget_watch import overrun
from tests.plain_records import version_spec

HOUR = 3600.0


def add_version(files: CampaignFiles, name: str, **stages: dict[str, float]) -> None:
    """Write a closed version with these costs by stage."""
    own = files.version(name)
    spec = version_spec(name, generation=0, parents=[])
    own.spec.write(spec)
    own.verdict.path.write_text("{}")
    if name != "v000":
        own.training_summary.write(TrainingSummary(trained=True))
    own.costs.mkdir(parents=True)
    for stage, costs in stages.items():
        (own.costs / f"{stage}.json").write_text(json.dumps(costs))


@pytest.fixture
def files(tmp_path: Path) -> CampaignFiles:
    """A campaign whose dearest trained version took 300 tokens and half an hour, and its base version 100 tokens."""
    found = CampaignFiles(tmp_path)
    add_version(found, "v000", evaluate={"tokens": 100, "trajectories": 10, "seconds": 60})
    add_version(found, "v001", rollout={"tokens": 50, "seconds": 60}, train={"tokens": 200, "seconds": 120})
    add_version(found, "v002", propose={"tokens": 100, "dollars": 2.0}, train={"tokens": 200, "seconds": 120})
    (found.version("v002").costs / "version.json").write_text(json.dumps({"wall_seconds": 1800}))
    return found


def limited(files: CampaignFiles, **limits: object) -> Config:
    config = Config()
    for name, value in limits.items():
        setattr(config.budget.total, name, value)
    save_config(files.config, validated(config))
    return load_config(files.config)


def end_in(files: CampaignFiles, seconds: float) -> None:
    clock_path(files).parent.mkdir(parents=True, exist_ok=True)
    clock_path(files).write_text(json.dumps({"seconds": 0.0, "ends_at": time.time() + seconds}))


def test_hours_follow_no_date_and_those_of_a_killed_run_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, now = Workspace(tmp_path, "c"), [1000.0]
    files = workspace.files
    limited(files, hours=2.0)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with run_clock(workspace):
        now[0] += 1800
        monkeypatch.setattr(time, "time", lambda: 0.0)
        assert hours_left(files) == pytest.approx(1.5)
    killed = run_clock(workspace)
    killed.__enter__()
    log = files.root / "scratch" / "logs" / "v001" / "train.log"
    log.parent.mkdir(parents=True)
    log.touch()
    os.utime(log, (0, clock_path(files).stat().st_mtime + 1800))
    with run_clock(workspace):
        assert hours_left(files) == pytest.approx(1.0)


def test_ledger_has_a_line_a_stage_and_stopped_stages_stay_spent(files: CampaignFiles) -> None:
    note = note_path(files, Subject.version("v003"), "rollout")
    write_json_atomic(note, Amounts(tokens=7, trajectories=2, accelerator_hours=0.5, hours=0.5).as_dict())
    lines = read_ledger(files, accelerator_price=4.0)
    assert [(one.subject, one.stage, one.is_finished) for one in lines] == [
        ("v000", "evaluate", True),
        ("v001", "rollout", True),
        ("v001", "train", True),
        ("v002", "propose", True),
        ("v002", "train", True),
        ("v003", "rollout", False),
    ]
    assert spent(lines).tokens == 657
    assert spent(lines).dollars == 2.0 + 0.5 * 4.0


def test_a_resumed_training_is_not_charged_twice(files: CampaignFiles) -> None:
    write_json_atomic(note_path(files, Subject.version("v002"), "train"), Amounts(tokens=150, hours=0.1).as_dict())
    (line,) = [one for one in read_ledger(files, 0.0) if not one.is_finished]
    assert line.amounts == Amounts(hours=0.1)


def test_a_stopped_evaluation_does_not_swell_the_certificate(files: CampaignFiles) -> None:
    config = limited(files, tokens=1600)
    before = read_allowance(files, config).certificate
    write_json_atomic(note_path(files, Subject.version("v000"), "evaluate"), Amounts(tokens=10**6, hours=9.0).as_dict())
    assert read_allowance(files, config).certificate == before != Amounts()


def test_a_gate_waits_no_longer_than_the_night_has_left_for_a_certificate(files: CampaignFiles) -> None:
    config = limited(files, until="07:00")
    assert gate_hours(files, config) == config.autonomy.timeout_hours == 12
    end_in(files, 3 * 3600)
    held = read_allowance(files, config).certificate.hours
    assert gate_hours(files, config) == pytest.approx(3 - held, abs=0.01)
    assert held > 0
    end_in(files, 1)
    assert gate_hours(files, config) == 0


def test_versions_that_fit_are_planned_and_the_certificate_is_held(files: CampaignFiles) -> None:
    config = limited(files, tokens=1600)
    found = read_allowance(files, config)
    assert found.version == Amounts(tokens=300, dollars=2.0, hours=0.5)
    assert found.certificate.tokens == pytest.approx(1.25 * 1.5 * 100)
    assert found.versions(side_by_side=2) == (1600 - 650 - 187.5) // 300
    assert within_budget(files, config, num_trained=2).num_versions == 4
    assert within_budget(files, limited(files, tokens=900), num_trained=2).num_versions == 2


def test_versions_of_a_generation_share_the_clock(files: CampaignFiles) -> None:
    config = limited(files, until="07:00")
    end_in(files, 0.9 * HOUR)
    assert read_allowance(files, config).versions(side_by_side=2) == 2
    end_in(files, 1.1 * HOUR)
    assert read_allowance(files, config).versions(side_by_side=2) == 4
    end_in(files, 0.4 * HOUR)
    assert read_allowance(files, config).versions(side_by_side=2) == 0


def test_before_anything_was_measured_a_version_may_start(tmp_path: Path) -> None:
    files = CampaignFiles(tmp_path)
    assert within_budget(files, limited(files, tokens=10), num_trained=0).num_versions == Config().num_versions


def test_a_stage_is_stopped_at_a_limit_with_what_others_may_still_take(files: CampaignFiles) -> None:
    config, subject = limited(files, tokens=900), Subject.version("v003")
    assert overrun(files, config, subject) is None
    write_json_atomic(note_path(files, subject, "train"), Amounts(tokens=200).as_dict())
    assert "850 tokens of budget.total.tokens=900, and 188 tokens are held" in (overrun(files, config, subject) or "")
    assert overrun(files, config, CERTIFICATE) is None, "what is held for the certificate is its own"


def test_a_stage_is_stopped_while_there_is_time_for_the_certificate(files: CampaignFiles) -> None:
    config, subject = limited(files, until="07:00"), Subject.version("v003")
    end_in(files, 200)
    assert overrun(files, config, subject) is None
    end_in(files, 100)
    assert "its run must end at 07:00" in (overrun(files, config, subject) or "")
    assert overrun(files, config, CERTIFICATE) is None


def test_a_campaign_is_over_until_a_limit_is_raised(files: CampaignFiles) -> None:
    config = limited(files, tokens=900)
    found = summarise_budget(config, read_allowance(files, config), "", ["4 of 6 versions"])
    assert found.reason == "budget.total.tokens=900: one more version takes 300 tokens"
    budget_summary(files).write(found)
    assert is_over(files, config)
    assert not is_over(files, limited(files, tokens=9000))


def test_an_end_by_the_clock_is_the_next_one() -> None:
    night = datetime(2026, 11, 23, 22, 0)
    assert end_of_run("07:00", night) == datetime(2026, 11, 24, 7, 0)
    assert end_of_run("23:30", night) == datetime(2026, 11, 23, 23, 30)
    assert end_of_run("2026-11-25T07:00", night) == datetime(2026, 11, 25, 7, 0)
    with pytest.raises(ConfigError, match="write 07:00"):
        end_of_run("25:00", night)


def test_accelerators_of_a_stage() -> None:
    config = Config()
    assert held_accelerators(config, "train") == 0
    config.engine.rollout, config.engine.vllm.url, config.engine.vllm.num_gpus = "vllm", "http://gpu:8000", 4
    assert (held_accelerators(config, "rollout"), held_accelerators(config, "diagnose")) == (4, 0)
    config.engine.train, config.engine.openrlhf.num_nodes = "openrlhf", 2
    assert held_accelerators(config, "train") == 16
    config.engine.device = "cpu"
    assert held_accelerators(config, "train") == 0


def test_while_torch_is_being_imported_no_gpu_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    assert held_accelerators(Config(), "train") == 0


UNWATCHED = """
import signal, sys, time
from pathlib import Path
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.layout import Subject
from tasks.running import budget_watch

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
budget_watch.WATCH_SECONDS = 0.01
budget_watch.overrun = lambda *_: {}["gone"]
watch = budget_watch.BudgetWatch(CampaignFiles(Path(sys.argv[1])), Subject.version("v001"), "train", lambda: None)
try:
    watch.start()
    while True:
        time.sleep(0.01)  # a longer one would not see the interrupt
except KeyboardInterrupt:
    print(watch.status, watch.reason)
"""


def test_a_stage_whose_budget_cannot_be_watched_is_stopped(files: CampaignFiles) -> None:
    limited(files, tokens=10)
    write_json_atomic(clock_path(files), {"seconds": 0.0})
    command = [sys.executable, "-c", UNWATCHED, str(files.root)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, cwd=Path(__file__).parents[2])
    assert done.stdout == "75 its budget could not be watched: KeyError: 'gone'\n", done.stderr
