"""Correction for a sampler that is not quite the policy that is trained, and how far apart the two are.

An inference engine computes other logprobs than the trainer does from the same weights, by rounding and by kernels. The
samples are then off-policy even at the first optimiser step. Each token's loss is weighted by how much likelier the
trainer finds what the sampler drew, capped at C (truncated importance sampling: "On the Rollout-Training Mismatch in
Modern RL Systems", NeurIPS 2025 workshop, openreview xsonlP8DRV), or dropped outside of a band (masked importance
sampling, as IcePop does: arXiv 2510.18855). With w = exp(before - sampled), `before` being the trainer's logprob
before the first step of the batch:

    token_tis    min(w, C) a token                      token_mask   w where 1/C <= w <= C, else 0
    seq_tis      min(product of w, C) a sequence        seq_mask     the product where it lies in the band, else 0

The weight is a constant: no gradient flows through it. It multiplies the clipped term alone and not the KL term or the
entropy bonus, as in TRL 1.16 (vllm_importance_sampling_mode), whose masks have no lower bound unless one is set.

Legend: B sequences, T positions of ids[1:]; masks are 1 where a sampled token of the policy stands.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from evotrainer.config import AlgorithmConfig


@dataclass(frozen=True)
class Mismatch:
    """How far the sampler's logprobs are from the trainer's, over some tokens."""

    mean_abs: float
    """Mean of |before - sampled|, nats a token."""
    kl: float
    """Estimate (k3) of KL(sampler || trainer), nats a token."""
    max_ratio: float
    """The largest w of a token."""


def correction_weights(before: Tensor, sampled: Tensor, mask: Tensor, config: AlgorithmConfig) -> Tensor | None:
    """Return the weights of the clipped term, [B, T] a token or [B, 1] a sequence; None without a correction."""
    if config.correction == "none":
        return None
    gap = (before.detach() - sampled) * mask  # [B, T]
    if config.correction.startswith("seq"):
        gap = gap.sum(-1, keepdim=True)
    weights, cap = gap.exp(), config.correction_cap
    if config.correction.endswith("tis"):
        return weights.clamp(max=cap)
    return weights.masked_fill((weights < 1 / cap) | (weights > cap), 0.0)


class MismatchMeter:
    """Adds up the mismatch of the passes of one batch."""

    def __init__(self) -> None:
        self._sums: list[Tensor] = []
        self._highest: list[Tensor] = []

    @torch.no_grad()
    def add(self, before: Tensor, sampled: Tensor, mask: Tensor) -> None:
        """Count the masked tokens of one pass; all are [B, T]."""
        gap = (before - sampled)[mask > 0]
        self._sums.append(torch.stack([gap.abs().sum(), (gap.exp() - gap - 1).sum(), gap.new_tensor(len(gap))]))
        self._highest.append(gap.exp().amax() if len(gap) else gap.new_zeros(()))

    def read(self) -> Mismatch:
        """Return the mismatch over all tokens so far; none where no token was counted."""
        if not self._sums:
            return Mismatch(0.0, 0.0, 1.0)
        total, kl, count = torch.stack(self._sums).sum(0).tolist()
        return Mismatch(total / max(count, 1), kl / max(count, 1), float(torch.stack(self._highest).max()))
