"""The AdamW of a CPU ends where torch's ends, bit for bit, and a process that trains does not load torch's compiler."""

import io
import subprocess
import sys

import pytest
import torch

from evotrainer.training.torch.adamw import AdamW

SIZES = [(7, 5), (64, 33), (3,), (1, 1)]
LOADS = """
import sys, torch
from evotrainer.engines.policy import prepare_torch
from evotrainer.training.torch.adamw import AdamW
prepare_torch(1)
weight = torch.nn.Parameter(torch.ones(3))
optimiser = AdamW([weight], lr=0.1, betas=(0.9, 0.99))
weight.sum().backward()
torch.nn.utils.clip_grad_norm_([weight], 1.0)
optimiser.step()
assert "torch._dynamo" not in sys.modules
"""


def _parameters() -> list[torch.nn.Parameter]:
    generator = torch.Generator().manual_seed(3)
    return [torch.nn.Parameter(torch.randn(size, generator=generator)) for size in SIZES]


@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_weights_and_moments_are_those_of_torch(weight_decay: float):
    ours, theirs = _parameters(), _parameters()
    settings = {"lr": 3e-3, "betas": (0.9, 0.98), "weight_decay": weight_decay}
    optimiser, reference = AdamW(ours, **settings), torch.optim.AdamW(theirs, **settings)
    generator = torch.Generator().manual_seed(4)
    for step in range(40):
        if step == 20:  # a resumed run
            stored = io.BytesIO()
            torch.save(optimiser.state_dict(), stored)
            stored.seek(0)
            optimiser = AdamW(ours, **settings)
            optimiser.load_state_dict(torch.load(stored, weights_only=True))
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            is_left_out = step % 3 == 1 and index == 1
            one.grad = None if is_left_out else torch.randn(one.shape, generator=generator) * 10.0 ** (step % 7 - 5)
            other.grad = None if one.grad is None else one.grad.clone()
        for group in [*optimiser.param_groups, *reference.param_groups]:
            group["lr"] = 3e-3 / (1 + step)
        optimiser.step()
        reference.step()
        for one, other in zip(ours, theirs, strict=True):
            assert torch.equal(one, other), step
    moments = reference.state_dict()["state"]
    for index, (mean, square) in enumerate(
        zip(optimiser.state_dict()["means"], optimiser.state_dict()["squares"], strict=True)
    ):
        assert torch.equal(mean, moments[index]["exp_avg"]) and torch.equal(square, moments[index]["exp_avg_sq"])
    optimiser.zero_grad()
    assert all(value.grad is None for value in ours)


def test_no_compiler_is_loaded():
    subprocess.run([sys.executable, "-c", LOADS], check=True)
