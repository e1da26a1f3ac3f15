"""The embedded policy in memory: the Llama of llama.py."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from evotrainer.engines.checkpoint import Checkpoint, read_model_config
from evotrainer.engines.policy import Policy, Sampler, pick_device
from evotrainer.engines.tiny.llama import Llama, LlamaDecoder, LlamaShape, is_plain_llama
from evotrainer.errors import PolicyError


class EmbeddedPolicy(Policy):
    """An embedded base policy, or one trained from it."""

    model: Llama
    _sampler: tuple[tuple[int, ...], Sampler] | None = None
    """The sampler of the weights in that state."""

    @classmethod
    def load(cls, path: Path, device: str = "cpu") -> Self:
        """Load an embedded policy; raises PolicyError for a corrupt directory and for any other architecture."""
        place = pick_device(device)
        return cls(_load_llama(path), Checkpoint(path, path), place)

    def logits(self, ids: Tensor, places: Tensor | None = None, rows: Sequence[int] | None = None) -> Tensor:
        """Return logits [B, T, V], or [N, V] of the places."""
        return self.model(ids, places=places)

    def decoder(self, max_length: int) -> LlamaDecoder:
        """Return an empty decoder."""
        return LlamaDecoder(self.model, max_length)

    def sampler(self) -> Sampler | None:
        """Return the compiled sampler, for float32 weights on a CPU; importing it costs half a second."""
        weight = self.model.lm_head.weight
        if weight.dtype != torch.float32 or weight.device.type != "cpu" or not self.model.shape.is_even:
            return None
        state = tuple(each._version for each in self.model.parameters())  # torch counts each write to a weight
        if self._sampler is None or self._sampler[0] != state:
            from evotrainer.engines.tiny.compiled.caching import compile_ahead

            compile_ahead()
            from evotrainer.engines.tiny.compiled.sampler import CompiledSampler

            self._sampler = state, CompiledSampler(self.model, self.codec.stop_ids)
        return self._sampler[1]

    def write_weights(self, out: Path) -> None:
        """Write the weights as one safetensors file."""
        write_weights(self.model, out / "model.safetensors")


def write_weights(model: Llama, path: Path) -> None:
    """Write the weights as one safetensors file; a tied output layer is left out, as transformers does."""
    weights = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    if model.shape.tie_embeddings:
        del weights["lm_head.weight"]
    save_file(weights, path, metadata={"format": "pt"})


def _load_llama(path: Path) -> Llama:
    config = read_model_config(path)
    if not is_plain_llama(config):
        raise PolicyError(f"{path} is no embedded policy: name its directory in policy.path to run it by transformers")
    model = Llama(LlamaShape.from_config(config))
    try:
        weights: dict[str, Tensor] = {}
        for file in sorted(path.glob("*.safetensors")):
            weights |= load_file(file)
        if model.shape.tie_embeddings:
            weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
        model.load_state_dict({name: value.float() for name, value in weights.items()})
    except (SafetensorError, RuntimeError, KeyError) as error:
        reason = str(error).strip().splitlines()[0]
        raise PolicyError(f"the weights in {path} are corrupt or do not fit its config.json: {reason}") from None
    return model
