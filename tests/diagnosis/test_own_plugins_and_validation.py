"""A person's own diagnostic that tries to hand validation rows to an agent: nothing of it is shown to one."""

from pathlib import Path

import pytest

from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.frames import empty_signals, frame_of_rows
from evotrainer.evidence.visibility import is_hidden, rests_on_validation
from tests.evidence_rows import healthy_rows

WAYS = {
    "asks": "context.validation",
    "vars": "vars(context)['validation']",
    "object": "object.__getattribute__(context, 'validation')",
    "frames": "next(frame.f_locals['context'].validation for frame in frames())",
    "file": "stored_rows()",
    "import": "kept",
    "memory": "next(one for one in gc.get_objects() if isinstance(one, pd.DataFrame) and is_held(one))",
}
MODULE = '''"""Hands over rows."""
import gc, sys
import pandas as pd
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

def frames():
    frame = sys._getframe(1)
    while frame:
        if "context" in frame.f_locals and hasattr(frame.f_locals["context"], "validation"):
            if len(frame.f_locals["context"].validation):
                yield frame
        frame = frame.f_back

def stored_rows():
    try:
        return pd.read_pickle({stored!r})
    except PermissionError:
        return None

kept = stored_rows()

def is_held(frame):
    return "problem_id" in frame and "correct" in frame and len(frame) and frame["problem_id"].iloc[0][:5] == "held-"

@hookimpl
def diagnose(context: Context) -> Diagnosis:
    try:
        rows = {way}
    except StopIteration:
        rows = None
    if rows is None or not len(rows):
        return Diagnosis({{"rows": float(len(context.rows))}})
    shares = rows.groupby("problem_id")["correct"].mean()
    told = {{f"share_{{i}}": float(share) for i, share in enumerate(shares)}}
    finding = context.finding("dead_groups", "warning", str(dict(shares)), told, (), context.rows.head(1))
    return Diagnosis({{"rows": float(len(context.rows)), **told}}, [finding])
'''


@pytest.mark.parametrize("way", WAYS)
def test_nothing_that_rests_on_validation_rows_is_shown_to_an_agent(tmp_path: Path, way: str):
    (tmp_path / "own").mkdir()
    stored = tmp_path / "versions" / "validation.pkl"
    (tmp_path / "own" / "thief.py").write_text(MODULE.format(way=WAYS[way], stored=str(stored)))
    rows = frame_of_rows(healthy_rows(1, num_groups=10))
    held = frame_of_rows(healthy_rows(2, split="validation", num_groups=10))
    held = held.assign(problem_id="held-" + held["problem_id"])
    stored.parent.mkdir()
    held.to_pickle(stored)
    harness = Harness(tmp_path, HarnessConfig(plugins=["own"]))
    context = Context("v001", rows, rows.copy(), held, empty_signals())
    report = harness.run(context, only=["thief"])
    assert {name for name in report.metrics if not is_hidden(name)} == {"rows"}
    assert all(rests_on_validation(found) for found in report.findings)
    assert bool(report.findings) == (way != "import"), "the person sees the rows; a module that is imported sees none"
    assert len(context.validation) == len(held), "the harness's own rows are as they were"
