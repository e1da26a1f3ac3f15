"""A person's model folder is untrusted: links, endless templates and weights that are no numbers are one clear line."""

import json
import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from conf.compose import compose_campaign
from evotrainer.engines import absent_policy
from evotrainer.engines.chat_template import ChatTemplate, find_template
from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.model_files import check_weight_files
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.errors import ConfigError, PolicyError
from evotrainer.records import Message
from flows.workspace.own_files import copy_policy, refuse_links

pytestmark = pytest.mark.parts

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


class Opened:
    """What makes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.path, "w")


def test_links_in_a_policy_folder_are_refused_and_nothing_is_copied(tmp_path: Path, digit_policy: Path) -> None:
    folder, secret = tmp_path / "model", tmp_path / "secret"
    secret.write_text("mine")
    shutil.copytree(digit_policy, folder)
    copy_policy(folder, tmp_path / "plain")
    assert (tmp_path / "plain" / "config.json").is_file()
    (folder / "notes.txt").symlink_to(secret)
    with pytest.raises(ConfigError, match="notes.txt is a link: copy the folder"):
        copy_policy(folder, tmp_path / "copied")
    assert not (tmp_path / "copied").exists()
    secret.unlink()
    with pytest.raises(ConfigError, match="notes.txt is a link: it leads to nothing"):
        refuse_links(folder)


def test_a_pipe_in_the_place_of_a_file_is_told_to_be_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(ConfigError, match="config.json is no plain file, but a pipe"):
        refuse_links(tmp_path)
    config = compose_campaign([f"policy.path={tmp_path}"])
    assert "config.json is no plain file" in absent_policy(config, tmp_path)


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
    ],
)
def test_a_template_that_fails_in_any_way_is_one_clear_line(source: str) -> None:
    with pytest.raises(PolicyError, match="the chat template (refuses these messages|is not one that jinja reads): .+"):
        ChatTemplate(source, {}).render([Message(role="user", content="a")], open_turn=True)


def test_weights_that_are_no_numbers_are_no_policy(tmp_path: Path, digit_policy: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(digit_policy, folder)
    weights = load_file(folder / "model.safetensors")
    name = sorted(weights)[-1]
    weights[name] = weights[name].clone()
    weights[name].view(-1)[0] = torch.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
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
    "no header": (b"\xff" * 40, "no whole safetensors file"),
    "empty": (b"", "no whole safetensors file"),
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
