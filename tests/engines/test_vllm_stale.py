"""A plain server that someone else started: on a CPU its reload answers 200 and leaves a mixture of weights.

vLLM packs the linear layers of a CPU. A reload of a Qwen3 with tied embeddings does not reach all of them: the canary
says so. A server that EvoTrainer starts leaves layers unpacked, and takes the same weights.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
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


def test_another_model_is_refused(config: Config, digits: Path) -> None:
    config.policy.path = ""
    with pytest.raises(PolicyError, match="has another vocabulary than"):
        create_rollout_engine(config, digits).generate(PROMPTS, GREEDY, SEEDS)


def _swap_tokens(folder: Path) -> None:
    """Let every token but the special ones stand for its neighbour: as many words, other ids."""
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    vocabulary, special = tokenizer["model"]["vocab"], {token["content"] for token in tokenizer["added_tokens"]}
    plain = [token for token in vocabulary if token not in special]
    ids = [vocabulary[token] for token in plain]
    vocabulary.update(zip(plain, [*ids[1:], ids[0]], strict=True))
    path.write_text(json.dumps(tokenizer))


def _greet_first(folder: Path) -> None:
    """Let the chat template begin with a word of its own."""
    path = folder / "chat_template.jinja"
    path.write_text("hello" + path.read_text())


@pytest.mark.parametrize(
    ("changed", "error"),
    [(_swap_tokens, "has another tokenizer than"), (_greet_first, "has another chat template than")],
    ids=["tokenizer", "template"],
)
def test_the_same_weights_with_other_words_are_refused(
    config: Config, pair: tuple[Path, Path], tmp_path: Path, changed: Callable[[Path], None], error: str
) -> None:
    shutil.copytree(pair[0], tmp_path / "policy")
    changed(tmp_path / "policy")
    config.policy.path = str(tmp_path / "policy")
    with pytest.raises(PolicyError, match=error) as caught:
        create_rollout_engine(config, tmp_path / "policy").generate(PROMPTS, GREEDY, SEEDS)
    assert "\n" not in str(caught.value)


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
