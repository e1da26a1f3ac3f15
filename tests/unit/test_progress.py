"""Progress lines: what runs, with the last line of its log; nothing before there is something to wait for."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from tasks.running import progress as module
from tasks.running.progress import Progress, last_line


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
    log.write_text("Running stage 'train':\nstep 3 reward 0.4\n> sh tasks/stage.sh train v002\n")
    with progress.running("v002", "train", log):
        assert progress.waiting_line() == ""
        now[0] = 14.2
        with progress.running("v003", "rollout", tmp_path / "none.log"):
            assert progress.waiting_line() == "v002 train 14 s: step 3 reward 0.4 | v003 rollout 0 s"
    progress.done("v002", "train")
    progress.done("v003", "rollout", ran=False)
    assert out.getvalue() == "v002 train         14.2 s\nv003 rollout    up to date\n"
    assert progress.waiting_line() == ""


def test_the_last_line_passes_over_warnings_of_libraries_and_what_goes_on_from_a_line(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text(
        "Running stage 'train':\n> python -m tasks\nstep 3  reward 0.3\n"
        "/lib/torch/autograd/graph.py:869: UserWarning: not deterministic\n  return run_backward(  # Calls into C++\n\n"
    )
    assert last_line(log) == "step 3  reward 0.3"
