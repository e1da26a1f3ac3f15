"""Which diagnostics may call rows from elsewhere critical, by what they were worth at first sight."""

import pytest

from evotrainer.diagnosis import first_sight
from evotrainer.diagnosis.first_sight import RECORDS, Record, as_earned, is_earned
from evotrainer.records import Finding
from tasks.diagnose.stage import PLUGINS


@pytest.mark.parametrize(
    ("record", "is_on_trial", "earned"),
    [
        (Record(3, 5, 0), True, True),
        (Record(1, 0, 0), True, False),
        (Record(2, 0, 1), True, False),
        (Record(3, 0, 1), True, True),
        (None, True, False),
        (None, False, True),  # measured on the own bench
        (Record(0, 2, 1), False, False),
        (Record(0, 2, 0), False, False),
        (Record(1, 0, 0), False, True),
        (Record(2, 2, 0), False, True),
    ],
)
def test_critical_is_earned(monkeypatch: pytest.MonkeyPatch, record, is_on_trial, earned):
    monkeypatch.setattr(first_sight, "RECORDS", {} if record is None else {("d", "m"): record})
    assert is_earned("d", "m", is_on_trial) == earned
    found = Finding(mode="m", severity="critical", diagnostic="d", version="v", message="x")
    proven = found.model_copy(update={"severity": "invalid"})
    told = [one.severity for one in as_earned([found, proven], ["d"] if is_on_trial else [])]
    assert told == ["critical" if earned else "warning", "invalid"]
    limited = found.model_copy(update={"thresholds": {"truncation": 0.2}})
    assert [one.severity for one in as_earned([limited], ["d"], ["truncation"])] == ["critical"], "a person's limit"


def test_records_are_of_diagnostics_that_there_are():
    names = {path.stem for path in PLUGINS.glob("*/*.py")}
    assert {diagnostic for diagnostic, _ in RECORDS} <= names
