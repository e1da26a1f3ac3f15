"""Tools that say an answer is cut and show the same again to whoever asks otherwise."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.cut_pages import cut_pages
from evotrainer.records import Message, ToolCall
from harness_plugins.elsewhere import unturned_pages
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, session, told

FOUND = [("warning", "tool_output_truncated")]
HEAD = "The mill was built for a widow, and the town bought it after 14 years"
CUT = f"{HEAD}\n[output truncated: 2 of 90 lines shown]"


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def other(name: str, arguments: dict[str, object], answer: str) -> list[Message]:
    call = ToolCall(name=name, arguments=arguments)
    return [Message(role="assistant", tool_calls=[call]), Message(role="tool", content=answer)]


def vain_turned_more(messages: list[Message]) -> tuple[bool, bool, bool]:
    found = cut_pages(messages)
    return bool(found["asks_in_vain"]), bool(found["turns_page"]), bool(found["shows_more"])


@pytest.mark.parametrize(
    ("again", "answer", "expected"),
    [
        ("cat notes | tail -n 40", CUT, (True, False, False)),
        ("cat notes -v", CUT.replace("14 years", "9 years"), (True, False, False)),  # a number of another length
        ("cat -n notes", CUT.replace("14 years", "9 years o"), (True, False, False)),  # which moves the cut
        ("cat notes", CUT, (False, False, False)),  # the same call again asks for nothing new
        ("ls -l", CUT, (False, False, False)),  # about something else
        ("tail notes", "It was closed in 1931.\n[output truncated: 2 of 90 lines shown]", (False, True, True)),
        ("tail notes", "It was closed.", (False, True, True)),
        ("tail notes", HEAD, (False, True, True)),  # it no longer says that it is cut
    ],
)
def test_whether_the_same_cut_text_comes_again(again, answer, expected):
    assert vain_turned_more(session(("cat notes", CUT), (again, answer))) == expected


def test_calls_of_one_message_have_their_answers_in_order():
    calls = [ToolCall(name="open", arguments={"page": page, "offset": at}) for page, at in (("mill", 0), ("mill", 9))]
    both = Message(role="assistant", tool_calls=calls)
    assert vain_turned_more([both, *[Message(role="tool", content=CUT)] * 2]) == (True, False, False)


@pytest.mark.parametrize(
    ("name", "arguments", "answer", "sees"),
    [
        ("shell", {"cmd": "sed -n 3,90p notes"}, "It was closed in 1931. " * 4, True),
        ("shell", {"cmd": "sed -n 3,90p notes"}, "not found", False),  # shorter than what is shown
        ("open", {"page": 17}, f"{HEAD}. It was closed in 1931.", True),  # the whole page
        ("open", {"page": 17}, "Another page about the harbour, the old quarter and its many schools.", False),
        ("shell", {"cmd": "sed -n 3,90p notes"}, CUT, False),
    ],
)
def test_another_tool_may_show_more(name, arguments, answer, sees):
    messages = [*session(("cat notes", CUT), ("cat -n notes", CUT)), *other(name, arguments, answer)]
    assert vain_turned_more(messages) == (not sees, False, sees)


def test_a_tool_that_turns_no_page(rng):
    rows = foreign_rows(rng, num_tool_calls=3, reward=(rng.random(COUNT) < 0.3) * 1.0, correct=np.nan)
    vain = rng.random(COUNT) < 0.6
    texts = {"noted_at": 180.0, "noted": PROBLEM + 1.0, "asks_in_vain": vain, "shows_more": False}
    assert told(unturned_pages, rows, **texts) == FOUND
    part = rows["reward"] * 1.0 + 0.2 * (rng.random(COUNT) < 0.8)
    assert told(unturned_pages, rows.assign(reward=part), **texts) == FOUND, "a part is paid to most"
    by_lines = {"noted_at": rng.integers(60, 300, COUNT) * 1.0}
    assert told(unturned_pages, rows, **texts | by_lines) == FOUND
    assert told(unturned_pages, rows, **texts | {"asks_in_vain": rng.random(COUNT) < 0.15}) == [], "few ask otherwise"
    assert told(unturned_pages, rows, **texts | {"noted_at": 4000.0}) == [], "a large limit hides little"
    assert told(unturned_pages, rows, **texts | {"noted_at": np.where(ATTEMPT > 0, 0.0, 180.0)}) == [], "few meet it"
    assert told(unturned_pages, rows, **texts | {"noted": 7.0}) == [], "one text for all"
    assert told(unturned_pages, rows.assign(problem_id="p0"), **texts) == [], "one problem"
    others = {"asks_in_vain": ATTEMPT < 2, "shows_more": ATTEMPT > 1}
    assert told(unturned_pages, rows, **texts | others) == [], "as many find more"


def test_short_texts_that_suffice(rng):
    vain = rng.random(COUNT) < 0.6
    texts = {"noted_at": 180.0, "noted": PROBLEM + 1.0, "asks_in_vain": vain, "shows_more": False}
    learns = (rng.random(COUNT) < 0.2 + 0.07 * STEP) * 1.0
    rows = foreign_rows(rng, num_tool_calls=2, correct=learns, reward=learns)
    assert told(unturned_pages, rows, **texts) == [], "the policy comes to do well"
    costly = (rng.random(COUNT) < np.where(vain, 0.4, 0.95)) * 1.0
    assert told(unturned_pages, rows.assign(correct=costly, reward=costly), **texts) == FOUND
