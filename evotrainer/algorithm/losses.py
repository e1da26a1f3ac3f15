"""Policy-gradient losses as pure functions of tensors. A test holds them equal to TRL 1.16's to 1e-6.

    token loss   -min(r A, clip(r, 1-low, 1+high) A) + kl_coefficient * KL, with r = exp(new - old) a token; gspo uses
                 one r a sequence, exp(mean of new - old) (arXiv 2507.18071). dual clip: r <= dual_clip where it would
                 push a bad token further down (arXiv 1912.09729; TRL's delta)
    weights      grpo    1/(N len): mean over sequences of token means (arXiv 2402.03300); gspo too
                 bnpo    1/(tokens of the minibatch)
                 dapo    1/(tokens of the rollout batch / num_minibatches) (arXiv 2503.14476)
                 dr_grpo 1/(N max_tokens): no division by length (arXiv 2503.20783)
    entropy      bonus on the mean over tokens, whatever the weights, as in TRL

The KL term is DeepSeekMath's k3, without the importance ratio that TRL multiplies it by unless
use_bias_correction_kl is off. With one minibatch bnpo and dapo are the same.

An inference engine computes other logprobs than the trainer does from the same weights, by rounding and by kernels. The
samples are then off-policy even at the first optimiser step. A correction weighs each token's loss by how much likelier
the trainer finds what the sampler drew, capped at C (truncated importance sampling: "On the Rollout-Training Mismatch
in Modern RL Systems", NeurIPS 2025 workshop, openreview xsonlP8DRV), or drops it outside of a band (masked importance
sampling, as IcePop does: arXiv 2510.18855). With w = exp(before - sampled), `before` being the trainer's logprob
before the first step of the batch:

    token_tis    min(w, C) a token                      token_mask   w where 1/C <= w <= C, else 0
    seq_tis      min(product of w, C) a sequence        seq_mask     the product where it lies in the band, else 0

The weight is a constant: no gradient flows through it. It multiplies the clipped term alone and not the KL term or the
entropy bonus, as in TRL 1.16 (vllm_importance_sampling_mode), whose masks have no lower bound unless one is set.

Legend: B sequences, T positions of ids[1:], V vocabulary; masks are 1 where a sampled token of the policy stands.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from evotrainer.config import AlgorithmConfig


@dataclass(frozen=True)
class Normaliser:
    """What the losses of one optimiser step are divided by."""

    num_sequences: int
    num_tokens: int
    """Sampled tokens of the minibatch."""
    batch_tokens: float
    """Sampled tokens of the whole rollout batch, divided by the number of minibatches."""
    max_tokens: int
    """Response budget of one trajectory."""


def token_logprobs(logits: Tensor, targets: Tensor) -> Tensor:
    """Return logprobs [..., T] of the targets [..., T] under logits [..., T, V], in nats."""
    return logits.float().log_softmax(-1).gather(-1, targets[..., None])[..., 0]


def token_entropies(logits: Tensor) -> Tensor:
    """Return the entropy [..., T] of each position's distribution, in nats."""
    logprobs = logits.float().log_softmax(-1)  # [..., T, V]
    return -(logprobs.exp() * logprobs).sum(-1)


def ratios(new: Tensor, old: Tensor, mask: Tensor, loss: str) -> Tensor:
    """Return importance ratios, [B, T] a token, or [B, 1] a sequence for gspo."""
    gap = new - old  # [B, T]
    if loss == "gspo":
        gap = (gap * mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(min=1.0)
    return gap.exp()


def clipped_loss(ratio: Tensor, advantages: Tensor, config: AlgorithmConfig) -> Tensor:
    """Return the clipped surrogate of ratios [B, T or 1] and advantages [B]: a loss of the ratios' shape."""
    advantage = advantages[:, None]
    clipped = ratio.clamp(1 - config.clip_low, 1 + config.clip_high)
    bounded = ratio.clamp(max=config.dual_clip) if config.dual_clip else ratio
    return -torch.min(bounded * advantage, clipped * advantage)


def is_clipped(ratio: Tensor, advantages: Tensor, config: AlgorithmConfig) -> Tensor:
    """Return 1.0 where the clip takes the gradient of a token away, shape of the ratios."""
    advantage = advantages[:, None]
    low = (ratio < 1 - config.clip_low) & (advantage < 0)
    return (low | ((ratio > 1 + config.clip_high) & (advantage > 0))).float()


def kl_divergence(new: Tensor, reference: Tensor, estimator: str) -> Tensor:
    """Return Schulman's estimate of KL(new || reference) a token, [B, T], in nats; k3 is never negative."""
    return KL_ESTIMATORS[estimator](reference - new)


KL_ESTIMATORS: dict[str, Callable[[Tensor], Tensor]] = {
    "k1": lambda gap: -gap,
    "k2": lambda gap: gap.square() / 2,
    "k3": lambda gap: gap.exp() - gap - 1,
}
"""The estimate of each token's KL divergence from gap = reference - new."""


def _sequence_means(mask: Tensor, normaliser: Normaliser) -> Tensor:
    return mask / mask.sum(-1, keepdim=True).clamp(min=1.0) / normaliser.num_sequences


LOSSES: dict[str, Callable[[Tensor, Normaliser], Tensor]] = {
    "grpo": _sequence_means,
    "bnpo": lambda mask, normaliser: mask / max(normaliser.num_tokens, 1),
    "dr_grpo": lambda mask, normaliser: mask / (normaliser.num_sequences * normaliser.max_tokens),
    "dapo": lambda mask, normaliser: mask / max(normaliser.batch_tokens, 1.0),
    "gspo": _sequence_means,
}
"""The weight [B, T] of each token's loss, from the mask; the sum over all sequences of a minibatch is its loss."""


def policy_loss(
    new: Tensor,
    old: Tensor,
    reference: Tensor | None,
    entropies: Tensor | None,
    mask: Tensor,
    advantages: Tensor,
    config: AlgorithmConfig,
    normaliser: Normaliser,
    weights: Tensor | None = None,
) -> Tensor:
    """Return the scalar loss of some sequences of a minibatch; those of all its parts add up to the minibatch's.

    Args:
        new, old, reference: logprobs [B, T] under the trained, the sampling and the base policy; `reference` is needed
            where kl_coefficient is not 0.
        entropies: [B, T]; needed where entropy_coefficient is not 0.
        mask: [B, T] floats.
        advantages: [B].
        weights: of the clipped term, [B, T] or [B, 1]; see correction_weights.

    """
    ratio = ratios(new, old, mask, config.loss)
    loss = clipped_loss(ratio, advantages, config)  # [B, T] or [B, 1]
    loss = loss if weights is None else loss * weights
    if config.kl_coefficient:
        assert reference is not None
        loss = loss + config.kl_coefficient * kl_divergence(new, reference, config.kl_estimator)
    total = (loss * LOSSES[config.loss](mask, normaliser)).sum()
    if config.entropy_coefficient:
        assert entropies is not None
        total = total - config.entropy_coefficient * (entropies * mask).sum() / max(normaliser.num_tokens, 1)
    return total


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
