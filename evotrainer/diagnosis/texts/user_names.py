"""Tools that a user names to the policy, by the name that only calls have (`issue_refund`), before anybody else did.

Users know what they wish for, and no names of functions. A name of the task, of an earlier call or answer, or of the
policy's own words may be repeated. A message behind a call is the answer of a tool, whatever its role says.
"""

import re

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key

_OF_CODE = re.compile(r"[A-Za-z][a-z0-9]*_\w+|[a-z][a-z0-9]*[A-Z]\w+")
"""A name of several words, written as code does."""
_MAX_CHARS = 4000


def user_names(attempt: Transcript) -> dict[str, str]:
    """Return `named_by_user`, the first tool that a user named and that was called then, and `found_tools`.

    The latter are the tools of such names, parted by blanks, that were called and that no user had named.
    """
    called = {call.name for message in attempt.said for call in message.tool_calls if _OF_CODE.fullmatch(call.name)}
    if not called:
        return {"named_by_user": "", "found_tools": ""}
    met = "\n".join([message.content[:_MAX_CHARS] for message in attempt.asked if message.role != "system"])
    named: list[str] = []
    for before, message in zip([None, *attempt.since], attempt.since, strict=False):
        text = message.content[:_MAX_CHARS]
        is_user = message.role == "user" and before is not None and before.role == "assistant" and not before.tool_calls
        if is_user:
            named += [name for name in sorted(called) if _holds(text, name) and not _holds(met, name)]
        met = "\n".join([met, text, *map(call_key, message.tool_calls)])
    return {"named_by_user": named[0] if named else "", "found_tools": " ".join(sorted(called - set(named)))}


def _holds(text: str, name: str) -> bool:
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
