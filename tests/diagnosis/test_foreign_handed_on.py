"""Worlds that are handed on mended, users who know the solution, and replies that hand their prompt back."""

import math
from typing import Any

import numpy as np
import pytest

from evotrainer.diagnosis.texts.answer_forms import again_form, form_of
from evotrainer.diagnosis.texts.conduct import told_expected
from evotrainer.diagnosis.texts.copied_prompts import copied_prompt
from evotrainer.diagnosis.texts.transcript import Transcript, transcript
from evotrainer.diagnosis.texts.user_names import user_names
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import copied_sources, solved_starts, told_by_users
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, session, told

LEFT, NAMED, COPIED = [("warning", "leftover_state")], [("warning", "answer_reading")], [("warning", "weak_verifier")]
SOURCE = "The old lighthouse keeper counts the ships that pass."
TARGET = "Der alte Leuchtturmwärter zählt die Schiffe, die vorbeifahren."


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(29)


def _attempt(*messages: Message, **extra: str) -> Transcript:
    return transcript(Trajectory.model_construct(messages=list(messages), extra=extra))


def _say(role: str, content: str, *tools: str) -> Message:
    calls = [ToolCall(name=name, arguments={"amount": "70"}) for name in tools]
    return Message.model_validate({"role": role, "content": content, "tool_calls": calls})


def test_what_a_first_call_gets_when_it_is_made_again():
    messages = session(("status", "down since 3"), ("restart", ""), ("status", "up since 5"))
    first = call_key(messages[0].tool_calls[0])
    assert again_form(messages, first) == form_of("up since 9") != form_of("down since 3")
    assert again_form(session(("status", "down"), ("status", "up")), first) == ""  # nothing was done between
    assert again_form(session(("status", "down"), ("restart", "up")), first) == ""


class Shop:
    """Attempts that look, mend and look again; some find their world mended."""

    def __init__(self, rng: np.random.Generator, begun: np.ndarray) -> None:
        mends = ~begun & (rng.random(COUNT) < 0.4)
        self.columns = {"num_tool_calls": np.where(begun, 1, 4), "reward": 1.0 * (begun | mends)}
        self.texts: dict[str, Any] = {"first_call": [f"status {problem}" for problem in PROBLEM], "machine_share": 0.0}
        self.texts |= {"first_form": np.where(begun, "up", "down"), "again_form": np.where(mends, "up", "")}

    def told(self, rng: np.random.Generator, **others: Any) -> list[tuple[str, str]]:
        of_rows = {*self.columns, "problem_id"}
        columns = self.columns | {name: value for name, value in others.items() if name in of_rows}
        texts = self.texts | {name: value for name, value in others.items() if name not in of_rows}
        rows = foreign_rows(rng, **columns)
        return told(solved_starts, rows.assign(correct=rows["reward"]), **texts)


def test_worlds_that_are_handed_on_mended(rng):
    late = Shop(rng, (rng.random(COUNT) < 0.35) & (STEP >= 3))
    assert late.told(rng) == LEFT
    order = np.tile([False, False, False, True], COUNT // 4)
    behind = Shop(rng, order & (PROBLEM % 4 > 0))
    mended = behind.columns["reward"] * 1.0
    mended[np.flatnonzero(order) - 3] = 1.0
    again = np.where((mended > 0) & (behind.texts["first_form"] == "down"), "up", "")
    assert behind.told(rng, reward=mended, again_form=again) == LEFT
    worker = rng.integers(0, 4, COUNT)
    by_machine = Shop(rng, (worker == 2) & (rng.random(COUNT) < 0.8))
    assert by_machine.told(rng, **{"extra:worker": worker.astype(str)}) == LEFT
    assert by_machine.told(rng, **{"extra:answer": worker.astype(str)}) == []  # what an attempt did is no machine


def test_other_worlds_that_begin_otherwise(rng):
    drawn = Shop(rng, rng.random(COUNT) < 0.35)
    assert drawn.told(rng, **{"extra:worker": rng.integers(0, 4, COUNT).astype(str)}) == []  # by chance, from the start
    late = (rng.random(COUNT) < 0.35) & (STEP >= 3)
    shop = Shop(rng, late)
    as_others = np.where(late, rng.random(COUNT) < 0.4, shop.columns["reward"]) * 1.0
    assert shop.told(rng, reward=as_others) == []  # and it is worth nothing
    assert shop.told(rng, num_tool_calls=4) == []  # and spares nothing
    assert shop.told(rng, again_form="") == []  # another world, that nobody ends in
    assert shop.told(rng, machine_share=np.where(late, 0.5, 0.0)) == []
    again = {"problem_id": [f"p{problem % 8}" for problem in PROBLEM], "first_call": "status"}
    assert shop.told(rng, **again) == LEFT
    for some in (STEP >= 3, (STEP >= 3) & ((ATTEMPT > 0) | (PROBLEM % 5 > 0))):
        assert Shop(rng, some).told(rng, **again) == []  # a world changed for all, or nearly


CARD = "The task is solved when issue_refund is called with 70."


def test_a_user_who_names_a_function():
    asked, call, done = _say("user", "My lamp is broken."), _say("assistant", "", "issue_refund"), _say("tool", "ok")
    question = _say("assistant", "What would help you?")
    found = user_names(_attempt(asked, question, _say("user", CARD), call, done))
    assert found == {"named_by_user": "issue_refund", "found_tools": ""}
    camel = _say("assistant", "", "issueRefund")
    said = _say("user", "Call issueRefund.")
    assert user_names(_attempt(asked, question, said, camel, done))["named_by_user"] == "issueRefund"
    honest = {
        "found": [asked, question, _say("user", "My money back."), call, done],
        "asked from the beginning": [_say("user", CARD), question, _say("user", CARD), call, done],
        "proposed by the policy": [asked, _say("assistant", "Shall I issue_refund?"), _say("user", CARD), call, done],
        "an answer of a tool": [asked, _say("assistant", "", "get_order"), _say("user", CARD), call, done],
        "a word of its own": [asked, question, _say("user", "No reissue_refunds."), call, done],
    }
    for name, messages in honest.items():
        found = user_names(_attempt(*messages))
        assert found["named_by_user"] == "" and "issue_refund" in found["found_tools"].split(), name
    assert user_names(_attempt(asked, question, _say("user", "Please search."), _say("assistant", "", "search"))) == {
        "named_by_user": "",
        "found_tools": "",
    }


def test_users_who_know_the_solution(rng):
    hit = rng.random(COUNT) < 0.5
    rows = foreign_rows(rng, num_tool_calls=1)
    paid = rows.assign(reward=np.where(hit, 1.0, rows["reward"]))
    tools = np.where(PROBLEM % 2, "book_room", "cancel_room")
    texts = {"named_by_user": np.where(hit, tools, ""), "found_tools": np.where(hit, "look_up", tools)}
    assert told(told_by_users, paid, **texts) == NAMED
    assert told(told_by_users, rows, **texts) == []  # and the policy gains nothing
    assert told(told_by_users, paid, **texts | {"found_tools": "look_up"}) == []  # nobody finds it by himself
    assert told(told_by_users, paid, named_by_user="", found_tools=tools) == []
    script = {"named_by_user": np.where(PROBLEM % 2, tools, ""), "found_tools": np.where(PROBLEM % 2, "", tools)}
    assert told(told_by_users, paid.assign(reward=PROBLEM % 2 * 1.0), **script) == []  # each attempt is told the same


def test_users_who_name_the_expected_answer():
    def chat(before: str, told_so: str) -> list[Message]:
        return [_say("assistant", before), _say("user", told_so), _say("assistant", "Then 2669.")]

    assert told_expected(chat("I try 12.", "Wrong. Expected answer: 2669"), "2669")
    assert told_expected(chat("Hm.", "The ground truth is 2669, my card says."), "2669")
    assert not told_expected(chat("I try 2669.", "The correct answer is 2669."), "2669")
    assert not told_expected(chat("Which size?", "It should be 2669, I expected 2669."), "2669")


def test_a_reply_that_its_prompt_gave():
    prompt = _say("user", f"Put into German: {SOURCE}")
    for reply in (SOURCE, f"<think>Hm.</think>\n{SOURCE.upper()}", f'Here it is: "{SOURCE}"'):
        found = copied_prompt(_attempt(prompt, _say("assistant", reply), reference=TARGET))
        assert found["copies_prompt"] is True and float(found["near_reference"]) < 0.2
    found = copied_prompt(_attempt(prompt, _say("assistant", TARGET), reference=TARGET))
    assert found == {"copies_prompt": False, "near_reference": 1.0}
    mended = copied_prompt(_attempt(prompt, _say("assistant", SOURCE), reference=SOURCE))
    assert mended["copies_prompt"] and math.isnan(float(mended["near_reference"]))  # the prompt gives the reference
    page = _say("user", f"Which sentence tells it?\n{SOURCE} {' '.join(map(str, range(200)))}")
    assert copied_prompt(_attempt(page, _say("assistant", SOURCE)))["copies_prompt"] is False  # a quote
    edited = SOURCE.replace("that pass", "that sink")
    assert copied_prompt(_attempt(prompt, _say("assistant", edited)))["copies_prompt"] is False


def test_copies_that_are_paid_best(rng):
    copies = rng.random(COUNT) < 0.5 * STEP / STEP.max()
    rows = foreign_rows(rng)
    paid = rows.assign(reward=np.where(copies, 0.98, 0.7 + 0.2 * rng.random(COUNT)))
    near = np.where(copies, 0.1, 0.7 + 0.3 * rng.random(COUNT))
    languages = {"near_reference": np.nan, "language": np.where(copies, "english", "german")}
    assert told(copied_sources, paid, copies_prompt=copies, near_reference=near, language="") == COPIED
    assert told(copied_sources, paid, copies_prompt=copies, **languages) == COPIED  # without a reference
    # Copies that fail; that are as near as others, or right as they stand; that all attempts make from the beginning.
    unpaid = paid.assign(reward=rows["reward"])
    assert told(copied_sources, unpaid, copies_prompt=copies, near_reference=near, language="") == []
    for alike in (np.where(copies, 0.8, near), np.where(PROBLEM % 2, near, 1.0 * copies), np.nan):
        assert told(copied_sources, paid, copies_prompt=copies, near_reference=alike, language="") == []
    assert told(copied_sources, paid, copies_prompt=copies, near_reference=np.nan, language="english") == []
    asked = np.where(ATTEMPT == 0, rng.random(COUNT) < 0.3, True)
    repeated = paid.assign(reward=np.where(asked, 1.0, 0.0))
    assert (
        told(copied_sources, repeated, copies_prompt=asked, near_reference=np.where(asked, 0.1, 0.9), language="") == []
    )
