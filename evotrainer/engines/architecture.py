"""Whether the weights of a policy fit the network that its config.json describes, by names and shapes alone.

The network is made on torch's meta device, which holds shapes and no numbers. Its weights are the headers of the files.
transformers loads them as it would load the weights, so that its renamings and merged experts hold here too. No
forward pass is made: many networks need numbers for one.

`python -m evotrainer.engines.architecture PATH` prints one line of JSON: this runs in a process of its own, because a
config.json may name a network whose making never ends.
"""

import json
import re
import resource
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.codec import STOP_FILES, read_tokenizer, stop_ids_in
from evotrainer.engines.model_sizes import check_sizes
from evotrainer.engines.weight_files import weight_files
from evotrainer.errors import PolicyError

CPU_SECONDS, MEMORY_BYTES = 60, 4 << 30
"""Far above what a network of 10^12 weights takes without numbers, imports included."""
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
    network = _build(path)
    network, found = _load(path, network, _shapes(path))
    _refuse(path, found)
    num_embedded = network.get_input_embeddings().weight.shape[0]
    _compare_tokens(path, num_embedded)
    left_over = _left_over(path, sorted(found["unexpected_keys"]), network.state_dict())
    return [*left_over, *_unknown_stops(path, num_embedded)]


def refuse_missing(path: Path, names: Iterable[str]) -> None:
    """Raise PolicyError where files lack weights of a network: transformers would draw them."""
    if missing := sorted(names):
        raise PolicyError(f"{path} lacks {_weights(missing)} of the network of config.json: restore the directory")


def _build(path: Path) -> Any:
    """Return the network without numbers; raises PolicyError where transformers makes none, or one without layers."""
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig, AutoModelForCausalLM

    file = path / "config.json"
    try:
        config = AutoConfig.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
            raise PolicyError(f"{file}: {config.model_type} is no causal language model: take another policy")
        _refuse_sizes(file, config.get_text_config())
        with torch.device("meta"):
            return AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    except PolicyError:
        raise
    except Exception as error:  # every architecture checks its own settings and raises its own type
        raise PolicyError(f"transformers makes no network of {file}: {_reason(error)}") from None


def _refuse_sizes(file: Path, config: Any) -> None:
    """Raise PolicyError for sizes of which transformers makes a network that cannot run."""
    if getattr(config, "num_hidden_layers", 1) < 1:
        raise PolicyError(f"{file} describes a network without layers: restore it")
    heads, shared = (getattr(config, name, None) for name in ("num_attention_heads", "num_key_value_heads"))
    if isinstance(heads, int) and isinstance(shared, int) and (shared < 1 or heads % shared):
        raise PolicyError(f"{file}: {heads} heads cannot share {shared} heads of keys and values: restore it")


def _shapes(path: Path) -> dict[str, list[int]]:
    """Return the shape of each weight; raises PolicyError where a header contradicts itself."""
    shapes: dict[str, list[int]] = {}
    for file in weight_files(path):
        try:
            with safe_open(file, "np") as tensors:  # torch maps files for writing: that counts as data
                names = list(tensors.keys())
                shapes |= {name: tensors.get_slice(name).get_shape() for name in names}
        except SafetensorError as error:
            raise PolicyError(f"{file} is no whole safetensors file ({error}): restore the directory") from None
    return shapes


def _load(path: Path, network: Any, shapes: dict[str, list[int]]) -> tuple[Any, dict[str, Any]]:
    """Return the network with these weights, and what transformers found missing, unexpected or mismatched."""
    held = {name: torch.empty(shape, device="meta") for name, shape in shapes.items()}
    try:
        return type(network).from_pretrained(
            None,
            config=network.config,
            state_dict=held,
            device_map="meta",
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
        )
    except Exception as error:  # conversions of weights raise their own types
        raise PolicyError(f"transformers cannot load the weights of {path}: {_reason(error)}") from None


def _refuse(path: Path, found: dict[str, Any]) -> None:
    refuse_missing(path, found["missing_keys"])
    wrong = sorted((name, list(held), list(wanted)) for name, held, wanted in found["mismatched_keys"])
    if wrong:
        _, held, wanted = wrong[0]
        raise PolicyError(
            f"{path} has {_weights([name for name, *_ in wrong])} of shape {held} where config.json means {wanted}: "
            "restore config.json or the weights"
        )
    if found["error_msgs"]:
        raise PolicyError(f"transformers cannot load the weights of {path}: {str(found['error_msgs'][0])[:200]}")


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


def _unknown_stops(path: Path, num_embedded: int) -> list[str]:
    """Return which ends of a turn the network can never sample."""
    try:
        found = [(path / name, token) for name in STOP_FILES for token in stop_ids_in(path / name)]
    except PolicyError:
        return []  # what reads the tokenizer says what is wrong
    return [
        f"{file}: eos_token_id {token} is none of the {num_embedded} tokens of the network: no answer ends so"
        for file, token in found
        if token >= num_embedded
    ]


def _left_over(path: Path, unused: Sequence[str], used: Iterable[str]) -> list[str]:
    """Return that weights are not used; raises PolicyError where they are a layer like those that are.

    Layers of another kind, for the prediction of several tokens at once, are left out on purpose.
    """
    if not unused:
        return []
    kinds = {_DIGITS.sub("N", name) for name in used}
    if all(_DIGITS.sub("N", name) in kinds for name in unused):
        raise PolicyError(
            f"{path} has more layers than config.json describes ({_weights(unused)}): restore config.json"
        )
    return [f"{_weights(unused)} not in the network of config.json: not used"]


def _weights(names: Sequence[str]) -> str:
    """Return how many weights there are, and the first."""
    return f"{len(names)} weight{'s' if len(names) > 1 else ''} (first: {names[0]})"


def _reason(error: Exception) -> str:
    """Return the first sentence of what another library says."""
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, KeyError):
        return f"it knows no {text}"
    return re.split(r"(?<=[a-z`'\")])\. (?=[A-Z])", text)[0][:300]


def main(path: Path) -> None:
    """Print what is odd, or the error, as JSON."""
    from transformers.utils import logging

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        answer = {"odd": check_architecture(path)}
    except PolicyError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
