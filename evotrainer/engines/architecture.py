"""Whether the weights of a policy fit the network that its config.json describes, by names and shapes alone.

The network is made on torch's meta device, which holds shapes and no numbers, and takes the shapes in the headers of
the weight files. transformers' own loading matches them, so that its renamings and merged experts hold here too.

Call it in a process that has limits of time and memory: a config.json may name a network whose making never ends.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.codec import read_tokenizer
from evotrainer.engines.model_files import check_sizes, count_weights, read_headers, refuse_missing
from evotrainer.errors import PolicyError

_DIGITS = re.compile(r"\d+")


def check_architecture(path: Path) -> list[str]:
    """Return what is odd about a directory with safetensors files, and no hindrance.

    Raises:
        PolicyError: transformers knows no such network, weights are missing or of another shape, sizes are none, or the
            network embeds fewer tokens than the tokenizer has.

    """
    check_sizes(path)
    if "quantization_config" in read_model_config(path):
        return ["its weights are quantised: their shapes were not compared with config.json"]
    blank, headers = _build(path), read_headers(path)
    try:
        network, found = _match(blank, headers)
    except Exception as error:  # conversions of weights raise their own types
        raise PolicyError(f"transformers cannot load the weights of {path}: {_reason(error)}") from None
    refuse_missing(path, found["missing_keys"])
    _refuse_shapes(path, found["mismatched_keys"])
    _compare_tokens(path, network.get_input_embeddings().weight.shape[0])
    return _left_over(path, sorted(found["unexpected_keys"]), network.state_dict())


def _build(path: Path) -> Any:
    """Return the network without numbers; raises PolicyError where transformers makes none."""
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig, AutoModelForCausalLM

    file = path / "config.json"
    try:
        config = AutoConfig.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
            raise PolicyError(f"{file}: {config.model_type} is no causal language model: take another policy")
        with torch.device("meta"):
            return AutoModelForCausalLM.from_config(config, dtype=torch.float32, trust_remote_code=False)
    except PolicyError:
        raise
    except Exception as error:  # every architecture checks its own settings and raises its own type
        raise PolicyError(f"transformers makes no network of {file}: {_reason(error)}") from None


def _match(network: Any, headers: dict[str, tuple[int, ...]]) -> tuple[Any, dict[str, Any]]:
    """Return the network with these shapes, and which transformers finds missing, unexpected or mismatched."""
    return type(network).from_pretrained(
        None,
        config=network.config,
        state_dict={name: torch.empty(shape, device="meta") for name, shape in headers.items()},
        device_map="meta",
        dtype=torch.float32,
        ignore_mismatched_sizes=True,
        output_loading_info=True,
    )


def _refuse_shapes(path: Path, mismatched: Iterable[tuple[str, Any, Any]]) -> None:
    wrong = sorted((name, list(held), list(wanted)) for name, held, wanted in mismatched)
    if wrong:
        _, held, wanted = wrong[0]
        raise PolicyError(
            f"{path} has {count_weights([name for name, *_ in wrong])} of shape {held} where config.json means "
            f"{wanted}: restore config.json or the weights"
        )


def _compare_tokens(path: Path, num_embedded: int) -> None:
    try:
        vocabulary = read_tokenizer(path).get_vocab(with_added_tokens=True)
    except PolicyError:
        return  # what reads the tokenizer for its own sake says what is wrong with it
    last = max(vocabulary, key=vocabulary.__getitem__)
    if vocabulary[last] >= num_embedded:
        raise PolicyError(
            f"{path}: the tokenizer has {last[:40]!r} as token {vocabulary[last]}, and the network embeds "
            f"{num_embedded} tokens: take the tokenizer of this model"
        )


def _left_over(path: Path, unused: list[str], used: Iterable[str]) -> list[str]:
    """Return that weights are not used; raises PolicyError where they are a layer like those that are.

    Layers of another kind, for the prediction of several tokens at once, are left out on purpose.
    """
    if not unused:
        return []
    kinds = {_DIGITS.sub("N", name) for name in used}
    if all(_DIGITS.sub("N", name) in kinds for name in unused):
        raise PolicyError(
            f"{path} has more layers than config.json describes ({count_weights(unused)}): restore config.json"
        )
    return [f"{count_weights(unused)} not in the network of config.json: not used"]


def _reason(error: Exception) -> str:
    """Return the first sentence of what another library says."""
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, KeyError):
        return f"it knows no {text}"
    return re.split(r"(?<=[a-z`'\")])\. (?=[A-Z])", text)[0][:300]
