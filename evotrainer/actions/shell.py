"""Lines of shell as simple commands: words, files that output goes to and heredocs, without running anything.

The text comes from a policy. Reading takes time linear in its length and never raises; text that no shell would accept
is read as far as possible. Read are quotes, escapes, comments, pipelines, lists, groups, loops and conditions (as the
commands in them), heredocs and redirections. Variables, globs and substitutions stay as they are written.
"""

import re
from dataclasses import dataclass

MAX_CHARS = 20_000
"""Characters that are read, without heredocs."""


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One program with its words, as the shell would start it."""

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    """Files that its output is redirected to."""
    text: str | None = None
    """The heredoc or here-string that it reads."""
    is_piped: bool = False
    """Whether its input comes from the command before it."""


_HEREDOC = re.compile(
    r"(?<!<)<<-?[ \t]*['\"\\]?(?P<end>(?<=['\"\\])\w+|[A-Z_]\w*)['\"]?(?P<rest>[^\n]*)"
    r"(?:\n(?P<text>.*?))?(?:^[ \t]*(?P=end)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""A shift looks like a heredoc; the end of one is quoted or in capitals here."""
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
_KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "fi", "do", "done", "while", "until", "{", "}", "!", "time", "esac"}
)
_HEADERS = frozenset({"for", "case", "select", "function"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=", re.ASCII)
_OUTPUT = re.compile(r"(?:1|&)?(?:>>|>\||>)")
_QUOTED = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*+)\"|\\(.)", re.DOTALL)
_ESCAPED = re.compile(r"\\([\"\\$`])")
_MARK = "\x00heredoc"


def parse_shell(text: str) -> list[SimpleCommand]:
    """Return the simple commands of a shell text in the order in which they are written."""
    heredocs: list[str] = []

    def take(match: re.Match[str]) -> str:
        heredocs.append(match["text"] or "")
        return f" {_MARK}{len(heredocs) - 1} {match['rest']}"

    source = _HEREDOC.sub(take, text.replace("\x00", " "))[:MAX_CHARS]
    commands: list[SimpleCommand] = []
    words: list[str] = []
    writes: list[str] = []
    body, redirect, is_piped = None, "", False
    for match in _TOKEN.finditer(f"{source}\n;"):
        kind, token = match.lastgroup, match.group()
        if kind == "redirect":
            redirect = token
        elif kind == "word" and token.startswith(_MARK):
            body = heredocs[int(token.removeprefix(_MARK))]
        elif kind == "word":
            if redirect == "<<<":
                body = _unquoted(token)
            elif redirect in ("", "<"):
                words.append(_unquoted(token))
            elif _OUTPUT.fullmatch(redirect):
                writes.append(_unquoted(token))
            redirect = ""
        elif kind == "pipe" or (kind == "end" and (token != "\n" or words or writes)):
            if (known := _without_keywords(words)) or writes:
                commands.append(SimpleCommand(tuple(known), tuple(writes), body, is_piped))
            words, writes, body, redirect, is_piped = [], [], None, "", kind == "pipe"
    return commands


def _without_keywords(words: list[str]) -> list[str]:
    """Return the words from the program on: no keywords of the shell, no assignments before it."""
    start = 0
    while start < len(words) and (words[start] in _KEYWORDS or _ASSIGNMENT.match(words[start])):
        start += 1
    return [] if start < len(words) and words[start] in _HEADERS else words[start:]


def _unquoted(token: str) -> str:
    """Return a word as the program receives it, variables left as they are."""
    return _QUOTED.sub(lambda match: match[1] or _ESCAPED.sub(r"\1", match[2] or "") or match[3] or "", token)
