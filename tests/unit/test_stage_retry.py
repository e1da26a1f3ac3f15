"""A stage runs again where the machine failed it, and the person is told why; every other failure is shown at once."""

import asyncio
import io
from pathlib import Path

import pytest
from prefect.states import Failed
from rich.console import Console

from evotrainer.campaign.subjects import Subject
from evotrainer.errors import EvidenceError
from tasks.running import prefect_task as policy
from tasks.running import stage_process
from tasks.running.progress import Progress
from tasks.running.stage_process import MachineFailedError, failure


def _answer(error: Exception, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
    out = io.StringIO()
    monkeypatch.setattr(policy, "progress", lambda: Progress(Console(file=out, soft_wrap=True)))
    return asyncio.run(policy.is_machine_failure(None, None, Failed(data=error))), out.getvalue()


def test_a_failure_of_the_machine_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    error = MachineFailedError("v001 evaluate failed: 39.1% of the attempts were lost", "(cd there && dvc repro)")
    said = "v001 evaluate failed: 39.1% of the attempts were lost; running it again\n"
    assert _answer(error, monkeypatch) == (True, said)
    assert str(error).endswith("were lost. Rerun it: (cd there && dvc repro)")


def test_any_other_failure_is_left_to_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _answer(EvidenceError("a row is missing"), monkeypatch) == (False, "")


def test_a_full_disk_is_named_where_nothing_could_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = failure(tmp_path, Subject.version("v001"), "train", None, "Unlock called on an unlocked lock", "again")
    assert str(told) == "v001 train failed: Unlock called on an unlocked lock. Rerun it: again"
    monkeypatch.setattr(stage_process, "FULL_BYTES", 1 << 62)
    told = failure(tmp_path, Subject.version("v001"), "train", None, "Unlock called on an unlocked lock", "again")
    assert "v001 train failed: the disk is full, " in str(told)
