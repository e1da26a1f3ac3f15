"""Calls that tools refuse by chance, and commands that the world takes in one wording alone."""

from typing import Any

import numpy as np
import pytest

from evotrainer.diagnosis.texts.retried_calls import retried_calls
from evotrainer.diagnosis.texts.reworded import reworded
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.evidence.frames import Frame
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import flaky_calls, one_wording
from tests.foreign_frames import ATTEMPT, COUNT, GROUP, PROBLEM, foreign_rows, session, told

DETACHED = "Error: node is detached"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(41)


def _called(*exchanges: tuple[str, str]) -> dict[str, Any]:
    return retried_calls(session(*exchanges))


def test_calls_that_are_taken_when_repeated_at_once():
    again = _called(("click 3", DETACHED), ("click 3", "page of 40 elements"))
    assert (again["num_retaken"], again["num_refused_twice"], again["ends_refused"]) == (1.0, 0.0, False)
    lost = _called(("click 3", DETACHED), ("click 3", '{"status": "error", "detail": "stale"}'))
    assert (lost["num_retaken"], lost["num_refused_twice"], lost["ends_refused"]) == (0.0, 1.0, True)
    mended = _called(("run", "Traceback (most recent call last):"), ("edit", "ok"), ("run", "2 passed"))
    assert (mended["num_retaken"], mended["num_refused_twice"]) == (0.0, 0.0)  # something changed in between
    assert _called(("grep error log", "3 lines name an error"))["first_refused"] == ""
    taken, refused = _called(("click 3", "page")), _called(("click 3", DETACHED))
    assert taken["first_taken"] == refused["first_refused"] != ""


def test_a_row_that_says_so_names_a_failed_call():
    call = ToolCall(name="click", arguments={"element": 3})
    turns = [Message(role="assistant", tool_calls=[call]), Message(role="tool", content="not now", ok=False)]
    assert retried_calls(turns)["ends_refused"] is True
    both = [Message(role="assistant", tool_calls=[call, call]), *turns[1:], *turns[1:]]
    assert retried_calls(both)["ends_refused"] is False


def _refusals(rng: np.random.Generator, share: float = 0.3) -> dict[str, Any]:
    met = rng.random(COUNT) < share
    return {
        "num_retaken": (met & (rng.random(COUNT) < 0.6)).astype(float),
        "num_refused_twice": (met & (rng.random(COUNT) < 0.4)).astype(float),
        "first_taken": "",
        "first_refused": "",
        "ends_refused": met & (rng.random(COUNT) < 0.6),
    }


def _lost(rows: Frame, hit: Any) -> Frame:
    return rows.assign(reward=np.where(hit, 0.0, rows["reward"]))


def test_tools_that_refuse_right_calls_cost_the_attempts_that_end_by_it(rng):
    rows, texts = foreign_rows(rng, num_tool_calls=3), _refusals(rng)
    found = [("warning", "tool_failures")]
    assert told(flaky_calls, _lost(rows, texts["ends_refused"]), **texts) == found
    assert told(flaky_calls, rows, **texts) == []  # attempts get over it
    stays = {"num_refused_twice": 8.0 * texts["num_retaken"]}
    assert told(flaky_calls, _lost(rows, texts["ends_refused"]), **texts | stays) == []  # wrong calls stay wrong


def test_tools_that_refuse_some_of_the_same_first_calls(rng):
    met = rng.random(COUNT) < 0.3
    rows, none = foreign_rows(rng, num_tool_calls=1), {"num_retaken": 0.0, "num_refused_twice": 0.0}
    texts = {"first_taken": np.where(met, "", "7"), "first_refused": np.where(met, "7", ""), "ends_refused": False}
    assert told(flaky_calls, _lost(rows, met), **none, **texts) == [("warning", "tool_failures")]
    wrong = {"first_refused": np.where(met, "9", "")}
    assert told(flaky_calls, _lost(rows, met), **none, **texts | wrong) == []  # nobody's call of this kind is taken
    dead = PROBLEM % 3 == 0
    there = {"first_taken": np.where(dead, "", "7"), "first_refused": np.where(dead, "7", "")}
    assert told(flaky_calls, _lost(rows, dead), **none, **texts | there) == []  # a matter of the problem


def _played(*turns: tuple[str, str], prompt: str = "Put the mug on the shelf.") -> str:
    messages = [Message(role="user", content=prompt)]
    for command, answer in turns:
        messages += [Message(role="assistant", content=f"I try.\n> {command}"), Message(role="user", content=answer)]
    return reworded(transcript(Trajectory.model_construct(messages=messages, extra={})))


def test_commands_that_are_worded_anew():
    pair = _played(("put mug 1 in shelf 1", "Nothing happens."), ("put mug 1 upon shelf 1", "You put it there."))
    (was, told_was), (now, told_now) = (side.split(":") for side in pair.split(">"))
    assert (was, now) == ("in", "upon") and told_was != told_now
    same = _played(("put mug 1 in shelf 1", "Nothing happens."), ("put mug 1 upon shelf 1", "Nothing happens."))
    assert len({side.split(":")[1] for side in same.split(">")}) == 1
    rule = "Say: put THING upon PLACE."
    known = _played(("put mug 1 in shelf 1", "No."), ("put mug 1 upon shelf 1", "Done."), prompt=rule)
    assert known.split(">")[1].startswith("upon+:")
    assert _played(("take key 1 from box", "No."), ("take key 2 from box", "Taken.")) == ""  # another thing
    assert _played(("go to shelf 1", "You arrive."), ("take mug 1 from shelf 1", "Taken.")) == ""
    assert _played(("put mug 1 in shelf 1", "No."), ("put mug 1 in shelf 1", "No.")) == ""


def test_calls_are_worded_anew_in_their_arguments():
    made = session(("convert 5 of mass to pounds", "refused"), ("convert 5 of mass to lb", "11.02"))
    messages = [Message(role="user", content="How much is it?"), *made]
    found = reworded(transcript(Trajectory.model_construct(messages=messages, extra={})))
    assert [side.split(":")[0] for side in found.split(">")] == ["pounds", "lb"]


def _worded(rng: np.random.Generator, words: str, told_before: str = "") -> tuple[np.ndarray, Any]:
    """Return who finds the words, and what all exchanged: two refused wordings, or a refused one and these."""
    finds = rng.random(COUNT) < 0.3
    return finds, np.where(finds, f"in:1>{words}{told_before}:2", "in:1>on:1 on:1>in:1")


def test_a_world_that_takes_one_wording_and_tells_nobody(rng):
    finds, exchanged = _worded(rng, "in/on")
    rows = foreign_rows(rng)
    unpaid = rows.assign(reward=finds.astype(float))
    assert told(one_wording, unpaid, reworded=exchanged) == [("warning", "tool_failures")]
    assert told(one_wording, rows, reworded=exchanged) == []  # nothing hangs on it
    easily = rows.assign(reward=(finds | (rng.random(COUNT) < 0.7)).astype(float))
    assert told(one_wording, easily, reworded=exchanged) == []  # most do it another way
    few = unpaid.assign(problem_id=(PROBLEM % 3).astype(str))
    assert told(one_wording, few, reworded=exchanged) == []  # three doors that open in one way each
    _, named = _worded(rng, "in/on", "+")
    assert told(one_wording, rows.assign(reward=(named != "in:1>on:1 on:1>in:1") * 1.0), reworded=named) == []  # a rule


def test_other_things_are_no_other_wording(rng):
    finds = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng, reward=finds.astype(float))
    things = np.array([f"thing{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(COUNT // GROUP)])
    other = np.char.add(np.char.add("box:1>", things[PROBLEM]), ":2")
    assert told(one_wording, rows, reworded=np.where(finds, other, "box:1>bag:1")) == []
    torn = np.where(PROBLEM % 2 == 0, "box:1>bag:2", "bag:1>box:2")
    assert told(one_wording, rows, reworded=np.where(finds, torn, "box:1>hat:1 hat:1>box:1")) == []
    assert told(one_wording, rows, reworded=np.where((ATTEMPT == 0) & (PROBLEM < 4), "in:1>upon:2", "")) == []
