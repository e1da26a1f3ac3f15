"""A short sketch of what a policy reasoned, by which the likeness of two texts is estimated without the texts.

One-permutation minwise hashing (Li, Owen and Zhang, NIPS 2012): all windows of four characters are hashed into 64 bins,
each bin keeps one byte of its smallest hash. The share of equal bytes among bins that either text fills estimates the
Jaccard likeness of the two sets of windows, with a standard error of about 0.06. Texts that answer, or call tools, are
left out where they are marked as such: what is asked of reasoning is asked of reasoning alone.
"""

import re
from collections.abc import Iterable

import numpy as np

NUM_BINS = 64
EMPTY = 0
"""Byte of a bin that no window fell into."""
_WINDOW = 4
_MAX_CHARS = 4096
_MIN_CHARS = 12
"""Texts shorter than this have too few windows for a likeness."""
_NOT_REASONING = re.compile(r"<(answer|tool_call|function)\b.*?(?:</\1>|\Z)", re.DOTALL)


def reasoning_sketch(texts: Iterable[str]) -> str | None:
    """Return the sketch as 128 hex digits, two a bin; None where there is hardly any reasoning.

    Args:
        texts: what the policy wrote, turn by turn; read up to its 4096th character.

    """
    text = "\n".join(_NOT_REASONING.sub("", text).strip() for text in texts)[:_MAX_CHARS]
    if len(text) < _MIN_CHARS:
        return None
    hashes = _window_hashes(np.frombuffer(text.encode(errors="replace"), np.uint8))
    smallest = np.full(NUM_BINS, np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(smallest, (hashes >> np.uint64(58)).astype(np.intp), hashes & np.uint64(2**58 - 1))
    is_filled = smallest != np.iinfo(np.uint64).max
    values = np.where(is_filled, 1 + smallest % np.uint64(255), EMPTY)
    return values.astype(np.uint8).tobytes().hex()


def _window_hashes(data: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash of each window of `data`: its bytes as one number, mixed as by SplitMix64."""
    last = len(data) - _WINDOW + 1
    mixed = np.zeros(last, np.uint64)
    for place in range(_WINDOW):
        mixed = (mixed << np.uint64(8)) | data[place : place + last].astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))
