"""Low-rank adapters (LoRA, arXiv 2106.09685) by peft: made, loaded, written and merged.

An adapter's weights are float32, whatever the dtype of the model under them, as peft makes them by default: they are
small, and their updates must not be lost to rounding. `TRAINED` is the adapter that is trained and served. During
training `START` is a frozen copy of it from before the first step: the reference of the KL term, which needs no second
copy of the model.

peft is an extra: a campaign without adapters does not need it.
"""

import importlib
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn

from evotrainer.campaign.documents import emptied, write_atomic
from evotrainer.config.schema import LoraConfig
from evotrainer.engines.checkpoint import ADAPTER_CONFIG, ADAPTER_WEIGHTS, write_base_record
from evotrainer.engines.model_files import reason_of
from evotrainer.errors import ConfigError, PolicyError

TRAINED, START = "default", "start"
ALL_LINEAR = "all-linear"
"""What peft calls every linear layer but the output layer."""


def add_adapter(model: nn.Module, lora: LoraConfig, seed: int) -> nn.Module:
    """Return the model with a new adapter that changes nothing yet; raises ConfigError where no layer has the names."""
    peft = _peft()
    targets = list(lora.targets) or ALL_LINEAR
    settings = peft.LoraConfig(
        r=lora.rank, lora_alpha=lora.alpha, lora_dropout=lora.dropout, target_modules=targets, task_type="CAUSAL_LM"
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        try:
            return peft.get_peft_model(model, settings).eval()
        except ValueError as error:
            raise ConfigError(f"engine.lora.targets={lora.targets} cannot be used: {reason_of(error)}") from None


def load_adapter(model: nn.Module, path: Path) -> nn.Module:
    """Return the model with the adapter in `path`, frozen; raises PolicyError if it does not fit."""
    peft = _peft()
    try:
        settings = peft.PeftConfig.from_pretrained(str(path))
        settings.inference_mode = True
        return peft.PeftModel.from_pretrained(model, str(path), config=settings).eval()
    except (OSError, ValueError, TypeError, RuntimeError, SafetensorError) as error:
        raise PolicyError(f"the adapter in {path} cannot be loaded: {reason_of(error)}") from None


def check_rank(model: nn.Module, lora: LoraConfig, path: Path) -> None:
    """Raise ConfigError where the loaded adapter has another shape than the configuration asks for."""
    settings = cast(Any, model).peft_config[TRAINED]
    if (settings.r, settings.lora_alpha) != (lora.rank, lora.alpha):
        raise ConfigError(
            f"the adapter in {path} has rank {settings.r} and alpha {settings.lora_alpha}: set engine.lora.rank and "
            "engine.lora.alpha to these, or start from init=base"
        )


def is_adapted(model: nn.Module) -> bool:
    """Return whether the model carries an adapter."""
    return hasattr(model, "peft_config")


def prepare_training(model: nn.Module) -> None:
    """Keep a frozen copy of the adapter as START and let gradients reach TRAINED alone."""
    adapted = cast(Any, model)
    adapted.add_adapter(START, adapted.peft_config[TRAINED])
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in adapter_weights(model).items():
            own[name.replace(f".{TRAINED}.", f".{START}.")].copy_(value)
    adapted.set_adapter(TRAINED)
    model.eval()


@contextmanager
def start_in_force(model: nn.Module) -> Iterator[None]:
    """Let the model answer as it did before training, for the time of a `with` block without gradients."""
    adapted = cast(Any, model)
    adapted.set_adapter(START, inference_mode=True)
    try:
        yield
    finally:
        adapted.set_adapter(TRAINED)


def adapter_weights(model: nn.Module, name: str = TRAINED) -> dict[str, Tensor]:
    """Return the parameters of one adapter by their names in the model."""
    return {key: value for key, value in model.named_parameters() if f".{name}." in key}


def dropouts(model: nn.Module) -> list[nn.Module]:
    """Return the modules that drop inputs of the trained adapter."""
    ending = f"lora_dropout.{TRAINED}"
    return [module for name, module in model.named_modules() if name.endswith(ending)]


def write_adapter(model: nn.Module, base: Path, out: Path) -> None:
    """Write the adapter into the new directory `out`; equal weights give equal bytes."""
    emptied(out)
    weights = _peft().get_peft_model_state_dict(model, adapter_name=TRAINED, save_embedding_layers=False)
    save_file({key: value.detach().cpu().contiguous() for key, value in weights.items()}, out / ADAPTER_WEIGHTS)
    settings = cast(Any, model).peft_config[TRAINED].to_dict() | {"base_model_name_or_path": None}
    text = json.dumps(settings | {"inference_mode": True}, indent=2, sort_keys=True, default=sorted)
    write_atomic(out / ADAPTER_CONFIG, text + "\n")
    adapter = {id(value) for value in adapter_weights(model).values()}
    below = next(value for value in model.parameters() if id(value) not in adapter)
    write_base_record(out, base, str(below.dtype).removeprefix("torch."))


def merged(model: nn.Module) -> nn.Module:
    """Return the plain model with the adapter's product added to its weights, in the model's own dtype."""
    return cast(Any, model).merge_and_unload()


def _peft() -> Any:
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing`", FutureWarning)  # peft asks the old name
    try:
        return importlib.import_module("peft")
    except ImportError:
        raise ConfigError("adapters need peft: `pip install peft`, or set engine.lora.rank=0") from None
