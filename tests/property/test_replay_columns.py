"""Groups as columns: order violations, means and maxima, as each group alone gives them; and stored rows as records."""

import tempfile
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from evotrainer.algorithm.groups import Groups, order_violations
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import write_rows
from evotrainer.records import Message, ToolCall, Trajectory
from tests.plain_records import plain_row

VALUES = st.floats(-2, 2)
TERMS = st.dictionaries(st.sampled_from(["correct", "format", "partial", "judge", "overlong", "code", "own"]), VALUES)
ATTEMPTS = st.lists(
    st.tuples(st.integers(0, 4), TERMS, st.booleans(), st.integers(1, 60), st.booleans(), st.integers(0, 4)),
    max_size=40,
)


def row(number: int, problem: int, terms: dict, correct: bool, tokens: int, is_cut: bool, num_turns: int) -> Trajectory:
    turn = Message(role="assistant", tool_calls=[ToolCall(name="edit")] if num_turns > 3 else [])
    return plain_row(
        trajectory_id=f"p{problem}.{number}",
        domain="swe",
        problem_id=f"p{problem}",
        group_id=f"g{problem}",
        attempt=number,
        seed=number,
        messages=[turn] * num_turns,
        reward=0.5,
        reward_terms=terms,
        correct=float(correct),
        num_turns=num_turns,
        num_tokens=tokens,
        is_truncated=is_cut,
        extra={"family": "fg"[problem % 2]},
    )


@settings(deadline=None, derandomize=True, max_examples=50)
@given(ATTEMPTS)
def test_order_violations_are_counted_pair_by_pair(drawn):
    rows = [row(number, *each) for number, each in enumerate(drawn)]
    pairs = [
        (rows[i].reward_terms.get("own", 0.0), rows[j].reward_terms.get("own", 0.0))
        for members in Groups.of(rows).rows_of
        for i in members
        for j in members
        if rows[i].correct and not rows[j].correct
    ]
    rewards = np.array([each.reward_terms.get("own", 0.0) for each in rows])
    found = order_violations(rewards, np.array([bool(each.correct) for each in rows], dtype=bool), Groups.of(rows))
    assert found == sum(right < wrong for right, wrong in pairs) / max(1, len(pairs))


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_values_are_centred_as_each_group_alone(codes, random):
    first = {code: place for place, code in enumerate(dict.fromkeys(codes))}
    groups = Groups(np.array([first[code] for code in codes]))
    values = np.array([random.random() for _ in codes])
    expected = values.copy()
    for members in groups.rows_of:
        expected[members] -= values[members].mean()
    assert groups.centred(values).tolist() == expected.tolist()
    assert groups.greatest(values).tolist() == [values[members].max() for members in groups.rows_of]


def test_stored_attempts_are_the_rows_and_are_made_when_asked_for():
    rows = [row(number, number % 3, {"correct": 1.0}, True, 5, False, 2) for number in range(9)]
    rows[4] = rows[4].model_copy(update={"error": "GraderError", "reward": None, "correct": None})
    with tempfile.TemporaryDirectory() as folder:
        for step in range(3):
            write_rows(Path(folder), step, rows[3 * step : 3 * step + 3])
        stored = Rows.read(Path(folder))
        assert list(stored) == rows == list(Rows.read(Path(folder)))
    assert stored.records([4, 2, 3]) == [rows[4], *rows[2:4]]
    assert list(stored.graded) == rows[:4] + rows[5:]
    assert stored.problem.names == ["p0", "p1", "p2"] and stored.group.codes.tolist() == [0, 1, 2] * 3
    assert stored.family.names == ["f", "g"] and stored.family.codes.tolist() == [0, 1, 0] * 3
