"""Bits per byte of a held-out text. A distribution that does not sum to 1 is an error, not a good score."""

import types

import numpy as np

CHUNK = 2000


def score(source, artifact, text):
    """Return the mean of -log2 p(byte | context), with the model's own code and weights."""
    script = types.ModuleType("script")
    exec(compile(source, "train.py", "exec"), vars(script))
    data = np.frombuffer(text.encode(), dtype=np.uint8).astype(np.int64)
    context, bits = int(script.CONTEXT), 0.0
    for start in range(context, len(data), CHUNK):
        places = np.arange(start, min(start + CHUNK, len(data)))
        logs = script.log2_probabilities(artifact, data[places[:, None] - np.arange(context, 0, -1)])
        if logs.shape != (len(places), 128) or not np.allclose(np.exp2(logs).sum(axis=1), 1, atol=1e-6):
            raise ValueError("log2_probabilities gives no distribution over 128 bytes")
        bits -= float(logs[np.arange(len(places)), data[places]].sum())
    return bits / (len(data) - context)
