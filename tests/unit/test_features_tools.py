"""Tool features: what a trajectory's calls amount to."""

import pytest

from evotrainer.actions import standard_classifier
from evotrainer.evidence.features import calls_by_turn
from evotrainer.evidence.tool_features import tool_features
from evotrainer.records import Message, ToolCall


def said(*calls: tuple[str, dict], ok: bool | None = True) -> list[Message]:
    """Return an assistant message with these calls and one answer each."""
    made = [ToolCall(name=name, arguments=arguments) for name, arguments in calls]
    answers = [Message(role="tool", content="", tool_name=call.name, ok=ok) for call in made]
    return [Message(role="assistant", tool_calls=made), *answers]


SEARCH = ("search", {"query": "total"})
READ = ("read_file", {"path": "shop/cart.py"})
EDIT = ("edit", {"path": "shop/cart.py", "old": "a", "new": "b"})
TEST = ("run_tests", {"path": "tests/test_cart.py"})
SUBMIT = ("submit", {})


def features(*turns: list[Message]) -> dict:
    start = [Message(role="user", content="the total is wrong")]
    messages = [*start, *(message for turn in turns for message in turn)]
    return tool_features(messages, calls_by_turn(messages), standard_classifier())


def test_a_careful_attempt():
    found = features(said(SEARCH), said(READ), said(EDIT), said(TEST), said(SUBMIT))
    assert found["action_sequence"] == "SSETX"
    assert (found["num_search_turns"], found["num_edit_turns"], found["num_test_turns"]) == (2, 1, 1)
    assert (found["num_other_turns"], found["num_idle_turns"]) == (1, 0)
    assert found["first_edit_turn"] == 3
    assert found["is_search_before_edit"] is found["is_test_after_last_edit"] is found["is_submitted"] is True
    assert found["edited_files"] == ["shop/cart.py"]
    assert found["tool_entropy"] == pytest.approx(2.321928, abs=1e-6)
    none = ("failed_edits", "test_file_writes", "git_calls", "repeated_calls", "history_reads")
    assert not any(found[f"num_{name}"] for name in none)


def test_without_an_edit_its_order_is_unknown():
    found = features(said(READ), said(TEST))
    assert found["first_edit_turn"] is found["is_search_before_edit"] is found["is_test_after_last_edit"] is None
    assert features()["tool_entropy"] is None
    assert features([Message(role="assistant", content="hm")], said(READ))["num_idle_turns"] == 1


def test_a_failed_edit_is_no_edit():
    found = features(said(EDIT, ok=False), said(READ), said(EDIT), said(TEST), said(EDIT, ok=False))
    assert (found["num_failed_edits"], found["num_edit_turns"]) == (2, 3)
    assert found["first_edit_turn"] == 3
    assert found["is_search_before_edit"] is found["is_test_after_last_edit"] is True
    assert features(said(EDIT, ok=False))["edited_files"] == []


def test_the_order_within_one_message_counts():
    assert features(said(EDIT, TEST))["is_test_after_last_edit"] is True
    assert features(said(TEST, EDIT))["is_test_after_last_edit"] is False
    assert features(said(READ, EDIT))["is_search_before_edit"] is True


def test_a_call_is_repeated_until_something_is_edited():
    assert features(said(TEST), said(TEST), said(READ), said(TEST))["num_repeated_calls"] == 2
    assert features(said(TEST), said(EDIT), said(TEST))["num_repeated_calls"] == 0
    assert features(said(EDIT), said(EDIT))["num_repeated_calls"] == 1
    assert features(said(EDIT, ok=False), said(EDIT, ok=False))["num_repeated_calls"] == 1


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("tests/test_cart.py", 1),
        ("test/util/data.py", 1),
        ("shop/test_cart.py", 1),
        ("conftest.py", 1),
        ("site/evil.pth", 1),
        (".github/workflows/ci.yml", 1),
        ("/testbed/tests/test_cart.py", 1),
        ("shop/contest.py", 0),
        ("shop/latest/cart.py", 0),
        ("attest.py", 0),
    ],
)
def test_writes_to_what_decides_tests(path, counts):
    found = features(said(("write_file", {"path": path, "text": "x"})), said(READ))
    assert found["num_test_file_writes"] == counts


def test_reading_the_git_directory_is_reading_history():
    found = features(said(("read_file", {"path": ".git/packed-refs"})), said(("read_file", {"path": ".gitignore"})))
    assert (found["num_git_calls"], found["num_history_reads"]) == (1, 1)


def shell(command: str) -> tuple[str, dict]:
    return ("bash", {"command": command})


LOG, COMMIT_AND_LOG, RUN = shell("git log -p -3"), shell("git commit -qam x && git log -1"), shell("./migrate.sh")


@pytest.mark.parametrize(
    ("calls", "number"),
    [
        ([LOG, EDIT], 1),
        ([EDIT, LOG], 0),
        ([EDIT, LOG, TEST, SUBMIT], 0),
        ([EDIT, COMMIT_AND_LOG], 0),
        ([LOG, EDIT, LOG], 1),
        ([EDIT, LOG, RUN], 1),
        ([EDIT, LOG, EDIT], 1),
        ([LOG], 1),
    ],
)
def test_history_that_is_only_looked_at_before_handing_in_is_not_read_for_the_work(calls, number):
    assert features(*map(said, calls))["num_history_reads"] == number
