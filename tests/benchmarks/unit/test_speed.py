"""A measure of speed compares results before it times anything."""

import json
from pathlib import Path

import pytest

from benchmarks.model_steps import bench
from benchmarks.model_steps.meter import MEBIBYTE
from benchmarks.model_steps.random_model import SHAPES, write_random_model
from benchmarks.speed.measure import compare
from benchmarks.speed.policy import measure_policy
from evotrainer.config.schema import VllmConfig
from evotrainer.training.torch import fit
from evotrainer.training.torch.fit import StepSampler
from tests.model_directories import FAMILIES


def test_unequal_results_are_refused() -> None:
    with pytest.raises(RuntimeError, match="sum: the results of both sides differ in bits"):
        compare("sum", "loop", lambda: 1, lambda: 2, "bits", lambda mine, theirs: mine == theirs)


@pytest.mark.parts
def test_a_policy_samples_like_generate_and_steps_like_trl(tmp_path: Path) -> None:
    FAMILIES["llama"](tmp_path / "model")
    rollouts, step = measure_policy(tmp_path / "model", 6, "float32")
    assert rollouts.peer == "transformers generate" and step.peer.startswith("TRL 1.")
    assert rollouts.seconds > 0 and step.seconds > 0


SMALL = {
    "vocab_size": 512,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
}
SCALE = bench.Scale("small", problems=2, group=4, tokens=8, steps=3, device="cpu")


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
