"""Decoding with any causal language model of transformers: equal prompts are read once, then each row has its cache.

Keys and values lie in tensors of the final length, so that a token is written in place and nothing is copied. Layers
with a window or a recurrent state keep the caches that transformers gives them.
"""

from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers.cache_utils import DynamicCache, DynamicLayer


class TransformersDecoder:
    """Decoding through past_key_values."""

    def __init__(self, model: nn.Module, max_length: int) -> None:
        self.model = model
        self.past = DynamicCache(config=cast(Any, model).config)
        self.past.layers = [
            _FixedLayer(max_length) if type(layer) is DynamicLayer else layer for layer in self.past.layers
        ]

    def start(self, ids: Tensor, padding: Tensor) -> Tensor:
        """Take prompts; return next logits [B, V]."""
        prompts, members = torch.cat([padding[:, None], ids], dim=1).unique(dim=0, return_inverse=True)
        ids = prompts[:, 1:]
        self.mask = (torch.arange(ids.shape[1], device=ids.device) >= prompts[:, :1]).long()  # [B, T]
        logits = self._forward(ids, (self.mask.cumsum(-1) - 1).clamp_(min=0))
        self.keep(members)
        return logits[members]

    def append(self, tokens: Tensor) -> Tensor:
        """Take one token a row; return next logits [B, V]."""
        self.mask = torch.cat([self.mask, self.mask.new_ones(len(tokens), 1)], dim=1)
        return self._forward(tokens[:, None], self.mask.sum(-1, keepdim=True) - 1)

    def _forward(self, ids: Tensor, positions: Tensor) -> Tensor:
        last = ids.new_tensor([ids.shape[1] - 1])  # a slice would be a view, for which CPUs copy the weights
        out = self.model(
            input_ids=ids,
            attention_mask=self.mask,
            position_ids=positions,
            past_key_values=self.past,
            use_cache=True,
            logits_to_keep=last,
        )
        return out.logits[:, -1]

    def keep(self, rows: Tensor) -> None:
        """Drop all rows but these; a row may be named more than once."""
        self.past.batch_select_indices(rows)
        self.mask = self.mask[rows]


class _FixedLayer(DynamicLayer):
    """Keys and values of one layer of full attention, [B, G, T, D]; what was written so far is `keys` and `values`."""

    def __init__(self, max_length: int) -> None:
        super().__init__()
        self.max_length = max_length
        self._held: tuple[Tensor, Tensor] | None = None

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Append to what was written; return all of it."""
        start = self.get_seq_length()
        if start == 0:
            self.is_initialized = True
            self._hold(key_states, value_states)
        else:
            assert self._held is not None
            end = start + key_states.shape[-2]
            for held, new in zip(self._held, (key_states, value_states), strict=True):
                held[:, :, start:end] = new
            self.keys, self.values = (held[:, :, :end] for held in self._held)
        assert self.keys is not None and self.values is not None
        return self.keys, self.values

    def batch_select_indices(self, indices: Tensor) -> None:
        """Keep these rows, in this order."""
        assert self.keys is not None and self.values is not None
        self._hold(self.keys[indices], self.values[indices])

    def _hold(self, keys: Tensor, values: Tensor) -> None:
        rows, heads, length, size = keys.shape
        self._held = (
            keys.new_empty(rows, heads, self.max_length, size),
            values.new_empty(rows, heads, self.max_length, values.shape[-1]),
        )
        for held, new in zip(self._held, (keys, values), strict=True):
            held[:, :, :length] = new
        self.keys, self.values = (held[:, :, :length] for held in self._held)
