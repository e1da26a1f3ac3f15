"""What commands print holds no character that a terminal obeys: file names, ids and arguments may be escapes of one.

`escaped_streams` stands around a whole command, so that no command has to think of it. Rich styles with escapes of its
own and is led past it, as it leads itself past its proxies of a stream: the cells of tables are escaped before.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but line feed and tab, what reorders a line, and bytes of arguments that are no UTF-8."""
_BYTES = range(0xDC80, 0xDD00)
"""Halves of surrogate pairs that stand for such bytes."""


def escape_control(text: str) -> str:
    r"""Return a text with hidden characters spelled out, like \x1b or \u202e."""
    return HIDDEN.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    code = ord(found.group())
    code -= 0xDC00 if code in _BYTES else 0
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class EscapedStream:
    """A text stream that writes what `escape_control` makes of a text; all else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        """Where rich writes instead."""

    def write(self, text: str) -> int:
        """Write a text."""
        self.rich_proxied_file.write(escape_control(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return what the stream itself has."""
        return getattr(self.rich_proxied_file, name)


@contextmanager
def escaped_streams() -> Iterator[None]:
    """Let standard output and error show what they would hide, until the block ends."""
    before = sys.stdout, sys.stderr
    # A stream that was closed before the program began is None.
    sys.stdout, sys.stderr = (stream and cast(TextIO, EscapedStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
