"""What a simple command does: the program that it starts in the end, its action, and the files that it writes.

table.yaml holds the action of each program (`programs`, `wrappers`, `writers`). This module handles programs whose
options decide, like sed and python. Programs that print or change directory are no action where a line holds others.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evotrainer.actions.files import RepositoryFiles, patched_files, written_files
from evotrainer.actions.git import git_action
from evotrainer.actions.shell import SimpleCommand, parse_shell
from evotrainer.actions.table import Action, ProgramKind, Table, in_git_directory

_PYTHON = re.compile(r"(?:python|pypy|ipython)[\d.]*")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash"})
_ELSEWHERE = ("/dev/", "/tmp/", "/proc/", "/var/tmp/")
_FILTERS = frozenset({"head", "tail", "grep", "egrep", "fgrep", "rg", "sed", "awk", "cat", "less", "more", "wc", "cut"})
"""Programs that read files or what is piped to them; with a pipe or a heredoc they are no search."""
_WRITE_ALL, _WRITE_LAST = frozenset({"tee", "rm", "mv", "touch"}), frozenset({"cp", "ln"})
_STREAM_EDITORS = frozenset({"sed", "gsed", "perl"})
_MAX_NESTED = 5


class Programs:
    """Programs by kind."""

    def __init__(self, table: Table, files: RepositoryFiles) -> None:
        self._kinds, self._writers = table.programs, frozenset(table.writers)
        self._git_readers, self._wrappers = frozenset(table.git_readers), frozenset(table.wrappers)
        self._files = files
        self._families = frozenset(name.split()[0] for name in table.programs if " " in name)
        known = {name.split()[0] for name, kind in table.programs.items() if kind != "none"}
        self._known = known | self._wrappers | _SHELLS | _WRITE_ALL | _WRITE_LAST | _STREAM_EDITORS | {"git"}

    def shell_actions(self, text: str, tool: str) -> list[Action]:
        """Return what a text of shell does, in order: at least one action."""
        return self._actions(parse_shell(text), tool, 0) or [Action("other", tool)]

    def git_actions(self, text: str, tool: str) -> list[Action]:
        """Return what `git TEXT` does: at least one action."""
        commands = parse_shell(text if text.split()[:1] == ["git"] else f"git {text}")
        given = [command for command in commands if command.words[:1] == ("git",)]
        actions = [git_action(each.words[1:], tool, self._git_readers, each.writes) for each in given]
        return actions or [Action("git", tool, is_git=True)]

    def _actions(self, commands: Sequence[SimpleCommand], tool: str, depth: int) -> list[Action]:
        actions: list[Action] = []
        before = place = ""
        for command in commands:
            found = self._command(command, tool, depth, before if command.is_piped else "")
            actions += [_placed(action, place) for action in found] if place else found
            before = command.words[0] if command.words else ""
            if before == "cd" and len(command.words) == 2:
                place = posixpath.join(place, command.words[1])
        return [action for action in actions if action.kind != "other"] or actions[:1]

    def _command(self, command: SimpleCommand, tool: str, depth: int, before: str) -> Iterator[Action]:
        """Yield what one command does; `before` is the program whose output it reads."""
        words = self._unwrapped(list(command.words))
        program = posixpath.basename(words[0]) if words else ""
        name, arguments = f"{tool} {program}".rstrip(), words[1:]
        inner = " ".join(arguments) if program == "eval" else _inline(arguments) if program in _SHELLS else None
        if inner is not None and depth < _MAX_NESTED:
            yield from self._actions(parse_shell(inner), tool, depth + 1)
        elif program == "tee" and before and before not in self._writers:
            return  # a log of what another program prints
        elif program == "git":
            action = git_action(arguments, f"{tool} git", self._git_readers, command.writes)
            yield replace(action, files=(*action.files, *patched_files(command.text or "")))
        elif _PYTHON.fullmatch(program):
            yield self._python(arguments, name, command)
        else:
            yield from self._plain(program, words, name, command)

    def _unwrapped(self, words: list[str]) -> list[str]:
        """Return the words from the program on that is started in the end; python -m X is X."""
        for _ in range(_MAX_NESTED):
            program = posixpath.basename(words[0]) if words else ""
            if program in self._wrappers:
                places = (place for place in range(1, len(words)) if self._is_program(words[place]))
            elif _PYTHON.fullmatch(program) and "-c" not in words[:4]:
                places = (place + 1 for place in range(1, min(4, len(words) - 1)) if words[place] == "-m")
            else:
                break
            words = words[place:] if (place := next(places, 0)) else words
        return words

    def _is_program(self, word: str) -> bool:
        name = posixpath.basename(word)
        return name in self._known or _PYTHON.fullmatch(name) is not None or self._files.decides_tests(word)

    def _plain(self, program: str, words: Sequence[str], name: str, command: SimpleCommand) -> Iterator[Action]:
        written, kind = _written(program, words[1:]), self._kind(words)
        is_filter = program in _FILTERS and (command.is_piped or command.text is not None)
        if written is not None:
            yield _edit(name, written, removes=program == "rm")
        elif kind == "search" and not is_filter:
            is_git = any(".git" in word and in_git_directory(word) for word in words[1:])
            yield Action("search", name, is_git=is_git, history="read" if is_git else "")
        elif kind == "edit":
            yield _edit(name, patched_files(command.text or " ".join(words[1:])))
        elif kind in ("test", "submit", "git", "other"):
            yield Action(kind, name)
        if program in self._writers and (files := _inside(command.writes)):
            yield _edit(name, files)

    def _kind(self, words: Sequence[str]) -> ProgramKind:
        if not words:
            return "none"
        base = posixpath.basename(words[0])
        following = [word for word in words[1:] if not word.startswith("-")][:3] if base in self._families else []
        for name in (*(f"{base} {word.partition(':')[0]}" for word in following), words[0], base):
            if name in self._kinds:
                return self._kinds[name]
        return "test" if self._files.decides_tests(words[0]) else "other"

    def _python(self, arguments: Sequence[str], name: str, command: SimpleCommand) -> Action:
        script = next((place for place, word in enumerate(arguments) if not word.startswith("-")), None)
        code = _inline(arguments) or (command.text if script is None else None)
        if code is not None:
            files = written_files(code)
            return Action("other", name) if files is None else _edit(name, files)
        kind = "other" if script is None else self._kind(arguments[script:])
        return Action("test" if kind == "test" else "other", name)


def _edit(name: str, files: Sequence[str], *, removes: bool = False) -> Action:
    return Action("edit", name, tuple(file for file in files if "$" not in file), removes=removes)


def _placed(action: Action, place: str) -> Action:
    """Return the action with its files as seen from where the line began."""
    return replace(action, files=tuple(posixpath.join(place, file) for file in action.files))


def _written(program: str, arguments: Sequence[str]) -> list[str] | None:
    """Return the files that a program writes by its arguments; None where it writes none."""
    plain = [word for word in arguments if not word.startswith("-")]
    if program in _STREAM_EDITORS:
        if not any(re.match(r"-[a-zA-Z]*i|--in-place", word) for word in arguments):
            return None
        scripts = sum(re.fullmatch(r"-[a-zA-Z]*[ef]", word) is not None for word in arguments)
        return _inside(plain[max(1, scripts) :])
    return _inside(plain if program in _WRITE_ALL else plain[-1:] if program in _WRITE_LAST else []) or None


def _inside(paths: Sequence[str]) -> list[str]:
    """Return the paths that may lie in a repository."""
    return [path for path in paths if path and not path.startswith(_ELSEWHERE)]


def _inline(arguments: Sequence[str]) -> str | None:
    """Return the program text after -c, also in a bundle of options like -lc."""
    for option, text in zip(arguments, arguments[1:], strict=False):
        if not option.startswith("-"):
            return None
        if option.endswith("c") and not option.startswith("--"):
            return text
    return None
