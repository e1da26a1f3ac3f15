"""Lines of shell as simple commands: words, redirections and heredocs, without running anything.

The text comes from a policy. Parsing takes time linear in its length and never raises; text that no shell would accept
is read as far as possible. Supported are quotes, escapes, comments, pipelines, lists, subshells,
groups, loops and conditions (as the commands in them), command substitutions (as commands of their own), heredocs,
here-strings and redirections. Variables and globs stay as they are written.
"""

import re
from dataclasses import dataclass, field

MAX_CHARS = 20_000
"""Characters that are read, without heredocs."""
_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One program with its words, as the shell would start it."""

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    """Files that its output is redirected to."""
    reads: tuple[str, ...] = ()
    """Files that its input comes from."""
    text: str | None = None
    """The heredoc or here-string that it reads."""
    is_piped: bool = False
    """Whether its input comes from the command before it."""


_HEREDOC = re.compile(r"(?<!<)<<-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.]+))")
_TOKEN = re.compile(
    r"""
      (?P<space>\\\n|[ \t\r]++)
    | (?P<comment>\#[^\n]*+)
    | (?P<redirect>(?:\d++|&)?(?:>>|>\||>&|>|<<<|<&|<>|<)(?!\())
    | (?P<end>\n|;;?|&&?|\|\||[()])
    | (?P<pipe>\|&?)
    | (?P<word>(?:
          [^\s'"\\;&|<>()`$]++
        | \\.
        | '[^']*+'
        | "(?:[^"\\]|\\.)*+"
        | \$\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)
        | `[^`]*+`
        | [<>]\([^()]*+\)
        | \$
      )++)
    | (?P<odd>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SUBSTITUTION = re.compile(r"\$\(((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+)\)|`([^`]*+)`")
_KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "fi", "do", "done", "while", "until", "{", "}", "!", "time", "esac"}
)
_HEADERS = frozenset({"for", "case", "select", "function"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=", re.ASCII)
_OUTPUT = re.compile(r"(?:1|&)?(?:>>|>\||>)")
_QUOTED = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*+)\"|\\(.)", re.DOTALL)
_ESCAPED = re.compile(r"\\([\"\\$`])")
_HEREDOC_WORD = "\x00heredoc"


def parse_shell(text: str) -> list[SimpleCommand]:
    """Return the simple commands of a shell text in the order in which they are written."""
    text = text.replace("\x00", " ")
    source, heredocs = _take_heredocs(text) if "<<" in text else (text, [])
    return _parse(source[:MAX_CHARS], heredocs, 0)


def _parse(source: str, heredocs: list[str], depth: int) -> list[SimpleCommand]:
    """Return the commands of a text whose heredocs were taken out."""
    reader = _Reader(heredocs, depth)
    if depth <= _MAX_DEPTH:
        for match in _TOKEN.finditer(source):
            kind = match.lastgroup
            if kind == "word":
                reader.take_word(match["word"])
            elif kind == "redirect":
                reader.redirect = match["redirect"]
            elif kind == "pipe":
                reader.close(is_pipe=True)
            elif kind == "end" and (match["end"] != "\n" or reader.words or reader.writes):
                reader.close(is_pipe=False)
    reader.close(is_pipe=False)
    return reader.commands


@dataclass
class _Reader:
    """The command that is being read, and those that are complete."""

    heredocs: list[str]
    depth: int
    commands: list[SimpleCommand] = field(default_factory=list)
    inner: list[SimpleCommand] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    text: str | None = None
    redirect: str = ""
    is_piped: bool = False

    def close(self, *, is_pipe: bool) -> None:
        """End the command; the next one reads its output where `is_pipe`."""
        words = _without_keywords(self.words)
        self.commands += self.inner
        if words or self.writes:
            self.commands.append(
                SimpleCommand(tuple(words), tuple(self.writes), tuple(self.reads), self.text, self.is_piped)
            )
        self.inner, self.words, self.writes, self.reads = [], [], [], []
        self.text, self.redirect, self.is_piped = None, "", is_pipe

    def take_word(self, token: str) -> None:
        """Take in one word: of the command, or what a redirection names."""
        if token.startswith(_HEREDOC_WORD):
            self.text = self.heredocs[int(token.removeprefix(_HEREDOC_WORD))]
            return
        if "$(" in token or "`" in token:
            self._substitutions(token)
        word = _unquoted(token) if "'" in token or '"' in token or "\\" in token else token
        redirect, self.redirect = self.redirect, ""
        if not redirect:
            self.words.append(word)
        elif redirect == "<<<":
            self.text = word
        elif redirect == "<":
            self.reads.append(word)
        elif _OUTPUT.fullmatch(redirect):
            self.writes.append(word)

    def _substitutions(self, token: str) -> None:
        for match in _SUBSTITUTION.finditer(re.sub(r"'[^']*'", "''", token) if token.startswith("'") else token):
            self.inner += _parse(match[1] or match[2] or "", self.heredocs, self.depth + 1)


def _take_heredocs(text: str) -> tuple[str, list[str]]:
    """Return the text with each heredoc replaced by a word that numbers it, and the heredocs."""
    lines = text.split("\n")
    last = {line.strip(): place for place, line in enumerate(lines)}
    kept, heredocs, place = [], [], 0
    while place < len(lines):
        line = lines[place]
        place += 1
        pieces, end = [], 0
        for match in _HEREDOC.finditer(line):
            delimiter = match[1] or match[2] or match[3]
            # Shifts and comparisons look like heredocs; those without an end are recognised by their form.
            if last.get(delimiter, -1) < place and (match[3] and not delimiter.isupper()):
                continue
            start = place
            while place < len(lines) and lines[place].strip() != delimiter:
                place += 1
            pieces += [line[end : match.start()], f" {_HEREDOC_WORD}{len(heredocs)} "]
            end = match.end()
            heredocs.append("\n".join(lines[start:place]))
            place += 1
        kept.append("".join([*pieces, line[end:]]))
    return "\n".join(kept), heredocs


def _without_keywords(words: list[str]) -> list[str]:
    """Return the words from the program on: no keywords of the shell, no assignments before it."""
    start = 0
    while start < len(words) and (words[start] in _KEYWORDS or _ASSIGNMENT.match(words[start])):
        start += 1
    return [] if start < len(words) and words[start] in _HEADERS else words[start:]


def _unquoted(token: str) -> str:
    """Return a word as the program receives it, variables left as they are."""
    return _QUOTED.sub(lambda match: match[1] or _ESCAPED.sub(r"\1", match[2] or "") or match[3] or "", token)
