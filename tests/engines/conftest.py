"""Tests with a real vLLM: `make test-engines` builds its environment and runs them; `make test-all` leaves them out."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evotrainer.config import Config
from evotrainer.engines import end_all
from tests.base_policies import make_digit_policy
from tests.evaluated_campaign import scaled_policy

PYTHON = os.environ.get("EVOTRAINER_VLLM_PYTHON", "")
collect_ignore_glob = [] if PYTHON else ["test_vllm_*"]
ARGUMENTS = ["--enforce-eager", "--max-model-len", "256"]


def vllm_config() -> Config:
    """Return the configuration of a server that is started on the CPU."""
    config = Config()
    config.engine.rollout, config.engine.device = "vllm", "cpu"
    config.engine.vllm.python, config.engine.vllm.arguments = PYTHON, list(ARGUMENTS)
    return config


@pytest.fixture(scope="module", autouse=True)
def ended() -> Iterator[None]:
    yield
    end_all()


@pytest.fixture(scope="session")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The digit policy with one head: vLLM's attention on a CPU knows heads of 32 dimensions and more."""
    return make_digit_policy(tmp_path_factory.mktemp("policy"), num_heads=1)


@pytest.fixture(scope="session")
def sharper(digits: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with other weights in its last layer."""
    return scaled_policy(digits, 3.0, tmp_path_factory.mktemp("sharper") / "policy")
