"""Which lines differ between two texts."""

from collections.abc import Sequence
from difflib import SequenceMatcher


def changed_lines(old: Sequence[str], new: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """Return for each line of `old` whether it is removed, and for each of `new` whether it is added."""
    removed, added = [True] * len(old), [True] * len(new)
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        removed[block.a : block.a + block.size] = [False] * block.size
        added[block.b : block.b + block.size] = [False] * block.size
    return removed, added
