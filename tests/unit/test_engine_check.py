"""What an engine lacks is told before anything is started."""

import pytest
import torch

from evotrainer import engines
from evotrainer.config import Config, EngineConfig
from evotrainer.config.schema import LoraConfig
from evotrainer.training import create_train_engine
from flows.workspace.checks import examine
from flows.workspace.worktree import project_root

pytestmark = pytest.mark.parts


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["engine=vllm"], "engine.rollout=vllm needs policy.path"),
        (
            ["engine=vllm", "policy.path=p", "engine.vllm.python=none/python"],
            "is no interpreter: build the environment",
        ),
        (["engine=vllm", "policy.path=p", "engine.vllm.url=http://127.0.0.1:9"], "no vLLM server answers at"),
        (["engine=vllm", "policy.path=p", "engine.vllm.url=127.0.0.1:8000"], "is no address: write it like http://"),
        (["engine.device=cuda"], "torch finds no CUDA device here: use engine.device=auto"),
    ],
)
def test_rollouts_that_cannot_start_are_told_before_a_campaign_begins(settings, told):
    if settings == ["engine.device=cuda"] and torch.cuda.is_available():
        pytest.skip("a CUDA device is here")
    examination = examine(project_root(), settings, embedded=None)
    assert any(told in str(error) for error in examination.errors)


@pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA device is here")
def test_extras_and_devices_that_training_lacks_are_told(monkeypatch: pytest.MonkeyPatch):
    asked = EngineConfig(device="cpu", optimiser="adamw_8bit", attention="flash_attention_2", lora=LoraConfig(rank=4))
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    told = " ".join(create_train_engine(config := Config(engine=asked)).missing(config))
    assert all(text in told for text in ("adapters need peft", "needs a CUDA device", "and flash-attn"))
    (told,) = engines.missing_extras(EngineConfig(optimiser="adamw_8bit"), "cuda")
    assert "needs bitsandbytes" in told
