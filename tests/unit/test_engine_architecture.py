"""A stranger's model folder: weights and tokenizer that do not fit config.json are one clear line, by shapes alone."""

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from evotrainer.engines.architecture import check_architecture
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.model_files import check_weight_files
from evotrainer.errors import PolicyError
from tests.model_directories import FAMILIES

pytestmark = pytest.mark.parts

Edit = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("architecture") / "llama"
    FAMILIES["llama"](path)
    return path


@pytest.fixture
def folder(llama: Path, tmp_path: Path) -> Path:
    return shutil.copytree(llama, tmp_path / "model")


def edit_config(folder: Path, **values: Any) -> None:
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(settings | values))


def edit_weights(folder: Path, edit: Edit) -> None:
    weights = load_file(folder / "model.safetensors")
    edit(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize("family", FAMILIES)
def test_whole_models_of_several_families_fit(tmp_path: Path, family: str) -> None:
    FAMILIES[family](tmp_path / "model")
    assert check_architecture(tmp_path / "model") == []


CONFIGS: dict[str, tuple[dict[str, Any], str]] = {
    "vocabulary": ({"vocab_size": 10}, r"2 weights \(first: lm_head.weight\) of shape \[300, 32\] where .* \[10, 32\]"),
    "more layers": ({"num_hidden_layers": 3}, "lacks 9 weights .first: model.layers.2.input_layernorm.weight"),
    "fewer layers": ({"num_hidden_layers": 1}, "has more layers than config.json describes"),
    "no layers": ({"num_hidden_layers": 0}, "num_hidden_layers is 0 and no positive integer"),
    "endless width": ({"hidden_size": 10**12}, r"of shape \[300, 32\] where config.json means \[300, 1000000000000\]"),
    "no vocabulary": ({"vocab_size": 0}, "vocab_size is 0 and no positive integer"),
    "null": ({"hidden_size": None}, "hidden_size is null and no positive integer"),
    "positions": ({"max_position_embeddings": "x"}, 'max_position_embeddings is "x" and no positive integer'),
    "text part": ({"text_config": "x"}, 'text_config is "x" and no object'),
    "heads": ({"num_attention_heads": 3}, "not a multiple of the number of attention heads"),
    "key value heads": ({"num_key_value_heads": 2}, r"k_proj.weight\) of shape \[32, 32\] where .* \[16, 32\]"),
    "type": ({"model_type": "frobnicate"}, "has model type `frobnicate` but Transformers does not recognize"),
    "no causal model": ({"model_type": "t5"}, "t5 is no causal language model"),
    "activation": ({"hidden_act": "nope"}, "it knows no 'nope'"),
    "code": ({"model_type": "own", "auto_map": {"AutoConfig": "own.Config"}}, "contains custom code"),
    "text": ({"hidden_size": "32"}, 'hidden_size is "32" and no positive integer'),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_config_that_its_weights_contradict_is_refused(folder: Path, name: str) -> None:
    values, told = CONFIGS[name]
    edit_config(folder, **values)
    with pytest.raises(PolicyError, match=told) as refused:
        check_architecture(folder)
    assert "\n" not in str(refused.value)


def test_missing_and_misshapen_weights_are_refused_and_unknown_ones_told(folder: Path) -> None:
    edit_weights(folder, lambda weights: weights.update(extra=torch.zeros(2)))
    assert check_architecture(folder) == ["1 weight (first: extra) not in the network of config.json: not used"]
    edit_weights(folder, lambda weights: weights.update({"model.norm.weight": torch.zeros(3)}))
    with pytest.raises(PolicyError, match=r"model.norm.weight\) of shape \[3\] where config.json means \[32\]"):
        check_architecture(folder)
    edit_weights(folder, lambda weights: weights.pop("lm_head.weight"))
    with pytest.raises(PolicyError, match=r"lacks 1 weight \(first: lm_head.weight\)"):
        check_architecture(folder)
    edit_weights(folder, lambda weights: weights.update({"model.norm.weight": torch.zeros(32)}))
    with pytest.raises(PolicyError, match=r"lacks 1 weight \(first: lm_head.weight\)"):
        TransformersPolicy.load(folder)  # transformers would draw them
    edit_config(folder, tie_word_embeddings=True)
    assert len(check_architecture(folder)) == 1, "a tied layer needs no weights of its own"


def test_a_tokenizer_with_more_tokens_than_the_network_embeds_is_refused(folder: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["added_tokens"].append(tokenizer["added_tokens"][-1] | {"id": 300, "content": "<more>"})
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(PolicyError, match="the tokenizer has '<more>' as token 300, and the network embeds 300 tokens"):
        check_architecture(folder)


@pytest.mark.parametrize("value", ["x", [1, "x"], 1.5, {"id": 1}])
def test_an_end_of_turn_that_is_no_number_is_one_clear_line(folder: Path, value: Any) -> None:
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": value}))
    with pytest.raises(PolicyError, match="generation_config.json: eos_token_id is .* and no token's number"):
        HfChatCodec.from_directory(folder)


def test_an_end_of_turn_that_the_tokenizer_lacks_is_one_clear_line(folder: Path) -> None:
    (folder / "generation_config.json").write_text('{"eos_token_id": 99999}')
    file = folder / "tokenizer_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"eos_token": None}))
    edit_config(folder, eos_token_id=None)
    with pytest.raises(PolicyError, match="ends a turn by 99999, which is no token of its tokenizer"):
        HfChatCodec.from_directory(folder)


@pytest.mark.parametrize("value", [7, ["x"], {"text": "x"}, {"content": 7}])
def test_a_special_token_that_is_no_text_is_one_clear_line(folder: Path, value: Any) -> None:
    file = folder / "tokenizer_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"eos_token": value}))
    with pytest.raises(PolicyError, match="tokenizer_config.json: eos_token is no text"):
        HfChatCodec.from_directory(folder)


def test_an_index_that_names_an_absent_file_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    for look in (check_architecture, check_weight_files):
        with pytest.raises(PolicyError, match=r"holds no weights, neither model.safetensors nor .*index.json"):
            look(folder)
    index = folder / "model.safetensors.index.json"
    for name in ("model-00002-of-00002.safetensors", "../model.safetensors"):
        index.write_text(json.dumps({"weight_map": {"lm_head.weight": name}}))
        with pytest.raises(PolicyError, match="which is no file of this directory"):
            check_weight_files(folder)
    index.write_text(json.dumps({"weight_map": {"lm_head.weight": "model-00001-of-00002.safetensors"}}))
    assert check_architecture(folder) == []


def test_a_file_larger_than_the_memory_of_the_look_is_compared(folder: Path) -> None:
    edit_config(folder, vocab_size=25_000_000)
    file, header, end = folder / "model.safetensors", {}, 0
    for name, tensor in load_file(file).items():
        shape = [25_000_000, 32] if name in ("model.embed_tokens.weight", "lm_head.weight") else list(tensor.shape)
        start, end = end, end + 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}
    written = json.dumps(header).encode()
    with file.open("wb") as stream:
        stream.write(len(written).to_bytes(8, "little") + written)
        stream.truncate(8 + len(written) + end)
    assert end > 4 << 30, "more than the limit of the process that looks"
    assert check_architecture(folder) == []
