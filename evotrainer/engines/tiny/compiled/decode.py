"""Sampling of whole responses, compiled: rows are read, drawn token by token, and leave when they end.

Up to PASS rows run at a time, each at its own position; a row that ends gives its place to the next. A row that has the
prompt of the row before it takes its cache over from there. Nothing that is computed of a row depends on the others.

A token is drawn by the rule of torch_engine.sample, without top_p, and with the same uniform numbers.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float32, float64, int64, types
from numpy import float32 as F32

from evotrainer.engines.tiny.compiled.caching import compiled, compiled_entry
from evotrainer.engines.tiny.compiled.network import PASS, Caches, Feed, Space, Weights, exp32, forward, project


class Rows(NamedTuple):
    """What is to be sampled, R rows; those of one prompt follow each other."""

    ids: np.ndarray  # prompts, end to end
    starts: np.ndarray  # [R+1] where each begins
    is_repeated: np.ndarray  # [R] whether a prompt is the one of the row before
    room: np.ndarray  # [R] tokens that it may draw, at least one
    chances: np.ndarray  # [R, S] uniform numbers


class Drawn(NamedTuple):
    """What was sampled."""

    tokens: np.ndarray  # [R, S]
    logprobs: np.ndarray  # [R, S]
    lengths: np.ndarray  # [R]
    stopped: np.ndarray  # [R]


class Rule(NamedTuple):
    """How tokens are drawn."""

    stop_ids: np.ndarray
    temperature: F32
    mass: np.ndarray  # [V] room for a distribution


@compiled
def _draw(logits: np.ndarray, mass: np.ndarray, temperature: F32, uniform: float) -> tuple[int, F32]:
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


@compiled
def _step(
    active: np.ndarray,
    num_active: int,
    rows: Rows,
    drawn: Drawn,
    rule: Rule,
    weights: Weights,
    caches: Caches,
    space: Space,
    feed: Feed,
    eps: F32,
) -> int:
    """Draw one token of each active row; return how many go on, the first ones of `active`."""
    for i in range(num_active):
        row = active[i]
        count = drawn.lengths[row]
        feed.rows[i], feed.tokens[i] = row, drawn.tokens[row, count - 1]
        feed.positions[i] = rows.starts[row + 1] - rows.starts[row] + count - 1
    forward(feed, num_active, weights, caches, space, eps)
    project(space.logits, space.normed, num_active, weights.head)
    kept = 0
    for i in range(num_active):
        if _takes_token(active[i], space.logits[i], rows, drawn, rule):
            active[kept] = active[i]
            kept += 1
    return kept


@compiled
def _takes_token(row: int, logits: np.ndarray, rows: Rows, drawn: Drawn, rule: Rule) -> bool:
    """Draw a row's next token from its logits; return whether the row goes on."""
    count = drawn.lengths[row]
    token, logprob = _draw(logits, rule.mass, rule.temperature, rows.chances[row, count])
    drawn.tokens[row, count], drawn.logprobs[row, count] = token, logprob
    drawn.lengths[row] = count + 1
    for stop in rule.stop_ids:
        if token == stop:
            drawn.stopped[row] = True
    return not drawn.stopped[row] and count + 1 < rows.room[row]


@compiled
def _read_prompt(row: int, rows: Rows, weights: Weights, caches: Caches, space: Space, feed: Feed, eps: F32) -> None:
    """Read a prompt; leave the logits of the next token in space.logits[0]."""
    start, length, count = rows.starts[row], rows.starts[row + 1] - rows.starts[row], 0
    for done in range(0, length, PASS):
        count = min(PASS, length - done)
        for i in range(count):
            feed.tokens[i], feed.rows[i], feed.positions[i] = rows.ids[start + done + i], row, done + i
        forward(feed, count, weights, caches, space, eps)
    for i in range(space.normed.shape[1]):
        space.normed[0, i] = space.normed[count - 1, i]
    project(space.logits, space.normed, 1, weights.head)


@compiled
def _copy_prompt(row: int, rows: Rows, caches: Caches) -> None:
    """Take the keys and values of the prompt over from the row before."""
    length = rows.starts[row + 1] - rows.starts[row]
    _, num_layers, num_heads, size, _ = caches.keys.shape
    for layer in range(num_layers):
        for head in range(num_heads):
            for i in range(size):
                for t in range(length):
                    caches.keys[row, layer, head, i, t] = caches.keys[row - 1, layer, head, i, t]
        for t in range(length):
            for head in range(num_heads):
                for i in range(size):
                    caches.values[row, layer, t, head, i] = caches.values[row - 1, layer, t, head, i]


TABLE, CUBE, CACHE = float32[:, ::1], float32[:, :, ::1], float32[:, :, :, :, ::1]


@compiled_entry(
    types.void(
        types.NamedTuple([int64[::1], int64[::1], boolean[::1], int64[::1], float64[:, ::1]], Rows),
        types.NamedTuple([int64[:, ::1], TABLE, int64[::1], boolean[::1]], Drawn),
        types.NamedTuple([int64[::1], float32, float32[::1]], Rule),
        types.NamedTuple([TABLE, *[CUBE] * 5, float32[::1], *[TABLE] * 3], Weights),
        types.NamedUniTuple(CACHE, 2, Caches),
        types.NamedTuple([*[TABLE] * 6, float32[::1], TABLE], Space),
        types.NamedUniTuple(int64[::1], 3, Feed),
        float32,
    )
)
def decode(
    rows: Rows, drawn: Drawn, rule: Rule, weights: Weights, caches: Caches, space: Space, feed: Feed, eps: F32
) -> None:
    """Draw the rows' tokens into `drawn`; a row's cache is filled on the way."""
    first, active, num_active = np.zeros(space.logits.shape[1], F32), np.zeros(PASS, np.int64), 0
    for row in range(len(rows.room)):
        if rows.is_repeated[row]:
            _copy_prompt(row, rows, caches)
        else:
            _read_prompt(row, rows, weights, caches, space, feed, eps)
            for i in range(len(first)):
                first[i] = space.logits[0, i]
        if _takes_token(row, first, rows, drawn, rule):
            active[num_active] = row
            num_active += 1
        is_last = row + 1 == len(rows.room)
        while num_active == PASS or (is_last and num_active > 0):
            num_active = _step(active, num_active, rows, drawn, rule, weights, caches, space, feed, eps)
