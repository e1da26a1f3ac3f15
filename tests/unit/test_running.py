"""Stages as they run: tried again where the machine failed, followed by lines, without secrets they do not need."""

import asyncio
import io
import os
import shutil
import time
from pathlib import Path

import pytest
from prefect.states import Failed
from rich.console import Console

from evotrainer.campaign.layout import CampaignFiles, Subject
from evotrainer.campaign.locks import claim_lock
from evotrainer.campaign.running import Pace, counted_down, last_line, live_state, marked_running
from evotrainer.config import BudgetConfig
from evotrainer.errors import EvidenceError
from evotrainer.training.base import tokens_left
from tasks.running import prefect_task as policy
from tasks.running import progress as module
from tasks.running import stage_process
from tasks.running.progress import Progress
from tasks.running.stage_process import NEEDED, PASS_VARIABLE, MachineFailedError, failure, log_path, visible


def _answer(error: Exception, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
    out = io.StringIO()
    monkeypatch.setattr(policy, "progress", lambda: Progress(Console(file=out, soft_wrap=True)))
    return asyncio.run(policy.is_machine_failure(None, None, Failed(data=error))), out.getvalue()


def test_a_failure_of_the_machine_is_told_and_tried_again_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    error = MachineFailedError("v001 evaluate failed: 39.1% of the attempts were lost", "(cd there && dvc repro)")
    said = "v001 evaluate failed: 39.1% of the attempts were lost; running it again\n"
    assert _answer(error, monkeypatch) == (True, said)
    assert str(error).endswith("were lost. Rerun it: (cd there && dvc repro)")
    assert _answer(EvidenceError("a row is missing"), monkeypatch) == (False, "")


def test_a_full_disk_is_named_where_nothing_could_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = failure(tmp_path, Subject.version("v001"), "train", None, "Unlock called on an unlocked lock", "again")
    assert str(told) == "v001 train failed: Unlock called on an unlocked lock. Rerun it: again"
    monkeypatch.setattr(stage_process, "FULL_BYTES", 1 << 62)
    cut = tmp_path / "tasks" / "__pycache__" / "stage.pyc"
    cut.parent.mkdir(parents=True)
    cut.touch()
    log = log_path(tmp_path, Subject.version("v001"), "train")
    log.parent.mkdir(parents=True)
    log.write_text("Traceback (most recent call last):\nEOFError: marshal data too short\n")
    told = failure(tmp_path, Subject.version("v001"), "train", 1, "", "again")
    assert "v001 train failed: the disk is full, " in str(told) and "left: EOFError: marshal data" in str(told)
    assert not cut.exists(), "bytecode that is cut short would end each later start"


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> tuple[Progress, io.StringIO, list[float]]:
    now, out = [0.0], io.StringIO()
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return Progress(Console(file=out)), out, now


def test_waiting_line_names_every_running_stage(
    shown: tuple[Progress, io.StringIO, list[float]], tmp_path: Path
) -> None:
    progress, out, now = shown
    log = tmp_path / "train.log"
    log.write_text("Running stage 'train':\nevotrainer: step 3 reward 0.4\n> sh tasks/stage.sh train v002\n")
    with progress.running("v002", "train", log):
        assert progress.waiting_line() == ""
        now[0] = 14.2
        with progress.running("v003", "rollout", tmp_path / "none.log"):
            assert progress.waiting_line() == "v002 train 14 s: step 3 reward 0.4 | v003 rollout 0 s"
    progress.done("v002", "train")
    progress.done("v003", "rollout", ran=False)
    assert out.getvalue() == "v002 train         14.2 s\nv003 rollout    up to date\n"
    assert progress.waiting_line() == ""


def test_a_file_gets_a_line_for_new_stages_and_then_one_each_half_minute(
    shown: tuple[Progress, io.StringIO, list[float]], tmp_path: Path
) -> None:
    progress, out, now = shown
    with progress.running("v002", "train", tmp_path / "none.log"):
        for second in (2.0, 4.0, 30.0, 33.0, 40.0):
            now[0] = second
            progress.show(progress.waiting_line())
        with progress.running("v003", "rollout", tmp_path / "none.log"):
            progress.show(progress.waiting_line())
    assert [line.split(" s")[0] for line in out.getvalue().splitlines()] == [
        "v002 train 2",
        "v002 train 33",
        "v002 train 40",
    ]


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


def test_what_is_left_is_bounded_by_steps_too() -> None:
    budget = BudgetConfig(train_tokens=1000, max_steps=4)
    assert tokens_left(budget, 0, 0) == 1000
    assert tokens_left(budget, 100, 1) == 300
    assert tokens_left(budget, 900, 2) == 100


def test_the_time_left_is_a_range_of_the_last_steps_and_counts_down_between_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    pace, log = Pace(), tmp_path / "train.log"
    assert pace.left(10) == ""
    for seconds in (30, 30, 30):
        now[0] += seconds
        pace.step(10)
    assert pace.left(100) == "300 to 300 s left"
    for seconds in (90, 90, 100, 90, 90):  # a machine that became slower
        now[0] += seconds
        pace.step(10)
    assert pace.left(60) == "540 to 600 s left"
    now[0] += 5
    pace.step(0)
    now[0] += 20
    pace.step(10)
    assert pace.left(10) == "20 to 100 s left", "what was kept from before is no step"

    log.write_text("evotrainer: step 8  540 to 600 s left\n")
    for age, shown in (
        (0, "9 to 10 min left"),
        (300, "4 to 5 min left"),
        (550, "0 to 50 s left"),
        (-3600, "9 to 10 min left"),
    ):
        os.utime(log, (0, time.time() - age))
        assert last_line(log) == f"step 8  {shown}"
    os.utime(log, (0, time.time() - 700))
    assert last_line(log) == "step 8  slower than the steps before"
    assert counted_down("v 3/9  12600 to 18000 s left", 0) == "v 3/9  3.5 to 5.0 h left"


SECRETS = {
    "ANTHROPIC_API_KEY": "k",
    "VLLM_API_KEY": "k",
    "HF_TOKEN": "k",
    "WANDB_API_KEY": "k",
    "AWS_SECRET_ACCESS_KEY": "k",
    "PGPASSWORD": "k",
    "GITHUB_PAT": "k",
    "DATABASE_URL": "postgresql://user:word@host/base",
    "SSH_AUTH_SOCK": "/tmp/agent",
    "REDIS_URL": "redis://:word@host:1/0",
    "DB_PASS": "k",
    "MYSQL_PWD": "k",
    "PREFECT_API_AUTH_STRING": "k",
    "STORAGE_CONNECTION_STRING": "k",
    "SLACK_WEBHOOK_URL": "https://hooks/k",
    "SENTRY_DSN": "https://k@host/1",
    "CI_JOB_JWT": "k",
    "NPM_AUTHTOKEN": "k",
    "SECRETKEY": "k",
}
PLAIN = {
    "PATH": "/bin",
    "PWD": "/work",
    "OLDPWD": "/",
    "EVOTRAINER_PASS": "",
    "TOKENIZERS_PARALLELISM": "false",
    "HTTPS_PROXY": "http://user:word@proxy:8080",
    "EVOTRAINER_OWNER": "1:2",
}


@pytest.mark.parametrize("stage", [*NEEDED, "diagnose", "plan", "report", "data", "base_policy", "warm"])
def test_a_stage_sees_what_it_needs(stage: str) -> None:
    assert (
        visible({**SECRETS, **PLAIN}, stage)
        == {name: SECRETS[name] for name in NEEDED.get(stage, frozenset()) & SECRETS.keys()} | PLAIN
    )


def test_only_what_asks_a_model_has_its_key() -> None:
    assert [stage for stage in NEEDED if "ANTHROPIC_API_KEY" in NEEDED[stage]] == ["propose", "evolve"]


def test_a_person_may_let_a_variable_pass() -> None:
    environment = {**SECRETS, PASS_VARIABLE: "HF_TOKEN,GITHUB_PAT"}
    assert visible(environment, "rollout").keys() == {"VLLM_API_KEY", "HF_TOKEN", "GITHUB_PAT", PASS_VARIABLE}
