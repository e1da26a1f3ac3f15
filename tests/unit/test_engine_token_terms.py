"""Taking logits in parts changes neither what is computed nor its gradient, and holds no float32 copy of them all."""

import pytest
import torch
from torch import Tensor

from evotrainer.training.torch import token_terms as module
from evotrainer.training.torch.token_terms import logprobs_in_parts, token_terms

ROWS, VOCABULARY = 37, 50


def _drawn(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    logits = (3 * torch.randn(ROWS, VOCABULARY, generator=generator)).to(dtype).requires_grad_()
    return logits, torch.randint(VOCABULARY, (ROWS,), generator=generator)


def _computed(dtype: torch.dtype, *, is_paid: bool) -> list[Tensor]:
    logits, targets = _drawn(dtype)
    logprobs, entropies = token_terms(logits, targets, is_entropy_paid=is_paid)
    weights = torch.linspace(-1, 1, ROWS)
    loss = (weights * logprobs).sum()
    if is_paid:
        loss = loss + (weights.flip(0) * entropies).sum()
    else:
        assert not entropies.requires_grad
    loss.backward()
    assert logits.grad is not None
    return [logprobs.detach(), entropies.detach(), logits.grad, logprobs_in_parts(logits, targets)]


@pytest.mark.parametrize("rows", [1, 5, 36])
@pytest.mark.parametrize("is_paid", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_parts_give_the_bytes_of_the_whole(
    rows: int, is_paid: bool, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
):
    whole = _computed(dtype, is_paid=is_paid)
    monkeypatch.setattr(module, "LOGITS_AT_ONCE", rows * VOCABULARY + 1)
    parts = _computed(dtype, is_paid=is_paid)
    for index, (one, other) in enumerate(zip(whole, parts, strict=True)):
        if is_paid and dtype == torch.bfloat16 and index == 2:  # the whole adds two gradients that were rounded
            torch.testing.assert_close(one, other, atol=0.02, rtol=0.02)
        else:
            torch.testing.assert_close(one, other, atol=0 if not is_paid else 1e-7, rtol=0 if not is_paid else 1e-6)


def test_no_tensor_of_all_logits_is_made_in_float32(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "LOGITS_AT_ONCE", 4 * VOCABULARY)
    sizes: list[int] = []
    inner = module.token_logprobs
    monkeypatch.setattr(module, "token_logprobs", lambda x, y: sizes.append(len(x)) or inner(x, y))
    logits, targets = _drawn(torch.bfloat16)
    token_terms(logits, targets, is_entropy_paid=True)[0].sum().backward()
    assert max(sizes) == 4
    assert sum(sizes) == 2 * ROWS, "each part once forward and once backward"
