"""A person's model folder is untrusted: links, endless templates and weights that are no numbers are one clear line."""

import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from evotrainer.engines import chat_template
from evotrainer.engines.chat_template import ChatTemplate
from evotrainer.engines.time_limit import time_limit
from evotrainer.engines.tiny.policy import EmbeddedPolicy
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
    with pytest.raises(PolicyError, match=f"weights that are no numbers .first: .*{name.split('.')[-1]}"):
        EmbeddedPolicy.load(folder)


def test_a_query_that_ends_its_parser_is_an_error_of_the_query() -> None:
    with pytest.raises(EvidenceError, match="nested too deeply"):
        check_apart("select * from (" * 100_000 + "select 1" + ")" * 100_000)
    check_apart("select 1")
