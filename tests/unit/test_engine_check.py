"""`evotrainer engine check`: what an engine would do, before anything is started."""

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from cli.main import app
from evotrainer import engines
from evotrainer.config import EngineConfig
from flows.workspace.checks import examine
from flows.workspace.worktree import project_root
from tests.openrlhf_environment import stand_in_python

pytestmark = pytest.mark.parts


def check(*settings: str) -> tuple[int, dict]:
    done = CliRunner().invoke(app, ["engine", "check", "--json", *settings])
    return done.exit_code, json.loads(done.stdout)


def policy(folder: Path) -> str:
    (folder / "config.json").write_text('{"max_position_embeddings": 512}')
    return f"policy.path={folder}"


def test_an_absent_policy_is_missing_to_both_engines(tmp_path: Path):
    for engine in ("torch", "openrlhf"):
        status, found = check(f"engine={engine}", f"policy.path={tmp_path}")
        assert status == 1 and any("holds no policy" in text for text in found["missing"])
        assert "holds no policy" in found["rollout_missing"]


def test_a_cluster_command_is_shown_whole(tmp_path: Path):
    python = stand_in_python(tmp_path)
    own = ["engine=openrlhf", policy(tmp_path), f"engine.openrlhf.python={python}"]
    status, found = check(*own)
    assert status == 0 and found["command"][:3] == [python, "-m", "openrlhf.cli.train_ppo_ray"]
    status, found = check(*own, "engine.openrlhf.ray_address=http://127.0.0.1:9")
    submit = ["-m", "ray.scripts.scripts", "job", "submit", "--address", "http://127.0.0.1:9"]
    assert status == 1 and found["command"][1:7] == submit
    assert "no Ray job server answers" in found["missing"][0]


def test_what_is_refused_and_missing_is_said_line_by_line(tmp_path: Path):
    settings = ["engine=openrlhf", policy(tmp_path), "algorithm.loss=dr_grpo"]
    done = CliRunner().invoke(app, ["engine", "check", *settings])
    assert done.exit_code == 1
    assert "refused: algorithm.loss=dr_grpo: " in done.stdout
    assert "missing: engine.openrlhf.python names no interpreter" in done.stdout
    assert "--algo.advantage.estimator group_norm" in done.stdout
    assert "command: " not in done.stdout
    assert done.stdout.endswith("engine.train=openrlhf: cannot start\nengine.rollout=torch: can start\n")


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
    status, found = check(*settings)
    assert status == 1 and told in found["rollout_missing"]
    examination = examine(project_root(), settings, embedded=None)
    assert any(told in str(error) for error in examination.errors)


@pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA device is here")
def test_extras_and_devices_that_training_lacks_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = [policy(tmp_path), "engine.device=cpu"]
    asked = ["engine.optimiser=adamw_8bit", "engine.attention=flash_attention_2", "engine.lora.rank=4"]
    assert [check(*own, one)[0] for one in asked] == [1, 1, 0]
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    told = " ".join(check(*own, *asked)[1]["missing"])
    assert all(text in told for text in ("adapters need peft", "needs a CUDA device", "and flash-attn"))
    (told,) = engines.missing_extras(EngineConfig(optimiser="adamw_8bit"), "cuda")
    assert "needs bitsandbytes" in told
