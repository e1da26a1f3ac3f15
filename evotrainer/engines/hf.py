"""Any local Hugging Face causal language model, or an adapter on one, run by transformers in its own dtype.

Weights come from the directory alone: nothing is downloaded, and no code that lies in it is run.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Self, cast

import torch
from torch import Tensor, nn

from evotrainer.config.schema import EngineConfig, LoraConfig
from evotrainer.engines.adapters import (
    add_adapter,
    check_rank,
    dropouts,
    is_adapted,
    load_adapter,
    merged,
    prepare_training,
    start_in_force,
    write_adapter,
)
from evotrainer.engines.checkpoint import open_checkpoint, policy_hash, read_model_config
from evotrainer.engines.model_files import reason_of
from evotrainer.engines.packing import can_pack, packed_logits, padded_logits
from evotrainer.engines.policy import Decoder, Policy, pick_device
from evotrainer.errors import ConfigError, PolicyError

_DIGITS = re.compile(r"\d+")


class TransformersPolicy(Policy):
    """A policy that transformers runs."""

    @classmethod
    def load(cls, path: Path, device: str = "cpu", base: str = "", settings: EngineConfig | None = None) -> Self:
        """Load any causal language model that transformers knows, or an adapter on the model that `base` names.

        Raises PolicyError with the reason of transformers or peft.
        """
        settings = settings or EngineConfig()
        checkpoint, place = open_checkpoint(path, base), pick_device(device)
        read_model_config(checkpoint.base)
        model = _load_model(checkpoint.base, checkpoint.dtype or "auto", choose_attention(settings, place))
        if settings.gradient_checkpointing:
            _enable_checkpointing(model, path)
        if checkpoint.adapter:
            model = load_adapter(model, checkpoint.adapter)
        policy = cls(model, checkpoint, place)
        _compare_tokens(policy)
        return policy

    @cached_property
    def shares_prompts(self) -> bool:
        """Whether the prompt of a group can be computed once."""
        return can_pack(self.model, self.device)

    def logits(self, ids: Tensor, places: Tensor | None = None, rows: Sequence[int] | None = None) -> Tensor:
        """Return logits [B, T, V], or [N, V] of the places; what follows a row's last place may then be left out."""
        if places is None:
            return self.model(ids, use_cache=False).logits
        if rows is None:
            return padded_logits(self.model, ids, places)
        return packed_logits(self.model, ids, places, rows)

    @contextmanager
    def training_pass(self) -> Iterator[None]:
        """Let layers be recomputed and adapters drop inputs, for the time of a forward and backward pass.

        The rest of the network stays in evaluation mode: no other dropout is on.
        """
        found = [*_recomputed(self.model), *dropouts(self.model)]
        for module in found:
            module.training = True
        try:
            yield
        finally:
            for module in found:
                module.training = False

    def rollout_pass(self, num_rows: int, num_steps: int) -> AbstractContextManager[None]:
        """Return the context of decoding: on a CPU the weights are laid out for it."""
        return laid_out(self.model, num_rows, num_steps)

    def decoder(self, max_length: int) -> Decoder:
        """Return an empty decoder."""
        from evotrainer.engines.decoder import TransformersDecoder

        return TransformersDecoder(self.model, max_length)

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

    def logits(self, ids: Tensor, places: Tensor | None = None, rows: Sequence[int] | None = None) -> Tensor:
        """Return logits [B, T, V], or [N, V] of the places."""
        with start_in_force(self.model):
            return super().logits(ids, places, rows)


def choose_attention(settings: EngineConfig, place: torch.device) -> str | None:
    """Return the attention that transformers is asked for; None leaves the choice to it: sdpa where there is one."""
    from transformers.utils.import_utils import is_flash_attn_2_available

    if settings.attention != "auto":
        return settings.attention
    can_flash = place.type == "cuda" and settings.precision == "bfloat16" and is_flash_attn_2_available()
    return "flash_attention_2" if can_flash else None


def _enable_checkpointing(model: nn.Module, path: Path) -> None:
    try:
        cast(Any, model).activation_checkpointing_enable({"use_reentrant": False})
    except (ValueError, NotImplementedError) as error:
        raise ConfigError(
            f"engine.gradient_checkpointing=true cannot be used with {path}: {reason_of(error)}"
        ) from None
    for layer in _recomputed(model):  # a layer in training mode must not drop by a share of its own
        for name, value in vars(layer).items():
            if "dropout" in name and isinstance(value, float):
                setattr(layer, name, 0.0)


def _recomputed(model: nn.Module) -> list[nn.Module]:
    return [module for module in model.modules() if getattr(module, "gradient_checkpointing", False)]


def _load_model(path: Path, dtype: str, attention: str | None) -> nn.Module:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        loaded: Any = AutoModelForCausalLM.from_pretrained(
            path,
            dtype=dtype,
            attn_implementation=attention,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            ignore_mismatched_sizes=True,  # else the names are in its log alone
            output_loading_info=True,
        )
    except Exception as error:  # every architecture and file format raises its own type
        raise PolicyError(f"transformers cannot load {path} as a causal language model: {reason_of(error)}") from None
    network, found = loaded
    _refuse_misfits(path, network, found)
    return network


def _refuse_misfits(path: Path, network: nn.Module, found: dict[str, Any]) -> None:
    """Raise PolicyError for weights that the network lacks, has in another shape, or has in further layers.

    transformers would draw the first two, and leave out the last. Layers of another kind, for the prediction of several
    tokens at once, are left out on purpose.
    """
    missing, unused = sorted(found["missing_keys"]), sorted(found["unexpected_keys"])
    wrong = sorted((name, list(held), list(wanted)) for name, held, wanted in found["mismatched_keys"])
    kinds = {_DIGITS.sub("N", name) for name in network.state_dict()} if unused else set()
    if missing:
        raise PolicyError(f"{path} lacks {_counted(missing)} of the network of config.json: restore the directory")
    if wrong:
        _, held, wanted = wrong[0]
        raise PolicyError(
            f"{path} has {_counted([name for name, *_ in wrong])} of shape {held} where config.json means "
            f"{wanted}: restore config.json or the weights"
        )
    if unused and all(_DIGITS.sub("N", name) in kinds for name in unused):
        raise PolicyError(
            f"{path} has more layers than config.json describes ({_counted(unused)}): restore config.json"
        )


def _compare_tokens(policy: TransformersPolicy) -> None:
    """Raise PolicyError where the tokenizer has more tokens than the network embeds."""
    vocabulary = policy.codec.tokenizer.get_vocab(with_added_tokens=True)
    num_embedded = cast(Any, policy.model).get_input_embeddings().weight.shape[0]
    last = max(vocabulary, key=vocabulary.__getitem__)
    if vocabulary[last] >= num_embedded:
        raise PolicyError(
            f"{policy.path}: the tokenizer has {last[:40]!r} as token {vocabulary[last]}, and the network embeds "
            f"{num_embedded} tokens: take the tokenizer of this model"
        )


def _counted(names: list[str]) -> str:
    return f"{len(names)} weight{'s' if len(names) > 1 else ''} (first: {names[0]})"


LEAST_STEPS = 16
"""Steps that laying all weights out is worth: it takes the time of two or three."""


@contextmanager
def laid_out(model: nn.Module, num_rows: int, num_steps: int) -> Iterator[None]:
    """Let the model's linear layers multiply so for the time of a `with` block in which no weight changes."""
    modules: list[Any] = list(model.modules()) if num_steps >= LEAST_STEPS else []
    layers = [layer for layer in modules if _is_plain(layer)]
    try:
        for layer in layers:
            layer.forward = _multiply(layer.weight, layer.bias, num_rows)
        yield
    finally:
        for layer in layers:
            vars(layer).pop("forward", None)


def _is_plain(layer: Any) -> bool:
    is_float = type(layer) is nn.Linear and layer.weight.dtype == torch.float32
    return is_float and layer.weight.device.type == "cpu" and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")


def _multiply(weight: Tensor, bias: Tensor | None, num_rows: int) -> Any:
    laid = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), num_rows)
    return lambda values: torch.ops.mkldnn._linear_pointwise(values, laid, bias, "none", [], "")
