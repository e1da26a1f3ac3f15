"""Any local Hugging Face causal language model, run by transformers in its checkpoint's own dtype.

Weights come from the directory alone: nothing is downloaded, and no code that lies in it is run.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self, cast

import torch
from torch import Tensor, nn

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.contexts import CachedContext
from evotrainer.engines.policy import Policy, pick_device
from evotrainer.errors import PolicyError


class TransformersPolicy(Policy):
    """A policy that transformers runs."""

    @classmethod
    def load(cls, path: Path, device: str = "cpu") -> Self:
        """Load any causal language model that transformers knows; raises PolicyError with its reason."""
        read_model_config(path)
        return cls(_load_model(path), path, pick_device(device))

    def logits(self, ids: Tensor, places: Tensor | None = None) -> Tensor:
        """Return logits [B, T, V], or [N, V] of the places."""
        logits = self.model(ids).logits
        return logits if places is None else logits[places]

    def decoder(self, max_length: int) -> "TransformersDecoder":
        """Return an empty decoder."""
        return TransformersDecoder(self.model)

    def write_weights(self, out: Path) -> None:
        """Write the weights as transformers does."""
        cast(Any, self.model).save_pretrained(out)


class TransformersDecoder:
    """Decoding through past_key_values. It gives no context back: caches differ too much."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.past: Any = None

    def start(self, ids: Tensor, padding: Tensor, contexts: Sequence[CachedContext | None] = ()) -> Tensor:
        """Take prompts; return next logits [B, V]."""
        self.mask = (torch.arange(ids.shape[1], device=ids.device) >= padding[:, None]).long()  # [B, T]
        return self._forward(ids, (self.mask.cumsum(-1) - 1).clamp_(min=0))

    def append(self, tokens: Tensor) -> Tensor:
        """Take one token a row; return next logits [B, V]."""
        self.mask = torch.cat([self.mask, self.mask.new_ones(len(tokens), 1)], dim=1)
        return self._forward(tokens[:, None], self.mask.sum(-1, keepdim=True) - 1)

    def _forward(self, ids: Tensor, positions: Tensor) -> Tensor:
        out = self.model(
            input_ids=ids,
            attention_mask=self.mask,
            position_ids=positions,
            past_key_values=self.past,
            use_cache=True,
            logits_to_keep=1,
        )
        self.past = out.past_key_values
        return out.logits[:, -1]

    def keep(self, rows: Tensor) -> None:
        """Drop all rows but these."""
        self.past.batch_select_indices(rows)
        self.mask = self.mask[rows]

    def context(self, row: int, start: int, end: int) -> None:
        """Return None."""


def _load_model(path: Path) -> nn.Module:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        return AutoModelForCausalLM.from_pretrained(path, dtype="auto", local_files_only=True, trust_remote_code=False)
    except Exception as error:  # every architecture and file format raises its own type
        reason = str(error).strip().splitlines()[0]
        raise PolicyError(f"transformers cannot load {path} as a causal language model: {reason}") from None
