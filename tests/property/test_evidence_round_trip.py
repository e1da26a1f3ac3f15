"""Whatever a trajectory holds, it comes back from Parquet and from JSONL as it was."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.evidence.foreign import export_rows, import_rows
from evotrainer.evidence.store import read_rows, write_rows
from evotrainer.records import Message, ToolCall, Trajectory

# Lone surrogates are no text that UTF-8 can hold; tokenizers do not decode to them.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
SCALARS = st.none() | st.booleans() | INTEGERS | NUMBERS | TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=3)

MESSAGES = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    content=TEXT,
    tool_calls=st.lists(st.builds(ToolCall, name=TEXT, arguments=OBJECTS), max_size=2),
    tool_name=st.none() | TEXT,
    ok=st.none() | st.booleans(),
    num_tokens=st.none() | INTEGERS,
    mean_logprob=st.none() | NUMBERS,
)
TRAJECTORIES = st.builds(
    Trajectory,
    trajectory_id=st.uuids().map(str),
    campaign=TEXT,
    version=TEXT,
    split=st.sampled_from(["train", "test"]),
    step=INTEGERS,
    domain=TEXT,
    problem_id=TEXT,
    group_id=TEXT,
    attempt=INTEGERS,
    seed=INTEGERS,
    policy_id=TEXT,
    messages=st.lists(MESSAGES, max_size=3),
    reward=NUMBERS,
    reward_terms=st.dictionaries(TEXT, NUMBERS, max_size=3),
    correct=st.none() | NUMBERS,
    advantage=st.none() | NUMBERS,
    in_loss=st.none() | st.booleans(),
    stop_reason=TEXT,
    error=st.none() | TEXT,
    num_turns=INTEGERS,
    num_tokens=INTEGERS,
    is_truncated=st.booleans(),
    format_ok=st.none() | st.booleans(),
    duration_seconds=st.none() | NUMBERS,
    started_at=st.none() | TEXT,
    extra=OBJECTS,
)
ROWS = st.lists(TRAJECTORIES, min_size=1, max_size=4, unique_by=lambda row: row.trajectory_id)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ROWS)
def test_rows_survive_jsonl_and_parquet(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        export_rows(rows, path)
        assert import_rows(path).rows == rows
        write_rows(Path(folder), 0, rows)
        assert read_rows(Path(folder)) == rows
        assert import_rows(Path(folder) / "trajectories/step_00000.parquet").rows == rows
