"""A short sketch of a policy's reasoning, which estimates the similarity of two texts without storing them.

One-permutation minwise hashing (Li, Owen and Zhang, NIPS 2012): all windows of four characters are hashed into 64 bins,
each bin keeps one byte of its smallest hash. The share of equal bytes among bins that either text fills estimates the
Jaccard similarity of the two sets of windows, with a standard error of about 0.06. Texts that answer, or call tools,
are left out where they are marked as such.
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
"""Texts shorter than this have too few windows for a similarity."""
_BIN_STARTS = np.arange(NUM_BINS + 1, dtype=np.uint64) << np.uint64(54)
_NOT_REASONING = re.compile(r"<(answer|tool_call|function)\b.*?(?:</\1>|\Z)", re.DOTALL)


def reasoning_sketch(texts: Iterable[str]) -> str | None:
    """Return the sketch as 128 hex digits, two a bin; None where there is hardly any reasoning.

    Args:
        texts: what the policy wrote, turn by turn; read up to its 4096th character.

    """
    text = "\n".join(_NOT_REASONING.sub("", text) if "<" in text else text for text in texts)[:_MAX_CHARS].strip()
    if len(text) < _MIN_CHARS:
        return None
    hashes = np.sort(_window_hashes(text.encode(errors="replace")))
    first = np.searchsorted(hashes, _BIN_STARTS)
    is_filled = np.diff(first) > 0
    values = np.zeros(NUM_BINS, np.uint8)
    values[is_filled] = 1 + hashes[first[:-1][is_filled]] % 255
    return values.tobytes().hex()


def _window_hashes(data: bytes) -> np.ndarray:
    """Return a hash of 60 bits of each window of `data`: its bytes as one number, mixed."""
    windows = np.ndarray(len(data) - _WINDOW + 1, np.dtype("<u4"), data, strides=(1,)).astype(np.uint64)
    mixed = windows * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed >> np.uint64(4)
