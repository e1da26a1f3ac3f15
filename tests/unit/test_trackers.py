"""Trackers show what was trained, and one that fails leaves training alone."""

from contextlib import closing
from pathlib import Path

import pytest

from evotrainer.config import TrackingConfig
from evotrainer.records import Signals
from evotrainer.training.tracking import TRACKERS, JsonlTracker, TrackedRun, Trackers, numbers
from tests.plain_records import plain_signals


def signals(step: int) -> Signals:
    return plain_signals(
        step,
        loss=0.5 - step / 10,
        grad_norm=1.0,
        kl=float("nan"),
        entropy=2.0,
        dead_group_ratio=0.25,
        extra={"num_groups": 4.0, "reward": step / 4},
    )


@pytest.fixture
def run(tmp_path: Path) -> TrackedRun:
    return TrackedRun("tests", "c", "v001", tmp_path / "tracking")


def test_what_was_not_measured_is_not_shown() -> None:
    shown = numbers(signals(1))
    assert next(iter(shown)) == "reward" and "kl" not in shown and shown["loss"] == 0.4


def test_a_tracker_that_cannot_be_opened_is_named_and_left_out(
    run: TrackedRun, capsys: pytest.CaptureFixture[str]
) -> None:
    run.folder.write_text("a file where a folder is wanted")
    with closing(Trackers(TrackingConfig(), run)) as trackers:
        trackers.log(signals(0))
    said = capsys.readouterr().err
    assert "tracker jsonl failed, training goes on without it" in said and "tracker tensorboard failed" in said


def test_a_tracker_that_fails_on_the_way_is_left_out(
    run: TrackedRun, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = JsonlTracker(run, []), TrackedRun("tests", "c", "v002", run.folder / "whole")
    monkeypatch.setitem(TRACKERS, "broken", lambda run, earlier: broken)
    trackers = Trackers(TrackingConfig(["broken", "jsonl"]), whole)
    trackers.log(signals(0))
    broken.close()
    for step in (1, 2):
        trackers.log(signals(step))
    trackers.close()
    assert capsys.readouterr().err.count("tracker broken failed") == 1
    assert len((whole.folder / "signals.jsonl").read_text().splitlines()) == 3


OWN = """
class Own:
    def __init__(self, run, earlier):
        self.seen, self.place = [row.step for row in earlier], run.folder.parent / "own.txt"

    def log(self, signals):
        self.seen.append(signals.step)

    def close(self):
        self.place.write_text(str(self.seen))
"""


def test_a_tracker_of_ones_own_is_named_by_its_class(run: TrackedRun, monkeypatch: pytest.MonkeyPatch) -> None:
    (run.folder.parent / "own_tracker.py").write_text(OWN)
    monkeypatch.syspath_prepend(run.folder.parent)
    with closing(Trackers(TrackingConfig(["own_tracker:Own"]), run, [signals(0)])) as trackers:
        trackers.log(signals(1))
    assert (run.folder.parent / "own.txt").read_text() == "[0, 1]"
