"""Attempts that write lines of others themselves: what a tool, a host or a user of the same evidence would say.

Lines of others are known from all attempts, with their numbers masked. A line of the policy is one of them where a
tenth of the attempts, and five at least, were told such a line, and nobody had told this one it before: quoting is no
invention. A tag that others write around their answers (`<results>`) counts by itself, and is no quotation.
"""

import re
import zlib
from collections import Counter
from collections.abc import Sequence

from evotrainer.diagnosis.texts.transcript import Transcript

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TAG = re.compile(r"^\s*<([A-Za-z_]\w*)>(?=[\s\S]*</\1>)", re.M)
_MIN_CHARS, _MAX_LINES, _TAG_CHARS = 16, 200, 4000
_COMMON, _MIN_ATTEMPTS, _MIN_WRITTEN = 0.1, 5, 2


class OthersLines:
    """Lines that others say, and those of the policy that may be one, of attempts that come in parts."""

    def __init__(self) -> None:
        """Begin without attempts."""
        self._told: Counter[int] = Counter()
        self._written: list[tuple[int, ...]] = []
        self._told_tags: Counter[str] = Counter()
        self._written_tags: list[set[str]] = []

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        for attempt in attempts:
            told: set[int] = set()
            written: list[int] = []
            for message in attempt.row.messages if attempt.answers else ():
                lines = _lines(message.content)
                if message.role == "assistant":
                    written += [masked for line, masked in lines.items() if line not in told]
                else:
                    told |= lines.keys()
                    self._told.update(set(lines.values()))
            self._written.append(tuple(written))
            said, others = (set[str](), set[str]())
            for message in attempt.since:
                (said if message.role == "assistant" else others).update(_TAG.findall(message.content[:_TAG_CHARS]))
            self._told_tags.update(others)
            self._written_tags.append(said)

    def written(self) -> list[bool]:
        """Return for each attempt whether it writes several lines of others itself."""
        enough = max(_MIN_ATTEMPTS, _COMMON * len(self._written))
        common = {line for line, count in self._told.items() if count >= enough}
        tags = {tag for tag, count in self._told_tags.items() if count >= enough}
        return [
            not said.isdisjoint(tags) or sum(line in common for line in lines) >= _MIN_WRITTEN
            for lines, said in zip(self._written, self._written_tags, strict=True)
        ]


def _lines(text: str) -> dict[int, int]:
    """Return {number of a line: number of it with its numbers masked} of the lines of a text that hold a number."""
    lines = [line.strip() for line in text.split("\n", _MAX_LINES)[:_MAX_LINES]]
    lines = [line for line in lines if len(line) >= _MIN_CHARS and _NUMBER.search(line)]
    return {_number(line): _number(_NUMBER.sub("0", line)) for line in lines}


def _number(line: str) -> int:
    return zlib.crc32(line.encode(errors="replace"))
