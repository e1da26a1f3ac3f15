"""A person's model folder is untrusted: links, endless templates and weights that are no numbers are one clear line."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from evotrainer.engines import chat_template
from evotrainer.engines.chat_template import ChatTemplate
from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.time_limit import time_limit
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.weight_files import check_weight_files
from evotrainer.errors import ConfigError, EvidenceError, PolicyError
from evotrainer.evidence.query import check_apart
from evotrainer.records import Message
from flows.workspace.own_files import copy_policy

ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


def test_links_in_a_policy_folder_are_refused_and_nothing_is_copied(tmp_path: Path, digit_policy: Path) -> None:
    folder, secret = tmp_path / "model", tmp_path / "secret"
    secret.write_text("mine")
    shutil.copytree(digit_policy, folder)
    copy_policy(folder, tmp_path / "plain")
    assert (tmp_path / "plain" / "config.json").is_file()
    (folder / "notes.txt").symlink_to(secret)
    with pytest.raises(ConfigError, match="notes.txt is a link"):
        copy_policy(folder, tmp_path / "copied")
    assert not (tmp_path / "copied").exists()


def test_a_template_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_template, "RENDER_SECONDS", 0.2)
    with pytest.raises(PolicyError, match="took more than 0.2 s"):
        ChatTemplate(ENDLESS, {}).render([Message(role="user", content="a")], open_turn=True)
    text = ChatTemplate("{{ messages[0].content }}", {}).render([Message(role="user", content="a")], open_turn=True)
    assert text == "a"


@pytest.mark.parametrize(
    "source",
    [
        "{{ 9**(9**9) }}",
        "{{ ('a' * 10**10)|length }}",
        "{{ '%0999999999d' % 1 }}",
        "{% for a in range(10**12) %}{% endfor %}",
        "{% macro f(n) %}{{ f(n+1) }}{% endmacro %}{{ f(0) }}",
        "{{ 1 // 0 }}",
        "{{ 'a'|center(10**13) }}",
    ],
)
def test_a_template_that_fails_in_any_way_is_one_clear_line(source: str) -> None:
    with pytest.raises(PolicyError, match="the chat template refuses these messages: .+"):
        ChatTemplate(source, {}).render([Message(role="user", content="a")], open_turn=True)


def test_small_operations_of_templates_work() -> None:
    source = "{{ 2**10 }} {{ '-' * 3 }} {{ '%03d' % 7 }} {{ 7 % 2 }} {{ 3 * 4 }}"
    assert ChatTemplate(source, {}).render([], open_turn=True) == "1024 --- 007 1 12"


def test_a_limit_that_is_kept_leaves_nothing_behind() -> None:
    for _ in range(200):
        with time_limit(0.001):
            pass
    assert sum(range(100_000)) > 0


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
    "cut off": (_half("F32", np.ones(40, "<f4"))[:-9], "is cut off"),
    "no header": (b"\xff" * 40, "no whole safetensors file"),
    "empty": (b"", "no whole safetensors file"),
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


def test_a_query_that_ends_its_parser_is_an_error_of_the_query() -> None:
    with pytest.raises(EvidenceError, match="nested too deeply"):
        check_apart("select * from (" * 100_000 + "select 1" + ")" * 100_000)
    check_apart("select 1")
