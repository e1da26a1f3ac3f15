"""Turns of attempts of others: calls that pour without an end, answers that stand in questions, and lookalikes."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.doubled_answers import doubled_answers
from evotrainer.diagnosis.texts.poured_calls import poured_calls
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import doubled_answers as doubled
from harness_plugins.elsewhere import poured_calls as poured
from tests.foreign_frames import COUNT, STEP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def row_of(*messages: Message) -> Trajectory:
    asked = [Message(role="user", content="Mend the test.")]
    return Trajectory.model_construct(problem_id="p", messages=[*asked, *messages], extra={})


def test_calls_that_repeat_each_other_in_one_turn():
    calls = [ToolCall(name="bash", arguments={"command": command}) for command in ["ls", "pwd", "git status"] * 4]
    last = Message(role="assistant", content="", tool_calls=calls)
    assert poured_calls(transcript(row_of(last))) == 12
    assert poured_calls(transcript(row_of(last, Message(role="tool", content="src")))) == 0  # answered
    files = [ToolCall(name="bash", arguments={"command": f"cat {number}.py"}) for number in range(12)]
    assert poured_calls(transcript(row_of(Message(role="assistant", content="", tool_calls=files)))) == 0
    few = Message(role="assistant", content="", tool_calls=calls[:3] + calls[:1])
    assert poured_calls(transcript(row_of(few))) == 0


def test_many_attempts_end_with_such_a_turn(rng):
    rows = foreign_rows(rng, num_tool_calls=rng.integers(1, 9, COUNT))
    warned = [("warning", "echo_trap")]
    assert told(poured, rows, num_poured=np.where(rng.random(COUNT) < 0.35, 20.0, 0.0)) == warned
    spread = rng.random(COUNT) < 0.3 * STEP / STEP.max()
    assert told(poured, rows, num_poured=np.where(spread, 20.0, 0.0)) == warned
    assert told(poured, rows, num_poured=np.where(np.arange(COUNT) % 80 == 0, 20.0, 0.0)) == []
    assert told(poured, rows, num_poured=0.0) == []


def talk(answer: str, said: str) -> dict[str, float | bool]:
    turns = [Message(role="assistant", content=answer), Message(role="user", content=said)]
    return doubled_answers([*turns, Message(role="assistant", content="Done.")])


def test_an_answer_that_stands_in_the_next_question():
    answer = "Its area is 9 times 33, so 297 square metres."
    marked = talk(f"<think>A rectangle.</think>\n{answer}", f"{answer}<|im_end|>\n<|im_start|>user\nAnd its side?")
    assert marked == {"doubled_share": 1.0, "doubled_mark": True}
    assert talk(answer, f"{answer}\nAnd its side?") == {"doubled_share": 1.0, "doubled_mark": False}
    assert talk(answer, "And its side?") == {"doubled_share": 0.0, "doubled_mark": False}
    assert talk(answer, answer)["doubled_share"] == 0.0
    assert np.isnan(talk("look", "look: a dark room")["doubled_share"])


def test_users_do_not_begin_with_the_answer(rng):
    rows = foreign_rows(rng, num_turns=2)
    part = rng.random(COUNT) < 0.3
    found = [("warning", "metric_defect")]
    assert told(doubled, rows, doubled_mark=part, doubled_share=np.where(part, 1.0, 0.0)) == found
    assert told(doubled, rows, doubled_mark=True, doubled_share=1.0) == found
    assert told(doubled, rows, doubled_mark=False, doubled_share=np.where(part, 1.0, 0.0)) == found
    assert told(doubled, rows, doubled_mark=False, doubled_share=1.0) == []  # an environment that echoes
    seldom = np.arange(COUNT) % 64 == 0
    assert told(doubled, rows, doubled_mark=False, doubled_share=np.where(seldom, 1.0, 0.0)) == []
    assert told(doubled, rows, doubled_mark=False, doubled_share=np.nan) == []
