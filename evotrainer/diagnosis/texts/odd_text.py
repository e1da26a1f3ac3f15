"""How unlike the language of its evidence an answer is: mean log-probability of its pairs of signs.

The language is that of the prompts and of the answers of the first third of steps, whatever it is. Letters typed at
random, bytes and mixed scripts lie far below the answers of people and policies, code and formulas included where the
evidence holds any. Numbers count as one sign: any of them may follow any other.
"""

from collections.abc import Iterator, Sequence
from tempfile import TemporaryFile

import numpy as np

_CHARS = 600
_MIN_CHARS = 20
_BINS = 1 << 16
_WIDTH = 509


class TextLikelihood:
    """Log-probabilities of texts that come in parts: their pairs wait in a temporary file, two bytes a sign."""

    def __init__(self) -> None:
        """Begin without texts."""
        self._pairs = TemporaryFile()  # noqa: SIM115  # lives as long as this object
        self._lengths: list[np.ndarray] = []

    def add(self, texts: Sequence[str]) -> None:
        """Take in answers, behind those before."""
        pairs, lengths = _pairs(texts)
        self._pairs.write(pairs.tobytes())
        self._lengths.append(lengths)

    def values(self, is_reference: np.ndarray, prompts: Sequence[str]) -> np.ndarray:
        """Return the mean log-probability of each text in nats a sign; NaN for texts of a few signs.

        Args:
            is_reference: which of the texts belong to the language.
            prompts: further texts of the language.

        """
        counts = np.bincount(_pairs(prompts)[0], minlength=_BINS)
        places = np.split(is_reference, np.cumsum([len(part) for part in self._lengths])[:-1])
        for pairs, lengths, is_known in zip(self._parts(), self._lengths, places, strict=True):
            counts += np.bincount(pairs[np.repeat(is_known, lengths)], minlength=_BINS)
        counts = counts + 0.01
        first = np.add.reduceat(counts, np.arange(0, _BINS, 128))
        log_p = np.log(counts / np.repeat(first, 128))
        parts = zip(self._parts(), self._lengths, strict=True)
        return np.concatenate([_means(log_p[pairs], lengths) for pairs, lengths in parts])

    def _parts(self) -> Iterator[np.ndarray]:
        self._pairs.seek(0)
        for lengths in self._lengths:
            yield np.frombuffer(self._pairs.read(2 * int(lengths.sum())), np.uint16)


def _means(values: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the mean of each text's values; NaN for texts of a few signs."""
    starts = np.cumsum(lengths) - lengths + np.arange(len(lengths))
    # reduceat puts the sum of a text's other values on its first: behind a 0 it adds in the order of `np.sum`.
    behind_zeros = np.zeros(len(values) + len(lengths))
    behind_zeros[np.arange(len(values)) + np.repeat(np.arange(1, len(lengths) + 1), lengths)] = values
    sums = np.add.reduceat(behind_zeros, starts)
    return np.where(lengths >= _MIN_CHARS, sums / np.maximum(lengths, 1), np.nan)


def _pairs(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of signs of texts, one text behind the other, and their number by text.

    The first sign of a pair is in the upper bits, each hashed into its bits.
    """
    codes, signs = _masked([text[:_CHARS].lower() for text in texts])
    codes = codes % _WIDTH
    is_first = np.ones(max(len(codes) - 1, 0), bool)
    ends = np.cumsum(signs) - 1
    is_first[ends[(signs > 0) & (ends < len(is_first))]] = False
    pairs = ((codes[:-1] * 128 + codes[1:] % 128) % _BINS).astype(np.uint16)
    return pairs[is_first], np.maximum(signs - 1, 0)


def _masked(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the signs of texts, one text behind the other and each number as one "0", and their number by text."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", errors="replace"), np.uint32)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    digits = [code for code in np.flatnonzero(np.bincount(codes)) if chr(code).isdecimal()]
    is_digit = np.isin(codes, digits)
    text_of = np.repeat(np.arange(len(texts)), lengths)
    is_within = np.zeros(len(codes), bool)
    is_within[1:] = is_digit[1:] & is_digit[:-1] & (text_of[1:] == text_of[:-1])
    masked = np.where(is_digit, np.uint32(ord("0")), codes)[~is_within]
    return masked, lengths - np.bincount(text_of[is_within], minlength=len(texts))
