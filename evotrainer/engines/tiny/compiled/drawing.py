"""Drawing a token, compiled: numpy's uniform numbers and the rule of torch_engine.sample, without top_p.

The generator is Philox 4x64 with 10 rounds, keyed by a trajectory's seed, as numpy counts its blocks (Salmon et al.,
SC 2011). A test holds the numbers equal to numpy's, bit for bit.
"""

import numpy as np
from numpy import float32 as F32
from numpy import uint64 as U64

from evotrainer.engines.tiny.compiled.caching import compiled
from evotrainer.engines.tiny.compiled.forward import exp32
from evotrainer.engines.tiny.compiled.instructions import high_product

BLOCK = 4
"""Uniform numbers that one block gives."""
_M0, _M1 = U64(0xD2E7470EE14C6C93), U64(0xCA5A826395121157)
_W0, _W1 = U64(0x9E3779B97F4A7C15), U64(0xBB67AE8584CAA73B)
_SHIFT, _UNIT = U64(11), 2.0**-53


@compiled
def uniforms(seed: U64, block: int, out: np.ndarray) -> None:
    """Put a block of uniform numbers in [0, 1) into out [BLOCK], float64."""
    c0, c1, c2, c3 = U64(block + 1), U64(0), U64(0), U64(0)
    k0, k1 = seed, U64(0)
    for _ in range(10):
        h0, h1 = high_product(_M0, c0), high_product(_M1, c2)
        c0, c1, c2, c3 = h1 ^ c1 ^ k0, _M1 * c2, h0 ^ c3 ^ k1, _M0 * c0
        k0, k1 = k0 + _W0, k1 + _W1
    out[0], out[1] = (c0 >> _SHIFT) * _UNIT, (c1 >> _SHIFT) * _UNIT
    out[2], out[3] = (c2 >> _SHIFT) * _UNIT, (c3 >> _SHIFT) * _UNIT


@compiled
def draw(logits: np.ndarray, mass: np.ndarray, temperature: F32, uniform: float) -> tuple[int, F32]:
    """Return a token and its untempered logprob; `mass` [V] is room for the distribution. Temperature 0 is greedy."""
    size, highest, best = mass.shape[0], logits[0], 0
    for i in range(1, size):
        if logits[i] > highest:
            highest, best = logits[i], i
    total = 0.0
    for i in range(size):
        mass[i] = exp32(logits[i] - highest)
        total += np.float64(mass[i])
    log_total = np.log(total)
    if temperature == F32(0):
        return best, F32(-log_total)
    if temperature != F32(1):
        total = 0.0
        for i in range(size):
            mass[i] = exp32((logits[i] - highest) / temperature)
            total += np.float64(mass[i])
    wanted, reached, token = uniform * total, 0.0, size - 1
    for i in range(size):
        reached += np.float64(mass[i])
        if reached > wanted:
            token = i
            break
    return token, F32(np.float64(logits[token]) - highest - log_total)
