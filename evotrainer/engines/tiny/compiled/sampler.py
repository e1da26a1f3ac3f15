"""The compiled decoder as the rollout engine sees it: prompts in, completions and their contexts out.

Rows of one prompt follow each other, so that it is read once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.contexts import CachedContext
from evotrainer.engines.tiny.compiled.decode import Drawn, Rows, Rule, decode
from evotrainer.engines.tiny.compiled.network import PASS, VECTOR, Caches, Feed, Space, pack
from evotrainer.engines.tiny.llama import Llama, LlamaShape

Sampled = tuple[Completion, CachedContext | None]
"""What was drawn, and the context of the prompt and all tokens but the last, where the row stopped by itself."""


@dataclass(frozen=True)
class _Row:
    """One prompt to continue."""

    prompt: tuple[int, ...]
    seed: int
    room: int
    context: CachedContext | None


class CompiledSampler:
    """Samples with the weights that a network has when this is made."""

    def __init__(self, model: Llama, stop_ids: Sequence[int]) -> None:
        self.shape, self.weights = model.shape, pack(model)
        self.stop_ids = np.array(stop_ids, np.int64)

    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        sampling: SamplingParams,
        seeds: Sequence[int],
        contexts: Sequence[CachedContext | None],
    ) -> list[Sampled]:
        """Return what was drawn for each prompt, in order; a prompt that fills the context gets an empty completion."""
        rows = [
            _Row(tuple(prompt), seed, min(sampling.max_tokens, self.shape.max_positions - len(prompt)), context)
            for prompt, seed, context in zip(prompts, seeds, contexts, strict=True)
        ]
        order = sorted((i for i, row in enumerate(rows) if row.room > 0), key=lambda i: rows[i].prompt)
        found: list[Sampled] = [(Completion((), (), "max_tokens"), None)] * len(rows)
        if order:
            drawn = self._sample([rows[i] for i in order], sampling.temperature)
            for index, one in zip(order, drawn, strict=True):
                found[index] = one
        return found

    def _sample(self, rows: list[_Row], temperature: float) -> list[Sampled]:
        shape, prompts = self.shape, [row.prompt for row in rows]
        _check_ids(prompts, shape.vocab_size)
        caches = _caches(shape, len(rows), max(len(row.prompt) + row.room for row in rows))
        repeated = [False, *(one == before for one, before in zip(prompts[1:], prompts, strict=False))]
        known = [
            0 if again else _restore(row, i, caches) for i, (row, again) in enumerate(zip(rows, repeated, strict=True))
        ]
        num_steps = max(row.room for row in rows)
        given = Rows(
            ids=np.concatenate([np.array(prompt, np.int64) for prompt in prompts]),
            starts=np.cumsum([0, *map(len, prompts)]),
            is_repeated=np.array(repeated),
            known=np.array(known),
            room=np.array([row.room for row in rows]),
            chances=np.stack([np.random.Generator(np.random.Philox(key=row.seed)).random(num_steps) for row in rows]),
        )
        drawn = Drawn(
            np.zeros((len(rows), num_steps), np.int64),
            np.zeros((len(rows), num_steps), np.float32),
            np.zeros(len(rows), np.int64),
            np.zeros(len(rows), np.bool_),
        )
        rule = Rule(self.stop_ids, np.float32(temperature), np.zeros(shape.vocab_size, np.float32))
        feed = Feed(np.zeros(PASS, np.int64), np.zeros(PASS, np.int64), np.zeros(PASS, np.int64))
        space = _space(shape, caches.keys.shape[-1])
        decode(given, drawn, rule, self.weights, caches, space, feed, np.float32(shape.rms_norm_eps))
        return _results(rows, drawn, caches)


def is_supported(shape: LlamaShape) -> bool:
    """Return whether the compiled pass computes this network: each head has keys of its own, and no layer a bias."""
    return (
        shape.num_kv_heads == shape.num_heads
        and shape.num_heads * shape.head_dim == shape.hidden_size
        and shape.head_dim % 4 == shape.intermediate_size % 4 == 0
        and not (shape.attention_bias or shape.mlp_bias)
    )


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


def _restore(row: _Row, index: int, caches: Caches) -> int:
    """Put what is known of a row's prompt into its cache; return how many ids that is."""
    if row.context is None:
        return 0
    count = min(row.context.num_ids, len(row.prompt) - 1)
    keys, values = row.context.keys[:, :, :count].numpy(), row.context.values[:, :, :count].numpy()  # [L, H, n, D]
    caches.keys[index, ..., :count] = keys.swapaxes(2, 3)
    caches.values[index, :, :count] = values.swapaxes(1, 2)
    return count


def _results(rows: Sequence[_Row], drawn: Drawn, caches: Caches) -> list[Sampled]:
    """Return completions and contexts; contexts are views of the caches."""
    keys, values = torch.from_numpy(caches.keys).transpose(3, 4), torch.from_numpy(caches.values).transpose(2, 3)
    tokens, logprobs, lengths = drawn.tokens.tolist(), drawn.logprobs.tolist(), drawn.lengths.tolist()
    found: list[Sampled] = []
    for index, (row, stopped) in enumerate(zip(rows, drawn.stopped.tolist(), strict=True)):
        count = lengths[index]
        end = len(row.prompt) + count - 1
        reason = "stop" if stopped else "max_tokens"
        completion = Completion(tuple(tokens[index][:count]), tuple(logprobs[index][:count]), reason)
        context = CachedContext(keys[index, :, :, :end], values[index, :, :, :end]) if stopped else None
        found.append((completion, context))
    return found
