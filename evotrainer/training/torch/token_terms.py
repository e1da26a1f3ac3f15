"""Logprobs and entropies of the sampled tokens, from logits of which several float32 copies may be too large.

With a vocabulary of 152,000 a pass of 16,000 tokens has 10 GB of logits in float32, and a loss written down plainly
keeps four such tensors for its gradient. Here the rows are taken some at a time, and each part is computed again in the
backward pass: only the logits, in the network's own precision, and their gradient are held whole.
"""

from typing import Any

import torch
from torch import Tensor

from evotrainer.algorithm.losses import token_entropies, token_logprobs
from evotrainer.engines.memory import LOGITS_AT_ONCE


def token_terms(logits: Tensor, targets: Tensor, *, is_entropy_paid: bool) -> tuple[Tensor, Tensor]:
    """Return logprobs [N] of the targets [N] under logits [N, V], and the entropies [N], in nats.

    Entropies have a gradient where they are paid for.
    """
    rows = _rows(logits)
    if len(logits) > rows:
        logprobs, entropies = _InParts.apply(logits, targets, rows)  # pyright: ignore[reportGeneralTypeIssues]
        return logprobs, entropies if is_entropy_paid else entropies.detach()
    if is_entropy_paid:
        return token_logprobs(logits, targets), token_entropies(logits)
    logprobs = logits.float().log_softmax(-1)
    found = logprobs.detach()
    return logprobs.gather(-1, targets[:, None])[:, 0], -(found.exp() * found).sum(-1)


@torch.no_grad()
def logprobs_in_parts(logits: Tensor, targets: Tensor) -> Tensor:
    """Return logprobs [N] of the targets [N] under logits [N, V], in nats, without gradient."""
    rows = _rows(logits)
    parts = zip(logits.split(rows), targets.split(rows), strict=True)
    return torch.cat([token_logprobs(part, wanted) for part, wanted in parts])


def _rows(logits: Tensor) -> int:
    return max(1, LOGITS_AT_ONCE // logits.shape[-1])


class _InParts(torch.autograd.Function):
    """Logprobs and entropies, in parts of `rows` rows."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, targets: Tensor, rows: int) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(logits, targets)
        ctx.rows = rows
        ctx.set_materialize_grads(False)
        return logprobs_in_parts(logits, targets), torch.cat([token_entropies(part) for part in logits.split(rows)])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor, None, None]:
        logits, targets = ctx.saved_tensors
        found = torch.empty_like(logits)
        for start in range(0, len(logits), ctx.rows):
            part = slice(start, start + ctx.rows)
            given = [None if values is None else values[part] for values in gradients]
            found[part] = _gradient(logits[part], targets[part], given)
        return found, None, None


def _gradient(logits: Tensor, targets: Tensor, given: list[Tensor | None]) -> Tensor:
    """Return the gradient of some rows' logits from those of their logprobs and entropies; None: not asked for."""
    with torch.enable_grad():
        inputs = logits.detach().requires_grad_()
        terms = [lambda: token_logprobs(inputs, targets), lambda: token_entropies(inputs)]
        pairs = [(term(), values) for term, values in zip(terms, given, strict=True) if values is not None]
    outputs, values = zip(*pairs, strict=True)
    return torch.autograd.grad(outputs, inputs, values)[0]
