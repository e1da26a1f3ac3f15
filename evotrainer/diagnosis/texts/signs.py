"""Which of many texts may hold a pattern: most hold none, and Python's patterns cost more than all else about a text.

RE2 reads all texts in one call. Its classes and its case are those of ASCII, so any other text may hold every pattern.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc


def may_hold(texts: Sequence[str], pattern: str) -> list[bool]:
    """Tell for each text whether it is beyond ASCII, or holds a pattern of RE2 without regard to case."""
    options = pc.MatchSubstringOptions(pattern, ignore_case=True)
    found = pc.call_function("match_substring_regex", [pa.array(texts, pa.large_string())], options)
    return [is_held or not text.isascii() for is_held, text in zip(found.to_pylist(), texts, strict=True)]
