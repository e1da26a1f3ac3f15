"""The tools of a swe episode, over its working copy, and what a policy is shown of their answers.

    list_files(path="")           search(query, path="")           read_file(path, start?, end?)
    edit(path, old, new)          replace_line(path, line, text)   write_file(path, text)
    run_tests(path="")            git(arguments)                   submit()

One table, CHANGES, tells which of them change files: those alone are replayed by the grader, on a fresh working copy,
so that the same messages always lead to the same files. A call that cannot be done answers in one line and ok
false; nothing that a policy writes raises.

Answers are short, the same each time, and in characters that every policy's vocabulary holds: a character outside
printable ASCII stands as a Python escape (é as \\xe9, a tab as \\t), so that nothing is lost and no episode fails for
it. The opening of a control token (<|) is split, so that a file cannot speak as another role.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from evotrainer.actions.tool_call_formats import ToolSchemas
from evotrainer.domains.swe.checkout.files import OutsideError, below, excess, inside, is_text
from evotrainer.domains.swe.checkout.working_copy import Answer, WorkingCopy
from evotrainer.domains.swe.runners.base import TestRun
from evotrainer.records import Message, ToolCall

MAX_FAILURES = 3
_WORDS = {"failed": "failed", "error": "error", "timeout": "timeout", "missing": "not run", "skipped": "skipped"}
_OTHER = re.compile(r"[^\n -~]")


def shown(text: str, max_characters: int) -> str:
    """Return a text as the policy may see it, cut at a line's end where one is near, with what was left out counted."""
    text = _OTHER.sub(lambda match: match.group().encode("unicode_escape").decode(), text.rstrip("\n"))
    text = text.replace("<|", "< |")
    if len(text) <= max_characters:
        return text
    kept = text[:max_characters]
    line_end = kept.rfind("\n")
    kept = kept[:line_end] if line_end > max_characters // 2 else kept
    return f"{kept}\n... {len(text) - len(kept)} more characters"


def first_line(text: str, max_characters: int = 120) -> str:
    """Return the first line of a text, cut."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= max_characters else f"{line[: max_characters - 3]}..."


def summary(run: TestRun) -> str:
    """Return e.g. `FAILED tests/test_calc.py::test_add: assert add(2, 3) == 5` and `1 failed, 2 passed`."""
    failures = [(name, result) for name, result in run.results.items() if result.status not in ("passed", "skipped")]
    lines = [
        f"FAILED {name}: {first_line(result.detail or _WORDS[result.status])}"
        for name, result in failures[:MAX_FAILURES]
    ]
    if len(failures) > MAX_FAILURES:
        lines.append(f"... {len(failures) - MAX_FAILURES} more failed")
    counts = Counter(result.status for result in run.results.values())
    ended = [f"{counts[status]} {word}" for status, word in {**_WORDS, "passed": "passed"}.items() if counts[status]]
    return "\n".join([*lines, ", ".join(ended)])


GIT, SUBMIT = "git", "submit"
CHANGES = frozenset({"edit", "replace_line", "write_file", GIT})
"""Tools that can change files."""
MAX_FILE_CHARACTERS = 200_000
MAX_MATCHES = 50
_MAX_DIGITS = 9
"""Of a number that comes as text: int refuses texts of thousands of digits, with an error of its own."""


class ToolError(Exception):
    """A call that cannot be done; the message is what the policy sees."""


RunTests = Callable[[str], Answer]
"""Runs the tests in a folder or file, and says how they ended."""


class Tools:
    """The tools over one working copy."""

    def __init__(self, copy: WorkingCopy, run_tests: RunTests) -> None:
        self._copy, self._tests = copy, run_tests
        self.touched: set[str] = set()
        """Paths that tools wrote."""

    def call(self, call: ToolCall) -> Answer:
        """Do one call and answer it."""
        if call.name not in _TOOLS:
            return Answer(f"no tool {first_line(call.name, 30)}: use {', '.join(_TOOLS)}", ok=False)
        try:
            return getattr(self, f"_{call.name}")(**_arguments(call))
        except (ToolError, OutsideError) as error:
            return Answer(str(error), ok=False)

    def _list_files(self, path: str = "") -> Answer:
        folder = inside(path, is_folder=True)
        found = below(self._copy.read_all(), folder)
        if not found:
            raise ToolError(f"no folder {folder}" if folder else "no files")
        return Answer("\n".join(found))

    def _read_file(self, path: str, start: int = 1, end: int | None = None) -> Answer:
        lines = self._text(path).splitlines()
        last = len(lines) if end is None else min(end, len(lines))
        if not lines:
            return Answer("(empty)")
        if not 1 <= start <= last:
            raise ToolError(f"lines are 1 to {len(lines)}")
        return Answer("\n".join(f"{number}: {lines[number - 1]}" for number in range(start, last + 1)))

    def _search(self, query: str, path: str = "") -> Answer:
        if not query.strip():
            raise ToolError("query is empty")
        files = self._copy.read_all()
        matches = [
            f"{name}:{number}: {line.strip()}"
            for name in below(files, inside(path, is_folder=True))
            if query in files[name]
            for number, line in enumerate(files[name].splitlines(), start=1)
            if query in line
        ]
        if not matches:
            return Answer("no match")
        more = [f"... {len(matches) - MAX_MATCHES} more"] if len(matches) > MAX_MATCHES else []
        return Answer("\n".join([*matches[:MAX_MATCHES], *more]))

    def _edit(self, path: str, old: str, new: str) -> Answer:
        text = self._text(path)
        num_matches = text.count(old) if old else 0
        if num_matches != 1:
            raise ToolError(f"old is in {path} {num_matches} times, it must be once" if old else "old is empty")
        return self._write(path, text.replace(old, new), "edited")

    def _replace_line(self, path: str, line: int, text: str) -> Answer:
        lines = self._text(path).splitlines(keepends=True)
        if not 1 <= line <= len(lines):
            raise ToolError(f"lines are 1 to {len(lines)}")
        lines[line - 1] = text.rstrip("\n") + ("\n" if lines[line - 1].endswith("\n") else "")
        return self._write(path, "".join(lines), "edited")

    def _write_file(self, path: str, text: str) -> Answer:
        return self._write(path, text, "wrote")

    def _run_tests(self, path: str = "") -> Answer:
        file, mark, test = path.partition("::")
        return self._tests(inside(file, is_folder=True) + mark + test)

    def _git(self, arguments: str) -> Answer:
        return self._copy.git(arguments)

    def _submit(self) -> Answer:
        return Answer("submitted")

    def _text(self, path: str) -> str:
        name, files = inside(path), self._copy.read_all()
        if name not in files:
            raise ToolError(f"no file {name}")
        return files[name]

    def _write(self, path: str, text: str, done: str) -> Answer:
        name, files = inside(path), self._copy.read_all()
        if not is_text(text):
            raise ToolError("the text is no UTF-8")
        if len(text) > MAX_FILE_CHARACTERS:
            raise ToolError(f"a file holds at most {MAX_FILE_CHARACTERS} characters")
        parts = name.split("/")
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if not above.isdisjoint(files):
            raise ToolError(f"{name} lies in a file")
        if not self._copy.closed.isdisjoint({*above, name}):
            raise ToolError(f"{name} is a link")
        if name not in files and below(files, name):
            raise ToolError(f"{name} is a folder")
        base = self._copy.repository.files
        changed = {path: text for path, text in files.items() if base.get(path) != text}
        if reason := excess(base, {**changed, name: text}):
            raise ToolError(reason)
        self._copy.files[name] = text
        self.touched.add(name)
        return Answer(f"{done} {name}")


def _arguments(call: ToolCall) -> dict[str, Any]:
    """Return the arguments, checked; a number may come as text. Raises ToolError that says what is expected."""
    expected = _parameters(call.name)
    missing = [name for name, is_needed in expected.items() if is_needed and name not in call.arguments]
    if missing or set(call.arguments) - set(expected):
        raise ToolError(f"use {call.name}({', '.join(expected)})")
    return {name: _value(name, value) for name, value in call.arguments.items() if value is not None}


def _value(name: str, value: Any) -> Any:
    kind = int if name in _NUMBERS else str
    if kind is int and isinstance(value, str) and value.strip().isdecimal() and len(value) <= _MAX_DIGITS:
        return int(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ToolError(f"{name} must be {'a number' if kind is int else 'text'}")
    return value


def answered_calls(messages: Sequence[Message]) -> Iterator[tuple[ToolCall, Message]]:
    """Yield each call that was executed, with its answer, in order."""
    pending: list[ToolCall] = []
    for message in messages:
        if message.role == "assistant":
            pending = list(message.tool_calls)
        elif message.role == "tool" and pending:
            yield pending.pop(0), message


def replay(messages: Sequence[Message], copy: WorkingCopy) -> Tools:
    """Repeat the calls that can change files; return the tools, which know the paths they wrote."""
    tools = Tools(copy, lambda path: Answer(""))
    for call, _ in answered_calls(messages):
        if call.name in CHANGES:
            tools.call(call)
    return tools


_TOOLS = {
    "list_files": ("path?", "List the paths of all files below a folder of the repository, sorted."),
    "read_file": ("path start? end?", "Read a file of the repository: numbered lines."),
    "search": ("query path?", "Find the lines that hold a text; answers path:line: text, at most 50."),
    "edit": ("path old new", "Replace a text in a file; it must stand there exactly once."),
    "replace_line": ("path line text", "Replace one line of a file by one line or several."),
    "write_file": ("path text", "Write a whole file, an old or a new one."),
    "run_tests": ("path?", "Run the repository's tests: the first failures, then the counts."),
    GIT: ("arguments", "Run a git command in the repository."),
    SUBMIT: ("", "Hand in the files as they are and end the episode."),
}
"""Tool -> its parameters, `?` for those that may be left out, and what it does; Tools has a method of its name."""
_NUMBERS = {"start": "First line, from 1.", "end": "Last line.", "line": "Number of the line, from 1."}
_TEXTS = {
    "path": "Path from the root of the repository.",
    "query": "The text to look for, as it stands.",
    "old": "The text to replace.",
    "new": "What takes its place.",
    "text": "The new text.",
    "arguments": "The command line after `git`, like: log --oneline -5",
}


def _parameters(tool: str) -> dict[str, bool]:
    """Return the parameters of a tool, and whether each must be given."""
    return {name.rstrip("?"): not name.endswith("?") for name in _TOOLS[tool][0].split()}


@cache
def tool_schemas() -> ToolSchemas:
    """Return the schemas, in the order of the tools' documentation."""
    return tuple(_schema(name) for name in _TOOLS)


def _schema(name: str) -> dict[str, Any]:
    given = _parameters(name)
    numbers = {each: {"type": "integer", "description": says} for each, says in _NUMBERS.items()}
    known = {each: {"type": "string", "description": says} for each, says in _TEXTS.items()} | numbers
    required = [each for each, is_needed in given.items() if is_needed]
    parameters = {"type": "object", "properties": {each: known[each] for each in given}, "required": required}
    return {"type": "function", "function": {"name": name, "description": _TOOLS[name][1], "parameters": parameters}}
