"""The compiled decoder as the rollout engine sees it: prompts in, completions out.

Rows of one prompt follow each other, so that it is read once.
"""

from collections.abc import Sequence

import numpy as np

from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.policy import completions, uniforms
from evotrainer.engines.tiny.compiled.decode import Drawn, Rows, Rule, decode
from evotrainer.engines.tiny.compiled.network import PASS, VECTOR, Caches, Feed, Space, pack
from evotrainer.engines.tiny.llama import Llama, LlamaShape


class CompiledSampler:
    """Samples with the weights that a network has when this is made."""

    def __init__(self, model: Llama, stop_ids: Sequence[int]) -> None:
        self.shape, self.weights = model.shape, pack(model)
        self.stop_ids = np.array(stop_ids, np.int64)

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return what was drawn for each prompt, in order; a prompt that fills the context gets an empty completion."""
        room = [min(sampling.max_tokens, self.shape.max_positions - len(prompt)) for prompt in prompts]
        order = sorted((i for i in range(len(prompts)) if room[i] > 0), key=lambda i: tuple(prompts[i]))
        found = [Completion((), (), "max_tokens")] * len(prompts)
        if order:
            rows = [tuple(prompts[i]) for i in order], [room[i] for i in order], [seeds[i] for i in order]
            for index, one in zip(order, self._sample(*rows, sampling), strict=True):
                found[index] = one
        return found

    def _sample(
        self, rows: list[tuple[int, ...]], room: list[int], seeds: list[int], sampling: SamplingParams
    ) -> list[Completion]:
        shape, num_steps = self.shape, max(room)
        _check_ids(rows, shape.vocab_size)
        caches = _caches(shape, len(rows), max(len(row) + most for row, most in zip(rows, room, strict=True)))
        given = Rows(
            ids=np.concatenate([np.array(row, np.int64) for row in rows]),
            starts=np.cumsum([0, *map(len, rows)]),
            is_repeated=np.array([place > 0 and row == rows[place - 1] for place, row in enumerate(rows)]),
            room=np.array(room),
            chances=uniforms(seeds, num_steps),
        )
        drawn = Drawn(
            np.zeros((len(rows), num_steps), np.int64),
            np.zeros((len(rows), num_steps), np.float32),
            np.zeros(len(rows), np.int64),
            np.zeros(len(rows), np.bool_),
        )
        rule = Rule(self.stop_ids, np.float32(sampling.temperature), np.zeros(shape.vocab_size, np.float32))
        feed = Feed(np.zeros(PASS, np.int64), np.zeros(PASS, np.int64), np.zeros(PASS, np.int64))
        space = _space(shape, caches.keys.shape[-1])
        decode(given, drawn, rule, self.weights, caches, space, feed, np.float32(shape.rms_norm_eps))
        return completions(*drawn)


def _check_ids(prompts: Sequence[tuple[int, ...]], vocab_size: int) -> None:
    """Raise IndexError for an id without an embedding: compiled code reads whatever lies there."""
    if not all(prompts) or any(min(prompt) < 0 or max(prompt) >= vocab_size for prompt in prompts):
        raise IndexError(f"a prompt is empty or holds an id outside the vocabulary of {vocab_size}")


def _caches(shape: LlamaShape, num_rows: int, length: int) -> Caches:
    """Return empty caches; an odd number of vectors a row keeps neighbours out of one another's cache lines."""
    length = VECTOR * (-(-length // VECTOR) | 1)
    size = (num_rows, shape.num_layers, shape.num_heads)
    keys = np.empty((*size, shape.head_dim, length), np.float32)
    return Caches(keys, np.empty((*size[:2], length, *size[2:], shape.head_dim), np.float32))


def _space(shape: LlamaShape, length: int) -> Space:
    size, inner = shape.hidden_size, shape.intermediate_size
    widths = (size, size, 3 * size, size, 2 * inner, inner, shape.vocab_size)
    hidden, normed, attention, mixed, gated, gate, logits = (np.zeros((PASS, width), np.float32) for width in widths)
    return Space(hidden, normed, attention, mixed, gated, gate, np.zeros(length, np.float32), logits)
