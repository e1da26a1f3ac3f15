"""A short sketch of a policy's reasoning, which estimates the similarity of two texts without storing them.

One-permutation minwise hashing (Li, Owen and Zhang, NIPS 2012): all windows of four characters are hashed into 64 bins,
each bin keeps one byte of its smallest hash. The share of equal bytes among bins that either text fills estimates the
Jaccard similarity of the two sets of windows, with a standard error of about 0.06. Texts that answer, or call tools,
are left out where they are marked as such.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

NUM_BINS = 64
EMPTY = 0
"""Byte of a bin that no window fell into."""
_WINDOW = 4
_MAX_CHARS = 4096
_MIN_CHARS = 12
"""Texts shorter than this have too few windows for a similarity."""
_BIN_BITS = np.uint64(54)
"""A hash of 60 bits without these is its bin."""
_UNFILLED = np.uint64(2**64 - 1)
_BATCH = 256
"""Texts that are hashed at a time: together they have a million characters at most."""
_NOT_REASONING = re.compile(r"<(answer|tool_call|function)\b.*?(?:</\1>|\Z)", re.DOTALL)


def reasoning_sketches(attempts: Iterable[Iterable[str]]) -> list[str | None]:
    """Return each attempt's sketch as 128 hex digits, two a bin; None where there is hardly any reasoning.

    Args:
        attempts: what the policy wrote, turn by turn; read up to its 4096th character.

    """
    texts = [_reasoning(turns) for turns in attempts]
    known = [text for text in texts if text]
    found = iter([one for start in range(0, len(known), _BATCH) for one in _sketches(known[start : start + _BATCH])])
    return [next(found) if text else None for text in texts]


def _reasoning(turns: Iterable[str]) -> bytes:
    """Return the text of an attempt that is sketched; nothing where it is too short."""
    kept = [_NOT_REASONING.sub("", text) if "<" in text else text for text in turns]
    text = "\n".join(kept)[:_MAX_CHARS].strip()
    return b"" if len(text) < _MIN_CHARS else text.encode(errors="replace")


def _sketches(texts: Sequence[bytes]) -> list[str]:
    """Return the sketches of texts that have windows."""
    lengths = np.array([len(text) for text in texts])
    row = np.repeat(np.arange(len(texts)), lengths)
    hashes = _window_hashes(b"".join(texts))
    is_within = row[: len(hashes)] == row[_WINDOW - 1 :]
    hashes, row = hashes[is_within], row[: len(hashes)][is_within]
    smallest = np.full(len(texts) * NUM_BINS, _UNFILLED)
    np.minimum.at(smallest, row * NUM_BINS + (hashes >> _BIN_BITS).astype(np.int64), hashes)
    values = np.where(smallest == _UNFILLED, EMPTY, 1 + smallest % np.uint64(255)).astype(np.uint8)
    return [sketch.tobytes().hex() for sketch in values.reshape(-1, NUM_BINS)]


def _window_hashes(data: bytes) -> np.ndarray:
    """Return a hash of 60 bits of each window of `data`: its bytes as one number, mixed."""
    windows = np.ndarray(len(data) - _WINDOW + 1, np.dtype("<u4"), data, strides=(1,)).astype(np.uint64)
    windows *= np.uint64(0x9E3779B97F4A7C15)
    windows ^= windows >> np.uint64(32)
    windows *= np.uint64(0xBF58476D1CE4E5B9)
    windows >>= np.uint64(4)
    return windows
