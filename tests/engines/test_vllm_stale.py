"""A plain server that someone else started: on a CPU its reload keeps old weights, and the canary says so."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from evotrainer.config import Config, EmbeddedPolicyConfig
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import RolloutEngine, SamplingParams
from evotrainer.engines.lifetime import end_all
from evotrainer.engines.tiny.creation import create_policy
from evotrainer.errors import PolicyError
from tests.engines.conftest import ARGUMENTS, PYTHON

PROMPTS, SEEDS, GREEDY = [[9, 10, 11], [12, 13]], [1, 2], SamplingParams(8, 0.0)
START_SECONDS = 400


@pytest.fixture(scope="module")
def url(digits: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server as anybody starts it, with the digit policy."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [PYTHON, "-m", "vllm.entrypoints.openai.api_server", "--model", str(digits), "--port", port]
    command += ["--host", "127.0.0.1", "--dtype", "float32", "--served-model-name", "digits", *ARGUMENTS]
    environment = {**os.environ, "VLLM_SERVER_DEV_MODE": "1", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
    log = (tmp_path_factory.mktemp("log") / "server.log").open("w")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait(f"http://127.0.0.1:{port}", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _wait(url: str, server: subprocess.Popen) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            if httpx.get(f"{url}/health").is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise AssertionError("the server did not start")


@pytest.fixture
def config(url: str) -> Iterator[Config]:
    config = Config()
    config.engine.rollout, config.engine.device, config.engine.vllm.url = "vllm", "cpu", url
    yield config
    end_all()


def test_another_model_is_refused(config: Config, tmp_path: Path) -> None:
    create_policy(tmp_path / "other", EmbeddedPolicyConfig(hidden_size=32, num_heads=1, num_layers=1), "abc12", 0)
    engine = create_rollout_engine(config, tmp_path / "other")
    with pytest.raises(PolicyError, match="has another vocabulary than"):
        engine.generate(PROMPTS, GREEDY, SEEDS)


def test_a_reload_that_kept_old_weights_is_stale(config: Config, digits: Path, deeper: Path) -> None:
    """The server answers 200 to the reload, and its linear layers are those of before."""
    engine: RolloutEngine = create_rollout_engine(config, digits)
    served = engine.generate(PROMPTS, GREEDY, SEEDS)
    assert len(served) == len(PROMPTS)
    with pytest.raises(PolicyError, match="does not serve .* canary logprobs are off by"):
        engine.sync(deeper)
    with pytest.raises(PolicyError, match="does not serve"):
        engine.generate(PROMPTS, GREEDY, SEEDS)


@pytest.fixture
def deeper(digits: Path, tmp_path: Path) -> Path:
    """The digit policy after a change of its linear layers, as training makes one."""
    import torch

    from evotrainer.engines.tiny.policy import EmbeddedPolicy

    policy = EmbeddedPolicy.load(digits)
    with torch.no_grad():
        for name, weight in policy.model.named_parameters():
            if "proj" in name:
                weight.mul_(1.1)
    policy.save(tmp_path / "deeper")
    return tmp_path / "deeper"
