r"""Patterns of `git grep`, as POSIX and glibc define them, for a search whose time is linear in what is searched.

A policy writes the pattern, and the search runs in this process: an engine that backtracks would let `(a+)+b` hold it
for ever. RE2 never backtracks, and speaks another dialect, so basic (`a\|b`) and extended (`a|b`) expressions are
rewritten, by the rules of glibc's regcomp, byte by byte as in the C locale. What RE2 cannot do is refused: a reference
to a group (`\1`), a repetition beyond 1000. `\<` and `\>` are taken as `\b`.

Sources: POSIX.1-2017, Base Definitions, chapter 9; glibc posix/regcomp.c; https://github.com/google/re2/wiki/Syntax.
"""

import re
import string

import re2

from evotrainer.domains.swe.checkout.git.options import GitError
from evotrainer.domains.swe.checkout.objects import encode, is_text

MAX_PATTERN_BYTES = 1000
MAX_STEPS = 1_000_000_000
"""Of one command: size of the compiled pattern times bytes searched, which the slowest of RE2's ways would take."""

_CLASSES = frozenset(
    {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"}
)
_ESCAPES = {"w": r"\w", "W": r"\W", "s": "[[:space:]]", "S": "[^[:space:]]"}
_ANCHORS = {"b": r"\b", "B": r"\B", "<": r"\b", ">": r"\b", "`": "^", "'": "$"}
_INTERVAL = re.compile(r"([0-9]*)(?:(,)([0-9]*))?")
_NOTHING_BEFORE = "Invalid preceding regular expression"


class LinePattern:
    """A pattern, or several on lines of their own, of which one must match."""

    def __init__(
        self,
        text: str,
        *,
        is_fixed: bool = False,
        is_extended: bool = False,
        is_word: bool = False,
        folds: bool = False,
    ) -> None:
        """Raises GitError, in glibc's words where git refuses the pattern too."""
        if not is_text(text) or len(encode(text)) > MAX_PATTERN_BYTES:
            raise GitError(f"error: a pattern has at most {MAX_PATTERN_BYTES} bytes of UTF-8 here")
        lines = encode(text).decode("latin-1").split("\n")
        try:
            parts = [_literal(line) if is_fixed else _Reader(line, is_extended).read() for line in lines]
            self._pattern = re2.compile(
                f"(?m){'|'.join(f'(?:{part})' for part in parts)}".encode("latin-1"), _options(folds)
            )
        except (ValueError, re2.error) as error:
            reason = error.args[0].decode("latin-1") if isinstance(error.args[0], bytes) else error.args[0]
            raise GitError(f"fatal: command line, '{text}': {reason}") from None
        self._is_word = is_word
        self._left = MAX_STEPS // self._pattern.programsize

    def lines(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the lines of a file that match, with their numbers; raises GitError when all its work is spent."""
        if not data or not self._found(data):
            return []
        matches = self._has_word if self._is_word else self._found
        return [(number, line) for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1) if matches(line)]

    def _found(self, text: bytes, start: int = 0) -> tuple[int, int] | None:
        """Return where the leftmost match stands, the longest there."""
        self._left -= len(text) - start
        if self._left < 0:
            raise GitError("error: this pattern is too much work for these files, name a path")
        match = self._pattern.search(text, start)
        return match.span() if match else None

    def _has_word(self, line: bytes) -> bool:
        """Return whether a match has no letter, digit or _ beside it: the leftmost one, or one that git tries next."""
        start = 0
        while start < len(line) and (found := self._found(line, start)):
            first, end = found
            if first < end and not _is_word(line[max(first - 1, 0) : first]) and not _is_word(line[end : end + 1]):
                return True
            start = first + 1
            while start < len(line) and _is_word(line[start - 1 : start]):
                start += 1
        return False


def _options(folds: bool) -> re2.Options:
    options = re2.Options()
    options.encoding, options.log_errors = re2.Options.Encoding.LATIN1, False
    options.never_capture = options.longest_match = True
    options.case_sensitive = not folds
    return options


def _is_word(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_"


def _literal(text: str) -> str:
    return "".join(map(_character, text))


def _character(character: str) -> str:
    """Return the expression of one byte; the C locale folds ASCII only."""
    if character in string.punctuation:
        return f"\\{character}"
    return character if " " <= character <= "~" else f"(?-i:\\x{ord(character):02x})"


class _Reader:
    """One expression on its way from left to right. Raises ValueError with what glibc says of a fault."""

    def __init__(self, text: str, is_extended: bool) -> None:
        self._text, self._is_extended = text, is_extended
        self._place = 0
        self._parts: list[str] = []
        self._groups: list[int] = []
        self._atom: int | None = None
        """Where the part starts that a repetition would repeat; None where there is none."""
        self._is_start = True
        """Whether `^` is an anchor here in a basic expression."""
        self._is_repeated = False
        """Whether a repetition has just been read: basic expressions know no second one by `*` or braces."""

    def read(self) -> str:
        """Return the expression in the form of RE2."""
        while self._place < len(self._text):
            self._take(self._next())
        if self._groups:
            raise ValueError("Unmatched ( or \\(")
        return "".join(self._parts)

    def _next(self) -> str:
        """Return the next character, with its backslash; an operator always in its basic spelling."""
        character = self._text[self._place]
        self._place += 1
        if character != "\\":
            is_operator = self._is_extended and character in "({|+?" + ")" * bool(self._groups)
            return f"\\{character}" if is_operator else character
        if self._place == len(self._text):
            raise ValueError("Trailing backslash")
        self._place += 1
        escaped = self._text[self._place - 1]
        return f"\\\\{escaped}" if self._is_extended and escaped in "(){}|+?" else f"\\{escaped}"

    def _take(self, token: str) -> None:
        if token in ("*", "\\+", "\\?", "\\{"):
            self._repeat(token)
        elif token == "\\(":
            self._groups.append(len(self._parts))
            self._open("(?:")
        elif token == "\\)":
            if not self._groups:
                raise ValueError("Unmatched ) or \\)")
            self._parts.append(")")
            self._atom, self._is_start, self._is_repeated = self._groups.pop(), False, False
        elif token == "\\|":
            self._open("|")
        elif (token == "^" and (self._is_extended or self._is_start)) or (token == "$" and self._ends()):
            self._open(token, is_start=False)
        elif token[0] == "\\" and token[1:] in _ANCHORS:
            self._open(_ANCHORS[token[1:]], is_start=False)
        else:
            self._add(self._single(token))

    def _open(self, part: str, is_start: bool = True) -> None:
        """Add a part behind which nothing can be repeated yet."""
        self._parts.append(part)
        self._atom, self._is_start, self._is_repeated = None, is_start, False

    def _add(self, part: str) -> None:
        self._atom, self._is_start, self._is_repeated = len(self._parts), False, False
        self._parts.append(part)

    def _ends(self) -> bool:
        """Return whether `$` is an anchor here."""
        rest = self._text[self._place :]
        return self._is_extended or not rest or rest.startswith(("\\)", "\\|"))

    def _single(self, token: str) -> str:
        if token == ".":
            return "."
        if token == "[":
            return self._bracket()
        if token[0] == "\\":
            escaped = token[-1]
            if escaped in "123456789":
                raise ValueError("references to groups cannot be searched for here")
            return _ESCAPES.get(escaped) or _character(escaped)
        return _character(token)

    def _repeat(self, token: str) -> None:
        if self._atom is None:
            if self._is_extended or token == "\\{":
                raise ValueError(_NOTHING_BEFORE)
            self._add(_character(token[-1]))
            return
        if self._is_repeated and not self._is_extended and token in ("*", "\\{"):
            raise ValueError(_NOTHING_BEFORE)
        self._is_repeated = True
        count = self._interval() if token == "\\{" else token[-1]
        self._parts[self._atom :] = ["(?:", *self._parts[self._atom :], f"){count}"]

    def _interval(self) -> str:
        """Return the interval whose brace has been read, `{,3}` as `{0,3}`."""
        end = "}" if self._is_extended else "\\}"
        body, mark, _ = self._text[self._place :].partition(end)
        found = _INTERVAL.fullmatch(body)
        if not mark:
            raise ValueError("Unmatched { or \\{")
        if found is None or body in ("", ","):
            raise ValueError("Invalid content of \\{\\}")
        self._place += len(body) + len(end)
        low, high = int(found[1] or 0), int(found[3]) if found[3] else None
        if high is not None and high < low:
            raise ValueError("Invalid content of \\{\\}")
        return f"{{{low}{found[2] or ''}{'' if high is None else high}}}"

    def _bracket(self) -> str:
        """Return the bracket expression whose first bracket has been read; in it a backslash is a backslash."""
        is_negated = self._text.startswith("^", self._place)
        self._place += is_negated
        parts: list[str] = []
        while not (parts and self._text.startswith("]", self._place)):
            parts.append(self._range())
        self._place += 1
        return f"[{'^' * is_negated}{''.join(parts)}]"

    def _range(self) -> str:
        if self._text.startswith("[:", self._place):
            name = self._named(":")
            if name not in _CLASSES:
                raise ValueError("Invalid character class name")
            return f"[:{name}:]"
        first = self._element()
        rest = self._text[self._place : self._place + 2]
        if len(rest) < 2 or rest[0] != "-" or rest[1] == "]":
            return _hex(first)
        self._place += 1
        last = self._element()
        if last < first:
            raise ValueError("Invalid range end")
        return f"{_hex(first)}-{_hex(last)}"

    def _element(self) -> str:
        for mark in ".=":
            if self._text.startswith(f"[{mark}", self._place):
                name = self._named(mark)
                if len(name) != 1:
                    raise ValueError("Invalid collation character")
                return name
        if self._place >= len(self._text):
            raise ValueError("Unmatched [, [^, [:, [., or [=")
        self._place += 1
        return self._text[self._place - 1]

    def _named(self, mark: str) -> str:
        name, end, _ = self._text[self._place + 2 :].partition(f"{mark}]")
        if not end:
            raise ValueError("Unmatched [, [^, [:, [., or [=")
        self._place += len(name) + 4
        return name


def _hex(character: str) -> str:
    return f"\\x{ord(character):02x}"
