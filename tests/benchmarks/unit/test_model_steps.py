"""The measurement of training a model of a real size: with a small model, on a CPU."""

import json
import os
from pathlib import Path

import pytest

from benchmarks.model_steps import bench
from benchmarks.model_steps.meter import MEBIBYTE, GpuMeter
from benchmarks.model_steps.random_model import SHAPES, write_random_model
from benchmarks.model_steps.scale import Scale
from evotrainer.config.engines import VllmConfig
from evotrainer.training.torch import fit
from evotrainer.training.torch.rollout import StepSampler

SMALL = {
    "vocab_size": 512,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
}
SCALE = Scale("small", problems=2, group=4, tokens=8, steps=3, device="cpu")
PROGRAM = """#!/bin/sh
case "$*" in
*loop*) while true; do echo "50, 1000"; sleep 0.02; done ;;
*) echo "0, 100" ;;
esac
"""


@pytest.fixture
def _nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "nvidia-smi"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def test_a_setting_is_measured_without_its_first_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SHAPES, "small", SMALL)
    monkeypatch.setattr(bench, "_apart", lambda work, *arguments: work(*arguments) is None)
    for owner, part in ((StepSampler, "sample"), (fit, "update_policy"), (fit, "publish")):
        monkeypatch.setattr(owner, part, getattr(owner, part))  # the measurement wraps them; this takes it off again
    write_random_model(tmp_path / "out" / "model-small", "small")
    assert bench.main(tmp_path / "out", SCALE, ["lora"], VllmConfig())
    found = json.loads((tmp_path / "out" / "small-lora" / "measured.json").read_text())
    assert found["steps"] == SCALE.steps
    assert 0 < found["sampled_tokens"] <= (SCALE.steps - 1) * SCALE.problems * SCALE.group * SCALE.tokens
    timed = (SCALE.steps - 1) * found["rollout_seconds"]
    assert found["rollout_tokens_per_second"] == pytest.approx(found["sampled_tokens"] / timed)
    assert found["grad_norm"] > 0, "with one reward for all nothing moves, and no weights would have to arrive"
    assert found["peak"] > 100 * MEBIBYTE
    assert found["stored"] > 0


@pytest.mark.usefixtures("_nvidia_smi")
def test_the_meter_reads_use_and_memory_within_spans() -> None:
    meter = GpuMeter()
    try:
        while meter.peak([(0.0, float("inf"))]) == 0:
            pass
    finally:
        meter.close()
    assert meter.peak([(0.0, float("inf"))]) == 900 * MEBIBYTE
    assert meter.mean_use([(0.0, float("inf"))]) == 0.5
    assert meter.mean_use([(0.0, 0.0)]) == 0.0
