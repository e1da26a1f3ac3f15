"""Bits per byte of a held-out text. A distribution that does not sum to 1 is an error, not a good score."""

import numpy as np

CONTEXT = 8
"""Bytes before each byte that a model may look at."""


def questions(text):
    """Return lists of contexts. Within a list no context holds a byte that another one asks for."""
    data = list(text.encode())
    step = CONTEXT + 1
    return [[data[place - CONTEXT : place] for place in range(first, len(data), step)] for first in _starts()]


def score(answers, text):
    """Return the mean of -log2 p(byte | context) over all bytes that were asked for."""
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    bits, count = 0.0, 0
    for first, answer in zip(_starts(), answers, strict=True):
        asked, logs = data[first :: CONTEXT + 1], np.array(answer, dtype=float)
        if logs.shape != (len(asked), 128) or not np.allclose(np.exp2(logs).sum(axis=1), 1, atol=1e-3):
            raise ValueError("an answer holds no distribution over 128 bytes for each context")
        bits -= float(logs[np.arange(len(asked)), asked].sum())
        count += len(asked)
    return bits / count


def _starts():
    return range(CONTEXT, 2 * CONTEXT + 1)
