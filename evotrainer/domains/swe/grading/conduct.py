"""Reward terms for how a policy worked: whether it searched before its first edit, and tested after its last one."""

from collections.abc import Sequence

from evotrainer.domains.swe.tools.replay import answered_calls
from evotrainer.records import Message

SEARCHES = frozenset({"list_files", "read_file", "search"})
EDITS = frozenset({"edit", "replace_line", "write_file"})
TESTS = frozenset({"run_tests"})


def conduct_terms(messages: Sequence[Message]) -> dict[str, float]:
    """Return search_before_edit and edit_then_test, 0 or 1; both 0 for an episode without an edit. Failed calls of
    a tool did nothing and do not count.
    """
    names = [call.name for call, answer in answered_calls(messages) if answer.ok]
    edits = [place for place, name in enumerate(names) if name in EDITS]
    searched = bool(edits) and any(name in SEARCHES for name in names[: edits[0]])
    tested = bool(edits) and any(name in TESTS for name in names[edits[-1] + 1 :])
    return {"search_before_edit": float(searched), "edit_then_test": float(tested)}
