"""Worlds that remember, answer something else, are down or speak too little, and policies that speak for them."""

from typing import Any

import numpy as np
import pytest

from evotrainer.diagnosis.texts.asked import asked_columns
from evotrainer.diagnosis.texts.call_answers import call_answers
from evotrainer.diagnosis.texts.conduct import answers_told
from evotrainer.diagnosis.texts.others_lines import OthersLines
from evotrainer.diagnosis.texts.released_copies import takes_release
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import (
    changed_prompts,
    cut_answers,
    leftover_state,
    tool_answers,
    tool_outages,
    unread_calls,
)
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(23)


def _exchange(name: str, answer: str, **arguments: str) -> list[Message]:
    call = ToolCall(name=name, arguments=arguments)
    return [Message(role="assistant", tool_calls=[call]), Message(role="tool", content=answer)]


def test_a_first_call_meets_what_is_done_and_a_second_what_it_did_itself():
    taken = _exchange("book", "error: slot is already booked by Ada", room="Birch", hour="16")
    free = _exchange("book", "ok: R1 Birch 16:00", room="Birch", hour="16")
    key = call_answers(free)["not_done_before"]
    assert key and call_answers(taken)["done_before"] == key
    assert call_answers([*free, *taken])["done_before"] == ""
    assert call_answers(_exchange("look", "Birch is free all day", room="Birch"))["done_before"] == ""


def test_an_answer_belongs_to_its_call_where_it_holds_its_words():
    page = "The Old bridge in Grauberg was planned by Ada Lind and finished in 1840."
    own, other = (
        call_answers(_exchange("search", page, query=asked))
        for asked in ("Old bridge Grauberg", "Royal mint Nordby 1721")
    )
    assert (own["num_answered"], own["num_strange"], other["num_strange"]) == (1.0, 0.0, 1.0)
    assert call_answers(_exchange("run", "42", code="print(sum(range(10)))"))["num_answered"] == 0.0


def test_attempts_that_find_what_others_did_are_told_from_worlds_where_it_was_so(rng):
    hit = (ATTEMPT > 1) & (PROBLEM < 10)
    rows = foreign_rows(rng, num_tool_calls=1)
    unpaid = rows.assign(reward=np.where(hit, 0.0, 1.0))
    told_so = {"done_before": np.where(hit, "7", ""), "had_names": "", "lacked_names": ""}
    did = {"not_done_before": np.where(ATTEMPT == 0, "7", "")}
    found = [("warning", "infrastructure_zeros")]
    assert told(leftover_state, unpaid, **told_so, **did) == found
    assert told(leftover_state, unpaid.assign(reward=rows["reward"]), **told_so, **did) == []  # and nothing was lost
    assert told(leftover_state, unpaid, **told_so) == []  # the world was so for all


def test_tools_that_come_to_answer_others_are_told_from_tools_that_never_repeat_a_call(rng):
    strange = (rng.random(COUNT) < 0.4) & (STEP >= 4)
    rows = foreign_rows(rng, num_tool_calls=1)
    rows = rows.assign(reward=np.where(strange, 0.0, rows["reward"]))
    texts: dict[str, Any] = {"first_call": "", "first_answer": "", "told_answer": False, "shown_at_first": ""}
    texts |= {"told_to_question": False, "echo_share": 0.0, "num_answered": 1.0}
    found = [("critical", "infrastructure_zeros")]
    assert told(tool_answers, rows, num_strange=strange.astype(float), **texts) == found
    assert told(tool_answers, rows, num_strange=1.0, **texts) == []
    costless = foreign_rows(rng, num_tool_calls=1)
    assert told(tool_answers, costless, num_strange=strange.astype(float), **texts) == []


COMMANDS = {
    "compared with the installed release": (
        "diff src/cobalt/router.py /usr/lib/python3/dist-packages/cobalt/router.py",
        True,
    ),
    "copied from an unpacked one": ("cp /tmp/cobalt-2.1.0/cobalt/router.py src/cobalt/router.py", True),
    "of a bundle": ("cat node_modules/left/lib/pad.js > packages/left/lib/pad.js", True),
    "downloaded": (
        "pip download pad==1.2 -d wheels && unzip wheels/*.whl\ncat wheels/pad/core.py\nvim /repo/pad/core.py",
        True,
    ),
    "another package's file": (
        "sed -n 1,40p /usr/lib/python3/dist-packages/requests/router.py src/cobalt/router.py",
        False,
    ),
    "the tree alone": ("cp src/cobalt/router.py build/router.py", False),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_release_of_the_repository_is_told_from_other_packages(name: str):
    command, is_taken = COMMANDS[name]
    messages = [Message(role="user", content="Fix the router."), *_exchange("bash", "", command=command)]
    assert takes_release(transcript(Trajectory.model_construct(messages=messages))) is is_taken


def test_a_call_that_a_tool_cannot_read_is_told_from_an_error_of_the_task(rng):
    error = "ToolCallParseError: could not decode arguments: Expecting ',' delimiter"
    assert call_answers(_exchange("add", error, note="O'Brien"))["num_unread"] == 1.0
    assert (
        call_answers(_exchange("run", "json.decoder.JSONDecodeError: line 1", code="json.loads(x)"))["num_unread"] == 0
    )
    hit = ATTEMPT > 1
    rows = foreign_rows(rng, num_tool_calls=2)
    unpaid = rows.assign(reward=np.where(hit, 0.0, 1.0))
    assert told(unread_calls, unpaid, num_unread=hit.astype(float)) == [("warning", "tool_failures")]
    assert told(unread_calls, rows, num_unread=hit.astype(float)) == []  # and tried again with success


def test_attempts_that_begin_otherwise_than_usual(rng):
    other = (rng.random(COUNT) < 0.3) & (PROBLEM < 60)
    rows = foreign_rows(rng, num_tool_calls=2)
    unpaid = rows.assign(reward=np.where(other, 0.0, 1.0 * (rng.random(COUNT) < 0.7)))
    texts = {"had_names": "", "lacked_names": "", "first_call": "view", "machine_share": 0.0}
    left = np.where(other, rng.integers(2, 90, COUNT).astype(str), "1")
    found = [("warning", "infrastructure_zeros")]
    assert told(leftover_state, unpaid, first_answer=left, **texts) == found
    assert told(leftover_state, rows, first_answer=left, **texts) == []
    own = (PROBLEM % 3 == 0) * 1
    assert told(leftover_state, rows.assign(reward=1.0 - own), first_answer=own.astype(str), **texts) == []
    moves = np.where(other, rng.integers(2, 20, COUNT).astype(str), "1")  # and a count goes on
    answers = np.arange(COUNT).astype(str)
    assert told(leftover_state, unpaid, first_answer=answers, first_count=moves, **texts) == found
    assert told(leftover_state, rows, first_answer=answers, first_count=moves, **texts) == []


def test_one_answer_of_a_machine_counts_where_it_decides(rng):
    hit = (rng.random(COUNT) < 0.3).astype(float)
    rows = foreign_rows(rng, num_tool_calls=4)
    texts = {"machine_share": hit / 4, "usual_answer": ""}
    lost = rows.assign(reward=np.where(hit > 0, 0.0, rows["reward"]))
    assert told(tool_outages, lost, **texts) == [("warning", "infrastructure_zeros")]
    assert told(tool_outages, rows, **texts) == []


def test_answers_cut_for_some_count_where_that_costs(rng):
    cut = rng.random(COUNT) < 0.35
    rows = foreign_rows(rng, num_tool_calls=2)
    texts = {"cut_at": np.where(cut, 174.0, 0.0), "cut_answer": np.where(cut, np.arange(COUNT).astype(str), "")}
    costly = rows.assign(reward=np.where(cut, 0.0, rows["reward"]))
    assert told(cut_answers, costly, **texts) == [("warning", "tool_output_truncated")]
    assert told(cut_answers, rows, **texts) == []


def test_a_policy_that_speaks_for_its_host_is_told_from_one_that_quotes_it():
    def attempt(*said: str) -> Any:
        messages = [Message(role="user", content="Table 7. Reach 18 or more.")]
        for text in said:
            messages += [Message(role="assistant", content=text), Message(role="user", content=_thrown(len(text)))]
        return transcript(Trajectory.model_construct(messages=messages))

    def _thrown(number: int) -> str:
        return f"The host throws: {number}. You have {number}."

    lines = OthersLines()
    honest = [attempt(f"THROW d{k}", f"{_thrown(8)}\nTHROW d6") for k in range(4, 10)]
    lines.add([*honest, attempt(f"THROW d4\n{_thrown(3)}\nTHROW d4\n{_thrown(4)}\nHOLD")])
    assert lines.written() == [False] * 6 + [True]


def test_a_question_is_known_without_its_lead_in():
    asked = "Please find out: when did the Tharester observatory first record the night sky?"
    told_so = "[thread 6] Q: when did the Tharester observatory first record the night sky? A: 1852 (rune)"
    messages = [
        Message(role="user", content=asked),
        *_exchange("search", told_so, query="observatory"),
        Message(role="assistant", content="Final answer: 1852"),
    ]
    assert answers_told(messages, "1852")["told_answer"] is True
    assert (
        answers_told([messages[0], *_exchange("search", "It opened in 1852.", query="x"), messages[-1]], "1852")[
            "told_answer"
        ]
        is False
    )


def test_a_template_that_is_applied_twice(rng):
    rows = foreign_rows(rng)
    texts = {"system_prompt": "", "nests_template": STEP > 4}
    assert told(changed_prompts, rows, **texts) == [("warning", "metric_defect")]
    assert told(changed_prompts, rows, **texts | {"nests_template": False}) == []
    once = "<|im_start|>user\nAdd 2 and 3.<|im_end|>\n<|im_start|>assistant\n"
    prompts = [[Message(role="user", content=text)] for text in (once, f"<|im_start|>user\n{once}<|im_end|>")]
    asked = [transcript(Trajectory.model_construct(messages=messages)) for messages in prompts]
    assert asked_columns(asked)["nests_template"] == [False, True]


def test_a_user_who_says_nothing_ends_attempts(rng):
    mute = (rng.random(COUNT) < 0.2).astype(float)
    rows = foreign_rows(rng)
    texts = {"machine_share": 0.0, "usual_answer": "", "num_silent": mute}
    lost = rows.assign(reward=np.where(mute > 0, 0.0, rows["reward"]))
    assert told(tool_outages, lost, **texts) == [("warning", "infrastructure_zeros")]
    assert told(tool_outages, rows, **texts) == []
