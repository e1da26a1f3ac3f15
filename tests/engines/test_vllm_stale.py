"""A plain server that someone else started: on a CPU its reload answers 200 and leaves a mixture of weights.

vLLM packs the linear layers of a CPU. A reload of a Qwen3 with tied embeddings does not reach all of them: the canary
says so. A server that EvoTrainer starts leaves layers unpacked, and takes the same weights.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import torch
from transformers import AutoConfig, Qwen3ForCausalLM

from evotrainer.config import Config
from evotrainer.engines import create_rollout_engine, end_all
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import PolicyError
from flows.serving.server import free_port
from tests.engines.conftest import ARGUMENTS, PYTHON, vllm_config
from tests.model_directories import qwen

PROMPTS, SEEDS, GREEDY = [[9, 10, 11], [12, 13]], [1, 2], SamplingParams(8, 0.0)
START_SECONDS = 400


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two Qwen3 of random weights, whose heads are wide enough for vLLM on a CPU."""
    root = tmp_path_factory.mktemp("pair")
    for seed, name in enumerate(("first", "second")):
        qwen(root / name)
        shape = AutoConfig.from_pretrained(root / name)
        shape.head_dim, shape.hidden_size, shape.tie_word_embeddings = 32, 64, True
        torch.manual_seed(seed)
        Qwen3ForCausalLM(shape).save_pretrained(root / name)
    return root / "first", root / "second"


@pytest.fixture(scope="module")
def url(pair: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server as anybody starts it, with the first of the pair."""
    port = str(free_port())
    command = [PYTHON, "-m", "vllm.entrypoints.openai.api_server", "--model", str(pair[0]), "--port", port]
    command += ["--host", "127.0.0.1", "--dtype", "float32", "--served-model-name", "pair", *ARGUMENTS]
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
            time.sleep(0.5)  # a server that starts can only be asked again
    raise AssertionError("the server did not start")


@pytest.fixture
def config(url: str, pair: tuple[Path, Path]) -> Iterator[Config]:
    config = Config()
    config.policy.path = str(pair[0])
    config.engine.rollout, config.engine.device, config.engine.vllm.url = "vllm", "cpu", url
    yield config
    end_all()


def test_a_reload_that_leaves_other_weights_is_stale(config: Config, pair: tuple[Path, Path]) -> None:
    engine = create_rollout_engine(config, pair[0])
    assert len(engine.generate(PROMPTS, GREEDY, SEEDS)) == len(PROMPTS)
    with pytest.raises(PolicyError, match="does not serve .* canary logprobs are off by"):
        engine.sync(pair[1])
    with pytest.raises(PolicyError, match="does not serve"):
        engine.generate(PROMPTS, GREEDY, SEEDS)


def test_a_server_of_our_own_takes_the_same_weights(pair: tuple[Path, Path], capfd: pytest.CaptureFixture[str]) -> None:
    config = vllm_config()
    config.policy.path = str(pair[0])
    engine = create_rollout_engine(config, pair[0])
    for path in pair:
        engine.sync(path)
        own = TorchRolloutEngine(TransformersPolicy.load(path)).generate(PROMPTS, GREEDY, SEEDS)
        drawn = engine.generate(PROMPTS, GREEDY, SEEDS)
        assert [found.token_ids for found in drawn] == [found.token_ids for found in own]
    assert "starts again" not in capfd.readouterr().err
