"""Any local Hugging Face causal language model, or an adapter on one, run by transformers in its own dtype.

Weights come from the directory alone: nothing is downloaded, and no code that lies in it is run.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self, cast

import torch
from torch import Tensor, nn

from evotrainer.config.engines import LoraConfig
from evotrainer.engines.adapters import (
    add_adapter,
    check_rank,
    is_adapted,
    load_adapter,
    merged,
    prepare_training,
    start_in_force,
    write_adapter,
)
from evotrainer.engines.checkpoint import open_checkpoint, policy_hash, read_model_config
from evotrainer.engines.contexts import CachedContext
from evotrainer.engines.policy import Policy, pick_device
from evotrainer.errors import PolicyError


class TransformersPolicy(Policy):
    """A policy that transformers runs."""

    base = ""
    """What names the model under adapters: policy.path."""

    @classmethod
    def load(cls, path: Path, device: str = "cpu", base: str = "") -> Self:
        """Load any causal language model that transformers knows, or an adapter on the model that `base` names.

        Raises PolicyError with the reason of transformers or peft.
        """
        checkpoint = open_checkpoint(path, base)
        read_model_config(checkpoint.base)
        model = _load_model(checkpoint.base, checkpoint.dtype or "auto")
        if checkpoint.adapter:
            model = load_adapter(model, checkpoint.adapter)
        policy = cls(model, checkpoint, pick_device(device))
        policy.base = base
        return policy

    def load_beside(self, path: Path) -> Self:
        """Load another policy of the same campaign the way this one was loaded."""
        return self.load(path, str(self.device), self.base)

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

    def save(self, out: Path) -> str:
        """Write a Hugging Face directory, or the adapter alone where the policy has one; return its hash."""
        if not is_adapted(self.model):
            return super().save(out)
        write_adapter(self.model, self.checkpoint.base, out)
        return policy_hash(out)

    def adapt(self, lora: LoraConfig, seed: int) -> "AdapterStart":
        """Train an adapter from here on: the loaded one, else a new one; return the policy as it is now."""
        if is_adapted(self.model):
            check_rank(self.model, lora, self.path)
        else:
            self.model = add_adapter(self.model, lora, seed)
        prepare_training(self.model)
        return AdapterStart(self)

    def merge(self) -> None:
        """Add the adapter to the weights of the model: from here on this is a whole model."""
        self.model = merged(self.model)
        self.checkpoint = open_checkpoint(self.checkpoint.base)
        self.path = self.checkpoint.path


class AdapterStart(TransformersPolicy):
    """The policy as it was before its adapter was trained, on the same network: for calls without gradients."""

    def __init__(self, policy: TransformersPolicy) -> None:
        vars(self).update(vars(policy))

    def logits(self, ids: Tensor, places: Tensor | None = None) -> Tensor:
        """Return logits [B, T, V], or [N, V] of the places."""
        with start_in_force(self.model):
            return super().logits(ids, places)


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


def _load_model(path: Path, dtype: str) -> nn.Module:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        return AutoModelForCausalLM.from_pretrained(path, dtype=dtype, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # every architecture and file format raises its own type
        reason = str(error).strip().splitlines()[0]
        raise PolicyError(f"transformers cannot load {path} as a causal language model: {reason}") from None
