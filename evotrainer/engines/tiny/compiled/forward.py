"""One pass of an embedded policy over tokens, compiled: the numbers of llama.py, without gradients.

A pass takes N tokens; each has a row, whose cache it extends, and a position there. Tokens of one row may follow each
other in a pass (a prompt), or each is of a row of its own (a decoding step): both compute the same bits.

Legend: N tokens, C hidden size, H heads, D head size, F feed-forward size, V vocabulary, T positions of a cache.
"""

from typing import NamedTuple

import numpy as np
from numpy import float32 as F32

from evotrainer.engines.tiny.compiled.caching import compiled, compiled_in_order
from evotrainer.engines.tiny.compiled.instructions import PANEL, ROWS, VECTOR, multiply_tile, power_of_two

PASS = 32
"""Tokens of a pass at most."""


class Weights(NamedTuple):
    """The network; products are panels [P, depth, PANEL] of columns, those of all layers [L, P, depth, PANEL]."""

    embedding: np.ndarray  # [V, C]
    norms: np.ndarray  # [L, 2, C]
    attention: np.ndarray  # of queries, keys and values, 3C columns
    attention_out: np.ndarray  # C columns
    gated: np.ndarray  # of gate and up, 2F columns
    down: np.ndarray  # C columns
    last_norm: np.ndarray  # [C]
    head: np.ndarray  # V columns
    cos: np.ndarray  # [positions, D/2]
    sin: np.ndarray


class Caches(NamedTuple):
    """What was computed of each row's ids."""

    keys: np.ndarray  # [rows, L, H, D, T]
    values: np.ndarray  # [rows, L, T, H, D]


class Space(NamedTuple):
    """Numbers of the pass under way; columns are filled up to whole panels."""

    hidden: np.ndarray  # [PASS, C]
    normed: np.ndarray  # [PASS, C]
    attention: np.ndarray  # [PASS, 3C]
    mixed: np.ndarray  # [PASS, C]
    gated: np.ndarray  # [PASS, 2F]
    inner: np.ndarray  # [PASS, F]
    scores: np.ndarray  # [T]
    logits: np.ndarray  # [PASS, V]


class Feed(NamedTuple):
    """The tokens of a pass, [PASS] each."""

    tokens: np.ndarray
    rows: np.ndarray
    positions: np.ndarray


_LOG2E, _LN2_HIGH, _LN2_LOW = F32(1.4426950408889634), F32(0.693359375), F32(-2.12194440e-4)
_P0, _P1, _P2 = F32(1.9875691500e-4), F32(1.3981999507e-3), F32(8.3334519073e-3)
_P3, _P4, _P5 = F32(4.1665795894e-2), F32(1.6666665459e-1), F32(5.0000001201e-1)
_ZERO, _HALF, _ONE, _LOWEST, _HIGHEST = F32(0), F32(0.5), F32(1), F32(-87), F32(88)


@compiled_in_order
def exp32(x: F32) -> F32:
    """Return e**x, x within -87 and 88; a polynomial, for numpy's cannot be vectorised (Cephes, expf)."""
    x = min(max(x, _LOWEST), _HIGHEST)
    n = np.floor(x * _LOG2E + _HALF)
    r = x - n * _LN2_HIGH - n * _LN2_LOW
    tail = ((((_P0 * r + _P1) * r + _P2) * r + _P3) * r + _P4) * r + _P5
    return (tail * r * r + r + _ONE) * power_of_two(n)


@compiled
def project(out: np.ndarray, x: np.ndarray, num_rows: int, panels: np.ndarray) -> None:
    """Put the product of x and the panels into out; rows up to a whole tile are computed too."""
    depth, out_step, x_step = panels.shape[1], out.shape[1], x.shape[1]
    for panel in range(panels.shape[0]):
        for row in range(0, num_rows, ROWS):
            out_at = row * out_step + panel * PANEL
            multiply_tile(out, out_at, out_step, x, row * x_step, x_step, panels, panel * depth * PANEL, depth)


@compiled
def forward(feed: Feed, num_tokens: int, weights: Weights, caches: Caches, space: Space, eps: F32) -> None:
    """Extend the rows' caches by the tokens; leave their last hidden states, normalised, in space.normed."""
    hidden, normed, num_layers, size = space.hidden, space.normed, weights.norms.shape[0], weights.norms.shape[2]
    for n in range(num_tokens):
        for i in range(size):
            hidden[n, i] = weights.embedding[feed.tokens[n], i]
    for layer in range(num_layers):
        _normalise(normed, hidden, num_tokens, weights.norms[layer, 0], eps)
        project(space.attention, normed, num_tokens, weights.attention[layer])
        for n in range(num_tokens):
            _remember(space.attention[n], feed.rows[n], layer, feed.positions[n], weights, caches)
        for n in range(num_tokens):
            _attend(
                space.mixed[n], space.attention[n], feed.rows[n], layer, feed.positions[n] + 1, caches, space.scores
            )
        project(normed, space.mixed, num_tokens, weights.attention_out[layer])
        _add(hidden, normed, num_tokens, size)
        _normalise(normed, hidden, num_tokens, weights.norms[layer, 1], eps)
        project(space.gated, normed, num_tokens, weights.gated[layer])
        _gate(space.inner, space.gated, num_tokens)
        project(normed, space.inner, num_tokens, weights.down[layer])
        _add(hidden, normed, num_tokens, size)
    _normalise(normed, hidden, num_tokens, weights.last_norm, eps)


@compiled
def _normalise(out: np.ndarray, x: np.ndarray, num_rows: int, weight: np.ndarray, eps: F32) -> None:
    """Put the rows of x, scaled to unit mean square times the weight, into out."""
    size = weight.shape[0]
    for row in range(num_rows):
        total = _ZERO
        for i in range(size):
            total += x[row, i] * x[row, i]
        scale = _ONE / np.sqrt(total / F32(size) + eps)
        for i in range(size):
            out[row, i] = weight[i] * (x[row, i] * scale)


@compiled
def _add(x: np.ndarray, y: np.ndarray, num_rows: int, size: int) -> None:
    for row in range(num_rows):
        for i in range(size):
            x[row, i] += y[row, i]


@compiled
def _gate(out: np.ndarray, gated: np.ndarray, num_rows: int) -> None:
    size = out.shape[1]
    for row in range(num_rows):
        for i in range(size):
            gate = gated[row, i]
            out[row, i] = gate / (_ONE + exp32(-gate)) * gated[row, size + i]


@compiled
def _remember(x: np.ndarray, row: int, layer: int, position: int, weights: Weights, caches: Caches) -> None:
    """Rotate a token's queries and keys x [3C] by its position, scale the queries, and put keys and values away."""
    num_heads, size = caches.keys.shape[2], caches.keys.shape[3]
    width, half, scale = num_heads * size, size // 2, _ONE / np.sqrt(F32(size))
    for head in range(num_heads):
        for i in range(half):
            cos, sin = weights.cos[position, i], weights.sin[position, i]
            at = head * size + i
            a, b = x[at], x[at + half]
            x[at], x[at + half] = (a * cos - b * sin) * scale, (b * cos + a * sin) * scale
            a, b = x[width + at], x[width + at + half]
            caches.keys[row, layer, head, i, position] = a * cos - b * sin
            caches.keys[row, layer, head, i + half, position] = b * cos + a * sin
        for i in range(size):
            caches.values[row, layer, position, head, i] = x[2 * width + head * size + i]


@compiled
def _attend(
    out: np.ndarray, query: np.ndarray, row: int, layer: int, length: int, caches: Caches, scores: np.ndarray
) -> None:
    """Put a token's attention over the first positions of its row into out [C]."""
    num_heads, size = caches.keys.shape[2], caches.keys.shape[3]
    whole = (length + VECTOR - 1) // VECTOR * VECTOR
    for head in range(num_heads):
        keys, at = caches.keys[row, layer, head], head * size
        for t in range(whole):
            scores[t] = _ZERO
        for i in range(0, size, 4):
            q0, q1, q2, q3 = query[at + i], query[at + i + 1], query[at + i + 2], query[at + i + 3]
            for t in range(whole):
                scores[t] += q0 * keys[i, t] + q1 * keys[i + 1, t] + q2 * keys[i + 2, t] + q3 * keys[i + 3, t]
        highest = scores[0]
        for t in range(1, length):
            highest = max(highest, scores[t])
        total = _ZERO
        for t in range(length):
            scores[t] = exp32(scores[t] - highest)
            total += scores[t]
        for i in range(size):
            out[at + i] = _ZERO
        for t in range(length):
            share = scores[t] / total
            for i in range(size):
                out[at + i] += share * caches.values[row, layer, t, head, i]
