"""How unlike the language of its evidence an answer is: mean log-probability of its pairs of signs.

The language is that of the prompts and of the answers of the first third of steps, whatever it is. Letters typed at
random, bytes and mixed scripts lie far below the answers of people and policies, code and formulas included where the
evidence holds any. Numbers count as one sign: any of them may follow any other.
"""

import re
from collections.abc import Sequence

import numpy as np

_NUMBER = re.compile(r"\d+")
_CHARS = 600
_MIN_CHARS = 20
_BINS = 1 << 16
_WIDTH = 509


def text_likelihood(texts: Sequence[str], is_reference: np.ndarray, prompts: Sequence[str]) -> np.ndarray:
    """Return the mean log-probability of each text in nats a sign; NaN for texts of a few signs.

    Args:
        texts: answers.
        is_reference: which of them belong to the language.
        prompts: further texts of the language.

    """
    pairs = [_pairs(text) for text in texts]
    learned = [part for part, known in zip(pairs, is_reference, strict=True) if known]
    all_pairs = np.concatenate([*learned, *(_pairs(text) for text in prompts)])
    counts = np.bincount(all_pairs, minlength=_BINS) + 0.01
    first = np.add.reduceat(counts, np.arange(0, _BINS, 128))
    log_p = np.log(counts / np.repeat(first, 128))
    return np.array([float(log_p[part].mean()) if len(part) >= _MIN_CHARS else np.nan for part in pairs])


def _pairs(text: str) -> np.ndarray:
    """Return the pairs of signs, the first in the upper bits, each hashed into its bits."""
    masked = _NUMBER.sub("0", text[:_CHARS].lower())
    codes = np.frombuffer(masked.encode("utf-32-le", errors="replace"), np.uint32) % _WIDTH
    return (codes[:-1] * 128 + codes[1:] % 128).astype(np.int64) % _BINS
