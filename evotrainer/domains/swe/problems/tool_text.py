"""What tool calls and their answers are made of: tokens of an embedded policy, beside the repository's words."""

import json

from evotrainer.domains.swe.problems.vocabulary import PIECES

_OPENING = '<tool_call>{{"name": "{}", "arguments": {{'


def _calls() -> tuple[str, ...]:
    first = {"search": "query", "read_file": "path", "replace_line": "path", "run_tests": "path", "git": "arguments"}
    whole = [_OPENING.format(tool) + "}}</tool_call>" for tool in ("submit", "run_tests", "list_files")]
    started = [f'{_OPENING.format(tool)}"{name}": "' for tool, name in first.items()]
    between = ('", "start": ', ', "end": ', '", "line": ', ', "text": "')
    return (*whole, *started, *between, "}}</tool_call>", '"}}</tool_call>')


def _quoted() -> tuple[str, ...]:
    """Pieces of code as they stand within a call."""
    return ('\\"', *(json.dumps(piece)[1:-1] for piece in PIECES if '"' in piece))


_ANSWERS = (
    ": ",
    "edited ",
    "FAILED ",
    "::test_",
    ": assert ",
    " passed",
    " failed, ",
    "... ",
    " more failed",
    "no match",
    "submitted",
    "call a tool",
    "no file ",
    "lines are 1 to ",
    "Error",
    "Done.",
    "checkout origin/main -- ",
    "fatal: invalid reference: ",
    "origin/main",
)

TOOL_PIECES = tuple(piece for piece in dict.fromkeys((*_calls(), *_quoted(), *_ANSWERS)) if piece not in PIECES)
"""Texts of several characters that calls and answers are made of."""
