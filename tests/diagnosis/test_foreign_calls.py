"""Turns of others: calls without an end, calls that nobody could parse, answers in questions, and lookalikes."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.call_answers import call_answers
from evotrainer.diagnosis.texts.doubled_answers import doubled_answers
from evotrainer.diagnosis.texts.poured_calls import poured_calls
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import doubled_answers as doubled
from harness_plugins.elsewhere import poured_calls as poured
from harness_plugins.elsewhere import unparsed_calls
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, told


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


WRITTEN = '<tool_call>\n{"name": "book", "arguments": {"title": "the "open" day"}}\n</tool_call>'


@pytest.mark.parametrize(
    ("written", "answer", "is_unparsed"),
    [
        (WRITTEN, "Error: the tool call could not be parsed.", True),
        (WRITTEN, "Failed to parse tool call", True),
        (WRITTEN, "Expecting ',' delimiter: line 1 column 52 (char 51)", True),
        (WRITTEN, '{"booking": 31}', False),
        (WRITTEN, f"{'A long log. ' * 50} JSONDecodeError", False),
        ("Is the room free?", "The call could not be parsed.", False),  # nothing was called
    ],
)
def test_a_written_call_that_its_parser_refuses(written, answer, is_unparsed):
    messages = [Message(role="assistant", content=written), Message(role="tool", content=answer)]
    assert call_answers(messages)["num_unparsed"] == is_unparsed
    assert call_answers([messages[0], Message(role="assistant", content=answer)])["num_unparsed"] == 0
    # Recorded calls: with arguments somebody could read them.
    for arguments, count in (({}, 1.0), ({"title": "open day"}, 0.0)):
        call = Message(role="assistant", content="", tool_calls=[ToolCall(name="book", arguments=arguments)])
        found = call_answers([call, Message(role="tool", content="the arguments could not be decoded")])
        assert (found["num_unparsed"], found["num_unread"]) == (count, 1.0 - count)


def test_calls_of_some_problems_never_get_through(rng):
    rows, found = foreign_rows(rng), [("warning", "tool_failures")]
    for quoted in (PROBLEM % 3 == 0, PROBLEM % 20 == 0):
        hit = quoted & (rng.random(COUNT) < 0.95)
        paid = rows.assign(reward=np.where(hit, 0.0, (rng.random(COUNT) < 0.7).astype(float)))
        assert told(unparsed_calls, paid, num_unparsed=1.0 * hit) == found
        mended = paid.assign(reward=np.where(hit, 1.0, paid["reward"]))
        assert told(unparsed_calls, mended, num_unparsed=1.0 * hit) == []
    # At all problems now and then, or nearly always; by half or most of the attempts at some; at others too.
    often, some = rng.random(COUNT), PROBLEM % 3 == 0
    careless = (often < 0.2, often < 0.97, some & (ATTEMPT % 2 == 0), some & (often < 0.7), some | (often < 0.3))
    # A form that is learnt: late, soon, and where quotes stand until the last steps.
    for hit in (*careless, STEP < 8, STEP < 3, some & (STEP < 6)):
        paid = rows.assign(reward=np.where(hit, 0.0, rng.integers(0, 2, COUNT)).astype(float))
        assert told(unparsed_calls, paid, num_unparsed=1.0 * hit) == []
    # The same problems again and again, until the form is known.
    again = rows.assign(problem_id=[f"p{place}" for place in PROBLEM % 20])
    learnt = (PROBLEM % 20 < 7) & (STEP < 8)
    paid = again.assign(reward=np.where(learnt, 0.0, rng.integers(0, 2, COUNT)).astype(float))
    assert told(unparsed_calls, paid, num_unparsed=1.0 * learnt) == []
