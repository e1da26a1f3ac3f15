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
from evotrainer.actions.table import Action, ProgramKind, Table, Wrapper, in_git_directory

_PYTHON = re.compile(r"(?:python|pypy|ipython)[\d.]*")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash"})
_ELSEWHERE = ("/dev/", "/tmp/", "/proc/", "/var/tmp/")
_FILTERS = frozenset({"head", "tail", "grep", "egrep", "fgrep", "rg", "sed", "awk", "cat", "less", "more", "wc", "cut"})
"""Programs that read files or a pipe; with a pipe they are no search."""
_REMOVERS = frozenset({"rm", "unlink", "shred"})
_MAX_NESTED = 5


class Programs:
    """Programs by kind."""

    def __init__(self, table: Table, files: RepositoryFiles) -> None:
        self._kinds, self._wrappers, self._writers = table.programs, table.wrappers, frozenset(table.writers)
        self._git_readers = frozenset(table.git_readers)
        self._files = files
        self._families = frozenset(name.split()[0] for name in table.programs if " " in name)

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
        listed: list[str] = []
        for command in commands:
            if listed and command.is_piped and "xargs" in command.words[:2]:
                command = replace(command, words=(*command.words, *listed))
            found = self._command(command, tool, depth, before if command.is_piped else "")
            listed = _found_files(command.words[1:]) if command.words[:1] == ("find",) else []
            actions += [_placed(action, place) for action in found] if place else found
            before = command.words[0] if command.words else ""
            if before == "cd" and len(command.words) == 2:
                place = posixpath.join(place, command.words[1])
        return [action for action in actions if action.kind != "other"] or actions[:1]

    def _command(self, command: SimpleCommand, tool: str, depth: int, before: str = "") -> Iterator[Action]:
        """Yield what one command does; `before` is the program whose output it reads."""
        words = list(command.words)
        program = words[0].rpartition("/")[2] if words else ""
        if program in self._wrappers or program.startswith("py"):
            words = self._unwrapped(words)
            program = words[0].rpartition("/")[2]
        name, arguments = f"{tool} {program}".rstrip(), words[1:]
        inner = " ".join(arguments) if program == "eval" else _inline(arguments) if program in _SHELLS else None
        if inner is not None and depth < _MAX_NESTED:
            yield from self._actions(parse_shell(inner), tool, depth + 1)
        elif program == "find" and depth < _MAX_NESTED:
            yield from self._find(command, arguments, tool, depth)
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
            program = words[0].rpartition("/")[2]
            rule = self._wrappers.get(program)
            if rule is not None:
                rest = _wrapped(words[1:], rule)
                if rest is None:
                    return words
                words = ["python", *rest] if rule.python else rest
            elif _PYTHON.fullmatch(program) and (module := _module(words[1:])):
                words = module
            else:
                break
        return words

    def _plain(self, program: str, words: Sequence[str], name: str, command: SimpleCommand) -> Iterator[Action]:
        written = _written(program, words[1:])
        kind = self._kind(words)
        if written is not None:
            yield self._edit(name, written, command, removes=program in _REMOVERS)
        elif kind == "search" and not (program in _FILTERS and self._only_filters(program, words[1:], command)):
            is_git = any(".git" in word and in_git_directory(word) for word in (*words[1:], *command.reads))
            yield Action("search", name, is_git=is_git, history="read" if is_git else "")
        elif kind == "edit":
            yield self._edit(name, patched_files(command.text or " ".join(words[1:])), command)
        elif kind in ("test", "submit", "git"):
            yield Action(kind, name)
        elif kind == "other":
            yield Action("other", name)
        if program in self._writers and (files := _inside(command.writes)):
            yield self._edit(name, files, command)

    def _kind(self, words: Sequence[str]) -> ProgramKind:
        if not words:
            return "none"
        base = words[0].rpartition("/")[2]
        following = [word for word in words[1:] if not word.startswith("-")][:3] if base in self._families else []
        for name in (*(f"{base} {word.partition(':')[0]}" for word in following), words[0], base):
            if name in self._kinds:
                return self._kinds[name]
        return "test" if self._files.decides_tests(words[0]) else "other"

    def _only_filters(self, program: str, arguments: Sequence[str], command: SimpleCommand) -> bool:
        """Tell whether a program only passes on what is piped or written to it."""
        if not command.is_piped and command.text is None:
            return False
        plain = [word for word in arguments if not word.startswith("-") and not word.isdigit()]
        return len(plain) <= (program in ("grep", "egrep", "fgrep", "rg", "sed", "awk"))

    def _python(self, arguments: Sequence[str], name: str, command: SimpleCommand) -> Action:
        code = _inline(arguments, "c")
        script = next((word for word in arguments if not word.startswith("-")), None)
        if code is None and script is None:
            code = command.text or ""
        if code is not None:
            files = written_files(code)
            return Action("other", name) if files is None else self._edit(name, _inside(files) or files, command)
        assert script is not None
        words = [script, *arguments[list(arguments).index(script) + 1 :]]
        kind = self._kind(words)
        return Action("test" if kind == "test" else "other", name)

    def _find(self, command: SimpleCommand, arguments: Sequence[str], tool: str, depth: int) -> Iterator[Action]:
        is_git = any(".git" in word and in_git_directory(word) for word in arguments)
        history = "read" if is_git and not {"-not", "!", "-prune"}.intersection(arguments) else ""
        yield Action("search", f"{tool} find", is_git=bool(history), history=history)
        files = _found_files(arguments)
        if "-delete" in arguments:
            yield self._edit(f"{tool} find", files, command, removes=True)
        for place, word in enumerate(arguments):
            if word in ("-exec", "-execdir", "-ok"):
                inner = arguments[place + 1 :]
                end = next((i for i, other in enumerate(inner) if other in (";", "+")), len(inner))
                words = [file for word in inner[:end] for file in (files if word == "{}" else [word])]
                for action in self._command(SimpleCommand(tuple(words)), tool, depth + 1):
                    if action.kind in ("edit", "test"):
                        yield action

    def _edit(self, name: str, files: Sequence[str], command: SimpleCommand, *, removes: bool = False) -> Action:
        text = f"{command.text or ''} {' '.join(command.words)}"
        kept = tuple(file for file in files if file != "{}" and "$" not in file)
        return Action("edit", name, kept, removes=removes, speaks_of_tests="test" in text)


def _found_files(arguments: Sequence[str]) -> list[str]:
    """Return the folders that `find` looks in, each with the patterns of names that it looks for."""
    first = next((place for place, word in enumerate(arguments) if word.startswith(("-", "(", "!"))), len(arguments))
    names = [name for option, name in zip(arguments, arguments[1:], strict=False) if option in ("-name", "-iname")]
    return [posixpath.join(folder, name) for folder in arguments[:first] or ["."] for name in names or [""]]


def _written(program: str, arguments: Sequence[str]) -> list[str] | None:
    """Return the files that a program writes by its arguments; None where it writes none."""
    plain = [word for word in arguments if not word.startswith("-")]
    if program in ("sed", "gsed", "perl"):
        return _edited_in_place(program, arguments, plain)
    if program in ("awk", "gawk"):
        return plain[2:] if "inplace" in plain[:1] else None
    if program in ("tee", "rm", "mv", "touch", "unlink", "truncate", "shred"):
        return _inside(plain) or None
    if program in ("cp", "ln", "install", "rsync"):
        return _inside(plain[-1:]) or None
    if program == "dd":
        return [word[3:] for word in arguments if word.startswith("of=") and _inside([word[3:]])] or None
    return None


def _placed(action: Action, place: str) -> Action:
    """Return the action with its files as seen from where the line began."""
    return replace(action, files=tuple(posixpath.join(place, file) for file in action.files))


def _edited_in_place(program: str, arguments: Sequence[str], plain: list[str]) -> list[str] | None:
    """Return the files of sed -i and perl -i, whatever else is bundled with the option."""
    short = [word[1:] for word in arguments if re.match(r"-[^-MI]", word)]
    if not any(word.startswith("--in-place") for word in arguments) and not any(
        "i" in option.partition("e")[0] or (program != "perl" and "I" in option) for option in short
    ):
        return None
    scripts = sum(option.endswith(("e", "f")) for option in short)
    is_given = scripts or any(word.startswith(("--expression=", "--file=")) for word in arguments)
    return _inside(plain[scripts if is_given else 1 :])


def _inside(paths: Sequence[str]) -> list[str]:
    """Return the paths that may lie in a repository."""
    return [path for path in paths if path and not path.startswith(_ELSEWHERE)]


def _inline(arguments: Sequence[str], flag: str = "c") -> str | None:
    """Return the program text after -c, also in a bundle of options like -lc."""
    for option, text in zip(arguments, arguments[1:], strict=False):
        if not option.startswith("-"):
            return None
        if option.endswith(flag) and not option.startswith("--"):
            return text
    return None


def _module(arguments: Sequence[str]) -> list[str] | None:
    """Return module and arguments of `python -m`; None for any other way to start python."""
    for place, word in enumerate(arguments):
        if word == "-m":
            return list(arguments[place + 1 :]) or None
        if not word.startswith("-") or word == "-c":
            return None
    return None


def _wrapped(arguments: Sequence[str], rule: Wrapper) -> list[str] | None:
    """Return the command that a wrapper starts; None where it starts none."""
    if rule.word:
        if rule.word not in arguments[:3]:
            return None
        arguments = arguments[list(arguments).index(rule.word) + 1 :]
    place, skip = 0, rule.skip
    while place < len(arguments):
        word = arguments[place]
        if word.startswith("-") and not (rule.python and word in ("-m", "-c")):
            place += 2 if word in rule.values else 1
        elif skip and "=" not in word:
            skip -= 1
            place += 1
        elif "=" in word and rule.skip == 0 and word.split("=")[0].isidentifier():
            place += 1
        else:
            break
    return list(arguments[place:]) or None
