"""One pass of an embedded policy over tokens, compiled: the numbers of llama.py, without gradients.

A pass takes N tokens; each has a row, whose cache it extends, and a position there. Tokens of one row may follow each
other in a pass (a prompt), or each is of a row of its own (a decoding step): both compute the same bits.

Legend: N tokens, C hidden size, H heads, D head size, F feed-forward size, V vocabulary, T positions of a cache.
"""

from typing import NamedTuple

import numpy as np
import torch
from numpy import float32 as F32
from torch import Tensor

from evotrainer.engines.tiny.compiled.caching import compiled, compiled_in_order
from evotrainer.engines.tiny.llama import Llama

PASS = 32
"""Tokens of a pass at most."""
VECTOR = 16
"""Positions that a cache is filled up to: whole vector registers of any machine."""


class Weights(NamedTuple):
    """The network; products of all layers are [L, depth, columns]."""

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
    """Numbers of the pass under way."""

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
_BIAS, _SHIFT = F32(127), F32(2**23)
"""Of a float's exponent: what is added to it, and where it stands in the float's bits."""
_ZERO, _HALF, _ONE, _LOWEST, _HIGHEST = F32(0), F32(0.5), F32(1), F32(-87), F32(88)


@compiled_in_order
def exp32(x: F32) -> F32:
    """Return e**x, x within -87 and 88; a polynomial, for numpy's cannot be vectorised (Cephes, expf)."""
    x = min(max(x, _LOWEST), _HIGHEST)
    n = np.floor(x * _LOG2E + _HALF)
    r = x - n * _LN2_HIGH - n * _LN2_LOW
    tail = ((((_P0 * r + _P1) * r + _P2) * r + _P3) * r + _P4) * r + _P5
    return (tail * r * r + r + _ONE) * np.int32((n + _BIAS) * _SHIFT).view(F32)


@compiled_in_order
def project(out: np.ndarray, x: np.ndarray, num_rows: int, weight: np.ndarray) -> None:
    """Put x [N, depth] @ weight [depth, columns] into out, two rows at a time; depth is a multiple of 4.

    Each sum is taken in the order of the depth, one fused multiply-add after the other, so that a row's numbers do not
    depend on the rows beside it. Where N is odd, the row after the last is computed too.
    """
    depth, columns = weight.shape
    for row in range(0, num_rows, 2):
        this, other = out[row], out[row + 1]
        for j in range(columns):
            this[j] = other[j] = _ZERO
        for k in range(0, depth, 4):
            a0, a1, a2, a3 = x[row, k], x[row, k + 1], x[row, k + 2], x[row, k + 3]
            b0, b1, b2, b3 = x[row + 1, k], x[row + 1, k + 1], x[row + 1, k + 2], x[row + 1, k + 3]
            for j in range(columns):
                w0, w1, w2, w3 = weight[k, j], weight[k + 1, j], weight[k + 2, j], weight[k + 3, j]
                this[j] = this[j] + a0 * w0 + a1 * w1 + a2 * w2 + a3 * w3
                other[j] = other[j] + b0 * w0 + b1 * w1 + b2 * w2 + b3 * w3


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


def pack(model: Llama) -> Weights:
    """Return the weights of a network as they are now, in the layout that the compiled pass reads."""
    named = {name.removesuffix(".weight"): _array(value) for name, value in model.state_dict().items()}
    layers = [f"model.layers.{index}" for index in range(model.shape.num_layers)]

    def products(*names: str) -> np.ndarray:
        return np.stack([_columns(*(named[f"{layer}.{name}"] for name in names)) for layer in layers])

    norms = [[named[f"{layer}.{place}_layernorm"] for place in ("input", "post_attention")] for layer in layers]
    angles = torch.arange(model.shape.max_positions)[:, None].float() * model.inverse_frequency  # [positions, D/2]
    return Weights(
        embedding=named["model.embed_tokens"],
        norms=np.array(norms),
        attention=products("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
        attention_out=products("self_attn.o_proj"),
        gated=products("mlp.gate_proj", "mlp.up_proj"),
        down=products("mlp.down_proj"),
        last_norm=named["model.norm"],
        head=_columns(named["lm_head"]),
        cos=_array(angles.cos()),
        sin=_array(angles.sin()),
    )


def _array(value: Tensor) -> np.ndarray:
    return np.array(value.detach().numpy(), np.float32, order="C")


def _columns(*parts: np.ndarray) -> np.ndarray:
    """Return the weights [columns, depth] of all parts as one [depth, columns]."""
    return np.ascontiguousarray(np.concatenate(parts).T)
